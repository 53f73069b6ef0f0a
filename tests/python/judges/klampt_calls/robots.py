"""Robots' models and kinematics."""

from . import case, draw, robot_files

CASES = {}


def transform_list(T):
    return [list(T[0]), list(T[1])]


@case(CASES, 2)
def models(place, rng, record):
    """What a robot is made of."""
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    record("numLinks", robot.numLinks())
    record("numDrivers", robot.numDrivers())
    for what in ("getJointLimits", "getVelocityLimits", "getAccelerationLimits", "getTorqueLimits", "numSensors"):
        record.call(what, getattr(robot, what))
    links = draw.some(rng, range(robot.numLinks()), 6)
    for i in links:
        link = robot.link(i)
        for what in ("getName", "getIndex", "getParentIndex", "getAxis", "isPrismatic", "isRevolute", "getParentTransform"):
            record.call(f"link({i}).{what}", getattr(link, what))
        mass = link.getMass()
        for what in ("getMass", "getCom", "getInertia"):
            record.call(f"link({i}).getMass().{what}", getattr(mass, what))
        record.call(f"getJointType({i})", robot.getJointType, i)
        record.call(f"getJointType({link.getName()})", robot.getJointType, link.getName())
        record(f"link({i}).geometry().type", link.geometry().type())
        if link.geometry().type() != "":
            record(f"link({i}).geometry().numElements", link.geometry().numElements())
    for i in draw.some(rng, range(robot.numDrivers()), 6) if robot.numDrivers() else []:
        driver = robot.driver(i)
        for what in ("getName", "getType", "getAffectedLink", "getAffectedLinks", "getAffineCoeffs", "getLimits",
                     "getVelocityLimits", "getAccelerationLimits", "getTorqueLimits"):
            record.call(f"driver({i}).{what}", getattr(driver, what))
    for _ in range(6):
        a, b = rng.randrange(robot.numLinks()), rng.randrange(robot.numLinks())
        record.call(f"selfCollisionEnabled({a},{b})", robot.selfCollisionEnabled, a, b)


@case(CASES, 4, 1e-9)
def kinematics(place, rng, record):
    """Positions, directions, velocities and Jacobians of links."""
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    q, dq = robot_files.pose(robot, rng)
    record("getConfig", robot.getConfig())
    record("getVelocity", robot.getVelocity())
    ddq = draw.vector(rng, robot.numLinks(), 2)
    # Rotations in files are orthonormal to about 1e-6, and Klamp't's formulas and ours differ by as much.
    loose = None if name.startswith("random") else 1e-5
    for i in draw.some(rng, range(robot.numLinks()), 3):
        slides = robot_files.slides_on_turning(robot, i)
        link, p = robot.link(i), draw.vector(rng)
        record.call(f"link({i}).getTransform", link.getTransform, then=transform_list)
        for what in ("getWorldPosition", "getWorldDirection", "getLocalPosition", "getLocalDirection", "getPointVelocity",
                     "getJacobian", "getPositionJacobian"):
            record.call(f"link({i}).{what}", getattr(link, what), p)
        for what in ("getVelocity", "getAngularVelocity", "getOrientationJacobian"):
            record.call(f"link({i}).{what}", getattr(link, what))
        record.call(f"link({i}).getAcceleration", link.getAcceleration, ddq, tolerance=loose)
        record.call(f"link({i}){slides}.getAngularAcceleration", link.getAngularAcceleration, ddq, tolerance=loose)
        record.call(f"link({i}){slides}.getPointAcceleration", link.getPointAcceleration, p, ddq, tolerance=loose)
        columns = draw.some(rng, range(robot.numLinks()), 4)
        record.call(f"link({i}).getJacobianCols", link.getJacobianCols, p, columns)
        record.call(f"link({i}).getPositionJacobianCols", link.getPositionJacobianCols, p, columns)
        record.call(f"link({i}).getOrientationJacobianCols", link.getOrientationJacobianCols, columns)


@case(CASES, 2, 1e-9)
def configurations(place, rng, record):
    """Distances, interpolation, drivers, single positions."""
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    low, high = robot.getJointLimits()
    a, b = draw.within(rng, low, high), draw.within(rng, low, high)
    c, d = draw.vector(rng, robot.numLinks(), 9), draw.vector(rng, robot.numLinks(), 9)
    u = rng.choice([0, 1, 0.5, rng.random(), rng.uniform(-0.5, 1.5)])
    planar = any(robot.getJointType(i) == "floatingplanar" for i in range(robot.numLinks()))
    for x, y, kind in ((a, b, "within limits"), (c, d, "anywhere")):
        if planar:  # the real Klamp't ends the process
            break
        record.call(f"distance, {kind}", robot.distance, x, y)
        record.call(f"interpolate at {u}, {kind}", robot.interpolate, x, y, u)
        free = any(robot.getJointType(i) == "floating" for i in range(robot.numLinks()))
        record.call(f"interpolateDeriv{' of a floating base' if free else ''}, {kind}", robot.interpolateDeriv, x, y)
    robot.setConfig(a)
    dq = draw.vector(rng, robot.numLinks(), 2)
    robot.setVelocity(dq)
    record.call("configToDrivers", robot.configToDrivers, a)
    record.call("velocityToDrivers", robot.velocityToDrivers, dq)
    values = draw.vector(rng, robot.numDrivers(), 1)
    record.call("configFromDrivers", robot.configFromDrivers, values)
    record.call("velocityFromDrivers", robot.velocityFromDrivers, values)
    for i in draw.some(rng, range(robot.numDrivers()), 3) if robot.numDrivers() else []:
        driver = robot.driver(i)
        record.call(f"driver({i}).getValue", driver.getValue)
        record.call(f"driver({i}).getVelocity", driver.getVelocity)
        value = rng.uniform(-1, 1)
        record.call(f"driver({i}).setValue({value})", driver.setValue, value)
        record("config after setValue", robot.getConfig())
        record.call(f"driver({i}).setVelocity({value})", driver.setVelocity, value)
        record("velocity after setVelocity", robot.getVelocity())
    robot.setConfig(robot.getConfig())  # the real Klamp't moves only links behind the one that setDOFPosition is about
    i = rng.randrange(robot.numLinks())
    record.call("setDOFPosition", robot.setDOFPosition, i, 0.25)
    record.call("getDOFPosition", robot.getDOFPosition, i)
    record.call("getDOFPosition by name", robot.getDOFPosition, robot.link(i).getName())
    record("config after setDOFPosition", robot.getConfig())
    record("last link", transform_list(robot.link(robot.numLinks() - 1).getTransform()))


