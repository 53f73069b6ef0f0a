"""The motion queue of simulated robots: times, and what is commanded on the way, within limits and beyond."""

from . import case, draw

CASES = {}


def controlled(place, rng, names):
    """A simulated robot that stands within its limits: name, robot, simulation, controller, configuration."""
    k = place.klampt
    name = rng.choice(names)
    world = k.WorldModel()
    world.loadRobot(str(place.data / "robots" / name))
    robot = world.robot(0)
    q = draw.within(rng, *robot.getJointLimits(), 1.5)
    robot.setConfig(q)
    sim = k.Simulator(world)
    sim.setGravity([0, 0, 0])
    return name, robot, sim, sim.controller(0), q


def goal(rng, robot, beyond):
    """A configuration, some of whose values may be outside the limits."""
    low, high = robot.getJointLimits()
    q = draw.within(rng, low, high, 1.5)
    return [rng.uniform(b, b + 1) if beyond and rng.random() < 0.3 else x for x, b in zip(q, high)]


@case(CASES, 3, 1e-6)
def queue(place, rng, record):
    """One motion after another: how long they take."""
    # The real Klamp't gives configurations to its queue as texts of six digits.
    name, robot, sim, controller, _ = controlled(place, rng, ["tx90ball.rob", "puma760.rob"])
    record("robot", name)
    v = robot.getVelocityLimits()
    count = rng.randrange(1, 4)
    for i in range(count):
        kinds = ["Milestone", "Milestone with velocity", "MilestoneLinear", "Cubic"]
        kind = rng.choice(kinds)
        # The real queue drops milestones that follow a target beyond the limits, or a motion faster than they allow.
        q = goal(rng, robot, kind.startswith("Milestone") and rng.random() < 0.5)
        if kind == "Milestone":
            record.call(kind, controller.addMilestone if i else controller.setMilestone, q)
        elif kind == "Milestone with velocity":
            inside = [0.8 * x for x in draw.within(rng, *robot.getJointLimits(), 1.5)]
            record.call(kind, controller.addMilestone if i else controller.setMilestone, inside, [rng.uniform(-0.2, 0.2) * x for x in v])
        elif kind == "MilestoneLinear":
            controller.addMilestone(goal(rng, robot, False))  # at rest
            record.call(kind, controller.addMilestoneLinear, q)
        else:
            record.call(kind, controller.addCubic if i else controller.setCubic, q, [0.0] * len(q), rng.uniform(0.5, 2))
        record(f"{kind}: remainingTime", controller.remainingTime(), 1e-4)
    if count > 1:
        return
    sim.simulate(controller.remainingTime() + 0.1)
    record("getCommandedConfig at the end", controller.getCommandedConfig(), 1e-5)
    record("remainingTime at the end", controller.remainingTime() <= 0)


@case(CASES, 2, 5e-2)
def on_the_way(place, rng, record):
    """Where a motion is halfway: to two periods of the controller."""
    name, robot, sim, controller, q = controlled(place, rng, ["tx90ball.rob", "puma760.rob"])
    record("robot", name)
    target = [a + 0.2 * (b - a) for a, b in zip(q, goal(rng, robot, False))]
    kind = rng.choice(["setMilestone", "setLinear", "setCubic", "setVelocity"])
    more = {"setMilestone": (target,), "setLinear": (target, 1.0), "setCubic": (target, [0.0] * len(q), 1.0),
            "setVelocity": ([0.1 * (b - a) for a, b in zip(q, target)], 1.0)}[kind]
    record.call(kind, getattr(controller, kind), *more)
    time = controller.remainingTime()
    record(f"{kind}: remainingTime", time, 1e-4)
    for _ in range(4):
        sim.simulate(time / 4)
        record(f"{kind}: getCommandedConfig", controller.getCommandedConfig())
    controller.setSetting("enableGravityCompensation", "0")
    record("enableGravityCompensation", controller.getSetting("enableGravityCompensation"))


@case(CASES, 1.5, 5e-4)
def weak(place, rng, record):
    """PID loops of motors that are too weak, without gravity compensation: to the order of a step of 0.25 ms."""
    world = place.klampt.WorldModel()
    world.loadRobot(str(place.data / "robots" / "planar3R.rob"))
    q = [rng.uniform(0.5, 1.5) for _ in range(3)]
    world.robot(0).setConfig(q)
    sim = place.klampt.Simulator(world)
    controller = sim.controller(0)
    sim.setSimStep(0.00025)
    record.call("setSetting", controller.setSetting, "enableGravityCompensation", "0")
    sim.simulate(0.1)
    import math
    record("getActualConfig", [math.remainder(a - b, 2 * math.pi) for a, b in zip(sim.getActualConfig(0), q)])
    record("getActualVelocity", sim.getActualVelocity(0), 2e-2)
