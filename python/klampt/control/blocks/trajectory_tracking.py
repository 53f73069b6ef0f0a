"""Controllers that follow a trajectory, from the time when they start."""

from ...io import loader
from ...model import trajectory
from .robotcontroller import RobotControllerBlock, RobotControllerIO


class _Following(RobotControllerBlock):
    """Keeps when it started."""

    def __init__(self):
        self.startTime = None
        RobotControllerBlock.__init__(self)

    def _since_start(self, t):
        if self.startTime is None:
            self.startTime = t
        return t - self.startTime

    def signal(self, type, *args, **inputs):
        if type == "reset":
            self.startTime = None


class TrajectoryPositionController(_Following):
    """Commands positions along a trajectory and, where type is a pair of names, its velocities."""

    def __init__(self, traj, type=("qcmd", "dqcmd")):
        _Following.__init__(self)
        self.traj, self.outputType = traj, type
        for name in [type] if isinstance(type, str) else type:
            self._outputs.addChannel(name)

    def advance(self, **inputs):
        t = self._since_start(inputs["t"])
        if isinstance(self.outputType, str):
            return {self.outputType: self.traj.eval(t)}
        return {self.outputType[0]: self.traj.eval(t), self.outputType[1]: self.traj.deriv(t)}

    def __getstate__(self):
        return {"startTime": self.startTime, "traj": loader.to_json(self.traj)}

    def __setstate__(self, state):
        self.startTime = state["startTime"]
        self.traj = loader.from_json(state["traj"], "Trajectory")


class TrajectoryWithFeedforwardTorqueController(_Following):
    """Commands positions and velocities along a trajectory, and torques of a second one."""

    def __init__(self, traj, torquetraj):
        _Following.__init__(self)
        self.traj, self.torquetraj = traj, torquetraj

    def advance(self, **inputs):
        t = self._since_start(inputs["t"])
        return RobotControllerIO(inputs).makeFeedforwardPIDCommand(self.traj.eval(t), self.traj.deriv(t),
                                                                   self.torquetraj.eval(t))

    def __getstate__(self):
        return {"startTime": self.startTime, "traj": loader.to_json(self.traj),
                "torquetraj": loader.to_json(self.torquetraj)}

    def __setstate__(self, state):
        self.startTime = state["startTime"]
        self.traj = loader.from_json(state["traj"], "Trajectory")
        self.torquetraj = loader.from_json(state["torquetraj"], "Trajectory")


def make(robot, file="mypath.path", ff_torque_file=None):
    """A controller for a robot (or None) that follows the path in a file, with torques of another one."""
    path = trajectory.Trajectory() if robot is None else trajectory.RobotTrajectory(robot)
    path.load(file)
    if ff_torque_file is None:
        return TrajectoryPositionController(path)
    torques = trajectory.Trajectory()
    torques.load(ff_torque_file)
    return TrajectoryWithFeedforwardTorqueController(path, torques)
