"""klampt.model.trajectory and multipath."""

from . import case, draw, robot_files

CASES = {}


def times(rng, n):
    t, out = rng.uniform(-1, 1), []
    for _ in range(n):
        out.append(t)
        t += rng.uniform(0.05, 1)
    return out


def skew(rng):
    x, y, z = draw.vector(rng)
    return [0, z, -y, -z, 0, x, y, -x, 0]


KINDS = {"Trajectory": lambda rng: draw.vector(rng), "HermiteTrajectory": lambda rng: draw.vector(rng, 6),
         "SO3Trajectory": draw.rotation, "SE3Trajectory": lambda rng: draw.rotation(rng) + draw.vector(rng),
         "SO3HermiteTrajectory": lambda rng: draw.rotation(rng) + skew(rng),
         "SE3HermiteTrajectory": lambda rng: draw.rotation(rng) + draw.vector(rng) + skew(rng) + draw.vector(rng)}


def shown(t):
    return [type(t).__name__, list(t.times), [list(m) for m in t.milestones]]


def along(t, count=25):
    """A trajectory by where it is: cruises of 1e-8 s may be there or not."""
    return [t.endTime(), [list(t.eval_state(t.startTime() + t.duration() * i / count)) for i in range(count + 1)]]


def make(place, rng, kind=None):
    """A trajectory of any kind; those of robots have the robot's configurations."""
    from klampt.model import trajectory
    kind = kind or rng.choice([*KINDS, "RobotTrajectory"])
    n = rng.randrange(2, 6)
    ts = times(rng, n)
    if kind == "RobotTrajectory":
        name, robot, _ = robot_files.pick(place, rng, 0.7)
        if any(robot.getJointType(i) == "floatingplanar" for i in range(robot.numLinks())):
            return make(place, rng, "Trajectory")
        low, high = robot.getJointLimits()
        return kind, trajectory.RobotTrajectory(robot, ts, [draw.within(rng, low, high) for _ in range(n)])
    return kind, getattr(trajectory, kind)(ts, [KINDS[kind](rng) for _ in range(n)])


@case(CASES, 3, 1e-7)
def evaluation(place, rng, record):
    """eval, deriv, waypoints, lengths."""
    kind, t = make(place, rng)
    free = " of a floating base" if kind == "RobotTrajectory" and any(
        t.robot.getJointType(i) == "floating" for i in range(t.robot.numLinks())) else ""
    if kind == "RobotTrajectory":
        i = rng.randrange(len(t.times) - 1)
        at, h = t.times[i] + 0.4 * (t.times[i + 1] - t.times[i]), 1e-6
        record.call(f"{kind}.deriv is the rate of eval{free}", t.deriv, at, then=lambda v: all(
            abs((t.robot.interpolateDeriv(a, b)[j] if not free else (b[j] - a[j])) / (2 * h) - v[j]) < 1e-3 * max(1, abs(v[j]))
            for a, b in [(t.eval(at - h), t.eval(at + h))] for j in range(len(v))))
    loose = 1e-5 if kind.endswith("HermiteTrajectory") and kind != "HermiteTrajectory" else 1e-7
    for _ in range(4):
        at = rng.choice([*t.times, rng.uniform(t.times[0] - 0.5, t.times[-1] + 0.5)])
        end = rng.choice(["halt", "halt", "loop"])
        if end == "loop" and (t.times[0] < 0 or at % max(t.times[-1], 1e-9) < t.times[0]):
            end = "halt"
        record.call(f"{kind}.eval {end}", t.eval, at, end)
        record.call(f"{kind}.deriv {end}{free}", t.deriv, at, end, tolerance=loose)
        record.call(f"{kind}.getSegment {end}", t.getSegment, at, end)
        if hasattr(t, "eval_state"):
            record.call(f"{kind}.eval_state", t.eval_state, at)
        if kind == "HermiteTrajectory":
            record.call(f"{kind}.eval_accel", t.eval_accel, at)
        if kind in ("SE3Trajectory", "SE3HermiteTrajectory"):
            record.call(f"{kind}.deriv_screw", t.deriv_screw, at, tolerance=loose)
        if kind in ("SO3Trajectory", "SO3HermiteTrajectory"):
            record.call(f"{kind}.deriv_angvel", t.deriv_angvel, at, tolerance=loose)
    record.call(f"{kind}.length", t.length, tolerance=1e-6)
    record.call(f"{kind}.times", lambda: [t.startTime(), t.endTime(), t.duration()])
    record.call(f"{kind}.waypoint", t.waypoint, t.milestones[0])
    record.call(f"{kind}.checkValid", t.checkValid)
    record.call(f"{kind}.eval of none", type(t)().eval if kind != "RobotTrajectory" else t.eval, 0.0)


