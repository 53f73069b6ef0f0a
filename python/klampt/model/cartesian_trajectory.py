"""Paths of robots that follow paths of their tools.

A point of task space is the list config.get_config(constraints) of IK objectives.
"""

import math
import warnings

from ..math import se3, so3
from ..robotsim import IKObjective, RobotModelLink
from . import config, ik
from .subrobot import SubRobotModelLink
from .trajectory import RobotTrajectory, SE3Trajectory


def set_cartesian_constraints(x, constraints, solver):
    """Sets objectives, and a solver's, to a point of task space."""
    config.set_config(constraints, x)
    solver.clear()
    for c in constraints:
        solver.add(c)


def solve_cartesian(x, constraints, solver):
    """Solves for a point of task space from the robot's configuration."""
    set_cartesian_constraints(x, constraints, solver)
    return solver.solve()


def _objectives(robot, constraints):
    if isinstance(constraints, (int, str)) or not hasattr(constraints, "__iter__"):
        constraints = [constraints]
    res = []
    for c in constraints:
        if not isinstance(c, IKObjective):
            link = robot.link(c) if isinstance(c, (int, str)) else c
            c = ik.objective(link, R=so3.identity(), t=[0, 0, 0])
        res.append(c)
    return res


def _warn(text):
    warnings.warn(text, RuntimeWarning, stacklevel=3)


class _Task:
    """A solver that moves along task space in joint steps of at most delta."""

    def __init__(self, robot, constraints, solver, delta, feasible):
        if delta <= 0:
            raise ValueError(f"delta must be positive, got {delta}")
        self.robot, self.delta, self.feasible = robot, delta, feasible
        self.constraints = _objectives(robot, constraints)
        self.solver = ik.solver(self.constraints) if solver is None else solver
        self.limits = self.solver.getJointLimits()
        if len(self.limits[0]) == 0:
            self.limits = robot.getJointLimits()
        self.tolerance = self.solver.getTolerance()

    def restore(self):
        self.solver.setJointLimits(*self.limits)
        self.solver.setTolerance(self.tolerance)

    def ok(self, q):
        return self.feasible is None or self.feasible(q)

    def solved(self, x):
        set_cartesian_constraints(x, self.constraints, self.solver)
        return self.solver.isSolved()

    def step(self, q, x, bias=None):
        """A configuration within delta of q that reaches x, or None."""
        low = [max(a, v - self.delta) for a, v in zip(self.limits[0], q)]
        high = [min(b, v + self.delta) for b, v in zip(self.limits[1], q)]
        start = q
        if bias is not None:
            self.solver.setBiasConfig(bias)
            start = [max(a, min(b, v)) for a, b, v in zip(low, high, bias)]
        self.robot.setConfig(start)
        self.solver.setJointLimits(low, high)
        self.solver.setTolerance(0.1 * self.tolerance)
        if solve_cartesian(x, self.constraints, self.solver):
            return self.robot.getConfig()
        self.solver.setTolerance(self.tolerance)
        return self.robot.getConfig() if self.solver.isSolved() else None


def _start(task, a, startConfig, name):
    """The configuration to start from, or None with a warning."""
    q = task.robot.getConfig() if isinstance(startConfig, str) else startConfig
    task.robot.setConfig(q)
    if not task.solved(a):
        if not task.solver.solve():
            _warn(f"{name}(): the start configuration does not reach the start, residual "
                  f"{list(task.solver.getResidual())}")
            return None
        q = task.robot.getConfig()
    if not task.ok(q):
        _warn(f"{name}(): the start configuration is infeasible")
        return None
    return list(q)


def cartesian_interpolate_linear(robot, a, b, constraints, startConfig="robot", endConfig=None,
                                 delta=1e-2, solver=None, feasibilityTest=None, maximize=False):
    """A RobotTrajectory over [0, 1] whose tool goes straight from a to b, or None.

    delta: largest joint step. endConfig: configuration to end at. feasibilityTest(q):
    what must hold on the way. maximize: returns what is possible instead of None.
    """
    task = _Task(robot, constraints, solver, delta, feasibilityTest)
    q = _start(task, a, startConfig, "cartesian_interpolate_linear")
    if q is None:
        return None
    if isinstance(endConfig, str):
        endConfig = robot.getConfig()
    if endConfig is not None:
        robot.setConfig(endConfig)
        if not task.solved(b) or not task.ok(endConfig):
            _warn("cartesian_interpolate_linear(): the end configuration does not reach the end "
                  "or is infeasible")
            return None
    try:
        res, complete = _follow(task, q, a, b, endConfig)
    finally:
        task.restore()
    if not complete and not maximize:
        return None
    if endConfig is not None and complete:
        if robot.distance(res.milestones[-1], endConfig) > delta:
            return res if maximize else None
        res.milestones[-1] = list(endConfig)
    return res


