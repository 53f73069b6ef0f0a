"""Mortise: model, plan, control and simulate robots.

Everything is `import mortise`: robots and their states, worlds, simulations, inverse kinematics, planning. The same names stand by
topic in mortise.model, .math, .collision, .ik, .mechanics, .planning, .timing, .sim, .view, .io, .pipelines and .plugins. Arrays are
numpy arrays; lengths are in meters, angles in radians, times in seconds, and frames are named as X_AB, the pose of B in
A. Errors are `mortise.Error`, with file, line, column and a hint. `help(mortise.Robot)` and the page docs/python.md say
more.
"""

import numpy as _numpy  # noqa: F401  The extension makes arrays.

from . import _mortise
from ._mortise import *  # noqa: F401,F403
from ._mortise import Error, __version__  # noqa: F401
from ._components import (ActuatorCommands, Component, Controller, ControllerInput, ControllerSetup, Estimator,  # noqa: F401
                          FileFormat, Recorder, RecorderSetup, Sensor, SensorReading, SensorReadings, Stage, command, controller, estimator,
                          file_format, recorder, sensor, setting, stage)
from ._hardware import Hardware, HardwareSensor, HardwareSetup, HardwareState, hardware  # noqa: F401
from ._spaces import PlanningSpace, space  # noqa: F401
from . import collision, ik, io, math, mechanics, model, pipelines, planning, plugins, sim, timing, view  # noqa: F401

__all__ = [name for name in dir(_mortise)
           if not name.startswith("_") and type(getattr(_mortise, name)).__name__ != "module"]

for _name in __all__:
    _thing = getattr(_mortise, _name)
    if getattr(_thing, "__module__", None) == "mortise._mortise":
        # Types go by the name that people import them by, in messages and in pickles.
        try:
            _thing.__module__ = "mortise"
        except (AttributeError, TypeError):
            pass
del _name, _thing

__all__ += ["ActuatorCommands", "Component", "Controller", "ControllerInput", "ControllerSetup", "Estimator", "FileFormat",
            "Hardware", "HardwareSensor", "HardwareSetup", "HardwareState", "PlanningSpace", "Recorder", "RecorderSetup", "Sensor",
            "SensorReading", "SensorReadings", "Stage", "command", "controller", "estimator", "file_format", "hardware",
            "recorder", "sensor", "setting", "space", "stage"]
