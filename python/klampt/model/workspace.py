"""Workspaces of robots: grids of where a tool can be, by samples of configurations."""

import numpy as np

from ..robotsim import IKObjective, ImplicitSurface
from . import ik

# Programs get these along with `import *`.
import math
from ..math import se3, so3, vectorops
from ..robotsim import OccupancyGrid, RigidObjectModel, RobotModel, RobotModelLink, TerrainModel


def _grid_box(points, resolution, dimensions, bounds):
    low, high = (points.min(0), points.max(0)) if bounds is None else map(np.asarray, bounds)
    if dimensions is None:
        cell = np.broadcast_to(np.asarray(resolution, float), 3)
        dims = np.maximum(np.ceil((high - low) / cell).astype(int), 1)
        high = low + dims * cell
    else:
        dims = np.broadcast_to(np.asarray(dimensions, int), 3)
        cell = (high - low) / dims
    return low, high, dims, np.where(cell > 0, cell, 1.0)


def _cells(points, low, dims, cell):
    index = np.floor((points - low) / cell).astype(int)
    ok = np.all((index >= 0) & (index <= dims), axis=1)
    return np.minimum(index[ok], dims - 1), ok


def _surface(low, high, values):
    grid = ImplicitSurface()
    grid.bmin, grid.bmax = list(map(float, low)), list(map(float, high))
    grid.values = values
    return grid


def compute_occupancy_grid(points, resolution=0.05, dimensions=None, bounds=None,
                           value="occupancy"):
    """A grid of points: 'occupancy' (1 where there are any), 'count' or 'probability'."""
    points = np.asarray(points, float)
    low, high, dims, cell = _grid_box(points, resolution, dimensions, bounds)
    values = np.zeros(dims)
    index, _ = _cells(points, low, dims, cell)
    np.add.at(values, tuple(index.T), 1.0)
    if value == "occupancy":
        values = (values > 0).astype(float)
    elif value == "probability":
        values /= max(1, len(points))
    elif value != "count":
        raise ValueError(f"value '{value}' is not known; use occupancy, count or probability")
    return _surface(low, high, values)


def compute_field_grid(points, values, resolution=0.05, dimensions=None, bounds=None,
                       aggregator="max", initial_value="auto"):
    """A grid of values at points: their 'max', 'min', 'sum' or 'average' a cell."""
    points, values = np.asarray(points, float), np.asarray(values, float)
    low, high, dims, cell = _grid_box(points, resolution, dimensions, bounds)
    index, ok = _cells(points, low, dims, cell)
    start = {"max": values.min(), "min": values.max(), "sum": 0.0, "average": 0.0}
    if aggregator not in start:
        raise ValueError(f"aggregator '{aggregator}' is not known; use " + ", ".join(start))
    grid = np.full(dims, start[aggregator] if initial_value == "auto" else initial_value)
    where, inside = tuple(index.T), values[ok]
    if aggregator in ("max", "min"):
        (np.maximum if aggregator == "max" else np.minimum).at(grid, where, inside)
    else:
        np.add.at(grid, where, inside)
        if aggregator == "average":
            counts = np.zeros(dims)
            np.add.at(counts, where, 1.0)
            grid = np.where(counts > 0, grid / np.maximum(counts, 1), grid)
    return _surface(low, high, grid)


_LOADS = ("isotropic", "force", "torque", "wrench", "force_local", "torque_local", "wrench_local")


def _load_test(robot, link, point, load, kind, gravity, fixed):
    """A function that tells whether the motors hold still under gravity and a load at the point."""
    if kind in (None, "auto"):
        kind = "isotropic" if np.isscalar(load) else {3: "force", 6: "wrench"}.get(len(load), str(len(load)) + " numbers")
    if kind not in _LOADS:
        raise ValueError(f"load_type '{kind}' is not known; use auto, " + ", ".join(_LOADS))
    wanted = 6 if kind.startswith("wrench") else 3
    if kind != "isotropic" and len(load) != wanted:
        raise ValueError(f"a load of type '{kind}' has {wanted} numbers, got {len(load)}")
    limits = np.asarray(robot.getTorqueLimits(), dtype=float)
    limits[list(fixed)] = np.inf
    own, _, where = kind.partition("_")
    jacobian = {"torque": lambda: link.getOrientationJacobian(), "wrench": lambda: link.getJacobian(point)}.get(
        own, lambda: link.getPositionJacobian(point))

    def carries():
        torque = np.asarray(robot.getGravityForces(gravity))
        J = np.asarray(jacobian())
        if kind == "isotropic":
            return bool(np.all(np.abs(torque) + load * np.linalg.norm(J, axis=0) <= limits))
        parts = np.asarray(load, dtype=float).reshape(-1, 3)
        if where:
            parts = np.array([link.getWorldDirection(list(p)) for p in parts])
        return bool(np.all(np.abs(torque - J.T @ parts.ravel()) <= limits))
    return carries


