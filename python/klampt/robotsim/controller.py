"""Controllers of simulated robots."""

from types import MappingProxyType

from ._native import native
from .robot import RobotModel
from .sensor import SensorModel


def _klampt_name(name):
    """The name of a setting as Klamp't spells it: enable_gravity_compensation is enableGravityCompensation."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _setting_text(value):
    """The value of a setting as Klamp't writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return " ".join("%g" % x for x in (value if isinstance(value, list) else [value]))


class SimRobotController:
    """Controls a simulated robot: by a queue of motions, which PID loops track, with torques against gravity where its base
    is fixed; by PID commands; or by torques. Got from `Simulator.controller`."""

    def __init__(self):
        self.sim, self.index = None, -1

    @classmethod
    def _of(cls, simulator, index):
        controller = cls()
        controller.sim, controller.index = simulator, index
        controller._native = simulator._sim
        return controller

    def __repr__(self):
        return "<SimRobotController: robot %d, %s>" % (self.index, self.getControlType() if self.sim else "none")

    @property
    def controller(self):
        """A number that identifies the controller."""
        return (id(self.sim), self.index).__hash__()

    def model(self):
        """The model of the robot."""
        state = self.sim._world
        return RobotModel._of(state.native.robots[self.index], state)

    def setRate(self, dt):
        """Seconds between updates, from now on. Raises ValueError for what is not above 0."""
        self._native.setControllerPeriod(self.index, float(dt))

    def getRate(self):
        """Seconds between updates."""
        return self._native.controllerPeriod(self.index)

    rate = property(getRate, setRate)

    def getCommandedConfig(self):
        """The configuration that is asked for now, one number a link."""
        return self._native.commandedConfig(self.index)

    def getCommandedVelocity(self):
        """The velocity that is asked for now, one number a link."""
        return self._native.commandedVelocity(self.index)

    def getCommandedTorque(self):
        """The torques that are added, one number a driver."""
        return self._native.commandedTorque(self.index)

    def getSensedConfig(self):
        """The configuration of the simulated robot, one number a link."""
        return self._native.config(self.index)

    def getSensedVelocity(self):
        """The velocity of the simulated robot, one number a link."""
        return self._native.velocity(self.index)

    def getSensedTorque(self):
        """Returns what a torque sensor measures, one number a driver; zeros without one."""
        reading = self._native.reading(self.index, "driver_torques")
        return reading if reading is not None else [0.0] * self.model().numDrivers()

    def numSensors(self):
        """Returns the number of sensors."""
        return len(self._native.sensors(self.index))

    def _sensor(self, index_or_name):
        sensors = self._native.sensors(self.index)
        found = None
        if isinstance(index_or_name, str):
            found = next((s for s in sensors if s.name == index_or_name), None)
        elif 0 <= int(index_or_name) < len(sensors):
            found = sensors[int(index_or_name)]
        return SensorModel._of(self.model(), found)

    def sensor(self, index_or_name):
        """A sensor by index or name. Raises KeyError when there is none."""
        sensor = self._sensor(index_or_name)
        if sensor._sensor is None:
            raise KeyError("the controller has no sensor %r" % (index_or_name,))
        return sensor

    @property
    def sensors(self):
        """All sensors."""
        model = self.model()
        return tuple(SensorModel._of(model, s) for s in self._native.sensors(self.index))

    @property
    def sensorsDict(self):
        """All sensors by name."""
        return MappingProxyType({s.name: s for s in self.sensors})

    def addSensor(self, name, type):
        """Adds a sensor to the simulated robot, from now on."""
        return SensorModel._of(self.model(), self._native.addSensor(self.index, name, type))

    def commands(self):
        """Names that `sendCommand` knows."""
        return ["set_q", "append_q", "set_qv", "append_qv", "set_tv", "append_q_linear", "set_tq", "append_tq", "set_tqv",
                "append_tqv", "brake"]

    def sendCommand(self, name, args):
        """A command with its numbers as text: of 't', 'q' and 'v' those that its name has. False for an unknown one."""
        if name not in self.commands():
            return False
        n = self.model().numLinks()
        numbers = [float(v) for v in args.split()]
        letters = [] if name == "brake" else name.replace("_linear", "").split("_")[1]
        time = numbers.pop(0) if "t" in letters else 0.0
        vectors = []
        for letter in letters:
            if letter in "qv":
                if len(numbers) >= n + 1 and numbers[0] == n and len(numbers) % n:
                    numbers.pop(0)
                vectors.append(numbers[:n])
                del numbers[:n]
        append = name.startswith("append")
        if name == "brake":
            self.setMilestone(self.getCommandedConfig())
        elif letters == "tv":
            self.setVelocity(vectors[0], time)
        elif name == "append_q_linear":
            self.addMilestoneLinear(vectors[0])
        elif letters == "tq":
            (self.addLinear if append else self.setLinear)(vectors[0], time)
        elif letters == "tqv":
            (self.addCubic if append else self.setCubic)(vectors[0], vectors[1], time)
        else:
            (self.addMilestone if append else self.setMilestone)(*vectors)
        return True

    def _settings(self):
        """Own names and values of settings by both spellings."""
        values = self._native.settings(self.index)
        return {spelt: (own, value) for own, value in values.items() for spelt in (_klampt_name(own), own)}

    def settings(self):
        """Names of settings, those of controllers that follow paths: what motions of the queue add to the PID loops, and which
        part of the limits they take. Their first values are those of the controller in the world's or robot's file."""
        return [_klampt_name(name) for name in self._native.settings(self.index)]

    def getSetting(self, name):
        """A setting as text, by this name or the one that `mortise sim --list-commands` prints. Raises RuntimeError for a name
        that it does not have."""
        settings = self._settings()
        if name not in settings:
            raise RuntimeError("the controller has no setting '%s'; it has %s and %s" % (
                name, ", ".join(self.settings()[:-1]), self.settings()[-1]))
        return _setting_text(settings[name][1])

    def setSetting(self, name, val):
        """Changes a setting, given as text. False: there is none of this name, or the text is no value of it."""
        own, now = self._settings().get(name, (None, None))
        if own is None:
            return False
        words = str(val).split()
        try:
            if isinstance(now, bool):
                value = {"0": False, "1": True, "false": False, "true": True}[" ".join(words).lower()]
            else:
                value = [float(x) for x in words] if isinstance(now, list) else float(" ".join(words))
            return self._native.changeSetting(self.index, own, value)
        except (KeyError, ValueError, RuntimeError):
            return False

    def setMilestone(self, q, dq=()):
        """Moves to a configuration, and a velocity there, as fast as limits allow. What is beyond a limit becomes the limit."""
        self._native.move(self.index, "ramp", False, q, dq, 0.0)

    def addMilestone(self, q, dq=()):
        """The same after what is queued."""
        self._native.move(self.index, "ramp", True, q, dq, 0.0)

    def addMilestoneLinear(self, q):
        """Moves to a configuration on a straight line, as fast as limits allow, after what is queued."""
        self._native.move(self.index, "linearRamp", True, q, (), 0.0)

    def setLinear(self, q, dt):
        """Moves to a configuration at constant velocity in dt seconds."""
        self._native.move(self.index, "linear", False, q, (), float(dt))

    def addLinear(self, q, dt):
        """The same after what is queued."""
        self._native.move(self.index, "linear", True, q, (), float(dt))

    def setCubic(self, q, v, dt):
        """Moves to a configuration and velocity on a cubic in dt seconds."""
        self._native.move(self.index, "cubic", False, q, v, float(dt))

    def addCubic(self, q, v, dt):
        """The same after what is queued."""
        self._native.move(self.index, "cubic", True, q, v, float(dt))

    def remainingTime(self):
        """Seconds until the queue is done."""
        return self._native.remaining(self.index)

    def setVelocity(self, dq, dt):
        """Moves at a velocity for dt seconds."""
        self._native.moveAtVelocity(self.index, dq, float(dt))

    def setTorque(self, t):
        """Torques, one a driver or one a link, until something else is commanded."""
        self._native.setTorque(self.index, t)

    def setPIDCommand(self, qdes, dqdes, tfeedforward=()):
        """Targets of the PID loops, one number a driver or one a link, and torques to add, until something else is
        commanded."""
        self._native.setPid(self.index, qdes, dqdes, tfeedforward)

    def setManualMode(self, enabled):
        """False: leaves PID and torque commands for the queue."""
        self._native.setManual(self.index, bool(enabled))

    def getControlType(self):
        """'PID' or 'torque'."""
        return "torque" if self._native.mode(self.index) == 2 else "PID"

    def setPIDGains(self, kP, kI, kD):
        """Gains of the drivers."""
        self._native.setGains(self.index, kP, kI, kD)

    def getPIDGains(self):
        """(kP, kI, kD), one number a driver each."""
        return self._native.gains(self.index)
