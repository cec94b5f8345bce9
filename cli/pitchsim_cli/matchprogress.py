"""How far matches are, on standard error."""

import sys
import time

from pitchsim_cli.progress import LiveBar
from pitchsim_cli.waiting import PATIENCE, PAUSE


class LiveMatch(LiveBar):
    """Shows on a terminal how much is played, once it takes a while.

    It is called with the share of what was asked that is done, again and again.
    """

    def __init__(self, asked: str) -> None:
        super().__init__()
        self.asked = asked
        self.next_look = time.perf_counter() + PATIENCE

    def __call__(self, share: float) -> None:
        """Show how far it is."""
        now = time.perf_counter()
        if now < self.next_look or not sys.stderr.isatty():
            return
        self.next_look = now + PAUSE
        self.show(f"{share:.0%} of {self.asked}", share)
