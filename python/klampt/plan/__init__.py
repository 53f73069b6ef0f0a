"""Motion planning: configuration spaces, planners, and planning for robots and objects."""

from . import cspace, motionplanning, robotcspace, robotplanning

__all__ = ["cspace", "robotcspace", "robotplanning"]
