"""Worlds."""

import os
import sys
from types import MappingProxyType

from . import _drawgl
from ._native import WorldState, find_by_name, native, world_by_number
from .entities import RigidObjectModel, TerrainModel
from .link import RobotModelLink
from .robot import RobotModel


class WorldModel:
    """Robots, rigid objects and terrains.

    WorldModel() is empty, WorldModel(file) what a file holds (RuntimeError when it cannot be read), WorldModel(world)
    another handle to the same world. Ids count terrains, then rigid objects, then each robot and its links.
    """

    def __init__(self, *args):
        if len(args) > 1:
            raise TypeError("a WorldModel is made of nothing, a file, or another WorldModel")
        self._state = WorldState(native.World()) if not args or isinstance(args[0], (str, os.PathLike)) else None
        if self._state is None:
            other = args[0]
            self._state = other._state if isinstance(other, WorldModel) else world_by_number(int(other))
        elif args:
            self._state.native.load(os.fspath(args[0]))

    @classmethod
    def _of(cls, state):
        world = cls.__new__(cls)
        world._state = state
        return world

    def __repr__(self):
        return "<WorldModel: %d robots, %d rigid objects, %d terrains>" % (
            self.numRobots(), self.numRigidObjects(), self.numTerrains())

    @property
    def index(self):
        """A number that identifies the world."""
        return self._state.number

    def copy(self):
        """A world of its own like this one; shapes are shared until one of the two changes them."""
        return WorldModel._of(WorldState(self._state.native.copy()))

    def _load(self, work, what, failed):
        try:
            return work()
        except RuntimeError as error:
            print("WorldModel.%s: %s" % (what, error), file=sys.stderr)
            return failed

    def readFile(self, fn):
        """Adds what a file holds: a world, robot, object, terrain or shape. False, with the reason on stderr, when it
        cannot be read."""
        return self._load(lambda: bool(self._state.native.load(os.fspath(fn))), "readFile", False)

    loadFile = readFile

    def saveFile(self, fn, elementDir=None):
        """Writes the world. False, with the reason on stderr, when it cannot be written."""
        def work():
            self._state.native.save(os.fspath(fn))
            return True
        return self._load(work, "saveFile", False)

    def numRobots(self):
        """Returns the number of robots."""
        return len(self._state.native.robots)

    def numRobotLinks(self, robot):
        """Returns how many links a robot has."""
        return self.robot(robot).numLinks()

    def numRigidObjects(self):
        """Returns the number of rigid objects."""
        return len(self._state.native.objects)

    def numTerrains(self):
        """Returns the number of terrains."""
        return len(self._state.native.terrains)

    def numIDs(self):
        """Returns the number of ids."""
        return self._state.native.numIds()

    def robot(self, index_or_name):
        """A robot by index or name. Raises RuntimeError when there is none."""
        robots = self._state.native.robots
        return RobotModel._of(robots[find_by_name(robots, index_or_name, "robot", "the world")], self._state)

    def robotLink(self, robot, link):
        """A robot's link by indices or names."""
        return self.robot(robot).link(link)

    def rigidObject(self, index_or_name):
        """A rigid object by index or name. Raises RuntimeError when there is none."""
        objects = self._state.native.objects
        return RigidObjectModel._of(objects[find_by_name(objects, index_or_name, "rigid object", "the world")], self._state)

    def terrain(self, index_or_name):
        """A terrain by index or name; for an unknown name one of index -1."""
        terrains = self._state.native.terrains
        if isinstance(index_or_name, str) and index_or_name not in [t.name for t in terrains]:
            return TerrainModel._of(None, self._state)
        return TerrainModel._of(terrains[find_by_name(terrains, index_or_name, "terrain", "the world")], self._state)

    def makeRobot(self, name):
        """Adds a robot without links."""
        return self.robot(self._state.native.makeRobot(name))

    def makeRigidObject(self, name):
        """Adds a rigid object without a shape."""
        return self.rigidObject(self._state.native.makeObject(name))

    def makeTerrain(self, name):
        """Adds a terrain without a shape."""
        return self.terrain(self._state.native.makeTerrain(name))

    def _load_as(self, kind, fn):
        return self._state.native.loadAs(kind, os.fspath(fn))[1]

    def loadRobot(self, fn):
        """Adds the robot of a file. Raises RuntimeError when it cannot be read."""
        return self.robot(self._load_as("robot", fn))

    def loadRigidObject(self, fn):
        """Adds the rigid object, or shape, of a file. Raises RuntimeError when it cannot be read."""
        return self.rigidObject(self._load_as("rigidObject", fn))

    def loadTerrain(self, fn):
        """Adds the terrain, or shape, of a file. Raises RuntimeError when it cannot be read."""
        return self.terrain(self._load_as("terrain", fn))

    def loadElement(self, fn):
        """Adds the robot, object or terrain of a file and returns its id; -1, with the reason on stderr, when it cannot
        be read."""
        def work():
            kind, index = self._state.native.load(os.fspath(fn))
            if kind == "robot":
                return self._state.native.robotId(index)
            return index + (self.numTerrains() if kind == "rigidObject" else 0)
        return self._load(work, "loadElement", -1)

    def add(self, name, model):
        """Adds a copy of a robot, rigid object or terrain, of this world or another, under a name."""
        w = self._state.native
        if isinstance(model, RobotModel):
            return self.robot(w.addRobot(model._robot, name))
        if isinstance(model, RigidObjectModel):
            return self.rigidObject(w.addObject(model._entity, name))
        if isinstance(model, TerrainModel):
            return self.terrain(w.addTerrain(model._entity, name))
        raise TypeError("a robot, rigid object or terrain can be added, not a %s" % type(model).__name__)

    def remove(self, model):
        """Removes a robot, rigid object or terrain. Handles to others stay good; their ids may change."""
        w = self._state.native
        index = model.index
        if index < 0 or model._state is not self._state:
            raise RuntimeError("%r does not belong to this world" % (model,))
        if isinstance(model, RobotModel):
            w.removeRobot(index)
        elif isinstance(model, RigidObjectModel):
            w.removeObject(index)
        else:
            w.removeTerrain(index)

    def _by_id(self, id):
        n = int(id)
        if 0 <= n < self.numTerrains():
            return self.terrain(n)
        n -= self.numTerrains()
        if 0 <= n < self.numRigidObjects():
            return self.rigidObject(n)
        n -= self.numRigidObjects()
        for robot in self._state.native.robots:
            if n < 0:
                break
            if n == 0:
                return RobotModel._of(robot, self._state)
            if n <= robot.numLinks():
                return RobotModelLink._of(robot, self._state, n - 1)
            n -= robot.numLinks() + 1
        raise RuntimeError("the world has no id %s: it has %d" % (id, self.numIDs()))

    def entityType(self, id):
        """Type of an id: 'robot', 'robotLink', 'rigidObject', 'terrain'."""
        return {RobotModel: "robot", RobotModelLink: "robotLink", RigidObjectModel: "rigidObject",
                TerrainModel: "terrain"}[type(self._by_id(id))]

    def getName(self, id):
        """Name of an id; of a link, with its robot's: 'robot[link]'."""
        found = self._by_id(id)
        if isinstance(found, RobotModelLink):
            return "%s[%s]" % (found.robot().getName(), found.getName())
        return found.getName()

    def setName(self, id, name):
        """Renames what has an id."""
        self._by_id(id).setName(name)

    def geometry(self, id):
        """Geometry of an id, a reference. Raises RuntimeError for a robot, which has none of its own."""
        entity = self._by_id(id)
        if isinstance(entity, RobotModel):
            raise RuntimeError("id %d is robot '%s', whose links have the geometries" % (id, entity.getName()))
        return entity.geometry()

    def appearance(self, id):
        """Appearance of an id, a reference. Raises RuntimeError for a robot, which has none of its own."""
        entity = self._by_id(id)
        if isinstance(entity, RobotModel):
            raise RuntimeError("id %d is robot '%s', whose links have the appearances" % (id, entity.getName()))
        return entity.appearance()

    def drawGL(self):
        """Draws it in a window of klampt.vis that draws with OpenGL; elsewhere it does nothing."""
        _drawgl.draw(self)

    def enableGeometryLoading(self, enabled):
        """Sets whether what is loaded from now on gets its shapes."""
        self._state.native.loadGeometry = bool(enabled)

    def enableInitCollisions(self, enabled):
        """Has no effect: shapes are always prepared for collision queries when they are first needed."""

    @property
    def robots(self):
        """All robots."""
        return tuple(RobotModel._of(robot, self._state) for robot in self._state.native.robots)

    @property
    def robotsDict(self):
        """All robots by name."""
        return MappingProxyType({robot.name: robot for robot in self.robots})

    @property
    def rigidObjects(self):
        """All rigid objects."""
        return tuple(RigidObjectModel._of(entity, self._state) for entity in self._state.native.objects)

    @property
    def rigidObjectsDict(self):
        """All rigid objects by name."""
        return MappingProxyType({entity.name: entity for entity in self.rigidObjects})

    @property
    def terrains(self):
        """All terrains."""
        return tuple(TerrainModel._of(entity, self._state) for entity in self._state.native.terrains)

    @property
    def terrainsDict(self):
        """All terrains by name."""
        return MappingProxyType({entity.name: entity for entity in self.terrains})

    def entity(self, id_or_name):
        """Returns what has an id or a name. Raises KeyError when there is nothing."""
        if not isinstance(id_or_name, str):
            try:
                return self._by_id(id_or_name)
            except RuntimeError as error:
                raise KeyError(str(error)) from None
        for entity in self.robots + self.rigidObjects + self.terrains:
            if entity.getName() == id_or_name:
                return entity
        for robot in self.robots:
            link = robot.link(id_or_name)
            if link.index >= 0:
                return link
        raise KeyError("the world has nothing called '%s'" % id_or_name)
