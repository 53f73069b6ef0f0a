"""RobotInterfaceCompleter: an interface that has every method, the missing ones in software."""

import typing

from ..math import vectorops
from . import _completer_motions as commands
from . import _motions
from .blocks.utils import BlockSignal
from .robotinterface import RobotInterfaceBase

_MISSING = (NotImplementedError, AssertionError)


class RobotInterfaceCompleter(RobotInterfaceBase):
    """Offers all of RobotInterfaceBase over an interface that offers some of it.

    Positions, velocities, motions to a position, through positions, and of the tool are
    turned into what the base takes each step. The base must sense positions, and take
    positions, velocities, PID commands or motions. Filters act on commanded positions.

    Subclasses that override a command are not called by the other commands of this class.
    """

    _part_class: typing.Any = None  # PartInterface, whose module is above this one and sets it.

    def __init__(self, base_interface, base_initialized=False):
        RobotInterfaceBase.__init__(self, **base_interface.properties)
        self.properties["complete"] = True
        self._base = base_interface
        self._initialized = base_initialized
        self._extra_parts = {}
        self._filters = {}
        self._kinematics = commands.Kinematics(self)
        self._motion = None
        self._started = 0.0
        self._native = False
        self._steps = 0
        self._last = None
        self._sensed = None
        self._velocity = None
        self._fault = None
        self._gravity = ([0, 0, -9.8], 0.0, [0, 0, 0])
        self._children = []  # Interfaces of parts, which move with this one.

    def __str__(self):
        return f"Completer({self._base})"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._base, name)

    def whole(self):
        """Returns whether this is all of its model."""
        model = self.klamptModel()
        return model is None or model.numDrivers() == self.numJoints()

    def driverIndices(self):
        """Indices of this interface's drivers in the model."""
        return list(range(self.numJoints()))

    def _offers(self, name):
        method = getattr(self._base.__class__, name, None)
        return method is not None and not getattr(method, "_optional", False)

    def _ask(self, name, *args, fallback=None):
        """The base's answer, or fallback() where it has none."""
        if self._offers(name):
            try:
                return getattr(self._base, name)(*args)
            except _MISSING:
                pass
        if fallback is None:
            raise NotImplementedError(f"{name}() is not implemented by {self._base}")
        return fallback()

    def _send(self, name, *args):
        """Gives a command to the base; returns whether it took it."""
        if not self._offers(name):
            return False
        try:
            getattr(self._base, name)(*args)
            return True
        except _MISSING:
            return False

    # Structure.
    def numJoints(self, part=None):
        return len(self.parts()[part]) if part is not None else self._base.numJoints()

    def parts(self):
        return {**self._base.parts(), **self._extra_parts}

    def addPart(self, name, indices):
        """Names some drivers."""
        self._extra_parts[name] = list(indices)

    def partInterface(self, part, joint_idx=None):
        if part is None and joint_idx is None:
            return self
        if joint_idx is None and self._offers("partInterface"):
            try:
                return self._base.partInterface(part)
            except (*_MISSING, KeyError):
                pass
        return self._part_class(self, part, self.indices(part, joint_idx))

    def jointName(self, joint_idx):
        def from_model():
            model = self.klamptModel()
            return f"Joint {joint_idx}" if model is None else model.driver(joint_idx).getName()
        return self._ask("jointName", joint_idx, fallback=from_model)

    def klamptModel(self):
        return self._klamptModel if self._klamptModel is not None else self._base.klamptModel()

    # The course of steps.
    def initialize(self):
        if not self._initialized and not self._base.initialize():
            return False
        self._initialized = True
        return True

    def close(self):
        return self._base.close()

    def beginStep(self):
        self._base.beginStep()
        q = list(self._base.sensedPosition())
        if self._sensed is not None:
            self._velocity = vectorops.mul(vectorops.sub(q, self._sensed), self.controlRate())
        self._sensed = q

    def endStep(self):
        for part in self._children:
            part.endStep()
        if self._motion is not None and not self._native:
            t = self._steps_time() - self._started + 1.0 / self.controlRate()
            q, v = self._motion.at(t)
            done = t >= self._motion.duration
            self._command(q, v)
            if done:
                self._motion = None
        elif self._motion is not None and (
                self._steps_time() - self._started >= self._motion.duration):
            self._motion = None
        self._base.endStep()
        self._steps += 1

    def _steps_time(self):
        return self._steps / self.controlRate()

    def controlRate(self):
        return self._ask("controlRate", fallback=lambda: 100.0)

    def clock(self):
        return self._ask("clock", fallback=self._steps_time)

    def status(self, joint_idx=None):
        return self._fault or self._base.status()

    def estop(self):
        self._motion = None
        self._base.estop() if type(self._base).estop is not RobotInterfaceBase.estop else (
            RobotInterfaceCompleter.softStop(self))

    def softStop(self):
        self._motion = None
        RobotInterfaceCompleter.setPosition(self, self.commandedPosition())

    def reset(self):
        self._motion, self._fault = None, None
        return self._ask("reset", fallback=lambda: self.status() == "ok")

    # Filters.
    def setFilter(self, name, filter, input="auto", output="auto"):
        """Lets commanded positions pass a function q -> q; None removes it."""
        self._filters.pop(name, None)
        if filter is not None:
            self._filters[name] = filter

    def setJointLimits(self, qmin="auto", qmax="auto", op="clamp"):
        """Keeps commanded positions within limits: op 'clamp', 'warn', 'stop'; None ends it."""
        if qmin is None:
            self.setFilter("joint limits", None)
            return
        lower, upper = self.klamptModel().getJointLimits()
        q0 = self.klamptModel().getConfig()
        low = self.configFromKlampt(lower) if isinstance(qmin, str) else list(qmin)
        high = self.configFromKlampt(upper) if isinstance(qmax, str) else list(qmax)
        self.klamptModel().setConfig(q0)
        low, high = [min(p) for p in zip(low, high)], [max(p) for p in zip(low, high)]

        def limit(q):
            clamped = vectorops.minimum(vectorops.maximum(q, low), high)
            if op == "clamp" or clamped == list(q):
                return clamped
            return self._refused(q, op, "joint limits are exceeded")
        self.setFilter("joint limits", limit)

    def setCollisionFilter(self, world=None, op="warn"):
        """Checks commanded positions for self collisions and, with a world, others."""
        from ..model.collide import WorldCollider
        collider = None if world is None else WorldCollider(world)

        def check(q):
            model = self.klamptModel()
            model.setConfig(self.configToKlampt(q))
            hit = model.selfCollides()
            if collider is not None:
                world.robot(0).setConfig(model.getConfig())
                hit = hit or any(True for _ in collider.collisions())
            return self._refused(q, op, "the command collides") if hit else q
        self.setFilter("collision", None if op is None else check)

    def _refused(self, q, op, why):
        if op == "warn":
            print(f"{self}: {why}")
            return q
        self._fault = why
        self._motion = None
        return self.commandedPosition()

    # Commands.
    def _command(self, q, v=None):
        """Sends positions by what the base takes."""
        for f in list(self._filters.values()):
            try:
                q = list(f(q))
            except BlockSignal as s:
                q = self._refused(q, "warn" if s.signal == "warn" else "stop", s.text)
        rate = self.controlRate()
        sent = (v is not None and self._send("setPID", q, v)) or self._send("setPosition", q)
        if not sent and self._offers("setVelocity"):
            now = self.commandedPosition()
            step = vectorops.mul(vectorops.sub(q, now), rate)
            sent = self._send("setVelocity", step, 1.0 / rate)
        if not (sent or self._send("moveToPosition", q) or self._send("setPID", q, [0.0] * len(q))
                or self._send("setPiecewiseLinear", [1.0 / rate], [q])):
            raise NotImplementedError(f"{self._base} takes no command of positions")
        self._last = list(q)

    def _follow(self, motion, native=False):
        self._motion, self._native = motion, native
        self._started = self._steps_time()

    def _check(self, q, what="positions"):
        if len(q) != self.numJoints():
            raise ValueError(f"{self.numJoints()} {what} are wanted, one a driver, got {len(q)}")
        return list(q)

    def setPosition(self, q):
        self._motion = None
        self._command(self._check(q))

    def setVelocity(self, v, ttl=None):
        duration = 1.0 if ttl is None else ttl
        motion = _motions.Constant(self.commandedPosition(), self._check(v, "velocities"), duration)
        self._follow(motion, not self._filters and self._send("setVelocity", v, duration))

    def setTorque(self, t, ttl=None):
        self._motion = None
        if not self._send("setTorque", self._check(t, "torques"), ttl):
            raise NotImplementedError(f"{self._base} takes no torques")

    def setPID(self, q, dq, t=None):
        self._motion = None
        if not self._send("setPID", self._check(q), dq, t):
            self._command(q)
        self._last = list(q)

    def setPIDGains(self, kP, kI, kD):
        self._ask("setPIDGains", kP, kI, kD)

    def getPIDGains(self):
        return self._ask("getPIDGains")

    def moveToPosition(self, q, speed=1.0):
        motion = commands.move(self, self.commandedPosition(), self._motion_velocity(), self._check(q), speed)
        self._follow(motion, not self._filters and self._send("moveToPosition", q, speed))

    def _motion_velocity(self):
        """Velocities of the motion that is carried out, now."""
        if self._motion is None or isinstance(self._motion, _motions.Steps):
            return [0.0] * self.numJoints()
        return list(self._motion.at(self._steps_time() - self._started)[1])

    def limits(self):
        """Largest velocities and accelerations a driver."""
        model = self.klamptModel()
        if model is None:
            return [1.0] * self.numJoints(), [4.0] * self.numJoints()
        pick = self.driverIndices()
        both = []
        for values in (model.getVelocityLimits(), model.getAccelerationLimits()):
            drivers = model.velocityToDrivers(values)
            both.append([abs(drivers[i]) for i in pick])
        return both

    def _pieces(self, ts, qs, vs, relative):
        if len(ts) == 0:
            raise ValueError("a motion wants at least one time")
        offset = 0.0 if relative else self.clock()
        times = [t - offset for t in ts]
        if times[0] < 0 or any(a > b for a, b in zip(times, times[1:])):
            raise ValueError("times must not be in the past and must be sorted")
        q0 = self.commandedPosition()
        points = [self._check(q) for q in qs]
        slopes = None if vs is None else [list(v) for v in vs]
        if times[0] > 0:
            times, points = [0.0] + times, [q0] + points
            slopes = None if vs is None else [self.commandedVelocity()] + slopes
        keep = [i for i in range(len(times)) if i + 1 == len(times) or times[i] < times[i + 1]]
        return _motions.Pieces([times[i] for i in keep], [points[i] for i in keep],
                               None if slopes is None else [slopes[i] for i in keep])

    def setPiecewiseLinear(self, ts, qs, relative=True):
        motion = self._pieces(ts, qs, None, relative)
        self._follow(motion, not self._filters
                     and self._send("setPiecewiseLinear", ts, qs, relative))

    def setPiecewiseCubic(self, ts, qs, vs, relative=True):
        motion = self._pieces(ts, qs, vs, relative)
        self._follow(motion, not self._filters
                     and self._send("setPiecewiseCubic", ts, qs, vs, relative))

    # Commands of the tool.
    def setToolCoordinates(self, xtool_local):
        self._kinematics.tool = list(xtool_local)

    def getToolCoordinates(self):
        return list(self._kinematics.tool)

    def setGravityCompensation(self, gravity=(0, 0, -9.8), load=0.0, load_com=(0, 0, 0)):
        self._gravity = (list(gravity), load, list(load_com))
        self._send("setGravityCompensation", *self._gravity)

    def getGravityCompensation(self):
        return self._gravity

    def _reach(self, xparams, frame):
        goal = self._kinematics.goal(xparams, frame)
        q = self._kinematics.solve(self.commandedPosition(), goal)
        if q is not None:
            return q
        print(f"{self}: the tool cannot reach {list(xparams)}; it goes as near as it can")
        return self._kinematics.solve(self.commandedPosition(), goal, nearest=True)

    def setCartesianPosition(self, xparams, frame="world"):
        q = self._reach(xparams, frame)
        if q is not None:
            RobotInterfaceCompleter.setPosition(self, q)

    def moveToCartesianPosition(self, xparams, speed=1.0, frame="world"):
        q = self._reach(xparams, frame)
        if q is not None:
            RobotInterfaceCompleter.moveToPosition(self, q, speed)

    def moveToCartesianPositionLinear(self, xparams, speed=1.0, frame="world"):
        motion, reached = commands.tool_line(self._kinematics, self.commandedPosition(), xparams, speed, frame)
        if not reached:
            print(f"{self}: the tool cannot reach {list(xparams)}; it goes as near as it can")
        self._follow(motion)

    def setCartesianVelocity(self, dxparams, ttl=None, frame="world"):
        self._follow(commands.tool_velocity(self._kinematics, self.commandedPosition(), dxparams,
                                            ttl, frame))

    def setCartesianForce(self, fparams, ttl=None, frame="world"):
        import numpy as np
        link = self._kinematics.pose(self.commandedPosition())
        wrench = list(fparams[0]) + list(fparams[1]) if len(fparams) == 2 else [0.0] * 3 + list(
            fparams)
        torques = np.asarray(link.getJacobian(self._kinematics.tool)).T @ wrench
        RobotInterfaceCompleter.setTorque(self, self.velocityFromKlampt(torques.tolist()), ttl)

    # State.
    def isMoving(self, joint_idx=None):
        if self._motion is not None:
            return True
        return bool(self._ask("isMoving", fallback=lambda: False))

    def sensedPosition(self):
        return list(self._base.sensedPosition())

    def sensedVelocity(self):
        return self._ask("sensedVelocity",
                         fallback=lambda: self._velocity or [0.0] * self.numJoints())

    def sensedTorque(self):
        return self._ask("sensedTorque")

    def commandedPosition(self):
        q = self._ask("commandedPosition", fallback=lambda: self._last)
        return list(q) if q is not None and q[0] is not None else self.sensedPosition()

    def commandedVelocity(self):
        return list(self._ask("commandedVelocity", fallback=self._motion_velocity))

    def commandedTorque(self):
        return self._ask("commandedTorque")

    def destinationPosition(self):
        return list(self._motion.end) if self._motion is not None else self.commandedPosition()

    def destinationVelocity(self):
        if isinstance(self._motion, _motions.Pieces) and self._motion.v is not None:
            return list(self._motion.v[-1])
        return [0.0] * self.numJoints()

    def destinationTime(self):
        if self._motion is None:
            return self.clock()
        left = self._motion.duration - (self._steps_time() - self._started)
        return self.clock() + max(0.0, left)

    def queuedTrajectory(self):
        now = self._steps_time() - self._started
        left = 0.0 if self._motion is None else max(0.0, self._motion.duration - now)
        if isinstance(self._motion, _motions.Pieces):
            later = [i for i, t in enumerate(self._motion.times) if t > now]
            return ([0.0] + [self._motion.times[i] - now for i in later],
                    [self.commandedPosition()] + [self._motion.q[i] for i in later])
        return ([0.0, left], [self.commandedPosition(), self.destinationPosition()])

    def cartesianPosition(self, q, frame="world"):
        return self._kinematics.position(q, frame)

    def cartesianVelocity(self, q, dq, frame="world"):
        return self._kinematics.velocity(q, dq, frame)

    def cartesianForce(self, q, t, frame="world"):
        return self._kinematics.force(q, t, frame)

    # Sensors and settings are the base's.
    def sensors(self):
        return self._ask("sensors", fallback=list)

    def enabledSensors(self):
        return self._ask("enabledSensors", fallback=list)

    def hasSensor(self, sensor):
        return sensor in self.sensors()

    def enableSensor(self, sensor, enabled=True):
        return self._ask("enableSensor", sensor, enabled)

    def sensorMeasurements(self, sensor):
        return self._ask("sensorMeasurements", sensor)

    def sensorUpdateTime(self, sensor):
        return self._ask("sensorUpdateTime", sensor, fallback=self.clock)

    def getSettings(self):
        return self._ask("getSettings", fallback=dict)

    def getSetting(self, key):
        return self._base.getSetting(key)

    def setSetting(self, key, value):
        self._base.setSetting(key, value)

    def setControlMode(self, mode, *args, **kwargs):
        """Ends what moves and chooses a mode of the base; with arguments a mode is also a command, 'position' setPosition()."""
        self._motion = None
        command = getattr(self, "set" + mode[0].upper() + mode[1:], None)
        if self._offers("setControlMode"):
            self._base.setControlMode(mode, *args, **kwargs)
        elif command is None:
            raise NotImplementedError(f"{self._base} has no control mode '{mode}'")
        elif args or kwargs:
            command(*args, **kwargs)

    def functionCall(self, proc, *args, **kwargs):
        return self._base.functionCall(proc, *args, **kwargs)

    def stateValue(self, name):
        return self._base.stateValue(name)

    def printStatus(self):
        """Prints clock, status and positions."""
        def text(values):
            return " ".join(f"{v:.3f}" for v in values)
        print(f"{self}: clock {self.clock():.3f}, status {self.status()}, "
              f"{'moving' if self.isMoving() else 'still'}")
        print("  sensed   ", text(self.sensedPosition()))
        print("  commanded", text(self.commandedPosition()))
