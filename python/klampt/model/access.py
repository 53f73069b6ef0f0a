"""Items of a world by dotted names: 'robot.config[3]', 'robots[0].links[2].transform'."""

import re

from ..robotsim import RobotModel, Simulator, WorldModel
from . import config as _config
from . import _simulated
from ._simulated import Named

# Programs get these along with `import *`.
import warnings
from ..robotsim import *

_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]*)\]")

# Attributes as (getter, setter); pairs are spread over setters.
_SPREAD = {"transform", "velocity", "parentTransform", "objectTransform", "objectVelocity"}


def _getter(name):
    return "get" + name[0].upper() + name[1:]


def _collection(obj, name):
    counts = {"robots": ("numRobots", "robot"), "rigidObjects": ("numRigidObjects", "rigidObject"),
              "terrains": ("numTerrains", "terrain"), "links": ("numLinks", "link")}
    if name not in counts:
        return None
    count, get = counts[name]
    if hasattr(obj, count):
        return Named(getattr(obj, get)(i) for i in range(getattr(obj, count)()))
    return None


def _attribute(obj, name):
    """One step: an attribute, part or named body of an object."""
    if isinstance(obj, Simulator):
        part = _simulated.attribute(obj, name)
        if part is not None:
            return part
    group = _collection(obj, name)
    if group is not None:
        return group
    if isinstance(obj, dict):
        return obj[name]
    parts = []
    if isinstance(obj, WorldModel):
        parts = [p for c in ("robots", "rigidObjects", "terrains") for p in _collection(obj, c)]
    elif isinstance(obj, RobotModel):
        parts = _collection(obj, "links")
    for p in parts:
        if p.getName() == name:
            return p
    if name == "id" and hasattr(obj, "getID"):
        return obj.getID()
    if name == "sensors" and hasattr(obj, "sensors"):
        return Named(obj.sensors)
    if hasattr(obj, _getter(name)):
        return getattr(obj, _getter(name))()
    if hasattr(obj, name):
        value = getattr(obj, name)
        return value() if callable(value) and name in ("geometry", "appearance", "robot") else value
    raise AttributeError(f"{type(obj).__name__} has no part '{name}'")


def _steps(name):
    steps = []
    for word, index in _STEP.findall(name):
        if word:
            steps.append(("attribute", word))
        else:
            index = index.strip("'\"")
            steps.append(("index", int(index) if index.lstrip("-").isdigit() else index))
    if not steps:
        raise ValueError(f"'{name}' names no item")
    return steps


def _follow(obj, step):
    kind, key = step
    return obj[key] if kind == "index" else _attribute(obj, key)


def get_item(obj, name):
    """The item of a dotted name."""
    for step in _steps(name):
        obj = _follow(obj, step)
    return obj


def _assign(obj, steps, value):
    kind, key = steps[0]
    if len(steps) > 1:
        part = _follow(obj, steps[0])
        if isinstance(part, (list, tuple)) and not isinstance(part, Named):
            whole = list(part)
            _assign(whole, steps[1:], value)
            value = type(part)(whole)
        else:
            _assign(part, steps[1:], value)
            return
    if kind == "index":
        obj[key] = value
        return
    setter = "set" + str(key)[:1].upper() + str(key)[1:]
    if key == "geometry" or key == "appearance":
        getattr(obj, key)().set(value)
    elif hasattr(obj, setter):
        getattr(obj, setter)(*value) if key in _SPREAD and len(value) == 2 else getattr(
            obj, setter)(value)
    elif hasattr(obj, key):
        setattr(obj, key, value)
    else:
        raise AttributeError(f"{type(obj).__name__} has no part '{key}' to set")


def set_item(obj, name, value):
    """Sets the item of a dotted name."""
    _assign(obj, _steps(name), value)


def get_dict(world, items):
    """Values of items by name."""
    return {name: get_item(world, name) for name in items}


def set_dict(world, config):
    """Sets items from values by name."""
    for name, value in config.items():
        set_item(world, name, value)


def flatten(value):
    """The numbers of nested lists, one after the other."""
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flatten(v)]
    return [value]


def _shaped(numbers, like):
    if isinstance(like, (list, tuple)):
        return [_shaped(numbers, v) for v in like]
    return next(numbers)


class Vectorizer:
    """Items of a world as one vector: getVector() and setVector()."""

    def __init__(self, world, items):
        self.world = world
        self.ref = get_dict(world, items)
        self.keys = list(self.ref)
        self.lengths = [len(flatten(v)) for v in self.ref.values()]

    def getVector(self):
        return flatten([get_item(self.world, k) for k in self.keys])

    def setVector(self, v):
        if len(v) != sum(self.lengths):
            raise ValueError(f"{sum(self.lengths)} numbers are wanted, got {len(v)}")
        numbers = iter(v)
        for k in self.keys:
            set_item(self.world, k, _shaped(numbers, self.ref[k]))


class map:
    """A world or body whose parts are attributes: map(world).robot.config[3] = 1."""

    def __init__(self, obj, setter=None):
        self.__dict__["obj"] = obj.obj if isinstance(obj, map) else obj
        self.__dict__["setter"] = setter

    def _wrap(self, value, store):
        simple = (int, float, str, bool, type(None))
        return value if isinstance(value, simple) or callable(value) else map(value, store)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._wrap(_attribute(self.obj, name), lambda v: set_item(self.obj, name, v))

    def __setattr__(self, name, value):
        set_item(self.obj, name, value.obj if isinstance(value, map) else value)

    def __getitem__(self, index):
        def store(v):
            self[index] = v
        return self._wrap(self.obj[index], store)

    def __setitem__(self, index, value):
        if isinstance(self.obj, tuple):
            self.__dict__["obj"] = list(self.obj)
        self.obj[index] = value
        if self.setter is not None:
            self.setter(self.obj)

    def __len__(self):
        return len(self.obj)

    def __iter__(self):
        return iter(self.obj)

    def __repr__(self):
        return repr(self.obj)


class Snapshot:
    """Configurations and velocities of a world, to put back."""

    def __init__(self, world):
        self.world = world
        self.config = list(_config.get_config(world))
        self.velocities = [list(world.robot(i).getVelocity()) for i in range(world.numRobots())]
        self.twists = [world.rigidObject(i).getVelocity() for i in range(world.numRigidObjects())]

    def restore(self):
        """Puts the world back."""
        _config.set_config(self.world, self.config)
        for i, v in enumerate(self.velocities):
            self.world.robot(i).setVelocity(v)
        for i, (w, v) in enumerate(self.twists):
            self.world.rigidObject(i).setVelocity(w, v)
