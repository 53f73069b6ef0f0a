"""Workspaces of robots: grids of where a tool can be, by samples of configurations."""

import numpy as np

from ..robotsim import IKObjective, ImplicitSurface
from . import ik

# Programs get these along with `import *`.
import math
from ..math import se3, so3, vectorops
from ..robotsim import OccupancyGrid, RigidObjectModel, RobotModel, RobotModelLink, TerrainModel


def _grid_box(points, resolution, dimensions, bounds):
    """Corners, numbers and sizes of cells. Without bounds the grid has a layer of cells around those with points."""
    if bounds is None:
        if len(points) == 0:
            raise ValueError("there are no points, and no bounds are given")
        low, high = points.min(0), points.max(0)
    else:
        low, high = (np.asarray(b, float) for b in bounds)
        if low.shape != (3,) or high.shape != (3,) or np.any(high < low):
            raise ValueError("bounds are two corners of 3 numbers, the lower one first")
    if dimensions is None and resolution is None:
        raise ValueError("either resolution or dimensions must be given")
    size = high - low
    if dimensions is not None and np.ndim(dimensions) > 0:
        dims = np.asarray(dimensions, int)
        cell = size / dims
        cell = np.where(cell > 0, cell, max(cell.max(), 1e-9))  # Points may lie in a plane or on a line.
        if bounds is None:
            low = 0.5 * (low + high - dims * cell)
    else:
        cell = (np.full(3, max(size.max(), 1e-9) / dimensions) if dimensions is not None
                else np.broadcast_to(np.asarray(resolution, float), 3).copy())
        dims = np.floor(size / cell).astype(int) + 1
        if bounds is None:
            low = 0.5 * (low + high - dims * cell)
    if bounds is None:
        low, dims = low - cell, dims + 2
    return low, low + dims * cell, dims, cell


def _cells(points, low, dims, cell):
    index = np.floor((points - low) / cell + 1e-9).astype(int).reshape(-1, 3)
    # What is on the upper border belongs to the last cell.
    index = np.where((index == dims) & (points <= low + dims * cell * (1 + 1e-9)), dims - 1, index)
    ok = np.all((index >= 0) & (index < dims), axis=1)
    return index[ok], ok


def _grid(kind, low, high, values):
    grid = kind()
    grid.bmin, grid.bmax = list(map(float, low)), list(map(float, high))
    grid.values = values
    return grid


def compute_occupancy_grid(points, resolution=0.05, dimensions=None, bounds=None,
                           value="occupancy"):
    """A grid of points: 'occupancy' (1 where there are any), 'count' or 'probability'.

    dimensions: how many cells along each side, or along the longest one. bounds: two corners; by default the points', with
    one more cell on each side.
    """
    points = np.asarray(points, float).reshape(-1, 3)
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
    return _grid(OccupancyGrid, low, high, values)


def compute_field_grid(points, values, resolution=0.05, dimensions=None, bounds=None,
                       aggregator="max", initial_value="auto"):
    """A grid of values at points: their 'max', 'min', 'sum' or 'average' a cell; cells without points have initial_value."""
    points, values = np.asarray(points, float).reshape(-1, 3), np.asarray(values, float)
    low, high, dims, cell = _grid_box(points, resolution, dimensions, bounds)
    index, ok = _cells(points, low, dims, cell)
    start = {"max": values.min(initial=math.inf), "min": values.max(initial=-math.inf), "sum": 0.0, "average": 0.0}
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
    return _grid(ImplicitSurface, low, high, grid)


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
    """The tests that a configuration must pass, by name."""

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


