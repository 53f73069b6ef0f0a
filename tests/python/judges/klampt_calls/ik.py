"""Inverse kinematics: objectives exactly, solutions by their residuals."""

from . import case, draw, robot_files

CASES = {}


def objective(k, robot, rng, reachable=True):
    """A goal of any kind for any link, which the robot reaches at a random configuration if asked to."""
    low, high = robot.getJointLimits()
    keep = robot.getConfig()
    robot.setConfig(draw.within(rng, low, high))
    link = robot.link(rng.randrange(robot.numLinks() // 2, robot.numLinks()))
    kind, p, v = rng.randrange(7), draw.vector(rng, 3, 0.3), draw.unit(rng)
    goal = k.IKObjective()
    if not reachable:
        robot.setConfig(keep)
    off = [0, 0, 0] if reachable else draw.vector(rng, 3, 3)

    def world(q):
        return [a + b for a, b in zip(link.getWorldPosition(q), off)]
    if kind == 0:
        goal.setFixedPoint(link.index, p, world(p))
    elif kind == 1:
        points = [draw.vector(rng, 3, 0.3) for _ in range(rng.randrange(1, 4))]
        goal.setFixedPoints(link.index, points, [world(q) for q in points])
    elif kind == 2:
        R, t = link.getTransform()
        goal.setFixedTransform(link.index, R, [a + b for a, b in zip(t, off)])
    elif kind == 3:
        goal.setLinks(link.index)
        goal.setPlanarPosConstraint(p, v, sum(a * b for a, b in zip(v, world(p))))
    elif kind == 4:
        goal.setLinks(link.index)
        goal.setLinearPosConstraint(p, world(p), v)
    elif kind == 5:
        goal.setLinks(link.index)
        goal.setFixedPosConstraint(p, world(p))
        goal.setAxialRotConstraint(v, link.getWorldDirection(v) if reachable else draw.unit(rng))
    else:
        goal.setLinks(link.index)
        goal.setFixedRotConstraint(link.getTransform()[0] if reachable else draw.rotation(rng))
    robot.setConfig(keep)
    return ("point", "points", "transform", "plane", "line", "axis", "rotation")[kind], goal


@case(CASES, 3, 1e-7)
def residuals(place, rng, record):
    """Residuals and Jacobians of objectives."""
    k = place.klampt
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    robot_files.pose(robot, rng, speed=False)
    # Goals where a robot stands have axes that fit, where Klamp't's errors have corners.
    kind, goal = objective(k, robot, rng, False)
    loose = 1e-7 if name.startswith("random") else 1e-5
    solver = k.IKSolver(robot)
    solver.add(goal)
    record(f"{kind}: dims", [goal.numPosDims(), goal.numRotDims(), goal.link(), goal.destLink()])
    half = half_turn(goal, robot.link(goal.link()))
    record.call(f"{kind}: getResidual{half}", solver.getResidual, tolerance=loose)
    record.call(f"{kind}: isSolved", solver.isSolved)
    dofs = list(range(robot.numLinks()))
    solver.setActiveDofs(dofs)
    if kind != "points":  # their axis fits
        record.call(f"{kind}: getJacobian{half}", solver.getJacobian, tolerance=max(loose, 1e-6))
    record.call(f"{kind}: text{half}", lambda: back(k, goal), tolerance=1e-5)


def half_turn(goal, link=None):
    """' (half a turn)' of a goal whose rotation is about that, or about that away from where the link is."""
    if goal.numRotDims() < 3:
        return ""
    R = goal.getRotation()
    away = 3.0 if link is None else sum(a * b for a, b in zip(R, link.getTransform()[0]))
    return " (half a turn)" if min(R[0] + R[4] + R[8], away) < -1 + 0.03 else ""


def back(k, goal):
    """An objective that was saved and read again."""
    again = k.IKObjective()
    again.loadString(goal.saveString())
    return describe(again)


def describe(goal):
    out = [goal.link(), goal.destLink(), goal.numPosDims(), goal.numRotDims()]
    if goal.numPosDims() == 3:
        out.append([list(x) for x in goal.getPosition()])
    if goal.numPosDims() in (1, 2):
        out.append([list(x) for x in goal.getPosition()] + [list(goal.getPositionDirection())])
    if goal.numRotDims() == 3:
        out.append(list(goal.getRotation()))
    if goal.numRotDims() == 2:
        out.append([list(x) for x in goal.getRotationAxis()])
    return out


@case(CASES, 2, 1e-7)
def objectives(place, rng, record):
    """Objectives that are moved and matched."""
    k = place.klampt
    name, robot, _ = robot_files.pick(place, rng)
    robot_files.pose(robot, rng, speed=False)
    kind, goal = objective(k, robot, rng)
    kind += half_turn(goal)
    loose = 1e-7 if name.startswith("random") else 1e-5
    record.call(f"{kind}: description", describe, goal, tolerance=loose)
    T, S = draw.transform(rng), draw.transform(rng)
    if goal.numRotDims() != 2:  # Klamp't's is not the nearest to an axis
        record.call(f"{kind}: closestMatch", goal.closestMatch, *S, tolerance=loose)
    moved = goal.copy()
    record.call(f"{kind}: transform", moved.transform, *T)
    record.call(f"{kind}: after transform", describe, moved, tolerance=loose)
    moved = goal.copy()
    record.call(f"{kind}: transformLocal", moved.transformLocal, *T)
    if goal.numRotDims() < 3:
        record.call(f"{kind}: after transformLocal", describe, moved, tolerance=loose)
    moved = goal.copy()
    record.call(f"{kind}: matchDestination", moved.matchDestination, *T)
    record.call(f"{kind}: after matchDestination", describe, moved, tolerance=loose)
    record.call(f"{kind}: sampleTransform fits", lambda: fits(goal, goal.sampleTransform()))
    record.call(f"{kind}: closestMatch fits", lambda: fits(goal, goal.closestMatch(*S)))
    pose = goal.sampleTransform()
    local = goal.copy()
    local.transformLocal(*T)
    record.call(f"{kind}: transformLocal: what fits still fits in the new frame", lambda: fits(local, times(pose, inverse(T))))


def times(T, S):
    (R, t), (Q, s) = T, S
    return ([sum(R[i + 3 * k] * Q[k + 3 * j] for k in range(3)) for j in range(3) for i in range(3)],
            [sum(R[i + 3 * k] * s[k] for k in range(3)) + t[i] for i in range(3)])


def inverse(T):
    R, t = T
    Q = [R[j + 3 * i] for j in range(3) for i in range(3)]
    return Q, [-sum(Q[i + 3 * k] * t[k] for k in range(3)) for i in range(3)]


def fits(goal, T):
    """Whether a pose of the link meets an objective in the world."""
    R, t = T

    def turned(v):
        return [sum(R[i + 3 * k] * v[k] for k in range(3)) for i in range(3)]
    errors = [0.0]
    if goal.numPosDims() > 0:
        p, q = goal.getPosition()
        e = [a + b - c for a, b, c in zip(turned(p), t, q)]
        along = 0.0
        if goal.numPosDims() < 3:
            n = goal.getPositionDirection()
            along = sum(a * b for a, b in zip(e, n))
            errors += [along] if goal.numPosDims() == 1 else [a - along * b for a, b in zip(e, n)]
        else:
            errors += e
    if goal.numRotDims() == 3:
        errors += [a - b for a, b in zip(R, goal.getRotation())]
    if goal.numRotDims() == 2:
        a, b = goal.getRotationAxis()
        errors += [x - y for x, y in zip(turned(a), b)]
    return max(map(abs, errors)) < 1e-6


@case(CASES, 3, 1e-3)
def solutions(place, rng, record):
    """Reachable goals are reached: the same share, not the same solutions; what is said is true."""
    k = place.klampt
    name, robot, _ = robot_files.pick(place, rng)
    low, high = robot.getJointLimits()
    robot_files.pose(robot, rng, speed=False)
    _, goal = objective(k, robot, rng)
    solver = k.IKSolver(robot)
    solver.add(goal)
    solver.setMaxIters(200)
    solver.setTolerance(1e-6)
    active = solver.getActiveDofs()
    record("active dofs", sorted(active))
    record("limits", [list(x) for x in solver.getJointLimits()])
    solved = False
    # Where few places to start from lead to the goal, luck decides over few of them.
    for _ in range(300):
        solved = solver.solve()
        if solved:
            break
        solver.sampleInitial()
    record("what is said is true", solved == (max((abs(x) for x in solver.getResidual()), default=0) < 1e-5) or not solved)
    record("within limits", all(a - 1e-9 <= q <= b + 1e-9 for i, (a, q, b) in enumerate(zip(low, robot.getConfig(), high))
                                if i in active))
    record("solved", bool(solved))


@case(CASES, 1, 1e-7)
def relative(place, rng, record):
    """Goals between links."""
    k = place.klampt
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    robot_files.pose(robot, rng, speed=False)
    a, b = rng.randrange(robot.numLinks()), rng.randrange(robot.numLinks())
    goal, p, q = k.IKObjective(), draw.vector(rng), draw.vector(rng)
    kind = rng.randrange(3)
    if kind == 0:
        goal.setRelativePoint(a, b, p, q)
    elif kind == 1:
        goal.setRelativePoints(a, b, [p, q], [q, draw.vector(rng)])
    else:
        goal.setRelativeTransform(a, b, *draw.transform(rng))
    what = ("setRelativePoint", "setRelativePoints", "setRelativeTransform")[kind]
    solver = k.IKSolver(robot)
    solver.add(goal)
    solver.setActiveDofs(list(range(robot.numLinks())))
    record.call(f"{what}: description", describe, goal, tolerance=1e-6)
    if a != b:
        meets = k.IKObjective()
        meets.setRelativePoint(a, b, p, robot.link(b).getLocalPosition(robot.link(a).getWorldPosition(p)))
        solver = k.IKSolver(robot)
        solver.add(meets)
        record.call("goal between links: getResidual is 0 where points meet",
                    lambda: max(map(abs, solver.getResidual())) < 1e-5)


@case(CASES, 1.5, 1e-6)
def module(place, rng, record):
    """klampt.model.ik."""
    from klampt.model import ik
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    robot_files.pose(robot, rng, speed=False)
    link = robot.link(rng.randrange(robot.numLinks()))
    loose = 1e-6 if name.startswith("random") else 1e-5
    T = draw.transform(rng)
    points = [draw.vector(rng) for _ in range(2)]
    made = {"transform": lambda: ik.objective(link, R=T[0], t=T[1]), "point": lambda: ik.objective(link, local=points[0], world=points[1]),
            "points": lambda: ik.objective(link, local=points, world=points[::-1]),
            "fixed": lambda: ik.fixed_objective(link), "fixed point": lambda: ik.fixed_objective(link, local=points[0]),
            "fixed points": lambda: ik.fixed_objective(link, local=points),
            "fixed rotation": lambda: ik.fixed_rotation_objective(link),
            "fixed axis": lambda: ik.fixed_rotation_objective(link, local_axis=draw.unit(rng)),
            "world axis": lambda: ik.fixed_rotation_objective(link, world_axis=[0, 0, 1])}
    record.call("nothing", ik.objective, link)
    for kind, make in made.items():
        goal = make()
        half = half_turn(goal, link)
        record.call(f"{kind}: description{half}", lambda goal=goal: goal, then=describe, tolerance=loose)
        record.call(f"{kind}: residual{half}", ik.residual, goal, tolerance=loose)
        if "axis" not in kind and kind != "fixed points":
            stuck = "" if ik.solver(goal).getActiveDofs() else " where no link may move"
            record.call(f"{kind}: jacobian{half}{stuck}", ik.jacobian, goal, tolerance=1e-2 if loose > 1e-6 else None)