class _Tests:
    """What a configuration must pass, by name."""

    def __init__(self, robot, point, link, fixed_links, obstacles, load, load_type, gravity, self_collision, test):
        self.tests = {}
        fixed = {robot.link(l).index for l in fixed_links or ()}
        if self_collision:
            self.tests["self_collision_free"] = lambda: not robot.selfCollides()
        links = [robot.link(i).geometry() for i in range(robot.numLinks())
                 if i not in fixed and not robot.link(i).geometry().empty()]
        for i, o in enumerate(obstacles or ()):
            body = o.geometry() if hasattr(o, "geometry") else o
            self.tests[f"obstacle_{i}_collision_free"] = (
                lambda body=body: not any(g.collides(body) for g in links))
        if load is not None:
            self.tests["load"] = _load_test(robot, link, point, load, load_type, gravity, fixed)
        if isinstance(test, (list, tuple)):
            test = {f"feasibility_test_{i}": t for i, t in enumerate(test)}
        elif test is not None and not isinstance(test, dict):
            test = {"feasibility_test": test}
        for name, function in (test or {}).items():
            if not callable(function):
                raise ValueError(f"{name} is a {type(function).__name__}, not a function of a configuration")
            self.tests[name] = lambda function=function: function(robot.getConfig())


def _samples(link, constraint, N, fixed_links, qmin, qmax):
    """Sets the robot to N sampled configurations; yields tool points in the world."""
    robot = link.robot()
    q0 = robot.getConfig()
    low, high = (list(x) for x in robot.getJointLimits())
    low = list(qmin) if qmin is not None else low
    high = list(qmax) if qmax is not None else high
    chain, i = set(), link.index
    while i >= 0:
        chain.add(i)
        i = robot.link(i).getParent()
    moving = sorted(chain - {robot.link(l).index if isinstance(l, str) else l
                             for l in fixed_links or ()})
    rng = np.random.default_rng(0)
    low, high = np.array(low, float), np.array(high, float)
    unbounded = ~np.isfinite(high - low)
    low[unbounded], high[unbounded] = -np.pi, np.pi
    is_goal = isinstance(constraint, IKObjective)
    point = list(constraint.getPosition()[0]) if is_goal else list(constraint)
    for q in rng.uniform(low, high, size=(N, len(low))):
        full = list(q0)
        for i in moving:
            full[i] = float(q[i])
        robot.setConfig(full)
        if is_goal and constraint.numRotDims() > 0:
            goal = IKObjective(constraint)
            goal.setFixedPosConstraint(point, link.getWorldPosition(point))
            goal.robot = robot
            s = ik.solver(goal, 50, 1e-3)
            s.setActiveDofs(moving)
            if not s.solve():
                continue
        yield link.getWorldPosition(point)
    robot.setConfig(q0)


def compute_workspace(link, constraint_or_point, Nsamples=100000, resolution=0.05, dimensions=None,
                      fixed_links=None, qmin=None, qmax=None, obstacles=None, load=None,
                      load_type=None, gravity=(0, 0, -9.8), self_collision=True,
                      feasibility_test=None, value="occupancy", all_tests=True):
    """Grids by name of where a point of a link (or an objective's) can be.

    'workspace' counts configurations that pass all tests; 'reachable' all; and one grid a test: 'self_collision_free',
    'obstacle_0_collision_free' and so on, 'load', 'feasibility_test' (or the names of a dictionary of tests). Without
    all_tests the grid 'workspace' alone. obstacles: bodies. load: by load_type 'isotropic' (any force of so many N),
    'force', 'torque' (3 numbers), 'wrench' (6, torque first), in world axes or, with '_local', the link's; 'auto' goes by
    its size. feasibility_test: a function of a configuration, a list or a dictionary of them.
    """
    point = (list(constraint_or_point.getPosition()[0])
             if isinstance(constraint_or_point, IKObjective) else list(constraint_or_point))
    tests = _Tests(link.robot(), point, link, fixed_links, obstacles, load, load_type, gravity,
                   self_collision, feasibility_test).tests
    points, passed = [], []
    for p in _samples(link, constraint_or_point, Nsamples, fixed_links, qmin, qmax):
        points.append(p)
        passed.append([bool(t()) for t in tests.values()])
    if not points:
        raise RuntimeError("no configuration fulfils the constraint")
    points, passed = np.array(points), np.array(passed, bool).reshape(len(points), -1)
    low, high, dims, _ = _grid_box(points, resolution, dimensions, None)
    shape = dict(dimensions=dims, bounds=(low, high), value=value)
    res = {"workspace": compute_occupancy_grid(points[passed.all(1)], **shape),
           "reachable": compute_occupancy_grid(points, **shape)}
    for i, name in enumerate(tests):
        res[name] = compute_occupancy_grid(points[passed[:, i]], **shape)
    return res if all_tests else res["workspace"]


def compute_workspace_field(link, constraint_or_point, value, Nsamples=100000, resolution=0.05,
                            dimensions=None, fixed_links=None, qmin=None, qmax=None,
                            obstacles=None, load=None, load_type=None, gravity=(0, 0, -9.8),
                            self_collision=True, feasibility_test=None, default_value=0.0):
    """A grid of the largest value() among feasible configurations that reach each cell."""
    point = (list(constraint_or_point.getPosition()[0])
             if isinstance(constraint_or_point, IKObjective) else list(constraint_or_point))
    tests = _Tests(link.robot(), point, link, fixed_links, obstacles, load, load_type, gravity,
                   self_collision, feasibility_test).tests
    points, values = [], []
    for p in _samples(link, constraint_or_point, Nsamples, fixed_links, qmin, qmax):
        if all(t() for t in tests.values()):
            points.append(p)
            values.append(value())
    if not points:
        raise RuntimeError("no configuration is feasible")
    return compute_field_grid(points, values, resolution, dimensions, None, "max", default_value)