def _follow(task, q, a, b, endConfig):
    """Steps along the line with a step size that adapts; (trajectory, whether complete)."""
    res = RobotTrajectory(task.robot, [0], [q])
    start, t, size = q, 0.0, 0.1
    smallest = 0.01 * task.tolerance / max(config.distance(task.constraints, a, b), 0.01)
    while t < 1:
        u = min(t + size, 1.0)
        x = config.interpolate(task.constraints, a, b, u)
        bias = None if endConfig is None else task.robot.interpolate(start, endConfig, u)
        q = task.step(res.milestones[-1], x, bias)
        if q is None:
            size *= 0.5
            if size > smallest:
                continue
            _warn(f"cartesian_interpolate_linear(): no step is possible at {t:g}, residual "
                  f"{list(task.solver.getResidual())}")
            return res, False
        if not task.ok(q):
            _warn(f"cartesian_interpolate_linear(): infeasible at {u:g}")
            return res, False
        res.times.append(u)
        res.milestones.append(q)
        t, size = u, size * 1.5
    return res, True


def _reaches(task, q, x):
    """Returns whether a configuration is at a point of task space."""
    task.robot.setConfig(q)
    return task.solved(x)


def cartesian_interpolate_bisect(robot, a, b, constraints, startConfig="robot", endConfig=None,
                                 delta=1e-2, solver=None, feasibilityTest=None, maximize=False,
                                 growthTol=10):
    """Like cartesian_interpolate_linear(), by halving from both ends; smoother joint paths.

    growthTol: how much longer than its ends' distance a piece may get.
    """
    task = _Task(robot, constraints, solver, delta, feasibilityTest)
    q = _start(task, a, startConfig, "cartesian_interpolate_bisect")
    if q is None:
        return None
    if endConfig is None or isinstance(endConfig, str):
        robot.setConfig(q)
        if not solve_cartesian(b, task.constraints, task.solver):
            _warn("cartesian_interpolate_bisect(): the end is out of reach")
            return None
        endConfig = robot.getConfig()
    elif not _reaches(task, endConfig, b):
        _warn("cartesian_interpolate_bisect(): the end configuration does not reach the end")
        return None
    if not task.ok(endConfig):
        _warn("cartesian_interpolate_bisect(): the end configuration is infeasible")
        return None
    res = RobotTrajectory(robot, [0.0], [q])
    waiting = [(0.0, 1.0, q, list(endConfig), growthTol * max(robot.distance(q, endConfig), delta))]
    try:
        while waiting:
            ua, ub, qa, qb, budget = waiting.pop()
            if robot.distance(qa, qb) <= delta:
                res.times.append(ub)
                res.milestones.append(qb)
                continue
            u, half = 0.5 * (ua + ub), robot.interpolate(qa, qb, 0.5)
            robot.setConfig(half)
            task.solver.setBiasConfig(half)
            x = config.interpolate(task.constraints, a, b, u)
            solved = solve_cartesian(x, task.constraints, task.solver)
            qm = robot.getConfig()
            length = robot.distance(qa, qm) + robot.distance(qm, qb)
            if not solved or length > budget or ub - ua < 1e-9 or not task.ok(qm):
                _warn(f"cartesian_interpolate_bisect(): no step is possible at {u:g}")
                return res if maximize else None
            waiting.append((u, ub, qm, qb, budget * 0.75))
            waiting.append((ua, u, qa, qm, budget * 0.75))
    finally:
        task.restore()
    return res


def cartesian_path_interpolate(robot, path, constraints, startConfig="robot", endConfig=None,
                               delta=1e-2, method="any", solver=None, feasibilityTest=None,
                               numSamples=1000, maximize=False):
    """A RobotTrajectory whose tool follows a path, or None.

    path: a Trajectory or list in task space, or transforms. Each piece is followed in a
    line; method 'roadmap' or 'any' tries other starts (numSamples at most) when the first
    gets stuck and startConfig is None.
    """
    times = list(path.times) if hasattr(path, "times") else list(range(len(path)))
    points = list(path.milestones) if hasattr(path, "times") else list(path)
    points = [list(p[0]) + list(p[1]) if len(p) == 2 and hasattr(p[0], "__iter__") else list(p)
              for p in points]
    task = _Task(robot, constraints, solver, delta, feasibilityTest)
    start = startConfig
    attempts = numSamples if startConfig is None and method != "pointwise" else 1
    best = None
    for k in range(max(1, attempts)):
        if start is None or k > 0:
            robot.randomizeConfig()
        res = _follow_path(task, times, points, "robot" if start is None else start, endConfig)
        if res is not None and (best is None or res.times[-1] > best.times[-1]):
            best = res
        if best is not None and best.times[-1] >= times[-1]:
            return best
    return best if maximize else None


