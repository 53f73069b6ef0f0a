"""Functions of the module: seeds, equilibrium, scenes for browsers."""

import logging
import math
import sys
import warnings

import numpy as np

from ._native import native
from ._planar_region import planes_of_unbounded

__all__ = ["set_random_seed", "set_log_level", "destroy", "subscribe_to_stream", "detach_from_stream", "process_streams",
           "wait_for_stream", "threejs_get_scene", "threejs_get_transforms", "set_friction_cone_approximation_edges",
           "force_closure", "force_closure_2d", "com_equilibrium", "com_equilibrium_2d", "support_polygon",
           "support_polygon_2d", "equilibrium_torques", "setRandomSeed", "setLogLevel", "SubscribeToStream",
           "DetachFromStream", "ProcessStreams", "WaitForStream", "ThreeJSGetScene", "ThreeJSGetTransforms",
           "threeJSGetScene", "threeJSGetTransforms", "setFrictionConeApproximationEdges", "forceClosure",
           "forceClosure2D", "comEquilibrium", "comEquilibrium2D", "supportPolygon", "supportPolygon2D",
           "equilibriumTorques"]

_cone_edges = 4
_SQUARE = 1e3  # Within so many meters linear programs search.


def set_random_seed(seed):
    """Seeds `RobotModel.randomizeConfig`, `IKSolver.sampleInitial` and planners."""
    native.setRandomSeed(int(seed) & 0xffffffffffffffff)


def set_log_level(level):
    """'debug', 'info', 'warn', 'error' or 'critical': messages below are dropped."""
    names = {"debug": 10, "verbose": 10, "info": 20, "warn": 30, "warning": 30, "error": 40, "critical": 50, "fatal": 50}
    if level.lower() not in names:
        raise RuntimeError("there is no level '%s': use one of %s" % (level, ", ".join(sorted(names))))
    logging.getLogger("mortise").setLevel(names[level.lower()])


def destroy():
    """Nothing is left over: everything frees itself."""


def _ros_streams(protocol):
    """Streams of ROS, which are imported when they are used."""
    if protocol != "ros":
        raise RuntimeError("there are no streams of protocol '%s', only of 'ros': set geometries from data instead" % protocol)
    import importlib
    return importlib.import_module("klampt.io._ros.streams")


def subscribe_to_stream(g, protocol, name, type=""):
    """Lets a geometry follow the clouds on a topic of ROS: process_streams() refreshes it.

    protocol is "ros", name the topic, type "" or "PointCloud2". It needs rospy and a master.
    """
    return _ros_streams(protocol).subscribe(g, name, type)


def _streams_in_use():
    """Streams of ROS, if this program has used any."""
    return sys.modules.get("klampt.io._ros.streams")


def detach_from_stream(protocol, name):
    """Ends a stream. False: there is none of this name."""
    streams = _streams_in_use()
    return streams is not None and protocol == "ros" and streams.detach(name)


def process_streams(protocol="all"):
    """Refreshes geometries of streams on which something came. False: nothing changed."""
    streams = _streams_in_use()
    return streams is not None and protocol in ("all", "ros") and streams.process()


def wait_for_stream(protocol, name, timeout):
    """Waits at most timeout seconds until something comes on a stream. False: nothing did, or there is no such stream."""
    streams = _streams_in_use()
    return streams is not None and protocol == "ros" and streams.wait(name, timeout)


def set_friction_cone_approximation_edges(numEdges):
    """Edges of the pyramids that stand for friction cones; 4 at first."""
    global _cone_edges
    if numEdges < 3:
        raise RuntimeError("a pyramid has at least 3 edges, not %d" % numEdges)
    _cone_edges = int(numEdges)


def _rows(contacts, columns):
    rows = [[float(v) for v in row] for row in np.asarray(contacts, dtype=float).reshape(-1, columns)] \
        if len(contacts) else []
    if any(len(row) != columns for row in rows):
        raise ValueError("a contact has %d numbers" % columns)
    return rows