class _Limited:
    """The robot with the limits of a call; links that are fixed, and those that do not carry the tool, stay where they are."""

    def __init__(self, link, fixed_links, qmin, qmax):
        self.link, self.robot = link, link.robot()
        self.q = self.robot.getConfig()
        self.limits = tuple(list(x) for x in self.robot.getJointLimits())
        chain, i = set(), link.index
        while i >= 0:
            chain.add(i)
            i = self.robot.link(i).getParent()
        self.moving = sorted(chain - {self.robot.link(l).index for l in fixed_links or ()})
        low, high = (list(given) if given is not None else own for given, own in zip((qmin, qmax), self.limits))
        for name, x in (("qmin", low), ("qmax", high)):
            if len(x) != len(self.q):
                raise ValueError(f"{name} wants {len(self.q)} numbers, one a link, got {len(x)}")
        self.low, self.high = np.array(low, float), np.array(high, float)
        still = [i for i in range(len(self.q)) if i not in set(self.moving)]
        self.low[still] = self.high[still] = np.array(self.q)[still]

    def __enter__(self):
        self.robot.setJointLimits(self.low.tolist(), self.high.tolist())
        return self

    def __exit__(self, *_):
        self.robot.setJointLimits(*self.limits)
        self.robot.setConfig(self.q)

    def samples(self, count, seed=0):
        """Configurations, uniform within the limits; where there are none, within half a turn or half a meter."""
        low, high = self.low.copy(), self.high.copy()
        endless = ~np.isfinite(high - low)
        low[endless], high[endless] = -np.pi, np.pi
        return np.random.default_rng(seed).uniform(low, high, size=(count, len(low)))

    def reaches(self, goal, start, restarts, test):
        """Sets the robot to a configuration near start, or near a random one, that fulfils a goal and a test; whether one is
        found. Equal calls draw equal numbers."""
        for q in (start, *(self.samples(restarts, 1).tolist() if restarts > 0 else ())):
            self.robot.setConfig(q)
            if ik.solve(goal, iters=20, activeDofs=self.moving) and (test is None or test()):
                return True
        return False


def _expanded(limited, point, low, cell, grid, configs, test, restarts=5):
    """Fills cells of a grid next to filled ones whose middle the tool reaches; configs has a configuration a filled cell."""
    steps = [s for a in range(3) for s in (np.eye(3, dtype=int)[a], -np.eye(3, dtype=int)[a])]
    fringe, seen = [], set()

    def add_neighbors(of):
        for step in steps:
            place = tuple(int(k) for k in np.add(of, step))
            if place not in seen and all(0 <= k < n for k, n in zip(place, grid.shape)) and grid[place] == 0:
                seen.add(place)
                fringe.append((place, of))
    for filled in map(tuple, np.argwhere(grid != 0)):
        add_neighbors(tuple(int(k) for k in filled))
    for place, neighbor in fringe:  # Grows meanwhile.
        middle = low + (np.array(place) + 0.5) * cell
        goal = ik.objective(limited.link, local=point, world=middle.tolist())
        if limited.reaches(goal, configs[neighbor], restarts, test):
            grid[place] = 1.0
            configs[place] = limited.robot.getConfig()
            add_neighbors(place)
    return grid


def _point_of(constraint_or_point):
    return (list(constraint_or_point.getPosition()[0])
            if isinstance(constraint_or_point, IKObjective) else list(constraint_or_point))


