"""A Simulator with controllers, sensor and actuator emulators, and hooks in Python."""

import weakref

from ..robotsim import RigidObjectModel, RobotModel, RobotModelLink, Simulator, TerrainModel, WorldModel
from . import simlog

# Programs get these along with `import *`.
import warnings
from ..robotsim import *


class SensorEmulator:
    """Makes measurements that the simulator does not: update() returns them by name."""

    def update(self):
        """Measurements by name."""
        return {}

    def drawGL(self):
        """Draws what is measured."""


class DefaultSensorEmulator(SensorEmulator):
    """The commanded state and the simulated sensors."""

    def __init__(self, sim, controller):
        self.sim = sim
        self.controller = controller

    def update(self):
        c, result = self.controller, {}
        if c.getControlType() == "PID":
            result.update(qcmd=c.getCommandedConfig(), dqcmd=c.getCommandedVelocity())
        for s in c.sensors:
            result[s.name] = s.getMeasurements()
        return result


class ActuatorEmulator:
    """Turns commands into actions: process() once a control step, substep() once a substep."""

    def process(self, commands, dt):
        """Receives the controller's output, or None."""

    def substep(self, dt):
        """Called before each substep."""

    def drawGL(self):
        """Draws what is acted."""


class DefaultActuatorEmulator(ActuatorEmulator):
    """Sends qcmd, dqcmd, torquecmd and tcmd to the simulated controller."""

    _KNOWN = {"t", "dt", "torquecmd", "qcmd", "dqcmd", "tcmd"}

    def __init__(self, sim, controller):
        self.sim = sim
        self.controller = controller

    def process(self, commands, dt):
        if commands is None:
            return
        c = self.controller
        if "qcmd" in commands:
            q = commands["qcmd"]
            dq = commands.get("dqcmd", [0.0] * len(q))
            extra = (commands["torquecmd"],) if "torquecmd" in commands else ()
            c.setPIDCommand(q, dq, *extra)
        elif "dqcmd" in commands:
            if "tcmd" not in commands:
                raise ValueError("a controller that gives dqcmd alone must give tcmd, its duration")
            c.setVelocity(commands["dqcmd"], commands["tcmd"])
        elif "torquecmd" in commands:
            c.setTorque(commands["torquecmd"])
        names = {s.name for s in c.sensors}
        for key, value in commands.items():
            if key not in self._KNOWN and key not in names:
                c.sendCommand(key, str(value))


