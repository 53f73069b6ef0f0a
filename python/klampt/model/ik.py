"""Inverse kinematics: objectives, solvers, and solving in one call."""

from ..math import se3, so3, vectorops
from ..robotsim import (GeneralizedIKObjective, GeneralizedIKSolver, IKObjective, IKSolver,
                        WorldModel)
from .subrobot import SubRobotModel

# Programs get these along with `import *`.
import warnings
from ..robotsim import *

_WANTS = "objective() wants local and world points, or a rotation R and a position t"


def _points(local, world):
    """Checks sizes; returns whether local and world are lists of points."""
    assert len(local) == len(world), f"{len(local)} local coordinates, {len(world)} of the world"
    many = hasattr(local[0], "__iter__")
    if many:
        assert all(len(p) == 3 for p in list(local) + list(world)), "points want 3 coordinates"
    return many


def objective(body, ref=None, local=None, world=None, R=None, t=None):
    """An objective for a link or rigid object, relative to ref or to the world.

    local, world: a point of the body and where it should be, or lists of both. R, t: the
    transform the body (with local: that point of it) should have.
    """
    general = not hasattr(body, "robot") or (
        ref is not None and (not hasattr(ref, "robot") or ref.robot() != body.robot()))
    if general:
        return _general_objective(body, ref, local, world, R, t)
    obj = IKObjective()
    obj.robot = body.robot()
    if local is not None and world is not None:
        many = _points(local, world)
        if ref is not None:
            set_it = obj.setRelativePoints if many else obj.setRelativePoint
            set_it(body.index, ref.index, local, world)
        else:
            (obj.setFixedPoints if many else obj.setFixedPoint)(body.index, local, world)
    elif R is not None and t is not None:
        if local is not None:
            if len(local) != 3 or hasattr(local[0], "__iter__"):
                raise ValueError("with R and t, local must be one point of 3 coordinates")
            t = vectorops.sub(t, so3.apply(R, local))
        if ref is not None:
            obj.setRelativeTransform(body.index, ref.index, R, t)
        else:
            obj.setFixedTransform(body.index, R, t)
    else:
        raise RuntimeError(_WANTS)
    return obj


def _general_objective(body, ref, local, world, R, t):
    obj = GeneralizedIKObjective(body, ref) if ref is not None else GeneralizedIKObjective(body)
    if local is not None and world is not None:
        (obj.setPoints if _points(local, world) else obj.setPoint)(local, world)
    elif R is not None and t is not None:
        obj.setTransform(R, t)
    else:
        raise RuntimeError(_WANTS)
    return obj


def fixed_objective(link, ref=None, local=None, world=None):
    """An objective that keeps a link where it is: its frame, or points of it.

    The points are given in the link's frame (local) or in that of the world or ref.
    """
    T = link.getTransform()
    if ref is not None:
        T = se3.mul(se3.inv(ref.getTransform()), T)
    if local is not None and world is not None:
        raise ValueError("fixed_objective() takes local or world points, not both")
    if local is None and world is None:
        return objective(link, ref, R=T[0], t=T[1])
    points = world if local is None else local
    if not hasattr(points[0], "__iter__"):
        points = [points]
    if local is None:
        inverse = se3.inv(T)
        return objective(link, ref, local=[se3.apply(inverse, p) for p in points], world=points)
    return objective(link, ref, local=points, world=[se3.apply(T, p) for p in points])


def fixed_rotation_objective(link, ref=None, local_axis=None, world_axis=None):
    """An objective that keeps a link's rotation, or the direction of one axis of it."""
    R = link.getTransform()[0]
    if ref is not None:
        assert link.robot() == ref.robot(), "link and ref must belong to one robot"
        R = so3.mul(so3.inv(ref.getTransform()[0]), R)
    if local_axis is not None and world_axis is not None:
        raise ValueError("fixed_rotation_objective() takes local_axis or world_axis, not both")
    obj = IKObjective()
    obj.robot = link.robot()
    obj.setLinks(link.index, -1 if ref is None else ref.index)
    if local_axis is None and world_axis is None:
        obj.setFixedRotConstraint(R)
    elif local_axis is None:
        obj.setAxialRotConstraint(so3.apply(so3.inv(R), world_axis), world_axis)
    else:
        obj.setAxialRotConstraint(local_axis, so3.apply(R, local_axis))
    return obj


def objects(objectives):
    """The bodies of objectives; not offered by Klamp't either."""
    raise NotImplementedError("objects() has no definition in Klamp't; see IKObjective.link()")


class SubRobotIKSolver(IKSolver):
    """An IKSolver of a SubRobotModel: dofs, limits and Jacobians of its links only."""

    def __init__(self, r):
        assert isinstance(r, SubRobotModel), "a SubRobotModel is wanted"
        super().__init__(r._robot)
        super().setActiveDofs(r._links)
        self.subrobot = r

    def copy(self):
        return SubRobotIKSolver(self.subrobot)

    def setActiveDofs(self, active):
        return super().setActiveDofs([self.subrobot._links[x] for x in active])

    def getActiveDofs(self):
        return [self.subrobot._inv_links[i] for i in super().getActiveDofs()]

    def _filled(self, values, whole):
        whole = list(whole)
        for i, v in zip(self.subrobot._links, values):
            whole[i] = v
        return whole

    def _picked(self, whole):
        return [whole[i] for i in self.subrobot._links] if len(whole) else []

    def setJointLimits(self, qmin, qmax):
        if not len(qmin) and not len(qmax):
            return super().setJointLimits([], [])
        lower, upper = super().getJointLimits()
        if not len(lower):
            lower, upper = self.robot.getJointLimits()
        return super().setJointLimits(self._filled(qmin, lower), self._filled(qmax, upper))

    def getJointLimits(self):
        lower, upper = super().getJointLimits()
        return (self._picked(lower), self._picked(upper))

    def setBiasConfig(self, bias_config):
        whole = super().getBiasConfig()
        if len(whole) == 0:
            whole = [0.0] * self.subrobot._robot.numLinks()
        return super().setBiasConfig(self._filled(bias_config, whole))

    def getBiasConfig(self):
        return self._picked(super().getBiasConfig())

    def getJacobian(self):
        J = super().getJacobian()
        return J[:, self.subrobot._links] if J.shape[1] != len(self.subrobot._links) else J


