"""The interface of a robot: subclasses offer what their robot can do.

Positions, velocities and torques are lists with a value a driver. All calls are made
between beginStep() and endStep().
"""

from ..robotsim import WorldModel

# Programs get these along with `import *`.
import functools
import warnings
from ..model.subrobot import SubRobotModel
from ..robotsim import RobotModel

# Methods that a subclass may offer; the others raise NotImplementedError.
_OPTIONAL = {
    "jointName": "Name of a joint.", "partInterface": "The interface of a part.",
    "controlRate": "Steps a second.", "clock": "The robot's time in seconds.",
    "reset": "Leaves an error state; whether it succeeded.", "getSettings": "Settings by name.",
    "sensors": "Names of sensors.", "enabledSensors": "Names of sensors that are on.",
    "enableSensor": "Turns a sensor on or off.", "sensorMeasurements": "A sensor's last values.",
    "sensorUpdateTime": "Time of a sensor's last values.",
    "setControlMode": "Chooses a mode by name.", "functionCall": "Calls a function by name.",
    "isMoving": "Whether a motion is under way.", "sensedPosition": "Measured positions.",
    "sensedVelocity": "Measured velocities.", "sensedTorque": "Measured torques.",
    "commandedPosition": "Commanded positions.", "commandedVelocity": "Commanded velocities.",
    "commandedTorque": "Commanded torques.", "destinationPosition": "Where a motion ends.",
    "destinationVelocity": "Velocity where a motion ends.",
    "destinationTime": "When a motion ends.", "queuedTrajectory": "What is left of a motion.",
    "cartesianPosition": "Tool transform at positions.",
    "cartesianVelocity": "Tool velocity (angular, linear).",
    "cartesianForce": "Tool wrench (moment, force).", "setPosition": "Commands positions now.",
    "setVelocity": "Commands velocities for ttl seconds.",
    "setTorque": "Commands torques for ttl seconds.",
    "setPID": "Commands positions, velocities and torques to add.",
    "setPIDGains": "Sets the gains.", "getPIDGains": "The gains.",
    "moveToPosition": "Moves and stops at positions.",
    "setPiecewiseLinear": "Follows positions at times.",
    "setPiecewiseCubic": "Follows positions and velocities at times.",
    "setToolCoordinates": "Sets the tool's point in its link.",
    "getToolCoordinates": "The tool's point in its link.",
    "setGravityCompensation": "Sets gravity and load to compensate.",
    "getGravityCompensation": "Gravity and load.",
    "setCartesianPosition": "Commands a tool transform now.",
    "moveToCartesianPosition": "Moves to a tool transform.",
    "moveToCartesianPositionLinear": "Moves the tool along a line.",
    "setCartesianVelocity": "Moves the tool with a velocity.",
    "setCartesianForce": "Pushes with the tool.",
}


