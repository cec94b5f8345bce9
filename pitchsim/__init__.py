"""Monte Carlo bid analysis for the card game Pitch.

>>> import pitchsim
>>> pitchsim.evaluate("AS JS 10S 5S KH 2D", rules="partners", deals=20_000, seed=7).limit
'4'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitchsim.evaluation import Evaluation, evaluate

__all__ = ["Evaluation", "evaluate"]


def __getattr__(name: str) -> Any:
    """Load the evaluation, and with it numba and pandas, when it is first asked for."""
    if name in __all__:
        from pitchsim import evaluation  # noqa: PLC0415

        return getattr(evaluation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