@case(CASES, 3, 1e-7)
def editing(place, rng, record):
    """concat, insert, split, splice, remesh, discretize, warps, dofs."""
    kind, t = make(place, rng)
    c = t.constructor()
    again = c(list(t.times), [list(m) for m in t.milestones])
    other = c([0.5, 1.0], [list(t.milestones[0]), list(t.milestones[1])])
    at = rng.uniform(t.times[0] - 0.2, t.times[-1] + 0.2)
    inside = rng.uniform(t.times[0], t.times[-1])
    record.call(f"{kind}.concat relative", t.concat, other, True, then=shown)
    record.call(f"{kind}.concat blend", t.concat, c([t.times[-1] + 0.1, t.times[-1] + 1], [list(t.milestones[0])] * 2), False,
                rng.choice(["blend", None]), then=shown)
    record.call(f"{kind}.concat absolute", t.concat, other, False, then=shown)
    record.call(f"{kind}.before", t.before, at, then=shown)
    record.call(f"{kind}.after", t.after, at, then=shown)
    record.call(f"{kind}.split", t.split, inside, then=lambda r: [shown(x) for x in r])
    record.call(f"{kind}.insert", again.insert, at)
    record.call(f"{kind}.after insert", shown, again)
    record.call(f"{kind}.splice", t.splice, other, inside, False, then=shown)
    record.call(f"{kind}.splice relative", t.splice, other, inside, True, then=shown)
    record.call(f"{kind}.discretize", t.discretize, rng.uniform(0.1, 0.6), then=shown)
    record.call(f"{kind}.discretize_state", t.discretize_state, rng.uniform(0.1, 0.6), then=shown)
    record.call(f"{kind}.remesh", t.remesh, sorted(rng.uniform(t.times[0], t.times[-1]) for _ in range(3)),
                then=lambda r: [shown(r[0]), list(r[1])])
    dofs = [1, 0]
    record.call(f"{kind}.extractDofs", t.extractDofs, dofs, then=shown)
    stack = c()
    record.call(f"{kind}.stackDofs", stack.stackDofs, [t, t])
    record.call(f"{kind}.after stackDofs", shown, stack)


@case(CASES, 1.5, 1e-7)
def poses(place, rng, record):
    """Trajectories of rotations and transforms that are moved; paths of links and points."""
    for kind in ("SO3Trajectory", "SE3Trajectory", "SO3HermiteTrajectory", "SE3HermiteTrajectory"):
        for what in ("preTransform", "postTransform"):
            _, t = make(place, rng, kind)
            T = draw.transform(rng)
            record.call(f"{kind}.{what}", getattr(t, what), T[0] if kind.startswith("SO3") else T)
            record.call(f"{kind} after {what}", shown, t)
    _, t = make(place, rng, "SO3Trajectory")
    record.call("getPointTrajectory", t.getPointTrajectory, draw.vector(rng), then=shown)
    _, t = make(place, rng, "SE3Trajectory")
    record.call("getRotationTrajectory", t.getRotationTrajectory, then=shown)
    record.call("getPositionTrajectory", t.getPositionTrajectory, then=shown)
    record.call("getPositionTrajectory of a point", t.getPositionTrajectory, draw.vector(rng), then=shown)
    kind, t = make(place, rng, "RobotTrajectory")
    if kind == "RobotTrajectory":
        link = rng.randrange(t.robot.numLinks())
        record.call("getLinkTrajectory", t.getLinkTrajectory, link, 0.25, then=shown)
        record.call("getLinkTrajectory of milestones", t.getLinkTrajectory, link, then=shown)


@case(CASES, 1.5, 1e-6)
def splines(place, rng, record):
    """makeSpline, makeBezier, makeMinTimeSpline."""
    from klampt.model import trajectory
    n = rng.randrange(2, 6)
    points, ts = [draw.vector(rng) for _ in range(n)], times(rng, n)
    for overshoot in (True, False):
        h = trajectory.HermiteTrajectory()
        record.call(f"makeSpline prevent={overshoot}", h.makeSpline, trajectory.Trajectory(ts, points), overshoot)
        record("spline", shown(h))
    vmax, amax = [rng.uniform(1, 2) for _ in range(3)], [rng.uniform(1, 5) for _ in range(3)]
    low, high = [min(p[i] for p in points) - 0.5 for i in range(3)], [max(p[i] for p in points) + 0.5 for i in range(3)]
    h = trajectory.HermiteTrajectory()
    record.call("makeMinTimeSpline", h.makeMinTimeSpline, points, None, None, None, vmax, amax)
    record("min time spline", along(h))
    h = trajectory.HermiteTrajectory()
    record.call("makeMinTimeSpline with bounds", h.makeMinTimeSpline, points, None, low, high, vmax, amax)
    record("min time spline with bounds", along(h))
    h = trajectory.HermiteTrajectory()
    record.call("makeBezier", h.makeBezier, [0, 1, 3], [draw.vector(rng, 2) for _ in range(7)])
    record("bezier", shown(h))
    for kind in ("SO3", "SE3"):
        _, t = make(place, rng, kind + "Trajectory")
        h = getattr(trajectory, kind + "HermiteTrajectory")()
        record.call(kind + " makeSpline", h.makeSpline, t)
        record(kind + " spline", shown(h))