def _planar_edges(contacts):
    """Position and two unit edges of the friction cone of each contact in a plane."""
    edges = []
    for x, y, angle, friction in _rows(contacts, 4):
        n, t = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
        edges.append(((x, y), [n + friction * t, n - friction * t] if friction > 0 else [n]))
    return edges


def _feasible(A_eq, b_eq, A_ub=None, b_ub=None, bounds=None, cost=None):
    """A point of a polyhedron by linear programming, or None."""
    from scipy.optimize import linprog
    n = A_eq.shape[1]
    result = linprog(np.zeros(n) if cost is None else cost, A_ub=A_ub, b_ub=b_ub, A_eq=A_eq, b_eq=b_eq,
                     bounds=bounds if bounds is not None else [(None, None)] * n, method="highs")
    return result.x if result.status == 0 else None


def _cone_rows(positions, cones, d):
    """Forces at points under linear inequalities: (wrench matrix, A, b)."""
    n = len(positions)
    wrench = np.zeros((3 if d == 2 else 6, d * n))
    A, b = [], []
    for i, (p, cone) in enumerate(zip(positions, cones)):
        wrench[:d, d * i:d * i + d] = np.eye(d)
        if d == 2:
            wrench[2, 2 * i:2 * i + 2] = [-p[1], p[0]]
        else:
            wrench[3:, 3 * i:3 * i + 3] = [[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]]
        for row in np.reshape(np.asarray(cone, dtype=float), (-1, d + 1)):
            whole = np.zeros(d * n)
            whole[d * i:d * i + d] = row[:d]
            A.append(whole)
            b.append(row[d])
    return wrench, np.array(A), np.array(b)


def _load(fext, com, d):
    """Returns what balances a force at a point."""
    f = np.asarray(fext, dtype=float)
    if d == 2:
        return -np.array([f[0], f[1], com[0] * f[1] - com[1] * f[0]])
    return -np.concatenate([f, np.cross(com, f)])


def _general_equilibrium(positions, cones, fext, com, d):
    wrench, A, b = _cone_rows(positions, cones, d)
    if com is None:
        # The point where the force attacks is free: its torque is a linear function of it.
        f = np.asarray(fext, dtype=float)
        arm = np.array([[f[1], -f[0]]]) if d == 2 else np.array([[0, f[2], -f[1]], [-f[2], 0, f[0]], [f[1], -f[0], 0]])
        extra = np.vstack([np.zeros((d, d)), arm])
        x = _feasible(np.hstack([wrench, extra]), np.concatenate([-f, np.zeros(len(arm))]),
                      np.hstack([A, np.zeros((len(A), d))]), b)
        return x is not None
    x = _feasible(wrench, _load(fext, com, d), A, b)
    return None if x is None else [list(f) for f in x.reshape(-1, d)]


def com_equilibrium(*args):
    """com_equilibrium(contacts, fext, com): forces at contacts [x, y, z, nx, ny, nz, friction] that keep a body at rest
    that a force pulls at its center of mass; None: there are none. With com None: whether there is any such center.

    com_equilibrium(positions, cones, fext, com): the same for forces under inequalities, four numbers each.
    """
    if len(args) == 4:
        return _general_equilibrium(*args, 3)
    contacts, fext, com = args
    return native.equilibrium(_rows(contacts, 7), fext, com, _cone_edges)


def com_equilibrium_2d(*args):
    """The same in a plane, for contacts [x, y, angle, friction]; inequalities have three numbers."""
    if len(args) == 4:
        return _general_equilibrium(*args, 2)
    contacts, fext, com = args
    edges = _planar_edges(contacts)
    columns = [np.array([e[0], e[1], p[0] * e[1] - p[1] * e[0]]) for p, own in edges for e in own]
    if not columns:
        return False if com is None else None
    W = np.array(columns).T
    bounds = [(0, None)] * W.shape[1]
    if com is None:
        f = np.asarray(fext, dtype=float)
        arm = np.array([[0.0, 0.0], [0.0, 0.0], [f[1], -f[0]]])
        return _feasible(np.hstack([W, arm]), np.array([-f[0], -f[1], 0.0]), bounds=bounds + [(None, None)] * 2) is not None
    x = _feasible(W, _load(fext, com, 2), bounds=bounds, cost=np.ones(W.shape[1]))
    if x is None:
        return None
    forces, at = [], 0
    for _, own in edges:
        forces.append([float(v) for v in sum(x[at + k] * e for k, e in enumerate(own))])
        at += len(own)
    return forces


