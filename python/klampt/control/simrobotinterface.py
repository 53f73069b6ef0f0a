"""Interfaces of simulated robots, from full control to positions only."""

import functools
import time
import warnings

from ..model import robotinfo
from ..model.robotinfo import RobotInfo
from ..robotsim import RobotModel, SimRobotController, Simulator
from .robotinterface import RobotInterfaceBase

__all__ = ["SimPositionControlInterface", "SimVelocityControlInterface",
           "SimMoveToControlInterface", "SimFullControlInterface", "KinematicSimControlInterface",
           "RobotInfo", "make",
           # Programs get these along with `import *`.
           "RobotInterfaceBase", "RobotModel", "SimRobotController", "Simulator", "functools", "robotinfo", "time", "warnings"]


class _Robot(RobotInterfaceBase):
    """The common part of simulated robots: the model and its parts."""

    def __init__(self, robot, robotInfo):
        RobotInterfaceBase.__init__(self, name=type(self).__name__)
        self.robot = robot
        self.robotInfo = robotInfo
        self._status = "ok"
        if robotInfo is not None and robotInfo.modelFile is not None:
            self.properties["klamptModelFile"] = robotInfo.modelFile

    def klamptModel(self):
        return self.robot if self._klamptModel is None else self._klamptModel

    def parts(self):
        res = {None: list(range(self.numJoints()))}
        if self.robotInfo is not None:
            res.update({k: self.robotInfo.partDriverIndices(k) for k in self.robotInfo.parts})
        return res

    def jointName(self, joint_idx):
        return self.klamptModel().driver(joint_idx).getName()

    def status(self, joint_idx=None):
        return self._status

    def enabledSensors(self):
        return self.sensors()


class _SimControlInterface(_Robot):
    """A SimRobotController; with a Simulator, endStep() simulates one control step."""

    def __init__(self, sim_controller, simulator=None, robotInfo=None):
        assert isinstance(sim_controller, SimRobotController), (
            f"a SimRobotController is wanted, got {type(sim_controller).__name__}")
        assert simulator is None or isinstance(simulator, Simulator), (
            f"a Simulator is wanted, got {type(simulator).__name__}")
        _Robot.__init__(self, sim_controller.model(), robotInfo)
        self.sim_controller = sim_controller
        self.simulator = simulator
        self._status = "disconnected"

    def initialize(self):
        self._status = "ok"
        return True

    def controlRate(self):
        return 1.0 / self.sim_controller.getRate()

    def sensors(self):
        return [s.name for s in self.sim_controller.sensors]

    def hasSensor(self, sensor):
        return sensor in self.sensors()

    def enableSensor(self, sensor, enabled=True):
        if not enabled:
            raise NotImplementedError("simulated sensors are always on")
        return True

    def sensorMeasurements(self, name):
        return self.sim_controller.sensor(name).getMeasurements()

    def endStep(self):
        if self.simulator is not None:
            self.simulator.simulate(self.sim_controller.getRate())
            if self.simulator.getStatus() >= Simulator.STATUS_UNSTABLE:
                self._status = self.simulator.getStatusString()

    def sensedPosition(self):
        return self.configFromKlampt(self.sim_controller.getSensedConfig())

    def commandedPosition(self):
        return self.configFromKlampt(self.sim_controller.getCommandedConfig())


class SimPositionControlInterface(_SimControlInterface):
    """Takes positions only."""

    def setPosition(self, q):
        self.sim_controller.setPIDCommand(q, [0] * len(q))


class SimVelocityControlInterface(_SimControlInterface):
    """Takes velocities only."""

    def setVelocity(self, v, ttl=None):
        self.sim_controller.setVelocity(self.velocityToKlampt(v), 1.0 if ttl is None else ttl)


class SimMoveToControlInterface(_SimControlInterface):
    """Takes motions to positions only, at full speed."""

    def moveToPosition(self, q, speed=1.0):
        if speed != 1.0:
            raise NotImplementedError("the simulated controller moves at full speed only")
        self.sim_controller.setMilestone(self.configToKlampt(q))

    def isMoving(self, joint_idx=None):
        return self.sim_controller.remainingTime() > 0


