"""Spaces made of others: products, subsets of entries, affine embeddings."""

import random

import numpy as np

from ..math import vectorops
from .cspace import CSpace, MotionPlan

# Programs get these along with `import *`.
import itertools
import math
import time
from ..robotsim import RobotModel


def default_sampleneighborhood(c, r):
    """A configuration within r of c."""
    return [x + random.uniform(-r, r) for x in c]


def default_visible(a, b):
    """Raises: there is no test of edges."""
    raise RuntimeError("the space gives no visible(a, b)")


def default_distance(a, b):
    """Euclidean distance."""
    return vectorops.distance(a, b)


def default_interpolate(a, b, u):
    """Straight line."""
    return vectorops.interpolate(a, b, u)


_DEFAULTS = {"sampleneighborhood": default_sampleneighborhood, "visible": default_visible,
             "distance": default_distance, "interpolate": default_interpolate}


def make_default(space):
    """Gives a space the default functions."""
    for name, function in _DEFAULTS.items():
        setattr(space, name, function)


class CompositeCSpace(CSpace):
    """The product of spaces; distances add up."""

    def __init__(self, spaces):
        CSpace.__init__(self)
        self.spaces = spaces
        self.bound = [b for s in spaces for b in s.bound]
        self.eps = min((s.eps for s in spaces), default=self.eps)
        given = {name for name in _DEFAULTS if any(hasattr(s, name) for s in spaces)}
        for name in given:
            for s in spaces:
                if not hasattr(s, name):
                    setattr(s, name, _DEFAULTS[name])
        if "sampleneighborhood" in given:
            self.sampleneighborhood = lambda c, r: self.join(
                [s.sampleneighborhood(x, r) for s, x in zip(spaces, self.split(c))])
        if "visible" in given:
            self.visible = lambda a, b: all(
                s.visible(x, y) for s, x, y in zip(spaces, self.split(a), self.split(b)))
        if "distance" in given:
            self.distance = lambda a, b: sum(
                s.distance(x, y) for s, x, y in zip(spaces, self.split(a), self.split(b)))
        if "interpolate" in given:
            self.interpolate = lambda a, b, u: self.join(
                [s.interpolate(x, y, u) for s, x, y in zip(spaces, self.split(a), self.split(b))])

    def subDims(self):
        """Length of each part."""
        return [len(s.sample()) for s in self.spaces]

    def split(self, x):
        """The parts of x."""
        parts, k = [], 0
        for d in self.subDims():
            parts.append(x[k:k + d])
            k += d
        return parts

    def join(self, xs):
        """One configuration of parts."""
        return [v for x in xs for v in x]

    def feasible(self, x):
        return all(s.feasible(part) for s, part in zip(self.spaces, self.split(x)))

    def sample(self):
        return self.join([s.sample() for s in self.spaces])


class _Embedded(CSpace):
    """The common part of embeddings: functions of the ambient space through lift() and project()."""

    def _take_over(self, ambientspace):
        self.ambientspace = ambientspace
        self.eps = ambientspace.eps
        self.properties = ambientspace.properties
        ambient = ambientspace
        if hasattr(ambient, "sampleneighborhood"):
            self.sampleneighborhood = lambda c, r: self.project(
                ambient.sampleneighborhood(self.lift(c), r))
        if hasattr(ambient, "visible"):
            self.visible = lambda a, b: ambient.visible(self.lift(a), self.lift(b))
        if hasattr(ambient, "distance"):
            self.distance = lambda a, b: ambient.distance(self.lift(a), self.lift(b))
        if hasattr(ambient, "interpolate"):
            self.interpolate = lambda a, b, u: self.project(
                ambient.interpolate(self.lift(a), self.lift(b), u))
        if ambient.feasibilityTests is not None:
            self.feasibilityTests = [lambda x, f=f: f(self.lift(x))
                                     for f in ambient.feasibilityTests]
            self.feasibilityTestNames = list(ambient.feasibilityTestNames)
            self.feasibilityTestDependencies = list(ambient.feasibilityTestDependencies)

    def liftPath(self, path):
        """Configurations of the ambient space."""
        return [self.lift(q) for q in path]

    def projectPath(self, path_amb):
        """Configurations of this space."""
        return [self.project(q) for q in path_amb]

    def feasible(self, x):
        return self.ambientspace.feasible(self.lift(x))

    def sample(self):
        return self.project(self.ambientspace.sample())


class EmbeddedCSpace(_Embedded):
    """Only the entries in subset move; the others keep xinit's values (default 0)."""

    def __init__(self, ambientspace, subset, xinit=None):
        CSpace.__init__(self)
        n = len(ambientspace.sample())
        self.mapping = list(subset)
        self.xinit = [0.0] * n if xinit is None else list(xinit)
        self._take_over(ambientspace)
        self.bound = [ambientspace.bound[i] for i in self.mapping]
        keys = ("minimum", "maximum")
        if any(k in self.properties for k in keys):
            self.properties = dict(self.properties)
            self.setBounds(self.bound)

    def project(self, xamb):
        """The moving entries."""
        if len(xamb) != len(self.xinit):
            raise ValueError(f"{len(self.xinit)} values are wanted, got {len(xamb)}")
        return [xamb[i] for i in self.mapping]

    def lift(self, xemb):
        """All entries."""
        if len(xemb) != len(self.mapping):
            raise ValueError(f"{len(self.mapping)} values are wanted, got {len(xemb)}")
        xamb = self.xinit[:]
        for i, v in zip(self.mapping, xemb):
            xamb[i] = v
        return xamb


