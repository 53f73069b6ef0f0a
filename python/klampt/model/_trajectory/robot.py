"""Trajectories of robots' configurations."""

import warnings

from ...math import vectorops
from .base import Trajectory


def _is_robot(robot):
    from ...robotsim import RobotModel
    from ..subrobot import SubRobotModel
    return isinstance(robot, (RobotModel, SubRobotModel))


class RobotTrajectory(Trajectory):
    """Milestones are configurations of a robot (or a SubRobotModel), which interpolates."""

    def __init__(self, robot, times=None, milestones=None):
        if not _is_robot(robot):
            raise ValueError("RobotTrajectory wants a RobotModel or SubRobotModel as its first "
                             f"argument, got {type(robot).__name__}")
        Trajectory.__init__(self, times, milestones)
        self.robot = robot

    def interpolate_state(self, a, b, u, dt):
        return self.robot.interpolate(a, b, u)

    def difference_state(self, a, b, u, dt):
        n = self.robot.numLinks()
        for q in (a, b):
            assert len(q) == n, f"a configuration of {n} entries is wanted, got {len(q)}"
        return vectorops.mul(self.robot.interpolateDeriv(a, b), 1.0 / dt)

    def _of_robot(self, robot, milestones):
        return RobotTrajectory(robot, self.times, milestones)

    def constructor(self):
        return lambda times=None, milestones=None: RobotTrajectory(self.robot, times, milestones)

    def getLinkTrajectory(self, link, discretization=None):
        """SE3Trajectory of a link's frame (link: index, name or handle).

        With discretization, the trajectory is first cut to pieces of that duration.
        """
        from .geodesic import SE3Trajectory
        if discretization is not None:
            return self.discretize(discretization).getLinkTrajectory(link)
        if isinstance(link, (int, str)):
            link = self.robot.link(link)
        poses = []
        for m in self.milestones:
            self.robot.setConfig(m)
            poses.append(link.getTransform())
        return SE3Trajectory(self.times[:], poses)

    def length(self, metric=None):
        return Trajectory.length(self, self.robot.distance if metric is None else metric)

    def checkValid(self):
        Trajectory.checkValid(self)
        n = self.robot.numLinks()
        if len(self.milestones[0]) != n:
            raise ValueError(f"milestones have {len(self.milestones[0])} entries, the robot {n}")

    def extractDofs(self, dofs):
        """A RobotTrajectory of a SubRobotModel with the given dofs."""
        from ..subrobot import SubRobotModel
        sub = SubRobotModel(self.robot, dofs)
        if not self.times:
            return RobotTrajectory(sub)
        return RobotTrajectory(sub, list(self.times),
                               [[m[j] for j in sub._links] for m in self.milestones])

    def stackDofs(self, trajs, strict=False):
        Trajectory.stackDofs(self, trajs, strict=False)
        if self.milestones and len(self.milestones[0]) != self.robot.numLinks():
            warnings.warn("RobotTrajectory.stackDofs: the milestones do not fit the robot", stacklevel=2)
