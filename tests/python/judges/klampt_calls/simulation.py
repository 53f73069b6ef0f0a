"""Simulations. Klamp't simulates with ODE's exact solver, ours with its own or another engine: motion without contact is equal up
to the integration of a step, what rests is compared by where it rests and what it weighs."""

import math

from . import case, draw, make_shapes

CASES = {}


def angle(a, b):
    return math.remainder(a - b, 2 * math.pi)


def thing(k, world, rng, kind):
    o = world.makeRigidObject(kind)
    size = rng.uniform(0.1, 0.3)
    if kind == "box":
        o.geometry().set(k.Geometry3D(make_shapes.mesh(k, *draw.boxes([-size] * 3, [size] * 3))))
    else:
        p = k.GeometricPrimitive()
        p.setSphere([0, 0, 0], size)
        o.geometry().set(k.Geometry3D(p))
    m = o.getMass()
    mass = rng.uniform(0.5, 3)
    m.setMass(mass)
    m.setCom([0, 0, 0])
    i = mass * size * size * 0.5
    m.setInertia([i, 0, 0, 0, i, 0, 0, 0, i])
    o.setMass(m)
    return o, size, mass


@case(CASES, 1.5, 1e-3)
def flight(place, rng, record):
    """Bodies that fly and spin: to the order of the step of 1 ms."""
    k = place.klampt
    world = k.WorldModel()
    o, _, _ = thing(k, world, rng, rng.choice(["box", "ball"]))
    o.setTransform(draw.rotation(rng), [0, 0, 5])
    w, v = draw.vector(rng, 3, 2), draw.vector(rng, 3, 2)
    sim = k.Simulator(world)
    sim.body(o).setVelocity(w, v)
    gravity = rng.choice([None, draw.vector(rng, 3, 5)])
    if gravity:
        sim.setGravity(gravity)
    t = rng.choice([0.1, 0.25, 0.5])
    sim.simulate(t)
    record("time", sim.getTime())
    # A first-order integrator errs by half a step times the speed gained.
    record("position", sim.body(o).getTransform()[1], 5e-3)
    record("velocity", sim.body(o).getVelocity()[1], 1e-2)
    record("spin", sim.body(o).getVelocity()[0], 1e-2)
    record("status", sim.getStatus())


@case(CASES, 1, 2e-3)
def rest(place, rng, record):
    """Bodies that are put down: where they rest, what the floor carries."""
    k = place.klampt
    world = k.WorldModel()
    floor = world.makeTerrain("floor")
    floor.geometry().set(k.Geometry3D(make_shapes.mesh(k, *draw.boxes([-3, -3, -0.5], [3, 3, 0]))))
    o, size, mass = thing(k, world, rng, rng.choice(["box", "ball"]))
    # Klamp't pads bodies; it rests above the floor by what both are padded.
    o.setTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, size + 0.02])
    sim = k.Simulator(world)
    sim.enableContactFeedbackAll()
    sim.simulate(1.5)
    a, b = o.getID(), floor.getID()
    record("height over the floor", sim.body(o).getTransform()[1][2] - size, 4e-3)
    record("inContact", sim.inContact(a, b))
    record("hadContact", sim.hadContact(a, b))
    force = sim.meanContactForce(a, b)
    sim.simulate(0.5)
    force = sim.meanContactForce(a, b)
    record("weight on the floor", [abs(force[0]) < 0.05 * 9.8 * mass, abs(abs(force[2]) / (9.8 * mass) - 1) < 0.05])
    record("speed", [abs(x) < 1e-2 for x in sim.body(o).getVelocity()[1]])


@case(CASES, 2, 2e-2)
def driven(place, rng, record):
    """Robots that hold and follow: where they are, to a hundredth of a radian and meter."""
    k = place.klampt
    name = rng.choice(["ur5.rob", "puma760.rob", "swingup.rob"])
    world = k.WorldModel()
    world.loadRobot(str(place.data / "robots" / name))
    robot = world.robot(0)
    record("robot", name)
    low, high = robot.getJointLimits()
    q = [0.3 * x for x in draw.within(rng, low, high, 1.5)]
    robot.setConfig(q)
    sim = k.Simulator(world)
    c = sim.controller(0)
    record("controller's sensors", [s.getName() for s in c.sensors])
    record("rate", c.getRate(), 1e-9)
    record("gains", [list(x) for x in c.getPIDGains()], 1e-9)
    driven_links = [i for d in range(robot.numDrivers()) for i in robot.driver(d).getAffectedLinks()]
    target = [x + 0.1 if i in driven_links else x for i, x in enumerate(q)]
    action = rng.randrange(4)
    if action == 1:
        c.setMilestone(target)
    elif action == 2:
        c.setLinear(target, 0.5)
    elif action == 3:
        c.setPIDCommand(robot.configToDrivers(target), [0.0] * robot.numDrivers())
    what = ("hold", "setMilestone", "setLinear", "setPIDCommand")[action]
    record(f"{what}: remainingTime", c.remainingTime(), 1e-4)
    for t in (0.1, 0.3):
        sim.simulate(t)
        actual = sim.getActualConfig(0)
        # Two periods of the controller at a radian a second: the last one may or may not be within the time.
        record(f"{what}: getCommandedConfig", [angle(a, b) for a, b in zip(c.getCommandedConfig(), q)], 2e-2)
        record(f"{what}: getActualConfig", [angle(a, b) for a, b in zip(actual, q)])
        record(f"{what}: getControlType", c.getControlType())
    record("time", sim.getTime(), 1e-9)
    sim.reset()
    record("after reset", [angle(a, b) for a, b in zip(sim.getActualConfig(0), q)], 1e-6)


@case(CASES, 1, 1e-9)
def interfaces(place, rng, record):
    """Times, settings, ids, states."""
    k = place.klampt
    world = k.WorldModel()
    world.loadRobot(str(place.data / "robots" / "planar3R.rob"))
    o, _, _ = thing(k, world, rng, "ball")
    o.setTransform(draw.rotation(rng), [5, 5, 5])
    sim = k.Simulator(world)
    record("ids", [o.getID(), world.robot(0).getID(), world.robot(0).link(0).getID(), sim.body(o).getID()])
    dt = rng.choice([0.01, 0.002, 0.05])
    for _ in range(3):
        sim.simulate(dt)
    record("time after simulate", sim.getTime())
    sim.fakeSimulate(0.1)
    record("time after fakeSimulate", sim.getTime())
    state = sim.getState()
    sim.simulate(0.1)
    sim.setState(state)
    record("time after setState", sim.getTime())
    body = sim.body(o)
    T = draw.transform(rng)
    body.setObjectTransform(*T)
    record("getObjectTransform", [list(x) for x in body.getObjectTransform()])
    body.setVelocity([1, 2, 3], [4, 5, 6])
    record("getVelocity", list(body.getVelocity()[1]))
    body.setCollisionPadding(0.01)
    record("getCollisionPadding", body.getCollisionPadding())
    record("enabled", [body.isEnabled(), body.isDynamicsEnabled()])
    surface = body.getSurface()
    record("surface", [surface.kFriction, surface.kRestitution, surface.kStiffness, surface.kDamping])
    record("status", [sim.getStatus(), sim.getStatusString()])
    sim.reset()
    record("time after reset", sim.getTime())
