"""Settings of all tests."""

from hypothesis import settings

# Compilation and shared machines make times mean nothing. The usual run tries the same examples
# every time; the long run tries new ones, and many more.
settings.register_profile("usual", deadline=None, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=3_000)
settings.load_profile("usual")
