"""Tools around interfaces: steps, completion, parts, logs, and loading from files."""

import importlib.util
import os
import traceback

from ._cartesian import klamptCartesianForce, klamptCartesianPosition, klamptCartesianVelocity
from ._completer import RobotInterfaceCompleter
from ._filters import (BrakeLimitFilter, CartesianLimitFilter, CollisionFilter, DifferenceFilter, LimitFilter,
                       LoggingFilter, SelfCollisionFilter)
from ._parts import OmniRobotInterface
from ._records import (ALL_METHODS, COMMAND_METHODS, CUSTOM_METHODS, MOTION_COMMAND_METHODS, MOTION_QUERY_METHODS, QUERY_METHODS,
                       SENSOR_QUERY_METHODS, SETTING_COMMAND_METHODS, SETTING_QUERY_METHODS, STRUCTURE_QUERY_METHODS,
                       UTILITY_METHODS, RobotInterfaceLogger, RobotInterfaceRecorder)
from .robotinterface import RobotInterfaceBase

__all__ = ["StepContext", "make_from_file", "RobotInterfaceCompleter", "OmniRobotInterface",
           "ThreadedRobotInterface", "MultiprocessingRobotInterface", "RobotInterfaceLogger",
           "RobotInterfaceRecorder", "LimitFilter", "BrakeLimitFilter",
           "CartesianLimitFilter", "SelfCollisionFilter", "CollisionFilter", "DifferenceFilter", "LoggingFilter",
           "klamptCartesianPosition", "klamptCartesianVelocity", "klamptCartesianForce", "RobotInterfaceBase",
           "ALL_METHODS", "COMMAND_METHODS", "CUSTOM_METHODS", "MOTION_COMMAND_METHODS", "MOTION_QUERY_METHODS",
           "QUERY_METHODS", "SENSOR_QUERY_METHODS", "SETTING_COMMAND_METHODS", "SETTING_QUERY_METHODS",
           "STRUCTURE_QUERY_METHODS", "UTILITY_METHODS"]

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

    def __init__(self, interface):
        RobotInterfaceCompleter.__init__(self, interface)

    def log(self, msg):
        """Prints a message of the interface."""
        print(f"{self}: {msg}")


class MultiprocessingRobotInterface(ThreadedRobotInterface):
    """A completed interface; the base is made here by a function if one is given."""

    def __init__(self, interface, name=None):
        ThreadedRobotInterface.__init__(self, interface() if callable(interface) else interface)
        if name is not None:
            self.properties["name"] = name