class RobotInterfaceBase:
    """The common part of every robot's interface. properties: free values by name."""

    def __init__(self, **properties):
        self.properties = properties
        self._worldModel = None
        self._klamptModel = None

    def __str__(self):
        inner = [self.properties[k] for k in ("name", "version") if k in self.properties]
        own = type(self).__name__
        if not inner:
            return own
        return ",".join(inner) if inner[0] == own else f"{','.join(inner)}({own})"

    def initialize(self):
        """Connects; whether it succeeded."""
        return True

    def close(self):
        """Disconnects; whether it succeeded."""
        return True

    def startStep(self):
        """Old name of beginStep()."""
        self.beginStep()

    def beginStep(self):
        """Called before the calls of a step."""

    def endStep(self):
        """Called after the calls of a step."""

    def numJoints(self, part=None):
        """Number of drivers, of all or of a part."""
        if part is not None:
            return len(self.parts()[part])
        model = self.klamptModel()
        if model is None:
            raise NotImplementedError(f"{self}: numJoints() wants a klamptModel()")
        return model.numDrivers()

    def parts(self):
        """Driver indices by part; None is the whole robot."""
        return {None: list(range(self.numJoints()))}

    def indices(self, part=None, joint_idx=None):
        """Driver indices of a part, or of one joint of it."""
        plist = self.parts()[part]
        if joint_idx is None:
            return plist
        assert 0 <= joint_idx < len(plist), f"part {part} has {len(plist)} joints, not {joint_idx}"
        return [plist[joint_idx]]

    def status(self, joint_idx=None):
        """'ok', or what is wrong."""
        return "ok"

    def estop(self):
        """Stops at once."""
        self.softStop()

    def softStop(self):
        """Stops gently."""
        self.setPosition(self.commandedPosition())

    def getSetting(self, name):
        """Value of a setting."""
        raise KeyError(f"{self} has no setting '{name}'")

    def setSetting(self, name, value):
        """Sets a setting."""
        raise KeyError(f"{self} has no setting '{name}'")

    def hasSensor(self, sensor):
        """Returns whether there is a sensor of that name."""
        return sensor in self.sensors()

    def stateValue(self, name):
        """A value that has no method of its own."""
        raise NotImplementedError(f"{self} has no state value '{name}'")

    def sensedCartesianPosition(self, frame="world"):
        """Tool transform (R, t) as measured."""
        return self.cartesianPosition(self.sensedPosition(), frame)

    def sensedCartesianVelocity(self, frame="world"):
        return self.cartesianVelocity(self.sensedPosition(), self.sensedVelocity(), frame)

    def sensedCartesianForce(self, frame="world"):
        return self.cartesianForce(self.sensedPosition(), self.sensedTorque(), frame)

    def commandedCartesianPosition(self, frame="world"):
        """Tool transform (R, t) as commanded."""
        return self.cartesianPosition(self.commandedPosition(), frame)

    def commandedCartesianVelocity(self, frame="world"):
        return self.cartesianVelocity(self.commandedPosition(), self.commandedVelocity(), frame)

    def commandedCartesianForce(self, frame="world"):
        return self.cartesianForce(self.commandedPosition(), self.commandedTorque(), frame)

    def destinationCartesianPosition(self, frame="world"):
        return self.cartesianPosition(self.destinationPosition(), frame)

    def destinationCartesianVelocity(self, frame="world"):
        return self.cartesianVelocity(self.destinationPosition(), self.destinationVelocity(), frame)

    def queuedCartesianTrajectory(self, frame="world"):
        """Times and tool transforms (and velocities) of what is left of a motion."""
        ts, qs, *vs = self.queuedTrajectory()
        poses = [self.cartesianPosition(q, frame) for q in qs]
        if not vs:
            return (ts, poses)
        return (ts, poses, [self.cartesianVelocity(q, v, frame) for q, v in zip(qs, vs[0])])

    def partToRobotConfig(self, pconfig, part, robotConfig, joint_idx=None):
        """The robot's values with those of a part replaced."""
        q = list(robotConfig)
        for i, x in zip(self.indices(part, joint_idx), pconfig):
            q[i] = x
        return q

    def robotToPartConfig(self, robotConfig, part, joint_idx=None):
        """A part's values of the robot's."""
        return [robotConfig[i] for i in self.indices(part, joint_idx)]

    def klamptModel(self):
        """The RobotModel, loaded from properties['klamptModelFile'] when there is none."""
        if self._klamptModel is None and "klamptModelFile" in self.properties:
            world = WorldModel()
            if not world.loadFile(self.properties["klamptModelFile"]):
                return None
            self._worldModel, self._klamptModel = world, world.robot(0)
        return self._klamptModel

    def _to_drivers(self, values, convert, part, joint_idx):
        model = self.klamptModel()
        if model is None:
            return values
        if len(values) != model.numLinks():
            raise ValueError(f"{self}: {model.numLinks()} values are wanted, one a link, got "
                             f"{len(values)}")
        result = list(getattr(model, convert)(values))
        if part is None and joint_idx is None:
            return result
        return [result[i] for i in self.indices(part, joint_idx)]

    def configFromKlampt(self, klamptConfig, part=None, joint_idx=None):
        """Driver values of a configuration with a value a link."""
        return self._to_drivers(klamptConfig, "configToDrivers", part, joint_idx)

    def velocityFromKlampt(self, klamptVelocity, part=None, joint_idx=None):
        """Driver velocities of velocities with a value a link."""
        return self._to_drivers(klamptVelocity, "velocityToDrivers", part, joint_idx)

    def _to_links(self, values, base, names, part, joint_idx):
        model = self.klamptModel()
        if model is None:
            return values
        set_all, from_drivers, set_one, get_all = names
        dofs = self.indices(part, joint_idx)
        if len(dofs) != len(values):
            raise ValueError(f"{self}: {len(dofs)} values are wanted, one a driver, got "
                             f"{len(values)}")
        if base is not None:
            getattr(model, set_all)(base)
        if part is None and joint_idx is None:
            return list(getattr(model, from_drivers)(values))
        for i, x in zip(dofs, values):
            getattr(model.driver(i), set_one)(x)
        return list(getattr(model, get_all)())

    def configToKlampt(self, config, klamptConfig=None, part=None, joint_idx=None):
        """A configuration with a value a link, of driver values."""
        return self._to_links(config, klamptConfig, ("setConfig", "configFromDrivers", "setValue",
                                                     "getConfig"), part, joint_idx)

    def velocityToKlampt(self, velocity, klamptVelocity=None, part=None, joint_idx=None):
        """Velocities with a value a link, of driver velocities."""
        return self._to_links(velocity, klamptVelocity, (
            "setVelocity", "velocityFromDrivers", "setVelocity", "getVelocity"), part, joint_idx)

    def wait(self, timeout=None, condition=None, pollRate=None):
        """Steps until a condition (default: no motion); returns the seconds waited."""
        from .utils import TimedLooper
        condition = condition or (lambda: not self.isMoving())
        dt = 1.0 / (pollRate if pollRate is not None else self.controlRate())
        total, looper = 0.0, TimedLooper(dt)
        while looper:
            self.beginStep()
            stop = condition()
            self.endStep()
            if stop or (timeout is not None and total >= timeout):
                break
            total += dt
        return total


def _optional(name, doc):
    def method(self, *args, **kwargs):
        raise NotImplementedError(f"{name}() is not implemented by {self}")
    method.__name__ = name
    method.__doc__ = doc + " NotImplementedError unless a subclass offers it."
    method._optional = True
    return method


for _name, _doc in _OPTIONAL.items():
    setattr(RobotInterfaceBase, _name, _optional(_name, _doc))
