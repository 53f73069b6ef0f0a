"""Tools that are driven with velocities: CartesianDriveSolver against velocities that are integrated."""

import math

import numpy

from . import case, draw, robot_files

CASES = {}
ARMS = ("tx90ball.rob", "ur5.rob", "puma760.rob")


def matrix(R):
    return numpy.array(R).reshape(3, 3).T


def turn(w):
    """The rotation of a rotation vector."""
    a = numpy.linalg.norm(w)
    if a < 1e-12:
        return numpy.eye(3)
    x, y, z = w / a
    K = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + math.sin(a) * K + (1 - math.cos(a)) * K @ K


def angle_between(A, B):
    return math.acos(max(-1.0, min(1.0, (numpy.trace(A.T @ B) - 1) / 2)))


def arm(place, rng):
    """A robot in the middle of its limits."""
    robot = robot_files.world_of(place, place.data / "robots" / rng.choice(ARMS)).robot(0)
    low, high = robot.getJointLimits()
    q = [a if a == b else a + (0.5 + 0.2 * rng.uniform(-1, 1)) * (b - a) for a, b in zip([max(x, -3) for x in low], [min(x, 3) for x in high])]
    robot.setConfig(q)
    return robot, q


def tool(robot, link, base, offset):
    """Pose of a tool in the frame of its base."""
    R, t = matrix(robot.link(link).getTransform()[0]), numpy.array(robot.link(link).getWorldPosition(offset))
    if base is None:
        return R, t
    S, u = matrix(robot.link(base).getTransform()[0]), numpy.array(robot.link(base).getTransform()[1])
    return S.T @ R, S.T @ (t - u)


@case(CASES, 3, 1e-6)
def drive(place, rng, record):
    """start, then drive step by step: with turning and moving, one of both, or relative to a link."""
    from klampt.control import cartesian_drive
    robot, q = arm(place, rng)
    n = robot.numLinks()
    low, high = robot.getJointLimits()
    speeds = robot.getVelocityLimits()
    link, base = n - 1, rng.choice([None, None, None, 1])
    offset = draw.vector(rng, 3, 0.2)
    mode = rng.choice(["both", "both", "moves", "turns"])
    speed = rng.choice([0.05, 0.1, 5.0])
    v = None if mode == "turns" else [speed * x for x in draw.unit(rng)]
    w = None if mode == "moves" else [3 * speed * x for x in draw.unit(rng)]
    what = f"{mode}{'' if base is None else ' relative to a link'}{', too fast' if speed == 5.0 else ''}"
    dt, count = rng.choice([0.01, 0.02]), 12
    solver = cartesian_drive.CartesianDriveSolver(robot)
    record.call(f"{what}: start", solver.start, q, link, base, offset)
    T = solver.driveTransforms[0]
    record(f"{what}: driveTransforms", [list(T[0]), list(T[1])], 1e-5)
    R0, t0 = tool(robot, link, base, offset)
    record(f"{what}: driveTransforms are those of the tool", bool(
        numpy.abs(matrix(T[0]) - R0).max() < 1e-5 and numpy.abs(numpy.array(T[1]) - t0).max() < 1e-5))
    done, steps, smooth, inside = 0.0, [], True, True
    x = q
    for _ in range(count):
        result = record.call(f"{what}: drive", solver.drive, x, w, v, dt, then=lambda r: [type(r).__name__, len(r), len(r[1])])
        if result is None:
            return
        progress, y = result
        steps.append(progress)
        done += max(progress, 0.0) * dt
        smooth = smooth and all(abs(a - b) <= s * dt + 1e-6 for a, b, s in zip(x, y, speeds))
        inside = inside and all(a - 1e-6 <= c <= b + 1e-6 for a, b, c in zip(low, high, y))
        x = list(y)
    record(f"{what}: joints are no faster than their limits", smooth)
    record(f"{what}: joints are within their limits", inside)
    robot.setConfig(x)
    R, t = tool(robot, link, base, offset)
    if speed < 1:
        record(f"{what}: the whole way is made", bool(abs(done - count * dt) < 0.02 * count * dt))
    # What limits keep from its way goes as near as it can.
    kept = min(steps) < 0.99
    if v is not None:
        record(f"{what}: the tool is where the velocity leads", bool(
            kept or numpy.abs(t - t0 - done * numpy.array(v)).max() < 2e-3))
    if w is not None:
        record(f"{what}: the tool is turned as the angular velocity says", bool(
            kept or angle_between(turn(done * numpy.array(w)) @ R0, R) < 5e-3))


