"""Motions: their data, and times for paths within limits.

`retime` finds the fastest motion of a robot along a path, `time_path` times for milestones of any coordinates.
"""

from ._mortise import (HermiteTrajectory, MultiPath, ParabolicRamp, PathTiming, Trajectory, bound_usage, minimum_time, ramp_of_time, retime,
                       sampled, shortest_ramp, smooth_curve, time_path)

__all__ = ["HermiteTrajectory", "MultiPath", "ParabolicRamp", "PathTiming", "Trajectory", "bound_usage", "minimum_time", "ramp_of_time",
           "retime", "sampled", "shortest_ramp", "smooth_curve", "time_path"]
