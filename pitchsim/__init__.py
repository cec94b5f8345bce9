"""Monte Carlo bid analysis for the card game Pitch.

>>> import pitchsim
>>> pitchsim.evaluate("AS JS 10S 5S KH 2D", rules="partners", deals=20_000, seed=7).limit
'4'
>>> rules = pitchsim.find_rules("partners").changed({"target": 15, "low_to": "holder"})
>>> pitchsim.evaluate("AS JS 10S 5S KH 2D", rules, deals=20_000, seed=7).limit
'3'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitchsim.evaluating import evaluate
    from pitchsim.evaluation import Evaluation
    from pitchsim.presets import find_rules

__all__ = ["Evaluation", "evaluate", "find_rules"]

_MODULES = {
    "Evaluation": "pitchsim.evaluation",
    "evaluate": "pitchsim.evaluating",
    "find_rules": "pitchsim.presets",
}


def __getattr__(name: str) -> Any:
    """Load what is heavy (numba, numpy) when it is first asked for."""
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Name what there is before it is loaded."""
    return sorted({*globals(), *__all__})
