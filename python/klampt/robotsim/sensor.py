"""Sensors of robots."""

import numpy as np


# Kinds of sweeps, which Klamp't numbers.
_SWEEPS = ("sinusoid", "triangular", "sawtooth")


class SensorModel:
    """A sensor of a robot model, which measures when it is told to (`kinematicSimulate`), or of a simulated robot.

    Settings are texts by name.
    """

    def __init__(self, robot, sensor):
        self.robotModel = robot
        self._sensor = sensor._sensor if isinstance(sensor, SensorModel) else sensor

    @classmethod
    def _of(cls, robot, sensor):
        return cls(robot, sensor)

    def __repr__(self):
        return "<SensorModel: %s>" % ("none" if self._sensor is None else "%r, %s" % (self.name, self.type))

    @property
    def sensor(self):
        """A number that identifies the sensor; None: there is none."""
        return None if self._sensor is None else id(self._sensor)

    def getName(self):
        """The sensor's name; '' when there is no sensor."""
        return "" if self._sensor is None else self._sensor.name

    def setName(self, name):
        """Renames the sensor."""
        self._sensor.name = name

    def getType(self):
        """Returns what it is: 'CameraSensor', ...; '' when there is no sensor."""
        return "" if self._sensor is None else self._sensor.type.rsplit(".", 1)[-1]

    def robot(self):
        """The model of the robot that carries it."""
        return self.robotModel

    def measurementNames(self):
        """Names of what it measured, one a number."""
        names = self._sensor.names()
        state = None if names else getattr(self.robotModel, "_state", None)
        if state is not None:
            self._sensor.prepare(state.native, state.native.robotIndex(self.robotModel._robot))
            names = self._sensor.names()
        return names

    def getMeasurements(self):
        """Returns what it measured last, an array."""
        return self._sensor.measurements()

    def settings(self):
        """Names of all settings."""
        return self._sensor.settings()

    def getSetting(self, name):
        """A setting as text. Raises RuntimeError for a name that it does not have."""
        text = self._sensor.setting(name)
        return str(_SWEEPS.index(text)) if text in _SWEEPS else text

    def setSetting(self, name, val):
        """Changes a setting. Raises RuntimeError for a name that it does not have and for a wrong value."""
        self._sensor.setSetting(name, str(val))

    def getEnabled(self):
        """Returns whether it measures in a simulation."""
        return self._sensor.enabled

    def setEnabled(self, enabled):
        """Switches it on or off in a simulation."""
        self._sensor.setSetting("enabled", "1" if enabled else "0")

    def _link_index(self):
        text = self.getSetting("link")
        try:
            return int(float(text))
        except ValueError:
            return self.robotModel._robot.linkIndex(text)

    def getLink(self):
        """The link that carries it; None: it is fixed in the world."""
        index = self._link_index()
        return None if index < 0 else self.robotModel.link(index)

    def setLink(self, link):
        """Mounts it on a link, by index or handle; None or -1: in the world."""
        if link is not None and hasattr(link, "getIndex"):
            link = link.getIndex()
        self.setSetting("link", str(-1 if link is None else int(link)))

    _getLink = getLink
    _setLink = setLink

    def getTransform(self):
        """Its pose (R, t) in the frame of its link. Raises RuntimeError for a sensor without one."""
        numbers = [float(v) for v in self.getSetting("Tsensor").split()]
        R = np.reshape(numbers[:9], (3, 3)).T.ravel().tolist()
        return R, numbers[9:]

    def getTransformWorld(self):
        """Its pose in the world, at the robot's configuration."""
        R, t = self.getTransform()
        link = self.getLink()
        if link is None:
            return R, t
        Rl, tl = link.getTransform()
        A, B = np.reshape(Rl, (3, 3)).T, np.reshape(R, (3, 3)).T
        return (A @ B).T.ravel().tolist(), (A @ np.asarray(t) + tl).tolist()

    def setTransform(self, R, t):
        """Sets its pose in the frame of its link."""
        rows = np.reshape(np.asarray(R, dtype=float), (3, 3)).T.ravel()
        self.setSetting("Tsensor", " ".join(repr(float(v)) for v in list(rows) + list(t)))

    def drawGL(self, measurements=None):
        """Does nothing: there is no OpenGL here."""

    def kinematicSimulate(self, *args):
        """kinematicSimulate(world, dt) or (dt): measures what stands where it stands now; then `dt` seconds pass."""
        if len(args) == 2:
            state, dt = args[0]._state, args[1]
        elif len(args) == 1:
            state, dt = self.robotModel._state, args[0]
        else:
            raise TypeError("kinematicSimulate takes a world and a time, or a time")
        if state is None:
            raise RuntimeError("the robot of the sensor is in no world")
        self._sensor.measure(state.native, state.native.robotIndex(self.robotModel._robot), float(dt))

    def kinematicReset(self):
        """Forgets what it measured."""
        self._sensor.reset()

    name = property(getName, setName)
    type = property(getType)
    enabled = property(getEnabled, setEnabled)
    link = property(getLink, setLink)