class SimpleSimulator(Simulator):
    """A Simulator that calls Python: setController(), addEmulator(), addHook(), logging."""

    def __init__(self, world):
        Simulator.__init__(self, world)
        n = world.numRobots()
        me = weakref.proxy(self)
        self.robotControllers = [None] * n
        self.sensorEmulators = [[DefaultSensorEmulator(me, self.controller(i))] for i in range(n)]
        self.actuatorEmulators = [[DefaultActuatorEmulator(me, self.controller(i))]
                                  for i in range(n)]
        self.hooks = []
        self.hook_args = []
        self.substep_dt = 0.001
        self.worst_status = Simulator.STATUS_NORMAL
        self.logging = False
        self.logger = None
        self.log_state_fn = "simulation_state.csv"
        self.log_contact_fn = "simulation_contact.csv"

    def getStatus(self):
        """The worst status of the last simulate()."""
        return self.worst_status

    def getStatusString(self, status=-1):
        return Simulator.getStatusString(self, self.worst_status if status < 0 else status)

    def beginLogging(self):
        """Starts logs of states and contacts to log_state_fn and log_contact_fn."""
        self.logging = True
        self.logger = simlog.SimLogger(weakref.proxy(self), self.log_state_fn, self.log_contact_fn)

    def endLogging(self):
        """Ends the logs."""
        self.logging = False
        self.logger = None

    def pauseLogging(self, paused=True):
        self.logging = not paused

    def toggleLogging(self):
        """Starts, pauses or goes on with logging."""
        if self.logger is None:
            self.beginLogging()
        else:
            self.logging = not self.logging

    def _robot_index(self, robot):
        if isinstance(robot, int):
            return robot
        if isinstance(robot, str):
            return self.world.robot(robot).index
        if isinstance(robot, RobotModel):
            return robot.index
        raise ValueError(f"a robot, its index or name is wanted, got {type(robot).__name__}")

    def setController(self, robot, function):
        """function: called with the SimRobotController each step, or a block with advance()."""
        if not callable(function) and not hasattr(function, "advance") and function is not None:
            raise ValueError("setController() wants a function or a block with advance()")
        i = self._robot_index(robot)
        self.robotControllers += [None] * (self.world.numRobots() - len(self.robotControllers))
        self.robotControllers[i] = function

    def addEmulator(self, robot, e):
        """Adds a SensorEmulator or ActuatorEmulator of a robot."""
        i = self._robot_index(robot)
        if isinstance(e, SensorEmulator):
            self.sensorEmulators[i].append(e)
        elif isinstance(e, ActuatorEmulator):
            self.actuatorEmulators[i].insert(0, e)
        else:
            raise ValueError("a SensorEmulator or ActuatorEmulator is wanted, got "
                             f"{type(e).__name__}")

    def _hook_argument(self, o):
        if isinstance(o, (RobotModelLink, RigidObjectModel, TerrainModel)):
            return self.body(o)
        if isinstance(o, RobotModel):
            return self.controller(o)
        if not isinstance(o, str) or o in ("time", "dt"):
            return o
        w = self.world
        for count, get in ((w.numRobots(), w.robot), (w.numRigidObjects(), w.rigidObject),
                           (w.numTerrains(), w.terrain)):
            for i in range(count):
                if get(i).getName() == o:
                    return self._hook_argument(get(i))
        raise ValueError(f"addHook(): '{o}' is neither a body nor 'time' or 'dt'")

    def addHook(self, objects, function):
        """Calls function before each substep, with bodies or controllers of objects.

        objects: links, objects, terrains, robots, their names, 'time' or 'dt', or a list.
        """
        if isinstance(objects, str) or not hasattr(objects, "__iter__"):
            objects = [objects]
        self.hooks.append(function)
        self.hook_args.append([self._hook_argument(o) for o in objects])

    def drawGL(self):
        """Draws nothing without a display; brings the world up to date."""
        self.updateWorld()
        self.world.drawGL()
        self.drawEmulatorsGL()
        self.drawControllersGL()

    def drawEmulatorsGL(self):
        for group in self.sensorEmulators + self.actuatorEmulators:
            for e in group:
                e.drawGL()

    def drawControllersGL(self):
        for c in self.robotControllers:
            if hasattr(c, "drawGL"):
                c.drawGL()

    def simulate(self, dt):
        """Runs controllers, then substeps of substep_dt with emulators and hooks."""
        if not 0 <= dt < float("inf"):
            raise ValueError(f"simulate() wants seconds of at least 0, got {dt}")
        if self.logger is not None and self.logging:
            self.logger.saveStep()
        self.worst_status = Simulator.STATUS_NORMAL
        self.controlStep(dt)
        busy = self.hooks or any(len(g) > 1 or type(g[0]) is not DefaultActuatorEmulator
                                 for g in self.actuatorEmulators if g)
        if not busy or dt <= 0:
            self._step(dt)
            return
        t = 0.0
        while t < dt - 1e-12:
            substep = min(self.substep_dt, dt - t)
            for group in self.actuatorEmulators:
                for e in group:
                    e.substep(substep)
            values = {"time": self.getTime(), "dt": substep}
            for hook, args in zip(self.hooks, self.hook_args):
                hook(*(values[a] if isinstance(a, str) else a for a in args))
            self._step(substep)
            t += substep

    def _step(self, dt):
        Simulator.simulate(self, dt)
        self.worst_status = max(self.worst_status, Simulator.getStatus(self))

    def controlStep(self, dt):
        """Runs the controllers once."""
        for i, c in enumerate(self.robotControllers):
            if hasattr(c, "advance"):
                measurements = {"t": self.getTime(), "dt": dt}
                for e in self.sensorEmulators[i]:
                    measurements.update(e.update())
                output = c.advance(**measurements)
                for e in self.actuatorEmulators[i]:
                    e.process(output, dt)
            elif callable(c):
                c(self.controller(i))
