"""Tools around interfaces: steps, completion, parts, logs, and loading from files."""

import csv
import importlib.util
import os

from ._completer import RobotInterfaceCompleter
from ._parts import OmniRobotInterface
from .robotinterface import RobotInterfaceBase

__all__ = ["StepContext", "make_from_file", "RobotInterfaceCompleter", "OmniRobotInterface",
           "ThreadedRobotInterface", "MultiprocessingRobotInterface", "RobotInterfaceLogger",
           "RobotInterfaceRecorder", "LimitFilter", "SelfCollisionFilter", "CollisionFilter",
           "DifferenceFilter", "RobotInterfaceBase"]


class StepContext:
    """with StepContext(interface): calls beginStep() and endStep() around a block."""

    def __init__(self, robotInterface, ignore=()):
        self.interface = robotInterface
        self.ignore = ignore if isinstance(ignore, (list, tuple)) else (ignore,)

    def __enter__(self):
        self.interface.beginStep()
        return self.interface

    def __exit__(self, type, value, traceback):
        if type is None:
            self.interface.endStep()
            return False
        return any(isinstance(type, t) if not hasattr(t, "__mro__") else issubclass(type, t)
                   for t in self.ignore)


def make_from_file(fn, robotModel, *args, **kwargs):
    """Interface of a Python file or module with make(robotModel)."""
    if os.path.exists(fn):
        name = os.path.splitext(os.path.basename(fn))[0]
        spec = importlib.util.spec_from_file_location(name, fn)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(fn)
    if not hasattr(module, "make"):
        raise RuntimeError(f"{fn} has no function make(robotModel)")
    return module.make(robotModel, *args, **kwargs)


class ThreadedRobotInterface(RobotInterfaceCompleter):
    """A completed interface; commands are carried out in the caller's steps."""


class MultiprocessingRobotInterface(RobotInterfaceCompleter):
    """A completed interface; the base is made here by a function if one is given."""

    def __init__(self, interface, name=None):
        RobotInterfaceCompleter.__init__(self, interface() if callable(interface) else interface)
        if name is not None:
            self.properties["name"] = name


class RobotInterfaceLogger:
    """Writes rows of state as CSV: step() once a step, stop() at the end."""

    def __init__(self, interface, file, attributes="auto"):
        self.interface = interface
        self.attributes = attributes
        if attributes == "auto":
            self.attributes = ["clock", "status", "isMoving", "sensedPosition", "sensedVelocity",
                               "sensedTorque", "commandedPosition", "commandedVelocity",
                               "commandedTorque"]
        self._own = isinstance(file, str)
        self.file = open(file, "w", newline="") if self._own else file
        self.writer = csv.writer(self.file)
        self.header = None

    def _values(self):
        row = {}
        for name in self.attributes:
            try:
                value = getattr(self.interface, name)()
            except NotImplementedError:
                continue
            if hasattr(value, "__iter__") and not isinstance(value, str):
                row.update({f"{name}[{i}]": v for i, v in enumerate(value)})
            else:
                row[name] = value
        return row

    def step(self):
        """Writes a row."""
        row = self._values()
        if self.header is None:
            self.header = list(row)
            self.writer.writerow(self.header)
        self.writer.writerow([row.get(name, "") for name in self.header])

    def stop(self):
        """Closes the file."""
        if self._own:
            self.file.close()


class RobotInterfaceRecorder(RobotInterfaceLogger):
    """A logger whose start(), pause() and stop() are called by hand."""

    def __init__(self, interface, file, attributes="auto"):
        RobotInterfaceLogger.__init__(self, interface, file, attributes)
        self.recording = False

    def start(self):
        self.recording = True

    def pause(self):
        self.recording = False

    def step(self):
        if self.recording:
            RobotInterfaceLogger.step(self)


class LimitFilter:
    """Keeps values within limits: op 'clamp', 'warn', 'stop' (raises)."""

    def __init__(self, name, min, max, op="clamp"):
        self.name, self.min, self.max, self.op = name, min, max, op

    def __call__(self, item):
        clamped = [max(a, min(b, x)) for x, a, b in zip(item, self.min, self.max)]
        if clamped == list(item) or self.op == "clamp":
            return clamped
        if self.op == "warn":
            print(f"{self.name} is out of its limits")
            return item
        raise ValueError(f"{self.name} is out of its limits")


class SelfCollisionFilter:
    """Keeps a robot from positions where it hits itself."""

    def __init__(self, robot, op="warn"):
        self.robot, self.op = robot, op

    def _hits(self):
        return self.robot.selfCollides()

    def __call__(self, q):
        self.robot.setConfig(self.robot.configFromDrivers(q))
        if self._hits():
            if self.op != "warn":
                raise ValueError("the command collides")
            print("the command collides")
        return q


class CollisionFilter(SelfCollisionFilter):
    """Keeps a robot from positions where it hits itself or the world."""

    def __init__(self, world, robot, op="warn"):
        from ..model.collide import WorldCollider
        SelfCollisionFilter.__init__(self, robot, op)
        self.collider = WorldCollider(world)

    def _hits(self):
        return any(True for _ in self.collider.collisions())


class DifferenceFilter:
    """The difference from the value before."""

    def __init__(self):
        self.last = None

    def __call__(self, x):
        last, self.last = self.last, list(x)
        return [0.0] * len(x) if last is None else [a - b for a, b in zip(x, last)]
