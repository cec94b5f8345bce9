"""Figures: pictures of what the library finds, drawn by matplotlib.

Each function takes tidy frames and returns a `matplotlib.figure.Figure` of its own (a
:class:`Picture`, which knows its title and what it shows in words); pyplot, and with it a window or
any global state, plays no part. A notebook shows it as it is; :func:`figure_bytes` makes a file of
it, :func:`inline_svg` a part of an HTML page. The same frame gives the same bytes.

Every figure is five inches wide and as high as it needs to be, with no letters below nine points:
on a telephone they are as large as the small print of a page. Names of rule sets and strategies
are the user's own: they are shown as they are, shortened where there is no room.
"""

from pitchsim_reports.figures.bidchart import bid_chart
from pitchsim_reports.figures.calibrating import calibration
from pitchsim_reports.figures.changed import changed_bids
from pitchsim_reports.figures.converging import convergence
from pitchsim_reports.figures.files import figure_bytes, inline_svg
from pitchsim_reports.figures.payoffs import payoff_matrix
from pitchsim_reports.figures.picture import Picture
from pitchsim_reports.figures.points import point_contributions
from pitchsim_reports.figures.scores import bids_by_level, score_changes
from pitchsim_reports.figures.style import DARK, recolouring, style
from pitchsim_reports.figures.worth import make_by_bid, worth_by_bid

__all__ = [
    "DARK",
    "Picture",
    "bid_chart",
    "bids_by_level",
    "calibration",
    "changed_bids",
    "convergence",
    "figure_bytes",
    "inline_svg",
    "make_by_bid",
    "payoff_matrix",
    "point_contributions",
    "recolouring",
    "score_changes",
    "style",
    "worth_by_bid",
]