def force_closure(*args):
    """force_closure(contacts): whether contacts [x, y, z, nx, ny, nz, friction] resist any force and torque.

    force_closure(positions, cones): the same for forces under inequalities, four numbers each.
    """
    if len(args) == 2:
        return _general_closure(*args, 3)
    return native.forceClosure(_rows(args[0], 7), _cone_edges)


def _general_closure(positions, cones, d):
    """Any wrench of a basis and its opposites can be made out of forces that are within the cones when scaled."""
    wrench, A, b = _cone_rows(positions, cones, d)
    rank = wrench.shape[0]
    loads = np.vstack([np.eye(rank), -np.ones((1, rank))])
    return all(_feasible(wrench, load, A, np.where(b > 0, np.inf, 0.0)) is not None for load in loads)


def force_closure_2d(*args):
    """The same in a plane, for contacts [x, y, angle, friction]; inequalities have three numbers."""
    if len(args) == 2:
        return _general_closure(*args, 2)
    columns = [[e[0], e[1], p[0] * e[1] - p[1] * e[0]] for p, own in _planar_edges(args[0]) for e in own]
    if len(columns) < 4:
        return False
    W = np.array(columns).T
    if np.linalg.matrix_rank(W, tol=1e-9) < 3:
        return False
    # Edges that cancel with factors that are all above 0.
    return _feasible(W, np.zeros(3), bounds=[(1, None)] * W.shape[1]) is not None


def _planes_of_hull(points):
    from scipy.spatial import ConvexHull as Hull
    return [tuple(float(v) for v in (e[0], e[1], -e[2])) for e in Hull(points).equations]


def support_polygon(*args):
    """support_polygon(contacts): where the center of mass of a body at rest may be: rows (nx, ny, offset) of the lines
    nx x + ny y <= offset that bound it. Nothing balances: a row that nothing meets. Where it never ends there are fewer
    of them; none for the whole plane.

    support_polygon(positions, cones): the same for forces under inequalities, four numbers each.
    """
    if len(args) == 1:
        planes = native.supportPolygon(_rows(args[0], 7), _cone_edges)
        return [(0.0, 0.0, -1.0)] if planes is None else planes
    return _general_support_polygon(*args)


def _general_support_polygon(positions, cones):
    from scipy.optimize import linprog
    wrench, A, b = _cone_rows(positions, cones, 3)
    n = wrench.shape[1]
    arm = np.zeros((6, 2))
    arm[3, 1], arm[4, 0] = -1.0, 1.0  # Torque of the weight (0, 0, -1) at (x, y).
    A_eq = np.hstack([wrench, arm])
    A_ub = np.hstack([A, np.zeros((len(A), 2))])

    def farthest(normal, square, weight, below):
        result = linprog(np.concatenate([np.zeros(n), -np.asarray(normal)]), A_ub=A_ub, b_ub=below, A_eq=A_eq,
                         b_eq=np.array([0, 0, weight, 0, 0, 0]), bounds=[(None, None)] * n + [(-square, square)] * 2,
                         method="highs")
        return result.x[-2:] if result.status == 0 else None

    points = []
    for angle in np.linspace(0, 2 * np.pi, 64, endpoint=False):
        point = farthest([math.cos(angle), math.sin(angle)], _SQUARE, 1.0, b)
        if point is None:
            return [(0.0, 0.0, -1.0)]
        points.append(point)
    points = np.array(points)
    if np.abs(points).max() > 0.999 * _SQUARE:
        planes = planes_of_unbounded(lambda normal: farthest(normal, _SQUARE, 1.0, b),
                                     lambda normal: farthest(normal, 1.0, 0.0, np.zeros(len(b))), 1e-7)
        if planes is not None:
            return planes
    return _planes_of_hull(points)


