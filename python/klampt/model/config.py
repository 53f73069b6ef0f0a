"""Any item as a flat list of numbers: get, set, name, measure and interpolate it.

Items: robots, rigid objects, frames, points, IK objectives, worlds and groups, vectors,
and lists of these.
"""

import numbers

from .._compat import deprecated_names
from ..math import se3, vectorops
from ..robotsim import IKObjective, RigidObjectModel, WorldModel
from . import coordinates

# Programs get these along with `import *`.
from ..math import so3
from ..robotsim import RobotModel, RobotModelLink

_SO3_NAMES = [f"R{i}{j}" for j in "123" for i in "123"]
_SE3_NAMES = _SO3_NAMES + ["tx", "ty", "tz"]
_XYZ = ["x", "y", "z"]


def _is_vector(item):
    return hasattr(item, "__iter__") and all(isinstance(v, (numbers.Number, str)) for v in item)


def is_compound(item):
    """Returns whether the item has parts: a world, a group, or a list of items."""
    if isinstance(item, (WorldModel, coordinates.Group)):
        return True
    return hasattr(item, "__iter__") and not isinstance(item, str) and not _is_vector(item)


def _world_parts(world):
    return ([world.robot(i) for i in range(world.numRobots())]
            + [world.rigidObject(i) for i in range(world.numRigidObjects())])


def components(item):
    """The parts of a compound item, one after the other."""
    if isinstance(item, WorldModel):
        return _world_parts(item)
    if isinstance(item, coordinates.Group):
        parts = [*item.frames.values(), *item.points.values(), *item.directions.values()]
        return parts + [p for g in item.subgroups.values() for p in components(g)]
    if is_compound(item):
        return [p for part in item for p in components(part)]
    return [item]


def component_names(item):
    """Names of components()."""
    if isinstance(item, WorldModel):
        return [p.getName() for p in _world_parts(item)]
    if isinstance(item, coordinates.Group):
        names = [*item.frames, *item.points, *item.directions]
        return names + [f"{n}:{p}" for n, g in item.subgroups.items() for p in component_names(g)]
    if is_compound(item):
        return [f"[{i}]{n}" for i, part in enumerate(item) for n in component_names(part)]
    if hasattr(item, "getName"):
        return [item.getName()]
    name = getattr(item, "name", "")
    return [name() if callable(name) else name]


def _ik_layout(obj):
    """(numbers of position, numbers of rotation, whether it is a whole transform)."""
    p, r = obj.numPosDims(), obj.numRotDims()
    if p == 3 and r == 3:
        return 12, 0, True
    return {0: 0, 1: 7, 2: 9, 3: 6}[p], {0: 0, 2: 6, 3: 9}.get(r, 0), False


def num_config_params(item):
    """Length of get_config(item)."""
    if hasattr(item, "getConfig"):
        return len(item.getConfig())
    if isinstance(item, (RigidObjectModel, coordinates.Frame)):
        return 12
    if isinstance(item, (coordinates.Point, coordinates.Direction)):
        return 3
    if isinstance(item, IKObjective):
        p, r, _ = _ik_layout(item)
        return p + r
    if is_compound(item):
        return sum(num_config_params(v) for v in components(item))
    return len(item) if hasattr(item, "__iter__") else 0


def _get_ik(obj):
    _, _, whole = _ik_layout(obj)
    if whole:
        R, t = obj.getTransform()
        return list(R) + list(t)
    x = []
    p = obj.numPosDims()
    if p:
        local, world = (list(v) for v in obj.getPosition())
        axis = list(obj.getPositionDirection()) if p < 3 else []
        x += local + (axis + [vectorops.dot(axis, world)] if p == 1 else world + axis)
    if obj.numRotDims() == 3:
        x += list(obj.getRotation())
    elif obj.numRotDims() == 2:
        local, world = obj.getRotationAxis()
        x += list(local) + list(world)
    return x


def get_config(item):
    """The item's numbers as a flat list."""
    if hasattr(item, "getConfig"):
        return item.getConfig()
    if isinstance(item, RigidObjectModel):
        R, t = item.getTransform()
        return list(R) + list(t)
    if isinstance(item, (coordinates.Point, coordinates.Direction)):
        return item.localCoordinates()
    if isinstance(item, coordinates.Frame):
        R, t = item.relativeCoordinates()
        return list(R) + list(t)
    if isinstance(item, IKObjective):
        return _get_ik(item)
    if is_compound(item):
        return [x for v in components(item) for x in get_config(v)]
    return item[:] if hasattr(item, "__iter__") else []


