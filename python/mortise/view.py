"""Pages of a browser that programs show worlds in.

`show` shows something until Ctrl-C; `World.view` and `Simulation.view` make a `View`, beside which the program goes on.
"""

from ._mortise import Control, View, show

__all__ = ["Control", "View", "show"]
