"""Inverse kinematics."""

import math

import numpy as np

from ._native import native
from .ik_minimize import minimize
from .mass import finite_list
from .shapes.mesh import rotation_matrix

_ZERO = [0.0, 0.0, 0.0]
_FREE, _PLANE, _LINE, _POINT = range(4)


def _fit_rotation(source, target):
    """The rotation that brings one set of vectors nearest to another (Kabsch, 1976), nine numbers column by column."""
    u, _, vt = np.linalg.svd(np.asarray(target).T @ np.asarray(source))
    R = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt)) or 1.0]) @ vt
    return R.T.ravel().tolist()


class IKObjective:
    """The goal of a link: a position, a rotation, or a part of one, in the world or in the frame of another link.

    `positionScale` and `rotationScale` weigh the two kinds of error.
    """

    def __init__(self, obj=None):
        self._goal = native.Objective() if obj is None else obj._goal.copy()

    def copy(self):
        """Another objective like this one."""
        return IKObjective(self)

    @property
    def positionScale(self):
        """Factor of errors of the position."""
        return self._goal.positionScale

    @positionScale.setter
    def positionScale(self, scale):
        self._goal.positionScale = float(scale)

    @property
    def rotationScale(self):
        """Factor of errors of the rotation."""
        return self._goal.rotationScale

    @rotationScale.setter
    def rotationScale(self, scale):
        self._goal.rotationScale = float(scale)

    @property
    def goal(self):
        """Returns what the compiled part holds."""
        return self._goal

    def link(self):
        """Index of the link."""
        return self._goal.link

    def destLink(self):
        """Index of the link that it is relative to; -1: the world."""
        return self._goal.destination

    def numPosDims(self):
        """Returns how many numbers of the position count: 0 to 3."""
        return self._goal.positionRows()

    def numRotDims(self):
        """Returns how many numbers of the rotation count: 0, 2 or 3."""
        return self._goal.rotationRows()

    def setLinks(self, link, link2=-1):
        """Sets the link, and the one that it is relative to."""
        self._goal.link, self._goal.destination = int(link), int(link2)

    def setFixedPoint(self, link, plocal, pworld):
        """Constrains a point of a link to a point of the world."""
        self.setRelativePoint(link, -1, plocal, pworld)

    def setFixedPoints(self, link, plocals, pworlds):
        """Constrains several points of a link to points of the world."""
        self.setRelativePoints(link, -1, plocals, pworlds)

    def setFixedTransform(self, link, R, t):
        """Constrains a link to a pose in the world."""
        self.setRelativeTransform(link, -1, R, t)

    def setRelativePoint(self, link1, link2, p1, p2):
        """Constrains a point of a link to a point of another link."""
        self.setLinks(link1, link2)
        self.setFixedPosConstraint(p1, p2)
        self.setFreeRotConstraint()

    def setRelativePoints(self, link1, link2, p1s, p2s):
        """Constrains several points of a link to points of another link: two of them fix an axis, three a pose."""
        a, b = np.asarray(p1s, dtype=float), np.asarray(p2s, dtype=float)
        if a.shape != b.shape or a.ndim != 2 or a.shape[1] != 3 or not len(a):
            raise ValueError("two lists of the same number of points are needed, not %s and %s" % (a.shape, b.shape))
        if len(a) == 1:
            return self.setRelativePoint(link1, link2, a[0], b[0])
        ca, cb = a.mean(axis=0), b.mean(axis=0)
        self.setRelativePoint(link1, link2, ca, cb)
        da, db = a - ca, b - cb
        if np.linalg.matrix_rank(da, tol=1e-9) < 2:
            i = int(np.argmax(np.linalg.norm(da - da[0], axis=1)))
            self.setAxialRotConstraint(*((d[i] - d[0]) / (np.linalg.norm(d[i] - d[0]) or 1.0) for d in (da, db)))
        else:
            self.setFixedRotConstraint(_fit_rotation(da, db))

    def setRelativeTransform(self, link, linkTgt, R, t):
        """Constrains a link to a pose in the frame of another link."""
        self.setLinks(link, linkTgt)
        self.setFixedPosConstraint(_ZERO, t)
        self.setFixedRotConstraint(R)

    def setFreePosConstraint(self):
        """Any position will do."""
        self._goal.setPosition(_FREE, _ZERO, _ZERO, _ZERO)

    setFreePosition = setFreePosConstraint

    def setFixedPosConstraint(self, tlocal, tworld):
        """A point of the link at a point of the destination."""
        self._goal.setPosition(_POINT, tlocal, tworld, _ZERO)

    def setPlanarPosConstraint(self, tlocal, nworld, oworld):
        """A point of the link in the plane nworld . p = oworld."""
        n = np.asarray(nworld, dtype=float)
        self._goal.setPosition(_PLANE, tlocal, (oworld * n / n.dot(n)).tolist(), n.tolist())

    def setLinearPosConstraint(self, tlocal, sworld, dworld):
        """A point of the link on the line through `sworld` along `dworld`."""
        self._goal.setPosition(_LINE, tlocal, sworld, dworld)

    def setFreeRotConstraint(self):
        """Any rotation will do."""
        self._goal.setFreeRotation()

    def setFixedRotConstraint(self, R):
        """The link has this rotation."""
        self._goal.setRotation(R)

    def setAxialRotConstraint(self, alocal, aworld):
        """An axis of the link lies along an axis of the destination."""
        self._goal.setAxis(alocal, aworld)

    def getPosition(self):
        """(point of the link, its target)."""
        return self._goal.localPosition(), self._goal.targetPosition()

    def getPositionDirection(self):
        """Direction of the line, or normal of the plane."""
        return self._goal.direction()

    def getRotation(self):
        """The rotation, where it is fixed."""
        if self.numRotDims() != 3:
            raise RuntimeError("the objective does not fix the rotation")
        return self._goal.rotation()

    def getRotationAxis(self):
        """(axis of the link, its target direction)."""
        return self._goal.localAxis(), self._goal.targetAxis()

    def getTransform(self):
        """The pose (R, t), where it is fixed."""
        if self.numPosDims() != 3 or self.numRotDims() != 3:
            raise RuntimeError("the objective does not fix the whole pose")
        R = self._goal.rotation()
        local, target = self.getPosition()
        return R, (np.asarray(target) - rotation_matrix(R) @ local).tolist()

    def _axes(self):
        return np.asarray(self._goal.localAxis()), np.asarray(self._goal.targetAxis())

    def transform(self, R, t):
        """Transforms the target of the link by a pose."""
        M, t = rotation_matrix(R), np.asarray(t, dtype=float)
        local, target = self.getPosition()
        self._goal.setPosition(self.numPosDims(), local, (M @ target + t).tolist(), (M @ self.getPositionDirection()).tolist())
        if self.numRotDims() == 3:
            self.setFixedRotConstraint((M @ rotation_matrix(self._goal.rotation())).T.ravel().tolist())
        elif self.numRotDims() == 2:
            a, b = self._axes()
            self._goal.setAxis(a.tolist(), (M @ b).tolist())

    def transformLocal(self, R, t):
        """Moves the point and axes of the link by a pose."""
        M, t = rotation_matrix(R), np.asarray(t, dtype=float)
        local, target = self.getPosition()
        self._goal.setPosition(self.numPosDims(), (M @ local + t).tolist(), target, self.getPositionDirection())
        if self.numRotDims() == 3:
            self.setFixedRotConstraint((rotation_matrix(self._goal.rotation()) @ M.T).T.ravel().tolist())
        elif self.numRotDims() == 2:
            a, b = self._axes()
            self._goal.setAxis((M @ a).tolist(), b.tolist())

    def matchDestination(self, R, t):
        """Changes the target so that a link at the pose (R, t) meets it."""
        M, t = rotation_matrix(R), np.asarray(t, dtype=float)
        local, _ = self.getPosition()
        self._goal.setPosition(self.numPosDims(), local, (M @ local + t).tolist(), self.getPositionDirection())
        if self.numRotDims() == 3:
            self.setFixedRotConstraint(R)
        elif self.numRotDims() == 2:
            a, _ = self._axes()
            self._goal.setAxis(a.tolist(), (M @ a).tolist())

    def closestMatch(self, R, t):
        """The pose nearest to (R, t) that the objective allows."""
        return self._goal.nearest(R, t)

    def sampleTransform(self):
        """A random pose that the objective allows."""
        return self._goal.sample()

    def saveString(self):
        """The objective as text: link, destination, kind and numbers of position and rotation."""
        g = self._goal
        kinds = "NPLF"[g.positionRows()], {0: "N", 2: "A", 3: "F"}[g.rotationRows()]
        words = [g.link, g.destination, kinds[0]]
        if kinds[0] != "N":
            words += g.localPosition() + g.targetPosition()
        if kinds[0] in "PL":
            words += g.direction()
        words.append(kinds[1])
        if kinds[1] == "A":
            words += g.localAxis() + g.targetAxis()
        elif kinds[1] == "F":
            words += g.rotationVector()
        return " ".join(w if isinstance(w, str) else repr(w) for w in words)

    def loadString(self, str):
        """Reads what `saveString` writes; False when it makes no sense."""
        words = iter(str.split())

        def three():
            return [float(next(words)) for _ in range(3)]
        try:
            goal = IKObjective()
            goal.setLinks(int(next(words)), int(next(words)))
            kind = "NPLF".index(next(words))
            local, target = (three(), three()) if kind else (_ZERO, _ZERO)
            goal._goal.setPosition(kind, local, target, three() if kind in (1, 2) else _ZERO)
            kind = next(words)
            if kind == "A":
                goal._goal.setAxis(three(), three())
            elif kind == "F":
                goal._goal.setRotation(_rotation_from_vector(three()))
            elif kind != "N":
                return False
        except (StopIteration, ValueError):
            return False
        goal._goal.positionScale, goal._goal.rotationScale = self.positionScale, self.rotationScale
        self._goal = goal._goal
        return True

    def __reduce__(self):
        return _make_objective, (self.saveString(), self.positionScale, self.rotationScale)

    def __repr__(self):
        return "<IKObjective: %s>" % self.saveString()


