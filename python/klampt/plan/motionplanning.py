"""The planners' own interface, and time-optimal curves between two states."""

import importlib as _importlib
import sys as _sys

from .. import robotsim as _robotsim
from .._compat import deprecated_names


def _source(name):
    """The module that offers a name: robotsim or its part for planning."""
    if hasattr(_robotsim, name):
        return _robotsim
    return _importlib.import_module("klampt.robotsim.motionplanning")


def _forward(name, doc):
    def call(*args, **kwargs):
        return getattr(_source(name), name)(*args, **kwargs)
    call.__name__, call.__doc__ = name, doc
    return call


for _name, _doc in (
        ("set_random_seed", "Seeds the planners' random numbers."),
        ("set_plan_json_string", "Sets planner options from JSON text."),
        ("get_plan_json_string", "Planner options as JSON text."),
        ("set_plan_type", "Chooses the type of planners made later."),
        ("set_plan_setting", "Sets an option of planners made later."),
        ("interpolate_1d_min_time", "Fastest curve of one number: (times, positions, velocities)."),
        ("interpolate_1d_min_accel", "Gentlest curve of one number with a given end time."),
        ("interpolate_nd_min_time", "Fastest curves of several numbers that end together."),
        ("interpolate_nd_min_accel", "Gentlest curves of several numbers with a given end time."),
        ("interpolate_nd_min_time_linear", "Fastest straight motion from rest to rest."),
        ("brake_1d", "Fastest stop of one number."),
        ("brake_nd", "Fastest stops of several numbers."),
        ("combine_nd_cubic", "Curves of several numbers with common times.")):
    setattr(_sys.modules[__name__], _name, _forward(_name, _doc))


_CLASSES = ("CSpaceInterface", "PlannerInterface", "SwigPyIterator", "doubleVector", "doubleMatrix")


def __getattr__(name):
    """Classes of robotsim."""
    if name in _CLASSES:
        return getattr(_source(name), name)
    raise AttributeError(f"module 'klampt.plan.motionplanning' has no attribute '{name}'")


def destroy():
    """Nothing is left over: spaces and planners free themselves."""


deprecated_names(
    __name__, setRandomSeed="set_random_seed", setPlanJSONString="set_plan_json_string",
    getPlanJSONString="get_plan_json_string", setPlanType="set_plan_type",
    setPlanSetting="set_plan_setting", interpolate1DMinTime="interpolate_1d_min_time",
    interpolate1DMinAccel="interpolate_1d_min_accel",
    interpolateNDMinTime="interpolate_nd_min_time",
    interpolateNDMinAccel="interpolate_nd_min_accel",
    interpolateNDMinTimeLinear="interpolate_nd_min_time_linear", combineNDCubic="combine_nd_cubic")

__all__ = [*(_n for _n in list(globals()) if not _n.startswith("_") and _n != "deprecated_names"), *_CLASSES]
