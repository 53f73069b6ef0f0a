"""A controller that follows a trajectory, for programs with make(robot)."""

from ..model import trajectory
from .controller import ControllerBase

__all__ = ["TrajectoryController", "make"]


class TrajectoryController(ControllerBase):
    """Outputs the positions along a trajectory from the first call on.

    type: the name of the output, or a pair of names, of positions and velocities. The signal 'reset' begins again.
    """

    def __init__(self, traj, type=("qcmd", "dqcmd")):
        if not isinstance(type, str) and len(type) != 2:
            raise ValueError(f"type is a name or a pair of names, got {len(type)} names")
        self.traj = traj
        self.outputType = type
        self.startTime = None

    def inputNames(self):
        return ["t"]

    def outputNames(self):
        return [self.outputType] if isinstance(self.outputType, str) else list(self.outputType)

    def output(self, **inputs):
        if self.startTime is None:
            self.startTime = inputs["t"]
        t = inputs["t"] - self.startTime
        if isinstance(self.outputType, str):
            return {self.outputType: self.traj.eval(t)}
        return {self.outputType[0]: self.traj.eval(t), self.outputType[1]: self.traj.deriv(t)}

    def signal(self, type, **inputs):
        if type == "reset":
            self.startTime = None

    def getState(self):
        return {"startTime": self.startTime}

    def setState(self, state):
        self.startTime = state["startTime"]


def make(robot, file="mypath.path"):
    """Follows a path file: of the robot, or of driver values where robot is None."""
    traj = trajectory.Trajectory() if robot is None else trajectory.RobotTrajectory(robot)
    traj.load(file)
    return TrajectoryController(traj)
