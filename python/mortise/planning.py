"""Collision-free paths of robots and objects, and spaces of your own to plan in.

`plan` plans in a world as `mortise plan` does; `Space` is made of functions, and `space` declares one as a stage of pipelines;
`RealTimePlanner` plans while a robot moves.
"""

from ._spaces import PlanningSpace, space
from ._mortise import PlanResult, RealTimePlanner, Space, plan

__all__ = ["PlanResult", "PlanningSpace", "RealTimePlanner", "Space", "plan", "space"]
