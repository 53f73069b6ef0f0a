"""Workspaces of robots: grids of where a tool can be, by samples of configurations."""

import numpy as np

from ..robotsim import IKObjective, ImplicitSurface
from . import ik


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


class _Tests:
    """What a configuration must pass, by name."""

    def __init__(self, robot, point, link, obstacles, load, gravity, self_collision, test):
        self.tests = {}
        if self_collision:
            self.tests["self_collision"] = lambda: not robot.selfCollides()
        if obstacles:
            bodies = [o.geometry() if hasattr(o, "geometry") else o for o in obstacles]
            links = [robot.link(i).geometry() for i in range(robot.numLinks())
                     if not robot.link(i).geometry().empty()]
            self.tests["collision"] = lambda: not any(
                g.collides(b) for g in links for b in bodies)
        if load is not None:
            def carries():
                force = np.asarray(gravity) * -load if np.isscalar(load) else -np.asarray(load)
                torque = np.asarray(robot.getGravityForces(gravity)) + (
                    np.asarray(link.getPositionJacobian(point)).T @ force)
                return np.all(np.abs(torque) <= np.asarray(robot.getTorqueLimits()))
            self.tests["load"] = carries
        if test is not None:
            self.tests["feasibility_test"] = test


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

    'workspace' counts configurations that pass all tests; 'reachable' all; with all_tests
    also one a test. obstacles: bodies; load: kilograms carried, or a force.
    """
    point = (list(constraint_or_point.getPosition()[0])
             if isinstance(constraint_or_point, IKObjective) else list(constraint_or_point))
    tests = _Tests(link.robot(), point, link, obstacles, load, gravity, self_collision,
                   feasibility_test).tests
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
    if all_tests:
        for i, name in enumerate(tests):
            res[name] = compute_occupancy_grid(points[passed[:, i]], **shape)
    return res


def compute_workspace_field(link, constraint_or_point, value, Nsamples=100000, resolution=0.05,
                            dimensions=None, fixed_links=None, qmin=None, qmax=None,
                            obstacles=None, load=None, load_type=None, gravity=(0, 0, -9.8),
                            self_collision=True, feasibility_test=None, default_value=0.0):
    """A grid of the largest value() among feasible configurations that reach each cell."""
    point = (list(constraint_or_point.getPosition()[0])
             if isinstance(constraint_or_point, IKObjective) else list(constraint_or_point))
    tests = _Tests(link.robot(), point, link, obstacles, load, gravity, self_collision,
                   feasibility_test).tests
    points, values = [], []
    for p in _samples(link, constraint_or_point, Nsamples, fixed_links, qmin, qmax):
        if all(t() for t in tests.values()):
            points.append(p)
            values.append(value())
    if not points:
        raise RuntimeError("no configuration is feasible")
    return compute_field_grid(points, values, resolution, dimensions, None, "max", default_value)