def _robot_solver(robot):
    return SubRobotIKSolver(robot) if isinstance(robot, SubRobotModel) else IKSolver(robot)


def _world_of(obj):
    """The world of a general objective's body."""
    body = obj.obj1 if getattr(obj, "isObj1", False) else obj.link1
    return body.world if isinstance(body.world, WorldModel) else WorldModel(body.world)


def solver(objectives, iters=None, tol=None, secondary=None):
    """A solver of one objective or a list; of several robots, a list of solvers."""
    general, robots = [], {}
    for obj in objectives if hasattr(objectives, "__iter__") else [objectives]:
        if isinstance(obj, GeneralizedIKObjective):
            general.append(obj)
        elif isinstance(obj, IKObjective):
            robot = getattr(obj, "robot", None)
            if robot is None:
                raise ValueError("the objective has no attribute 'robot': make it with "
                                 "ik.objective() or set the attribute")
            robots.setdefault((robot.getName(), robot.getID()), (robot, []))[1].append(obj)
        else:
            raise TypeError(f"IK objectives are wanted, got {type(obj).__name__}")
    if general:
        result = [GeneralizedIKSolver(_world_of(general[0]))]
        for obj in general:
            result[0].add(obj)
    else:
        result = []
        for robot, goals in robots.values():
            result.append(_robot_solver(robot))
            for obj in goals:
                result[-1].add(obj)
    extra = [] if secondary is None else secondary if hasattr(secondary, "__iter__") else [secondary]
    for s in result:
        for obj in extra:
            s.addSecondary(obj)
        if iters is not None:
            s.setMaxIters(iters)
        if tol is not None:
            s.setTolerance(tol)
    return result[0] if len(result) == 1 else result


class _Run:
    """Solvers with their dofs, and a secondary cost when it is a pair of functions."""

    def __init__(self, objectives, iters, tol, activeDofs, secondary):
        self.cost = ()
        if isinstance(secondary, tuple) and len(secondary) == 2 and all(map(callable, secondary)):
            self.cost, secondary = secondary, None
        s = solver(objectives, iters, tol, secondary)
        self.solvers = s if isinstance(s, list) else [s]
        if activeDofs is not None:
            self.solvers[0].setActiveDofs([self._dof(d) for d in activeDofs])

    def _dof(self, d):
        if not isinstance(d, str):
            return d
        s = self.solvers[0]
        return (s.subrobot if isinstance(s, SubRobotIKSolver) else s.robot).link(d).getIndex()

    def solve(self):
        ok = True
        for s in self.solvers:
            res = s.minimize(*self.cost) if self.cost else s.solve()
            ok = bool(res[0] if isinstance(res, (tuple, list)) else res) and ok
        return ok

    def restarts(self, count, feasible, random_first=False):
        """Solves, then again from random configurations, until feasible() holds."""
        for k in range(count + 1):
            if k > 0 or random_first:
                for s in self.solvers:
                    s.sampleInitial()
            if self.solve() and (feasible is None or feasible()):
                return True
        return False


def solve(objectives, iters=1000, tol=1e-3, activeDofs=None, secondary=None):
    """Solves from the robot's configuration, which it changes; whether it succeeded.

    activeDofs: indices or names of links that may move. secondary: objectives, or a pair
    (cost function, gradient) to minimize too.
    """
    return _Run(objectives, iters, tol, activeDofs, secondary).solve()


def residual(objectives):
    """Residual vector at the robot's configuration."""
    return solver(objectives).getResidual()


def jacobian(objectives):
    """Jacobian of the residual at the robot's configuration."""
    return solver(objectives).getJacobian()


def solve_global(objectives, iters=1000, tol=1e-3, activeDofs=None, secondary=None,
                 numRestarts=100, feasibilityCheck=None, startRandom=False):
    """Solves with random restarts until feasibilityCheck() returns true."""
    run = _Run(objectives, iters, tol, activeDofs, secondary)
    return run.restarts(numRestarts, feasibilityCheck, startRandom)


def solve_nearby(objectives, maxDeviation, iters=1000, tol=1e-3, activeDofs=None, secondary=None,
                 numRestarts=0, feasibilityCheck=None):
    """Solves with no dof moving more than maxDeviation from where it is."""
    run = _Run(objectives, iters, tol, activeDofs, secondary)
    if len(run.solvers) != 1 or not isinstance(run.solvers[0], IKSolver):
        raise NotImplementedError("solve_nearby() wants objectives of one robot")
    s = run.solvers[0]
    robot = s.subrobot if isinstance(s, SubRobotIKSolver) else s.robot
    q = robot.getConfig()
    lower, upper = (list(x) for x in robot.getJointLimits())
    for d in s.getActiveDofs():
        lower[d], upper[d] = max(lower[d], q[d] - maxDeviation), min(upper[d], q[d] + maxDeviation)
    s.setJointLimits(lower, upper)
    s.setBiasConfig(q)
    return run.restarts(numRestarts, feasibilityCheck)