class AffineEmbeddedCSpace(_Embedded):
    """x = A y + b with y of this space; A is an n x m array, scipy matrix or list of dicts."""

    def __init__(self, ambientspace, A, b=None):
        CSpace.__init__(self)
        n = len(ambientspace.sample())
        if hasattr(A, "toarray"):
            A = A.toarray()
        elif isinstance(A, (list, tuple)) and A and isinstance(A[0], dict):
            dense = np.zeros((len(A), 1 + max((j for row in A for j in row), default=0)))
            for i, row in enumerate(A):
                for j, v in row.items():
                    dense[i, j] = v
            A = dense
        self.A = np.asarray(A, dtype=float)
        self.b = [0.0] * n if b is None else list(b)
        if self.A.shape[0] != n or len(self.b) != n:
            raise ValueError(f"A and b want {n} rows, got {self.A.shape[0]} and {len(self.b)}")
        self.n, self.m = n, self.A.shape[1]
        self._inverse = np.linalg.pinv(self.A)
        self._take_over(ambientspace)
        self.properties = {k: v for k, v in self.properties.items()
                           if k not in ("minimum", "maximum", "volume")}
        self.bound = [self._limits(j) for j in range(self.m)]

    def _limits(self, j):
        low, high = -float("inf"), float("inf")
        for i, a in enumerate(self.A[:, j]):
            if a != 0:
                ends = sorted((v - self.b[i]) / a for v in self.ambientspace.bound[i])
                low, high = max(low, ends[0]), min(high, ends[1])
        return (low, high)

    @staticmethod
    def fromRobotDrivers(robot, ambientspace, drivers=None):
        """The space of a robot's drivers (indices; default all)."""
        drivers = range(robot.numDrivers()) if drivers is None else drivers
        A, b = np.zeros((robot.numLinks(), len(drivers))), [0.0] * robot.numLinks()
        for i, index in enumerate(drivers):
            d = robot.driver(index)
            links = d.getAffectedLinks()
            if d.getType() == "affine":
                scale, offset = d.getAffineCoeffs()
            else:
                links, scale, offset = links[:1], [1.0], [0.0]
            for link, s, o in zip(links, scale, offset):
                A[link, i] = s
                b[link] = o
        return AffineEmbeddedCSpace(ambientspace, A, b)

    def project(self, xamb):
        """The y nearest to x."""
        if len(xamb) != self.n:
            raise ValueError(f"{self.n} values are wanted, got {len(xamb)}")
        return (self._inverse @ np.subtract(xamb, self.b)).tolist()

    def lift(self, xemb):
        """A y + b."""
        if len(xemb) != self.m:
            raise ValueError(f"{self.m} values are wanted, got {len(xemb)}")
        return (self.A @ np.asarray(xemb, float) + self.b).tolist()


class _Lifted(MotionPlan):
    """A planner whose endpoints and paths are those of the ambient space."""

    def setEndpoints(self, start, goal):
        if callable(goal):
            inner = lambda x: goal(self.lift(x))  # noqa: E731
        elif len(goal) == 2 and callable(goal[0]):
            inner = (lambda x: goal[0](self.lift(x)), lambda: self.project(goal[1]()))
        else:
            inner = self.project(goal)
        MotionPlan.setEndpoints(self, self.project(start), inner)

    def addMilestone(self, x):
        return MotionPlan.addMilestone(self, self.project(x))

    def getClosestMilestone(self, x):
        return MotionPlan.getClosestMilestone(self, self.project(x))

    def getPath(self, milestone1=None, milestone2=None):
        path = MotionPlan.getPath(self, milestone1, milestone2)
        return None if path is None else [self.lift(q) for q in path]

    def getRoadmap(self):
        V, E = MotionPlan.getRoadmap(self)
        return ([self.lift(v) for v in V], E)

    def pathCost(self, p):
        """Length of a path of the whole space, or of the space that is planned in."""
        if p and len(p[0]) != len(self.project(p[0])):
            p = [self.project(q) for q in p]
        return MotionPlan.pathCost(self, p)


class SubsetMotionPlan(_Lifted):
    """Plans in a space of the entries in subset; the others keep q0's values."""

    def __init__(self, space, subset, q0, type=None, **options):
        MotionPlan.__init__(self, space, type, **options)
        self.subset = list(subset)
        self.q0 = list(q0)

    def project(self, xamb):
        return [xamb[i] for i in self.subset]

    def lift(self, xemb):
        q = self.q0[:]
        for i, v in zip(self.subset, xemb):
            q[i] = v
        return q


class EmbeddedMotionPlan(_Lifted):
    """Plans in an EmbeddedCSpace or AffineEmbeddedCSpace."""

    def __init__(self, space, q0, type=None, **options):
        if not (hasattr(space, "project") and hasattr(space, "lift")):
            raise ValueError("EmbeddedMotionPlan wants a space with project() and lift()")
        MotionPlan.__init__(self, space, type, **options)
        self.q0 = q0

    def project(self, xamb):
        return self.space.project(xamb)

    def lift(self, xemb):
        return self.space.lift(xemb)
