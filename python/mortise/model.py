"""Robots, worlds and shapes, and what moves of a robot.

`Robot`, `World` and `Geometry` never change, so that threads share them; `RobotState` and `RobotDynamics` are what moves, one for each
thread. `mortise.io` reads them from files.
"""

from ._mortise import (BodyInertia, Geometry, Robot, RobotDriver, RobotDynamics, RobotLink, RobotState, World, WorldDescription,
                       WorldObject, WorldRobot, WorldTerrain, forward_dynamics, forward_kinematics, inverse_dynamics, jacobians)

__all__ = ["BodyInertia", "Geometry", "Robot", "RobotDriver", "RobotDynamics", "RobotLink", "RobotState", "World", "WorldDescription",
           "WorldObject", "WorldRobot", "WorldTerrain", "forward_dynamics", "forward_kinematics", "inverse_dynamics", "jacobians"]