def support_polygon_2d(*args):
    """Returns where the center of mass may be in a plane with gravity along -y: (lowest, highest) x; (inf, inf): nowhere."""
    from scipy.optimize import linprog
    if len(args) == 2:
        wrench, A, b = _cone_rows(*args, 2)
        bounds = [(None, None)] * wrench.shape[1]
    else:
        columns = [[e[0], e[1], p[0] * e[1] - p[1] * e[0]] for p, own in _planar_edges(args[0]) for e in own]
        if not columns:
            return math.inf, math.inf
        wrench, A, b = np.array(columns).T, None, None
        bounds = [(0, None)] * wrench.shape[1]
    n = wrench.shape[1]
    A_eq = np.hstack([wrench, [[0.0], [0.0], [-1.0]]])
    A_ub = None if A is None else np.hstack([A, np.zeros((len(A), 1))])
    ends = []
    for sign in (1.0, -1.0):
        result = linprog(np.concatenate([np.zeros(n), [sign]]), A_ub=A_ub, b_ub=b, A_eq=A_eq, b_eq=[0, 1.0, 0],
                         bounds=bounds + [(None, None)], method="highs")
        if result.status == 3:
            ends.append(-sign * math.inf)
        elif result.status != 0:
            return math.inf, math.inf
        else:
            ends.append(float(result.x[-1]))
    return tuple(ends)


def equilibrium_torques(robot, contacts, links, fext, *args, **kwargs):
    """equilibrium_torques(robot, contacts, links, fext[, internalTorques][, norm]): torques of the robot's links, and
    forces at contacts of these links, three numbers each in one list, that hold it against a force such as (0, 0, -9.8);
    the largest share of a torque limit is least (norm 0), or the sum of shares (1). None: there are none."""
    internal, norm = kwargs.pop("internalTorques", ()), kwargs.pop("norm", 0)
    for value in args:
        if np.ndim(value) == 0:
            norm = value
        else:
            internal = value
    found = native.equilibriumTorques(robot._robot, _rows(contacts, 7), [int(i) for i in links], fext, list(internal),
                                      _cone_edges, int(norm))
    if found is None:
        return None
    torques, forces = found
    return torques, [float(v) for force in forces for v in force]


def threejs_get_scene(world):
    """The world as JSON for Three.js."""
    from .threejs import scene
    return scene(world)


def threejs_get_transforms(world):
    """Returns where its things are, as JSON for Three.js."""
    from .threejs import transforms
    return transforms(world)


def _old_name(old, function):
    def call(*args, **kwargs):
        warnings.warn("%s is called %s today" % (old, function.__name__), DeprecationWarning, stacklevel=2)
        return function(*args, **kwargs)
    call.__name__, call.__doc__ = old, function.__doc__
    return call


setRandomSeed = _old_name("setRandomSeed", set_random_seed)
setLogLevel = _old_name("setLogLevel", set_log_level)
SubscribeToStream = _old_name("SubscribeToStream", subscribe_to_stream)
DetachFromStream = _old_name("DetachFromStream", detach_from_stream)
ProcessStreams = _old_name("ProcessStreams", process_streams)
WaitForStream = _old_name("WaitForStream", wait_for_stream)
ThreeJSGetScene = threeJSGetScene = _old_name("ThreeJSGetScene", threejs_get_scene)
ThreeJSGetTransforms = threeJSGetTransforms = _old_name("ThreeJSGetTransforms", threejs_get_transforms)
setFrictionConeApproximationEdges = _old_name("setFrictionConeApproximationEdges", set_friction_cone_approximation_edges)
forceClosure = _old_name("forceClosure", force_closure)
forceClosure2D = _old_name("forceClosure2D", force_closure_2d)
comEquilibrium = _old_name("comEquilibrium", com_equilibrium)
comEquilibrium2D = _old_name("comEquilibrium2D", com_equilibrium_2d)
supportPolygon = _old_name("supportPolygon", support_polygon)
supportPolygon2D = _old_name("supportPolygon2D", support_polygon_2d)
equilibriumTorques = _old_name("equilibriumTorques", equilibrium_torques)
