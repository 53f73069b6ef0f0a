"""klampt.plan: what spaces say of configurations and segments; plans by whether they are feasible."""

from . import case, draw

CASES = {}


def scene(place, rng):
    """An arm among boxes: its world."""
    k = place.klampt
    world = k.WorldModel()
    world.loadRobot(str(place.data / "robots" / rng.choice(["tx90ball.rob", "puma760.rob", "planar3R.rob"])))
    from . import make_shapes
    for i in range(3):
        block = world.makeTerrain(f"block{i}")
        block.geometry().set(k.Geometry3D(make_shapes.mesh(k, *draw.boxes([-rng.uniform(0.05, 0.3)] * 3, [rng.uniform(0.05, 0.3)] * 3))))
        block.geometry().transform(draw.rotation(rng), [rng.uniform(0.4, 1) * rng.choice([-1, 1]), rng.uniform(-1, 1), rng.uniform(0, 1)])
    return world


@case(CASES, 2, 1e-9)
def spaces(place, rng, record):
    """RobotCSpace: feasibility, distances, interpolation."""
    from klampt.model import collide
    from klampt.plan import robotcspace
    world = scene(place, rng)
    robot = world.robot(0)
    space = robotcspace.RobotCSpace(robot, collide.WorldCollider(world))
    space.eps = 0.02
    low, high = robot.getJointLimits()
    record("bound", [list(x) for x in space.bound])
    for _ in range(15):
        q = draw.within(rng, low, high)
        record.call("isFeasible", lambda q=q: bool(space.feasible(q)))
        r = draw.within(rng, low, high)
        record.call("distance", space.distance, q, r)
        record.call("interpolate", space.interpolate, q, r, rng.random())
    outside = [b + 0.1 for b in high]
    record.call("isFeasible outside", lambda: bool(space.feasible(outside)))
    record.call("sample is in bounds", space.sample, then=lambda x: all(a <= v <= b for a, v, b in zip(low, x, high)))


@case(CASES, 1, 1e-9)
def plans(place, rng, record):
    """plan_to_config: a path from here to there whose milestones are feasible."""
    from klampt.model import collide
    from klampt.plan import robotcspace, robotplanning
    world = scene(place, rng)
    robot = world.robot(0)
    q = robot.getConfig()
    low, high = robot.getJointLimits()
    goal = [min(max(a + rng.uniform(-0.3, 0.3), x), y) for a, x, y in zip(q, low, high)]
    space = robotcspace.RobotCSpace(robot, collide.WorldCollider(world))
    ends = [bool(space.feasible(q)), bool(space.feasible(goal))]
    record("ends are feasible", ends)
    if ends != [True, True]:
        return
    robot.setConfig(q)
    plan = robotplanning.plan_to_config(world, robot, goal, type="sbl")
    record("is there a plan", plan is not None)
    if plan is None:
        return
    try:
        plan.planMore(200)
        path = plan.getPath()
    except RuntimeError:  # The real Klamp't says of some that there is no start or goal.
        path = None
        record("planMore works", False)
    else:
        record("planMore works", True)
    record("ends", path is None or ([list(path[0]), list(path[-1])] == [list(q), goal]))
    record("feasible", path is None or all(space.feasible(x) for x in path))
    record("getStats", sorted(plan.getStats()) != [])
