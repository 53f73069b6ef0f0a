"""Configuration spaces of rigid objects."""

import math
import random

from ..math import se3, so3, vectorops
from ..model import trajectory
from .cspace import CSpace


class RigidObjectCSpace(CSpace):
    """Positions and rotation vectors (6 numbers) of an object, free of collisions.

    translationDomain: three (lower, upper); rotationDomain: a pair (R0, angle or three
    ranges of roll, pitch, yaw) to sample rotations from.
    """

    def __init__(self, rigidObject, collider=None, translationDomain=None, rotationDomain=None):
        CSpace.__init__(self)
        self.rigidObject = rigidObject
        if translationDomain is None:
            translationDomain = [(-float("inf"), float("inf"))] * 3
        self.bound = list(translationDomain) + [(-math.pi, math.pi)] * 3
        self.rotationDomain = rotationDomain
        self.collider = collider
        self.rotationWeight = 1.0 / math.pi
        self.addFeasibilityTest(self.setConfig, "setconfig")
        if collider is not None:
            self._add_collisions(collider)
        self.properties["geodesic"] = 1

    def _add_collisions(self, collider):
        own, world = self.rigidObject.index, collider.world
        groups = (("robot", lambda i: collider.robotObjectCollisions(i, own), world.numRobots(),
                   world.robot),
                  ("obj", lambda i: collider.objectObjectCollisions(own, i),
                   world.numRigidObjects(), world.rigidObject),
                  ("terrain", lambda i: collider.objectTerrainCollisions(own, i),
                   world.numTerrains(), world.terrain))
        self._hits = []
        for kind, pairs, count, get in groups:
            for i in range(count):
                if kind == "obj" and i == own:
                    continue
                self._hits.append(lambda pairs=pairs, i=i: any(True for _ in pairs(i)))
                self.addFeasibilityTest(lambda x, hit=self._hits[-1]: not hit(),
                                        f"{kind} collision {i} {get(i).getName()}", "setconfig")

    def configToTransform(self, x):
        """Transform (R, t) of six numbers."""
        return (so3.from_moment(x[3:6]), x[:3])

    def transformToConfig(self, T):
        """Six numbers of a transform."""
        return list(T[1]) + so3.moment(T[0])

    def setConfig(self, x):
        """Moves the object."""
        self.rigidObject.setTransform(*self.configToTransform(x))
        return True

    def addConstraint(self, checker, name=None):
        """Adds a test (x) -> bool."""
        self.addFeasibilityTest(checker, name)

    def sample(self):
        t = []
        for a, b in self.bound[:3]:
            if math.isinf(a) or math.isinf(b):
                t.append(random.choice((-1, 1)) * random.expovariate(1.0))
            else:
                t.append(random.uniform(a, b))
        if self.rotationDomain is None:
            return self.transformToConfig((so3.sample(), t))
        R0, spread = self.rotationDomain
        if hasattr(spread, "__iter__"):
            R = so3.from_rpy([random.uniform(*(s if hasattr(s, "__iter__") else (-s, s)))
                              for s in spread])
        else:
            axis = vectorops.unit([random.gauss(0, 1) for _ in range(3)], 0.0)
            R = so3.rotation(axis, random.uniform(0, spread))
        return self.transformToConfig((so3.mul(R0, R), t))

    def sampleneighborhood(self, c, r):
        return [random.uniform(x - r, x + r) for x in c]

    def envCollision(self, x=None):
        """Returns whether the object, at x if given, collides."""
        if self.collider is None:
            return False
        if x is not None:
            self.setConfig(x)
        return any(hit() for hit in self._hits)

    def interpolate(self, a, b, u):
        return self.transformToConfig(se3.interpolate(self.configToTransform(a),
                                                      self.configToTransform(b), u))

    def distance(self, a, b):
        turn = so3.distance(so3.from_moment(a[3:6]), so3.from_moment(b[3:6]))
        return math.sqrt(vectorops.distanceSquared(a[:3], b[:3]) + (self.rotationWeight * turn)**2)

    def pathToTransforms(self, path):
        """Transforms of a path."""
        return [self.configToTransform(x) for x in path]

    def pathToTrajectory(self, path):
        """SE3Trajectory of a path, a second an edge."""
        return trajectory.SE3Trajectory(list(range(len(path))), self.pathToTransforms(path))