def _set_ik(obj, v):
    p, r, whole = _ik_layout(obj)
    if whole:
        obj.setFixedTransform(obj.link(), v[:9], v[9:])
        return
    dims = obj.numPosDims()
    if dims == 3:
        obj.setFixedPosConstraint(v[:3], v[3:6])
    elif dims == 2:
        obj.setLinearPosConstraint(v[:3], v[3:6], v[6:9])
    elif dims == 1:
        obj.setPlanarPosConstraint(v[:3], v[3:6], v[6])
    if r == 9:
        obj.setFixedRotConstraint(v[p:])
    elif r == 6:
        obj.setAxialRotConstraint(v[p:p + 3], v[p + 3:p + 6])


def _split(item, *vectors):
    """Components with their slices of vectors."""
    k = 0
    for part in components(item):
        n = num_config_params(part)
        yield (part, *(v[k:k + n] for v in vectors))
        k += n


def set_config(item, vector):
    """Sets the item's numbers from a flat list."""
    n = num_config_params(item)
    if len(vector) != n:
        raise AssertionError(f"a configuration of {n} numbers is wanted, got {len(vector)}")
    if hasattr(item, "setConfig"):
        item.setConfig(vector)
    elif isinstance(item, RigidObjectModel):
        item.setTransform(vector[:9], vector[9:])
    elif isinstance(item, (coordinates.Point, coordinates.Direction)):
        item._localCoordinates = list(vector)
    elif isinstance(item, coordinates.Frame):
        item._relativeCoordinates = (list(vector[:9]), list(vector[9:]))
    elif isinstance(item, IKObjective):
        _set_ik(item, vector)
    elif is_compound(item):
        for part, v in _split(item, vector):
            set_config(part, v)
    elif hasattr(item, "__iter__"):
        for i, x in enumerate(vector):
            item[i] = x


def get_config_names(item):
    """Names of the numbers of get_config(item)."""
    if hasattr(item, "numLinks"):
        return [item.link(i).getName() for i in range(item.numLinks())]
    if isinstance(item, (RigidObjectModel, coordinates.Frame)):
        return list(_SE3_NAMES)
    if isinstance(item, (coordinates.Point, coordinates.Direction)):
        return list(_XYZ)
    if isinstance(item, IKObjective):
        return _ik_names(item)
    if isinstance(item, (list, tuple)) and len(item) == 2 and all(
            hasattr(v, "__len__") for v in item) and (len(item[0]), len(item[1])) == (9, 3):
        return list(_SE3_NAMES)
    if is_compound(item):
        return [f"{name}.{n}" for name, part in zip(component_names(item), components(item))
                for n in get_config_names(part)]
    if hasattr(item, "__iter__"):
        if len(item) == 3 and all(isinstance(v, (float, int)) for v in item):
            return list(_XYZ)
        return [f"[{i}]" for i in range(len(item))]
    return []


def _ik_names(obj):
    if _ik_layout(obj)[2]:
        return list(_SE3_NAMES)
    local, world = [f"local_{c}" for c in _XYZ], [f"world_{c}" for c in _XYZ]
    direction = [f"dir_{c}" for c in _XYZ]
    names = {0: [], 1: local + direction + ["offset"], 2: local + world + direction,
             3: local + world}[obj.numPosDims()]
    if obj.numRotDims() == 3:
        return names + _SO3_NAMES
    if obj.numRotDims() == 2:
        return names + [f"{f}_axis_{c}" for f in ("local", "world") for c in _XYZ]
    return names


def _is_transform(item):
    return isinstance(item, (RigidObjectModel, coordinates.Frame)) or (
        isinstance(item, IKObjective) and _ik_layout(item)[2])


def distance(item, a, b):
    """Distance between two configurations of the item."""
    if hasattr(item, "distance"):
        return item.distance(a, b)
    if _is_transform(item):
        return se3.distance((a[:9], a[9:]), (b[:9], b[9:]))
    if is_compound(item):
        return sum(distance(part, x, y) for part, x, y in _split(item, a, b))
    return vectorops.distance(a, b)


def interpolate(item, a, b, u):
    """Configuration at u in [0, 1] between two of the item."""
    if hasattr(item, "interpolate"):
        return item.interpolate(a, b, u)
    if _is_transform(item):
        R, t = se3.interpolate((a[:9], a[9:]), (b[:9], b[9:]), u)
        return R + t
    if is_compound(item):
        return [x for part, p, q in _split(item, a, b) for x in interpolate(part, p, q, u)]
    return vectorops.interpolate(a, b, u)


deprecated_names(__name__, isCompound="is_compound", getConfig="get_config",
                 setConfig="set_config", getConfigNames="get_config_names",
                 numConfigParams="num_config_params", componentNames="component_names")