@case(CASES, 2, 1e-6)
def timing(place, rng, record):
    """path_to_trajectory with all its options, for points and for robots."""
    from klampt.model import trajectory
    options = {"velocities": rng.choice(["auto", "trapezoidal", "constant", "triangular", "parabolic", "cosine", "minimum-jerk", "optimal"]),
               "timing": rng.choice(["limited", "uniform", "path", "L2", "Linf", "sqrt-L2", "limited"]),
               "smoothing": rng.choice(["spline", "linear", "cubic", "ramp", None]), "speed": rng.choice([1.0, 2.0, 0.5])}
    if rng.random() < 0.5:
        options["dt"] = rng.choice([0.05, 0.2])
    if rng.random() < 0.3:
        options["stoptol"] = 0.1
    if rng.random() < 0.5:
        path = [draw.vector(rng, 3) for _ in range(rng.randrange(2, 6))]
        if rng.random() < 0.7:
            options["vmax"] = rng.choice([1.0, 1.5])
            options["amax"] = rng.choice([2.0, 3.0])
    else:
        _, path = make(place, rng, rng.choice(["RobotTrajectory", "SE3Trajectory", "Trajectory"]))
    what = "path_to_trajectory " + " ".join(f"{key}={options[key]}" for key in ("velocities", "timing", "smoothing")) + f" of {type(path).__name__}"
    record.call(what, lambda: trajectory.path_to_trajectory(path, **options), then=shown)


@case(CASES, 1.5, 1e-7)
def multipaths(place, rng, record):
    """MultiPath, in memory and in files."""
    from klampt.model import contact, multipath
    m = multipath.MultiPath()
    k = rng.randrange(1, 4)
    t, q = 0.0, draw.vector(rng)
    for _ in range(k):
        s = multipath.MultiPath.Section()
        s.times, s.configs = [t], [q]
        for _ in range(rng.randrange(1, 4)):
            t += rng.uniform(0.1, 1)
            q = draw.vector(rng)
            s.times.append(t)
            s.configs.append(q)
        hold = contact.Hold()
        hold.link = rng.randrange(4)
        hold.contacts = [contact.ContactPoint(draw.vector(rng), draw.unit(rng), 0.5) for _ in range(rng.randrange(3))]
        hold.ikConstraint = place.klampt.IKObjective()
        hold.ikConstraint.setFixedPoint(hold.link, draw.vector(rng), draw.vector(rng))
        s.holds.append(hold)
        m.sections.append(s)
    m.settings["robot"] = "someone"

    def sections(path):
        return [[list(s.times), [list(c) for c in s.configs], [[h.link, [list(c.tolist()) for c in h.contacts]] for h in s.holds]]
                for s in path.sections]
    for what in ("numSections", "startConfig", "endConfig", "startTime", "endTime", "duration", "hasTiming", "checkValid", "isContinuous"):
        record.call(what, getattr(m, what))
    at = rng.uniform(-0.1, t + 0.1)
    for what in ("timeToSection", "timeToSegment", "eval"):
        record.call(what, getattr(m, what), at)
    record.call("getSectionTiming", m.getSectionTiming, k - 1)
    record.call("getStance", m.getStance, 0, then=lambda r: [h.link for h in r])
    record.call("getIKProblem", m.getIKProblem, 0, then=lambda r: len(r))
    path = str(place.scratch / "multi.xml")
    record.call("save", m.save, path)
    back = multipath.MultiPath()
    record.call("load", back.load, path)
    record.call("loaded", lambda: [sections(back), dict(back.settings)])
    record.call("aggregateHolds", m.aggregateHolds)
    record.call("aggregated", lambda: [len(m.holdSet), [list(map(str, s.holdNames)) for s in m.sections]])
    record.call("deaggregateHolds", m.deaggregateHolds)
    record.call("setConfig", m.setConfig, 0, 0, [1.0, 2.0, 3.0])
    record.call("concat", m.concat, back)
    record.call("concatenated", sections, m)
    record.call("getTrajectory", m.getTrajectory, then=shown)
    made = multipath.MultiPath()
    _, tr = make(place, rng, "Trajectory")
    record.call("setTrajectory", made.setTrajectory, tr)
    record.call("set", sections, made)


@case(CASES, 1, 1e-7)
def saved(place, rng, record):
    """Trajectories in files."""
    kind, t = make(place, rng)
    path = str(place.scratch / "t.path")
    record.call(f"{kind}.save", t.save, path)
    back = t.constructor()()
    record.call(f"{kind}.load", back.load, path)
    record.call(f"{kind} loaded", shown, back)
