"""Klamp't's Python API on Mortise: existing programs run unchanged.

Rotations are lists of 9 numbers, column after column; transforms are pairs (R, t). See
docs/klampt_python.md for what is different and what is not offered.
"""

import atexit as _atexit
import importlib as _importlib

from . import _aliases
from .version import __version__

_aliases.install()

from .robotsim import *  # noqa: E402
from . import robotsim  # noqa: E402

_SUBPACKAGES = ("math", "model", "io", "plan", "sim", "vis", "control")

# Earlier names of classes.
VolumeGrid = robotsim.ImplicitSurface
SimRobotSensor = robotsim.SensorModel

if hasattr(robotsim, "destroy"):
    _atexit.register(robotsim.destroy)

__all__ = [_name for _name in dir(robotsim)
           if not _name.startswith("_") and isinstance(getattr(robotsim, _name), type)]
__all__ += [_name for _name in getattr(robotsim, "__all__", ()) if _name not in __all__]
__all__ += ["VolumeGrid", "SimRobotSensor"]
__all__ += ["model", "io", "plan", "sim", "vis", "control"]


def __getattr__(name):
    """Subpackages and old names of modules, imported when first asked for."""
    if name in _SUBPACKAGES:
        return _importlib.import_module("klampt." + name)
    if name in _aliases.MOVED:
        return _aliases.load(name)
    raise AttributeError(f"module 'klampt' has no attribute '{name}'")
