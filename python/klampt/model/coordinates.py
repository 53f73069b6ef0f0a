"""Points, directions and transforms that know their frame.

Functions act on one default Manager: after setWorldModel(world), frames of links are
called 'robot:link', those of objects by their names.
"""

import sys as _sys

from ..math import se3
from ..robotsim import RigidObjectModel, RobotModelLink
from . import ik
from ._coordinates.groups import Group, Manager
from ._coordinates.items import Direction, Frame, Point, Transform

# Programs get these along with `import *`.
from collections import defaultdict
from ..math import so3, vectorops
from ..robotsim import IKObjective, SimRobotController

_default = Manager()


def manager():
    """The default Manager."""
    return _default


def setManager(manager):
    """Replaces the default Manager; returns the one before."""
    global _default
    assert isinstance(manager, Manager), f"a Manager is wanted, got {type(manager).__name__}"
    before, _default = _default, manager
    return before


def _forward(name):
    def call(*args, **kwargs):
        return getattr(_default, name)(*args, **kwargs)
    call.__name__ = name
    call.__doc__ = f"Manager.{name}() of the default manager: {getattr(Manager, name).__doc__}"
    return call


for _name in ("destroy", "setWorldModel", "setRobotModel", "setController", "setSimBody",
              "updateFromWorld", "updateToWorld", "addFrame", "addPoint", "addDirection",
              "addGroup", "deleteFrame", "deletePoint", "deleteDirection", "deleteGroup",
              "setFrameCoordinates", "frame", "getPoint", "getDirection", "toWorld", "to",
              "transform", "point", "direction", "pointFromWorld", "directionFromWorld",
              "listFrames", "listItems"):
    setattr(_sys.modules[__name__], _name, _forward(_name))


def _ancestor_with_link(frame):
    """The nearest frame upwards that follows a link or rigid object, or None."""
    while frame is not None and not isinstance(frame._data, (RobotModelLink, RigidObjectModel)):
        frame = frame._parent
    return frame


def ik_objective(obj, target):
    """An IK objective that brings obj (Frame, Transform or Point) to target.

    target: a Frame, coordinates (R, t), or a Point. None when obj follows no body.
    """
    if isinstance(obj, Frame):
        assert isinstance(target, Frame), "ik_objective: the target of a Frame must be a Frame"
        body, ref, coords = obj, target.parent(), target.relativeCoordinates()
    elif isinstance(obj, Transform):
        body, ref, coords = obj.source(), obj.destination(), target
    elif isinstance(obj, Point):
        assert isinstance(target, Point), "ik_objective: the target of a Point must be a Point"
        body, ref, coords = obj.frame(), target.frame(), None
    elif isinstance(obj, Direction):
        raise ValueError("ik_objective: directions are not offered; use "
                         "ik.fixed_rotation_objective()")
    else:
        raise ValueError(f"ik_objective: a Frame, Transform or Point is wanted, got "
                         f"{type(obj).__name__}")
    link = _ancestor_with_link(body)
    if link is None:
        print("ik_objective: the item follows no robot link or rigid object, returning None")
        return None
    base = _ancestor_with_link(ref)
    refbody = None if base is None else base._data
    if coords is None:
        return ik.objective(link._data, ref=refbody, local=[obj.to(link).localCoordinates()],
                            world=[target.to(base).localCoordinates()])
    if link is not body:
        coords = se3.mul(coords, Transform(link, body).coordinates())
    if base is not ref:
        coords = se3.mul(Transform(ref, base).coordinates(), coords)
    return ik.objective(link._data, ref=refbody, R=coords[0], t=coords[1])


def ik_fixed_objective(obj, ref=None):
    """An IK objective that keeps obj where it is, relative to ref or the world."""
    if isinstance(obj, (Point, Direction)):
        return ik_objective(obj, obj.to(ref))
    if isinstance(obj, Frame):
        obj = Transform(obj, ref)
    if isinstance(obj, Transform):
        return ik_objective(obj, obj.coordinates())
    raise ValueError("ik_fixed_objective: an item of this module is wanted, got "
                     f"{type(obj).__name__}")