class SimFullControlInterface(SimMoveToControlInterface):
    """Takes every command of the simulated controller."""

    def setPosition(self, q):
        self.sim_controller.setPIDCommand(q, [0] * len(q))

    def setVelocity(self, v, ttl=None):
        self.sim_controller.setVelocity(self.velocityToKlampt(v), 0.1 if ttl is None else ttl)

    def setTorque(self, t, ttl=None):
        if ttl is not None:
            raise NotImplementedError("the simulated controller takes torques without ttl")
        self.sim_controller.setTorque(t)

    def setPID(self, q, dq, t=None):
        self.sim_controller.setPIDCommand(q, dq, *(() if t is None else (t,)))

    def setPIDGains(self, kP, kI, kD):
        self.sim_controller.setPIDGains(kP, kI, kD)

    def getPIDGains(self):
        return self.sim_controller.getPIDGains()

    @staticmethod
    def _steps(ts, relative):
        if not relative:
            raise NotImplementedError("the simulated controller takes relative times")
        steps = [b - a for a, b in zip([0.0] + list(ts), ts)]
        if any(s < 0 for s in steps):
            raise ValueError("times must not be negative and must be sorted")
        return steps

    def setPiecewiseLinear(self, ts, qs, relative=True):
        c = self.sim_controller
        for i, (dt, q) in enumerate(zip(self._steps(ts, relative), qs)):
            (c.addLinear if i else c.setLinear)(self.configToKlampt(q), dt)

    def setPiecewiseCubic(self, ts, qs, vs, relative=True):
        c = self.sim_controller
        for i, (dt, q, v) in enumerate(zip(self._steps(ts, relative), qs, vs)):
            (c.addCubic if i else c.setCubic)(self.configToKlampt(q), self.velocityToKlampt(v), dt)

    def sensedVelocity(self):
        return self.velocityFromKlampt(self.sim_controller.getSensedVelocity())

    def sensedTorque(self):
        return self.sim_controller.getSensedTorque()

    def commandedVelocity(self):
        return self.velocityFromKlampt(self.sim_controller.getCommandedVelocity())

    def commandedTorque(self):
        return self.sim_controller.getCommandedTorque()


class KinematicSimControlInterface(_Robot):
    """Positions are taken over at once; limits and self collisions stop it."""

    def __init__(self, robot, robotInfo=None, rate=200.0):
        assert isinstance(robot, RobotModel), f"a RobotModel is wanted, got {type(robot).__name__}"
        _Robot.__init__(self, robot, robotInfo)
        self._rate = rate
        self.q = self.configFromKlampt(robot.getConfig())
        limits = [self.configFromKlampt(x) for x in robot.getJointLimits()]
        # Drivers that turn links backwards have their limits the other way round.
        self.qmin, self.qmax = ([f(pair) for pair in zip(*limits)] for f in (min, max))

    def controlRate(self):
        return self._rate

    def sensors(self):
        return [s.name for s in self.robot.sensors]

    def sensorMeasurements(self, name):
        self.robot.setConfig(self.configToKlampt(self.q))
        return self.robot.sensor(name).getMeasurements()

    def setPosition(self, q):
        if self._status != "ok":
            return
        if len(q) != len(self.q):
            raise ValueError(f"{len(self.q)} driver values are wanted, got {len(q)}")
        for i, (v, a, b) in enumerate(zip(q, self.qmin, self.qmax)):
            if v < a or v > b:
                self._status = f"joint {i} limit violation: {a:f} <= {v:f} <= {b:f}"
                return
        self.robot.setConfig(self.configToKlampt(q))
        if self.robot.selfCollides():
            self._status = "self collision"
            return
        self.q = list(q)

    def reset(self):
        self._status = "ok"
        return True

    def sensedPosition(self):
        return list(self.q)

    def commandedPosition(self):
        return list(self.q)


def make(robotModel):
    """The interface of a kinematic simulation, with the parts of its RobotInfo if it has one."""
    from ..model.robotinfo import RobotInfo
    from .robotinterfaceutils import RobotInterfaceCompleter
    info = RobotInfo.all_robots.get(robotModel.getName())
    return RobotInterfaceCompleter(KinematicSimControlInterface(robotModel, info))