def _follow_path(task, times, points, start, endConfig):
    q = _start(task, points[0], start, "cartesian_path_interpolate")
    if q is None:
        return None
    res = RobotTrajectory(task.robot, [times[0]], [q])
    try:
        for i in range(len(points) - 1):
            last = i + 2 == len(points)
            piece, complete = _follow(task, res.milestones[-1], points[i], points[i + 1],
                                      endConfig if last else None)
            span = times[i + 1] - times[i]
            res.times += [times[i] + span * u for u in piece.times[1:]]
            res.milestones += piece.milestones[1:]
            if not complete:
                return res
    finally:
        task.restore()
    return res


def cartesian_bump(robot, js_path, constraints, bump_paths, delta=1e-2, solver=None,
                   ee_relative=False, maximize=False, closest=False, maxDeviation=None):
    """Moves a joint path so that tools are shifted by transforms.

    bump_paths: a transform or SE3Trajectory, or one a constraint, in the world or with
    ee_relative in the tool's frame. maxDeviation: how far each joint may move. closest:
    goes on where a shift is out of reach.
    """
    constraints = _objectives(robot, constraints)
    if hasattr(bump_paths, "times") or (len(bump_paths) == 2 and len(bump_paths[0]) == 9):
        bump_paths = [bump_paths]
    if len(bump_paths) != len(constraints):
        raise ValueError(f"{len(constraints)} constraints want as many bumps, got "
                         f"{len(bump_paths)}")
    bumps = [p if hasattr(p, "times") else SE3Trajectory([js_path.startTime()], [p])
             for p in bump_paths]
    task = _Task(robot, constraints, solver, delta, None)
    mesh = sorted({t for p in bumps for t in p.times if js_path.startTime() <= t <= js_path.endTime()})
    for (t0, t1), (a, b) in zip(zip(js_path.times, js_path.times[1:]),
                                zip(js_path.milestones, js_path.milestones[1:])):
        pieces = int(math.ceil(robot.distance(a, b) / delta))
        mesh += [t0 + (t1 - t0) * k / pieces for k in range(1, pieces)]
    path = js_path.remesh(sorted(set(mesh)))[0] if mesh else js_path
    res = RobotTrajectory(robot)
    try:
        for t, q in zip(path.times, path.milestones):
            if not _bumped(task, q, t, bumps, ee_relative, maxDeviation) and not closest:
                _warn(f"cartesian_bump(): the shift at time {t:g} is out of reach")
                return res if maximize else None
            res.times.append(t)
            res.milestones.append(robot.getConfig())
    finally:
        task.restore()
    return res


def _bumped(task, q, t, bumps, relative, deviation):
    task.robot.setConfig(q)
    task.solver.clear()
    for c, bump in zip(task.constraints, bumps):
        T, shift = task.robot.link(c.link()).getTransform(), bump.eval(t)
        c.matchDestination(*(se3.mul(T, shift) if relative else se3.mul(shift, T)))
        task.solver.add(c)
    if deviation is not None:
        task.solver.setJointLimits(
            [max(a, v - d) for a, v, d in zip(task.limits[0], q, deviation)],
            [min(b, v + d) for b, v, d in zip(task.limits[1], q, deviation)])
    return task.solver.solve()


def cartesian_move_to(robot, constraints, endConfig=None, delta=1e-2, solver=None,
                      feasibilityTest=None, maximize=False):
    """A RobotTrajectory from the robot's configuration, its tools in lines to objectives.

    robot may be a link, and constraints the transform (R, t) it should have.
    """
    if isinstance(robot, (RobotModelLink, SubRobotModelLink)):
        R, t = constraints
        constraints = ik.objective(robot, R=R, t=t)
        robot = robot.robot()
    constraints = constraints if hasattr(constraints, "__iter__") else [constraints]
    end = config.get_config(constraints)
    moving = [IKObjective(c) for c in constraints]
    for c, original in zip(moving, constraints):
        c.robot = getattr(original, "robot", robot)
        T = robot.link(c.link()).getTransform()
        if c.destLink() >= 0:
            T = se3.mul(se3.inv(robot.link(c.destLink()).getTransform()), T)
        c.matchDestination(*T)
    start = config.get_config(moving)
    args = dict(endConfig=endConfig, delta=delta, solver=solver, feasibilityTest=feasibilityTest,
                maximize=maximize)
    if endConfig is not None and not maximize:
        return cartesian_interpolate_bisect(robot, start, end, moving, **args)
    return cartesian_interpolate_linear(robot, start, end, moving, **args)
