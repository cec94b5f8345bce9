"""Settings of all tests."""

import pytest
from hypothesis import settings

# Compilation and shared machines make times mean nothing. The usual run tries the same examples
# every time; the long run tries new ones, and many more.
settings.register_profile("usual", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=3_000)


def pytest_configure(config: pytest.Config) -> None:
    long = config.getoption("markexpr") == "long"
    settings.load_profile("long" if long else "usual")