def _explore(limited, constraint, point, Nsamples, resolution, dimensions, tests, value):
    """Grids by test, 'reachable' and 'workspace', their box, and (point, configuration) of those that pass everything."""
    def passes_all():
        return all(t() for t in tests.values())
    robot, link = limited.robot, limited.link
    qs = limited.samples(Nsamples)
    points = []
    for q in qs:
        robot.setConfig(q.tolist())
        points.append(link.getWorldPosition(point))
    points = np.array(points)
    low, high, dims, cell = _grid_box(points, resolution, dimensions, None)
    box = dict(dimensions=dims, bounds=(low, high))
    found = {name: ([], []) for name in ("reachable", "workspace", *tests)}
    good = []

    def note(p, q):
        passed = {name: bool(test()) for name, test in tests.items()}
        passed.update(reachable=True, workspace=all(passed.values()))
        for name, ok in passed.items():
            if ok:
                found[name][0].append(p)
                found[name][1].append(q)
        if passed["workspace"]:
            good.append((p, q))
    if isinstance(constraint, IKObjective) and constraint.numRotDims() > 0:
        # Wherever the point alone can be, whether it can with its rotation.
        index, _ = _cells(points, low, dims, cell)
        grid = compute_occupancy_grid(points, **box).getValues().copy()
        configs = {tuple(map(int, k)): q.tolist() for k, q in zip(index, qs)}
        _expanded(limited, point, low, cell, grid, configs, None)
        goal = IKObjective(constraint)
        goal.robot = robot
        filled = np.argwhere(grid != 0)
        restarts = max(5, Nsamples // max(1, len(filled)))
        for place in filled:
            middle = (low + (place + 0.5) * cell).tolist()
            goal.setFixedPosConstraint(point, middle)
            start = configs[tuple(map(int, place))]
            if not limited.reaches(goal, start, restarts, None):
                continue
            note(middle, robot.getConfig())
            if found["workspace"][0] and found["workspace"][0][-1] is middle:
                continue
            if tests and limited.reaches(goal, start, restarts, passes_all):  # Another configuration may pass.
                found["workspace"][0].append(middle)
                found["workspace"][1].append(robot.getConfig())
                good.append((middle, robot.getConfig()))
        if not found["reachable"][0]:
            raise RuntimeError("no configuration fulfils the constraint")
        return {name: compute_occupancy_grid(found[name][0], value=value, **box) for name in found}, box, good
    for p, q in zip(points, qs):
        robot.setConfig(q.tolist())
        note(p.tolist(), q.tolist())
    grids = {}
    for name, (at, with_q) in found.items():
        grid = compute_occupancy_grid(at, value=value, **box)
        values = grid.getValues().copy()
        at = np.array(at, float).reshape(-1, 3)
        index, ok = _cells(at, low, dims, cell)
        configs = {tuple(map(int, k)): q for k, q in zip(index, (q for q, kept in zip(with_q, ok) if kept))}
        before = set(configs)
        _expanded(limited, point, low, cell, values, configs,
                  None if name == "reachable" else passes_all if name == "workspace" else tests[name])
        if name == "workspace":
            good += [((low + (np.array(k) + 0.5) * cell).tolist(), q) for k, q in configs.items() if k not in before]
        grids[name] = _grid(OccupancyGrid, low, high, values)
    return grids, box, good


def compute_workspace(link, constraint_or_point, Nsamples=100000, resolution=0.05, dimensions=None,
                      fixed_links=None, qmin=None, qmax=None, obstacles=None, load=None,
                      load_type=None, gravity=(0, 0, -9.8), self_collision=True,
                      feasibility_test=None, value="occupancy", all_tests=True):
    """Grids by name of where a point of a link (or an objective's) can be.

    Samples of configurations fill cells; then, from filled cells on, neighbors whose middle inverse kinematics reaches, so
    that few samples find most of the workspace. Of an objective with a rotation a cell counts where the objective can be
    fulfilled in its middle.

    'workspace' is of configurations that pass all tests, 'reachable' of any, and there is one grid a test:
    'self_collision_free', 'obstacle_0_collision_free' and so on, 'load', 'feasibility_test' (or the names of a dictionary of
    tests). Without all_tests the grid 'workspace' alone. value: 'occupancy', or 'count' and 'probability' of samples, where
    cells without any that were reached have 1. obstacles: bodies. load: by load_type 'isotropic' (any force of so many N),
    'force', 'torque' (3 numbers), 'wrench' (6, torque first), in world axes or, with '_local', the link's; 'auto' goes by
    its size. feasibility_test: a function of a configuration, a list or a dictionary of them.
    """
    point = _point_of(constraint_or_point)
    tests = _Tests(link.robot(), point, link, fixed_links, obstacles, load, load_type, gravity,
                   self_collision, feasibility_test).tests
    with _Limited(link, fixed_links, qmin, qmax) as limited:
        grids, _, _ = _explore(limited, constraint_or_point, point, Nsamples, resolution, dimensions, tests, value)
    return grids if all_tests else grids["workspace"]


def compute_workspace_field(link, constraint_or_point, value, Nsamples=100000, resolution=0.05,
                            dimensions=None, fixed_links=None, qmin=None, qmax=None,
                            obstacles=None, load=None, load_type=None, gravity=(0, 0, -9.8),
                            self_collision=True, feasibility_test=None, default_value=0.0):
    """A grid of the largest value() among feasible configurations that reach each cell, found as compute_workspace does."""
    point = _point_of(constraint_or_point)
    tests = _Tests(link.robot(), point, link, fixed_links, obstacles, load, load_type, gravity,
                   self_collision, feasibility_test).tests
    with _Limited(link, fixed_links, qmin, qmax) as limited:
        _, box, good = _explore(limited, constraint_or_point, point, Nsamples, resolution, dimensions, tests, "occupancy")
        if not good:
            raise RuntimeError("no configuration is feasible")
        values = []
        for _, q in good:
            limited.robot.setConfig(list(q))
            values.append(value())
    return compute_field_grid([p for p, _ in good], values, None, box["dimensions"], box["bounds"], "max", default_value)
