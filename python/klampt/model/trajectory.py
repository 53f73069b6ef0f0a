"""Trajectories of vectors, robots, rotations and transforms; timing and execution.

Trajectory interpolates vectors, RobotTrajectory a robot's configurations, SO3Trajectory
rotations, SE3Trajectory transforms; names with Hermite are smooth.
"""

import bisect
import math
import time
import warnings

from ..math import se3, so2, so3, spline, vectorops
from ..math.geodesic import GeodesicSpace, SE2Space, SE3Space, SO3Space
from ..robotsim import RobotModel, RobotModelLink
from .subrobot import SubRobotModel
from ._trajectory.base import Trajectory
from ._trajectory.execute import execute_path, execute_trajectory, plot_trajectory_mpl
from ._trajectory.geodesic import GeodesicTrajectory, SE2Trajectory, SE3Trajectory, SO3Trajectory
from ._trajectory.geodesic_hermite import (GeodesicHermiteTrajectory, SE2HermiteTrajectory,
                                           SE3HermiteTrajectory, SO3HermiteTrajectory)
from ._trajectory.hermite import HermiteTrajectory
from ._trajectory.robot import RobotTrajectory
from ._trajectory.timing import path_to_trajectory

__all__ = ["Trajectory", "RobotTrajectory", "GeodesicTrajectory", "SO3Trajectory", "SE3Trajectory",
           "HermiteTrajectory", "GeodesicHermiteTrajectory", "SO3HermiteTrajectory",
           "SE3HermiteTrajectory", "SE2Trajectory", "SE2HermiteTrajectory", "path_to_trajectory",
           "execute_path", "execute_trajectory", "plot_trajectory_mpl"]

# Programs get these along with `import *`.
__all__ += ["bisect", "math", "time", "warnings", "se3", "so2", "so3", "spline", "vectorops", "GeodesicSpace", "SE2Space",
            "SE3Space", "SO3Space", "RobotModel", "RobotModelLink", "SubRobotModel"]