@case(CASES, 1.5)
def self_collisions(place, rng, record):
    """Whether robots collide with themselves, and which links do."""
    name, robot, _ = robot_files.pick(place, rng, 0.05)
    record("robot", name)
    robot_files.pose(robot, rng)
    several = " (several shapes)" if robot_files.several_shapes(place, name) else ""
    record.call(f"selfCollides{several}", robot.selfCollides)
    for _ in range(20):
        a, b = rng.randrange(robot.numLinks()), rng.randrange(robot.numLinks())
        g, h = robot.link(a).geometry(), robot.link(b).geometry()
        near = robot.link(a).getParentIndex() == b or robot.link(b).getParentIndex() == a  # these often touch exactly
        if a != b and not near and g.type() != "" and h.type() != "" and g.numElements() and h.numElements():
            # Links may be made to touch exactly: within a margin they do on both sides.
            record.call(f"link({a}).geometry().withinDistance(link({b}), 1e-7){several}", g.withinDistance, h, 1e-7)


@case(CASES, 0.7)
def changes(place, rng, record):
    """A robot that is changed: limits, axes, transforms, masses, parents; mount and reduce."""
    path = place.scratch / f"changed{rng.randrange(20)}.rob"
    if not path.exists():
        import random
        path.write_text(robot_files.random_rob(random.Random(path.name)))
    world = place.klampt.WorldModel()
    world.loadRobot(str(path))
    robot = world.robot(0)
    n = robot.numLinks()
    record("robot", path.name)
    low = [-rng.random() for _ in range(n)]
    high = [rng.random() for _ in range(n)]
    record.call("setJointLimits", robot.setJointLimits, low, high)
    record("getJointLimits", robot.getJointLimits())
    for what in ("VelocityLimits", "AccelerationLimits", "TorqueLimits"):
        values = [rng.uniform(1, 5) for _ in range(n)]
        record.call("set" + what, getattr(robot, "set" + what), values)
        record("get" + what, getattr(robot, "get" + what)())
    i = rng.randrange(n)
    link = robot.link(i)
    T, axis = draw.transform(rng), draw.unit(rng)
    record.call("setParentTransform", link.setParentTransform, *T)
    record.call("setAxis", link.setAxis, axis)
    record("getAxis", link.getAxis())
    prismatic = rng.random() < 0.5
    record.call("setPrismatic", link.setPrismatic, prismatic)
    record("isPrismatic", link.isPrismatic())
    mass = link.getMass()
    mass.setMass(rng.uniform(1, 3))
    mass.setCom(draw.vector(rng))
    mass.setInertia([rng.uniform(1, 2), 0, 0, 0, rng.uniform(1, 2), 0, 0, 0, rng.uniform(1, 2)])
    record.call("setMass", link.setMass, mass)
    robot_files.pose(robot, rng)
    for j in range(n):
        record(f"link({j}).getTransform", transform_list(robot.link(j).getTransform()))
    record.call("getMassMatrix", robot.getMassMatrix, tolerance=1e-8)
    record.call("getCom", robot.getCom)
    T = draw.transform(rng)
    link.setTransform(*T)
    record("after setTransform", transform_list(link.getTransform()))
    record("after setTransform, config", robot.getConfig())
    record("position after setTransform", link.getWorldPosition([1, 2, 3]))
    fewer = place.klampt.WorldModel()
    small = fewer.makeRobot("small")
    record.call("reduce", small.reduce, robot)
    record("links of reduced", small.numLinks())
    mounted = place.klampt.WorldModel()
    mounted.loadRobot(str(path))
    mounted.loadRobot(str(path))
    host = mounted.robot(0)
    T = draw.transform(rng)
    record.call("mount", host.mount, n - 1, mounted.robot(1), *T)
    record("links of host", host.numLinks())
    if host.numLinks() == 2 * n:
        robot_files.pose(host, rng)
        record("last link of host", transform_list(host.link(2 * n - 1).getTransform()))
        record("host's parents", [host.link(j).getParentIndex() for j in range(2 * n)])
        record("host's names", [host.link(j).getName() for j in range(2 * n)])
        record("host's drivers", [host.driver(j).getAffectedLinks() for j in range(host.numDrivers())])
        record.call("host's selfCollisionEnabled", host.selfCollisionEnabled, 0, n)