@case(CASES, 2, 1e-6)
def arguments(place, rng, record):
    """What start and drive take: names, lists, limits, none, wrong sizes."""
    from klampt.control import cartesian_drive
    robot, q = arm(place, rng)
    link = robot.numLinks() - 1
    solver = cartesian_drive.CartesianDriveSolver(robot)
    record.call("start by index", solver.start, q, link)
    record.call("start in a list", solver.start, q, [link])
    record.call("start of two", solver.start, q, [link, link - 2], None, [[0, 0, 0], [0, 0, 0.1]])
    record("driveTransforms of two", len(solver.driveTransforms))
    record.call("start of two with one base", solver.start, q, [link, link - 2], [0])
    record.call("start of one with two offsets", solver.start, q, [link], None, [[0, 0, 0], [0, 0, 0.1]])
    record.call("start by name", solver.start, q, [robot.link(link).getName()])
    solver.start(q, link)
    for what, w, v in (("nothing", None, None), ("zeros", [0, 0, 0], [0, 0, 0]), ("zero and none", None, [0, 0, 0])):
        record.call(f"drive of {what}", solver.drive, q, w, v, 0.1, then=lambda r: [r[0], list(r[1])])
    record.call("drive of too many", solver.drive, q, None, [[0, 0, 1], [0, 0, 1]], 0.1)
    record.call("drive from a wrong size", solver.drive, q[:-1], None, [0, 0, 1], 0.1)
    record.call("setTolerance", solver.setTolerance, 1e-4, 1e-3)
    record.call("setMaxIters", solver.setMaxIters, 50)
    active = [i for i in range(robot.numLinks()) if i != 2]
    record.call("setActiveDofs", solver.setActiveDofs, active)
    record.call("drive with a link fixed", solver.drive, q, None, [0, 0, 0.05], 0.02, then=lambda r: abs(r[1][2] - q[2]) < 1e-9)
    solver.start(q, link)
    record.call("setVelocityLimits", solver.setVelocityLimits, [-0.01] * len(q), [0.01] * len(q))
    record.call("drive with slow joints", solver.drive, q, None, [0, 0, 1.0], 0.1, then=lambda r: (
        max(abs(a - b) for a, b in zip(q, r[1])) <= 0.001 + 1e-9))
    record.call("setVelocityLimits of none", solver.setVelocityLimits, None, None)
    record.call("setJointLimits", solver.setJointLimits, [x - 1e-3 for x in q], [x + 1e-3 for x in q])
    record.call("drive within limits", solver.drive, q, None, [0, 0.5, 0], 0.1, then=lambda r: (
        max(abs(a - b) for a, b in zip(q, r[1])) <= 1e-3 + 1e-9))
    record.call("setJointLimits of one", solver.setJointLimits, q, None)
    record.call("setJointLimits of none", solver.setJointLimits, None, None)
    start = [list(x) for x in solver.driveTransforms[0]]
    record.call("getTrajectory", solver.getTrajectory, q, None, [0, 0, 0.05], 0.02, 4, then=lambda r: [len(r), list(r[0])])
    record("getTrajectory leaves driveTransforms", bool(numpy.abs(numpy.array(solver.driveTransforms[0][1]) - start[1]).max() < 1e-9))
