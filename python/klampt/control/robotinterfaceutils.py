"""Tools around interfaces: steps, completion, parts, logs, and loading from files."""

import csv
import importlib.util
import os
import traceback

from ._cartesian import klamptCartesianForce, klamptCartesianPosition, klamptCartesianVelocity
from ._completer import RobotInterfaceCompleter
from ._filters import (BrakeLimitFilter, CartesianLimitFilter, CollisionFilter, DifferenceFilter, LimitFilter,
                       LoggingFilter, SelfCollisionFilter)
from ._parts import OmniRobotInterface
from .robotinterface import RobotInterfaceBase

__all__ = ["StepContext", "make_from_file", "RobotInterfaceCompleter", "OmniRobotInterface",
           "ThreadedRobotInterface", "MultiprocessingRobotInterface", "RobotInterfaceLogger",
           "RobotInterfaceRecorder", "LimitFilter", "BrakeLimitFilter",
           "CartesianLimitFilter", "SelfCollisionFilter", "CollisionFilter", "DifferenceFilter", "LoggingFilter",
           "klamptCartesianPosition", "klamptCartesianVelocity", "klamptCartesianForce", "RobotInterfaceBase"]

PART_NAME_SEPARATOR = "__"


class StepContext:
    """with StepContext(interface): calls beginStep() and endStep() around a block.

    ignore: exceptions end the block and are printed (not with silent), the program goes on; numExceptions counts them. A type
    of exception, or a list of types, limits that to these.
    """

    def __init__(self, interface, ignore=False, silent=False):
        self.interface = interface
        self.ignore = ignore
        self.silent = silent
        self.numExceptions = 0
        self._begun = False

    def _ignores(self, error):
        if isinstance(self.ignore, (bool, int)):
            return bool(self.ignore) and issubclass(error, Exception)
        types = self.ignore if isinstance(self.ignore, (list, tuple)) else (self.ignore,)
        return issubclass(error, tuple(types))

    def _report(self, error, value, traceback_of):
        self.numExceptions += 1
        if not self._ignores(error):
            return False
        if not self.silent:
            traceback.print_exception(error, value, traceback_of)
        return True

    def __enter__(self):
        self._begun = False
        try:
            self.interface.beginStep()
            self._begun = True
        except Exception as e:
            if not self._report(type(e), e, e.__traceback__):
                raise
        return self

    def __exit__(self, type, value, tb):
        ignored = type is not None and self._report(type, value, tb)
        if not self._begun or (type is not None and not ignored):
            return ignored
        try:
            self.interface.endStep()
        except Exception as e:
            if not self._report(e.__class__, e, e.__traceback__):
                raise
        return ignored


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