def _make_objective(text, position_scale, rotation_scale):
    objective = IKObjective()
    objective.loadString(text)
    objective.positionScale, objective.rotationScale = position_scale, rotation_scale
    return objective


def _rotation_from_vector(w):
    w = np.asarray(w, dtype=float)
    angle = np.linalg.norm(w)
    if angle == 0:
        return [1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0]
    k = w / angle
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return (np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K).T.ravel().tolist()


class IKSolver:
    """Finds a configuration of a robot that meets objectives, from the one that it has, by Newton's method.

    At most 100 iterations, until no error is above 1e-3, within the robot's joint limits, unless told otherwise.
    """

    def __init__(self, arg):
        if isinstance(arg, IKSolver):
            self.__dict__.update({k: list(v) if isinstance(v, list) else v for k, v in vars(arg).items()})
            return
        self.robot = arg
        self.objectives, self.secondary_objectives = [], []
        self.tol, self.maxIters = 1e-3, 100
        self.activeDofs = []
        self.useJointLimits = True
        self.qmin, self.qmax, self.biasConfig = [], [], []
        self.lastIters = 0

    def copy(self):
        """Another solver like this one."""
        return IKSolver(self)

    def add(self, objective):
        """Adds an objective; all are met at once."""
        self.objectives.append(IKObjective(objective))

    def set(self, i, objective):
        """Replaces an objective."""
        if not 0 <= i < len(self.objectives):
            raise RuntimeError("there is no objective %d: there are %d" % (i, len(self.objectives)))
        self.objectives[i] = IKObjective(objective)

    def addSecondary(self, objective):
        """Adds an objective that `minimize` serves as far as the others allow."""
        self.secondary_objectives.append(IKObjective(objective))

    def setSecondary(self, i, objective):
        """Replaces a secondary objective."""
        if not 0 <= i < len(self.secondary_objectives):
            raise RuntimeError("there is no secondary objective %d" % i)
        self.secondary_objectives[i] = IKObjective(objective)

    def clear(self):
        """Drops all objectives."""
        self.objectives, self.secondary_objectives = [], []

    def setMaxIters(self, iters):
        """Sets the number of iterations at most."""
        self.maxIters = int(iters)

    def getMaxIters(self):
        """The number of iterations at most."""
        return self.maxIters

    def setTolerance(self, res):
        """Sets the largest error that counts as solved."""
        res = float(res)
        if not res >= 0:
            raise ValueError("tolerance: expected a number of at least 0, found %g" % res)
        self.tol = res

    def getTolerance(self):
        """The largest error that counts as solved."""
        return self.tol

    def setActiveDofs(self, active):
        """Sets which links may move."""
        self.activeDofs = [int(i) for i in active]

    def _goals(self, objectives=None):
        return [objective._goal for objective in (self.objectives if objectives is None else objectives)]

    def getActiveDofs(self):
        """Which links may move: those set, or all that matter to the objectives."""
        if self.activeDofs:
            return list(self.activeDofs)
        return native.defaultIkLinks(self.robot._robot, self._goals(self.objectives + self.secondary_objectives))

    def setJointLimits(self, qmin, qmax):
        """Sets limits of the links other than the robot's; two empty lists: none."""
        qmin, qmax = [float(v) for v in qmin], [float(v) for v in qmax]
        if len(qmin) != len(qmax):
            raise ValueError("the limits differ in length: %d and %d" % (len(qmin), len(qmax)))
        if any(math.isnan(v) for v in qmin + qmax):
            raise ValueError("limits: expected numbers, found nan")
        self.qmin, self.qmax = qmin, qmax
        self.useJointLimits = bool(self.qmin)

    def getJointLimits(self):
        """(lowest, highest) positions in use; empty lists: none."""
        if not self.useJointLimits:
            return [], []
        return (list(self.qmin), list(self.qmax)) if self.qmin else self.robot.getJointLimits()

    def setBiasConfig(self, biasConfig):
        """A configuration to come near to as far as objectives leave joints free; []: none."""
        self.biasConfig = finite_list(biasConfig, "biasConfig")

    def getBiasConfig(self):
        """That configuration."""
        return list(self.biasConfig)

    def isSolved(self):
        """Returns whether no error is above the tolerance at the robot's configuration."""
        return all(abs(r) <= self.tol for r in self.getResidual())

    def getResidual(self):
        """Errors of the objectives at the robot's configuration: of each, the position's and then the rotation's."""
        return native.ikResidual(self.robot._robot, self._goals())

    def getJacobian(self):
        """Returns how these errors change with the links that may move."""
        return native.ikJacobian(self.robot._robot, self._goals(), IKSolver.getActiveDofs(self))

    def getSecondaryResidual(self):
        """Errors of the secondary objectives."""
        return native.ikResidual(self.robot._robot, self._goals(self.secondary_objectives))

    def solve(self, *args):
        """Moves the robot to meet all objectives, secondary ones too. True when it worked.

        Programs from before 0.9 call solve(iterations, tolerance) and get (worked, iterations).
        """
        iterations, tolerance = (self.maxIters, self.tol) if not args else (int(args[0]), float(args[1]))
        # Of this class: those of a part of a robot count its links only.
        limits = IKSolver.getJointLimits(self)
        start = self.robot.getConfig()
        solved, self.lastIters = self._run(iterations, tolerance, limits)
        if not solved and limits[0] and self.lastIters < iterations:
            solved = self._go_around(start, iterations, tolerance, limits)
        return (solved, self.lastIters) if args else solved

    def _run(self, iterations, tolerance, limits):
        return native.solveIk(self.robot._robot, self._goals(self.objectives + self.secondary_objectives), tolerance,
                              iterations, IKSolver.getActiveDofs(self), limits[0], limits[1], self.biasConfig)

    def _go_around(self, start, iterations, tolerance, limits):
        """Goes on with what is left of the iterations, for a search that got stuck at its limits: without them, and where that
        ends outside, from the limits that it crossed. The better configuration of both stays."""
        stuck = self.robot.getConfig()
        error = max(map(abs, IKSolver.getResidual(self)), default=0.0)
        self.robot.setConfig(start)
        free, count = self._run(iterations - self.lastIters, tolerance, ([], []))
        self.lastIters += count
        solved = better = False
        if free:
            inside = self._near(start)
            for i in IKSolver.getActiveDofs(self):
                inside[i] = min(max(inside[i], limits[0][i]), limits[1][i])
            self.robot.setConfig(inside)
            solved, count = self._run(max(iterations - self.lastIters, 0), tolerance, limits)
            self.lastIters += count
            better = solved or max(map(abs, IKSolver.getResidual(self)), default=0.0) < error
        if not better:
            self.robot.setConfig(stuck)
        return solved

    def _near(self, start):
        """The robot's configuration with angles that have no stops as near to those of `start` as they can be."""
        return [a + math.remainder(q - a, 2 * math.pi) if self.robot.getJointType(i) == "spin" else q
                for i, (q, a) in enumerate(zip(self.robot.getConfig(), start))]

    def minimize(self, secondary_objective=None, secondary_objective_grad=None):
        """Moves the robot to make the errors least, and, where they are met, those of the secondary objectives, or a
        function of the configuration whose gradient is given, too. True when the objectives are met."""
        return minimize(self, IKSolver.getActiveDofs(self), IKSolver.getJointLimits(self), secondary_objective, secondary_objective_grad)

    def lastSolveIters(self):
        """Iterations of the last call of `solve` or `minimize`."""
        return self.lastIters

    def sampleInitial(self):
        """Moves the links that may move to a random place within limits."""
        q = self.robot.getConfig()
        self.robot.randomizeConfig()
        sampled = self.robot.getConfig()
        for i in IKSolver.getActiveDofs(self):
            q[i] = sampled[i]
        self.robot.setConfig(q)
