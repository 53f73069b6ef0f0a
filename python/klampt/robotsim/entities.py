"""Rigid objects and terrains."""

import os
import sys

from . import _drawgl
from ._native import native
from .geometry import Geometry3D
from .looks import object_appearance, terrain_appearance
from .mass import ContactParameters, Mass


class _Entity:
    """The common part of rigid objects and terrains."""

    _entity = None
    _state = None

    @classmethod
    def _of(cls, entity, state):
        handle = cls.__new__(cls)
        handle._entity, handle._state = entity, state
        return handle

    def __repr__(self):
        return "<%s: %s>" % (type(self).__name__, "none" if self._entity is None else repr(self.getName()))

    @property
    def world(self):
        """Number of the world; -1: none."""
        return -1 if self._state is None else self._state.number

    def getName(self):
        """The name."""
        return self._entity.name

    def setName(self, name):
        """Renames it."""
        self._entity.name = name

    def loadFile(self, fn):
        """Becomes what a file holds. False, with the reason on stderr, when it cannot be read."""
        try:
            self._entity.load(os.fspath(fn))
        except RuntimeError as error:
            print("%s.loadFile: %s" % (type(self).__name__, error), file=sys.stderr)
            return False
        return True

    def saveFile(self, fn, geometryName=None):
        """Writes it; with a name, its geometry to that file. False, with the reason on stderr, when it cannot."""
        try:
            if geometryName is not None:
                folder = os.path.dirname(os.fspath(fn))
                path = os.path.join(folder, geometryName)
                self._entity.shape().save(path)
            self._entity.save(os.fspath(fn))
        except RuntimeError as error:
            print("%s.saveFile: %s" % (type(self).__name__, error), file=sys.stderr)
            return False
        return True

    def geometry(self):
        """Its geometry, a reference."""
        return Geometry3D._of(self._entity.shape(), self._state, self.getID())

    def drawGL(self, keepAppearance=True):
        """Draws it in a window of klampt.vis that draws with OpenGL; elsewhere it does nothing."""
        _drawgl.draw(self)

    name = property(getName, setName)


class RigidObjectModel(_Entity):
    """A rigid body that moves: geometry, mass, surface, pose and velocity. Got from `WorldModel.rigidObject`."""

    def __init__(self, name="RigidObject"):
        self._entity, self._state = native.RigidObject(name), None

    @property
    def index(self):
        """Index among the world's rigid objects; -1: none."""
        return -1 if self._state is None else self._state.native.objectIndex(self._entity)

    @property
    def object(self):
        """A number that identifies the object."""
        return id(self._entity)

    def getID(self):
        """The id in the world; -1 without one."""
        index = self.index
        return -1 if index < 0 else len(self._state.native.terrains) + index

    def appearance(self):
        """Returns how it looks, a reference."""
        return object_appearance(self)

    def getMass(self):
        """A copy of its mass."""
        return Mass._of(self._entity.mass())

    def setMass(self, mass):
        """Replaces its mass."""
        self._entity.setMass(*mass._numbers())

    def getContactParameters(self):
        """A copy of its surface."""
        return ContactParameters._of(self._entity.surface())

    def setContactParameters(self, params):
        """Replaces its surface."""
        self._entity.setSurface(*params._numbers())

    def getTransform(self):
        """Pose (R, t) in the world."""
        return self._entity.getTransform()

    def setTransform(self, R, t):
        """Sets the pose in the world."""
        self._entity.setTransform(R, t)

    def getVelocity(self):
        """(angular velocity, velocity of the origin), world axes."""
        return self._entity.getVelocity()

    def setVelocity(self, angularVelocity, velocity):
        """Sets angular velocity and velocity of the origin, world axes."""
        self._entity.setVelocity(angularVelocity, velocity)

    id = property(getID)
    mass = property(getMass, setMass)
    transform = property(getTransform)


class TerrainModel(_Entity):
    """A part of the world that never moves. Got from `WorldModel.terrain`."""

    def __init__(self, name="Terrain"):
        self._entity, self._state = native.Terrain(name), None

    @property
    def index(self):
        """Index among the world's terrains; -1: none."""
        if self._state is None or self._entity is None:
            return -1
        return self._state.native.terrainIndex(self._entity)

    @property
    def terrain(self):
        """A number that identifies the terrain."""
        return id(self._entity)

    def getID(self):
        """The id in the world; -1 without one."""
        return self.index

    def appearance(self):
        """Returns how it looks, a reference."""
        return terrain_appearance(self)

    def setFriction(self, friction):
        """Sets the friction of its surface."""
        self._entity.setFriction(float(friction))

    id = property(getID)
