"""Spaces of robots: tests that planners call directly are those that programs see."""

import random

import numpy as np
import pytest

pytest.importorskip("klampt")
from klampt import WorldModel  # noqa: E402
from klampt.model import ik  # noqa: E402
from klampt.model.collide import WorldCollider  # noqa: E402
from klampt.plan.cspace import MotionPlan  # noqa: E402
from klampt.plan.robotcspace import RobotCSpace  # noqa: E402


class ByHand(RobotCSpace):
    """The same tests, through Python."""

    def inJointLimits(self, x):
        return RobotCSpace.inJointLimits(self, x)

    def _pose(self, x):
        return RobotCSpace._pose(self, x)

    def selfCollision(self, x=None):
        return RobotCSpace.selfCollision(self, x)

    def distance(self, a, b):
        return RobotCSpace.distance(self, a, b)


@pytest.fixture()
def world(data):
    world = WorldModel()
    assert world.readFile(str(data / "worlds" / "heron_shelf.xml"))
    return world


def test_direct_tests_are_those_in_python(world):
    robot = world.robot(0)
    collider = WorldCollider(world)
    spaces = [cls(robot, collider) for cls in (RobotCSpace, ByHand)]
    for space in spaces:
        space.setup()
    rng = random.Random(1)
    seen = set()
    for _ in range(300):
        q = [rng.uniform(a - 0.2, b + 0.2) if rng.random() < 0.05 else rng.uniform(a, b) for a, b in spaces[0].bound]
        said = [space.cspace.feasibilityFailures(q) for space in spaces]
        assert said[0] == said[1]
        seen.update(said[0])
        assert spaces[0].cspace.isFeasible(q) == spaces[1].cspace.isFeasible(q) == (not said[0])
    assert spaces[0].joint_limit_failures == spaces[1].joint_limit_failures and sum(spaces[0].joint_limit_failures) > 0
    assert "joint limits" in seen and any("collision" in name for name in seen)
    a, b = (space.sample() for space in spaces)
    assert spaces[0].cspace.distance(a, b) == robot.distance(a, b)
    assert spaces[0].cspace.interpolate(a, b, 0.3) == robot.interpolate(a, b, 0.3)


def test_what_programs_change_counts(world):
    """Bounds and masks are those at the time of a call; a space that is gone is gone."""
    robot = world.robot(0)
    collider = WorldCollider(world)
    space = RobotCSpace(robot, collider)
    space.setup()
    blocked = None
    rng = random.Random(2)
    while blocked is None:
        q = [rng.uniform(a, b) for a, b in space.bound]
        if space.cspace.feasibilityFailures(q) and all("terrain" in name for name in space.cspace.feasibilityFailures(q)):
            blocked = q
    for i in range(world.numTerrains()):
        collider.ignoreCollision(world.terrain(i))
    assert space.cspace.feasibilityFailures(blocked) == []
    space.bound = [(x + 1, x + 2) for x in blocked]
    assert space.cspace.feasibilityFailures(blocked) == ["joint limits"]


def test_plans_are_made_of_feasible_steps(world, data):
    import mortise
    robot = world.robot(0)
    start, goal = robot.getConfig(), list(mortise.load(data / "motions" / "heron_shelf_goal.config"))
    space = RobotCSpace(robot, WorldCollider(world))
    checked = ByHand(robot, WorldCollider(world))
    checked.setup()
    random.seed(3)
    planner = MotionPlan(space, type="sbl", connectionThreshold=2, perturbationRadius=2)
    planner.setEndpoints(start, goal)
    for _ in range(200):
        planner.planMore(50)
        if planner.getPath():
            break
    path = planner.getPath()
    assert path[0] == start and path[-1] == goal
    assert all(checked.cspace.isFeasible(q) for q in path)
    counts = space.cspace.getStats()
    assert counts["feasible_setconfig_count"] > 100 and counts["feasible_setconfig_cost"] > 0


def test_functions_in_place_of_methods_are_called(world):
    robot = world.robot(0)
    space, collider = RobotCSpace(robot), WorldCollider(world)
    low, high = robot.getJointLimits()
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    seen = []
    space.selfCollision = lambda: seen.append("self") is not None
    space.inJointLimits = lambda x: seen.append("limits") is None
    space.distance = lambda a, b: 100.0
    assert space.feasible(middle) and seen == ["limits", "self"]
    plan = MotionPlan(space, type="rrt")
    assert space.cspace.distance(low, high) == 100.0
    plan.close()
    collider.robotTerrainCollisions = lambda *which: iter([(robot, world.terrain(0))])
    assert not RobotCSpace(robot, collider).feasible(middle)


def test_bounds_and_counts_may_be_arrays_and_tests_outlive_their_space(world):
    robot = world.robot(0)
    space = RobotCSpace(robot)
    space.setBounds(np.array(space.bound))
    space.joint_limit_failures = np.zeros(len(space.bound))
    q = [a for a, _ in space.bound]
    space.feasible(q)
    q[2] -= 1
    assert not space.feasible(q) and space.joint_limit_failures.tolist() == [0, 0, 1] + [0] * (len(q) - 3)
    tests = RobotCSpace(robot).feasibilityTests
    assert not tests[0](q)


def test_a_search_leaves_links_that_may_not_move(world):
    robot = world.robot(0)
    low, high = robot.getJointLimits()
    rng = random.Random(3)
    for _ in range(60):
        robot.setConfig([rng.uniform(a, b) for a, b in zip(low, high)])
        link = robot.link(robot.numLinks() - 1)
        goal = ik.objective(link, local=[0, 0, 0], world=link.getWorldPosition([0, 0, 0]))
        start = [rng.uniform(a, b) for a, b in zip(low, high)]
        start[1] = high[1] + 0.2
        robot.setConfig(start)
        solver = ik.solver(goal)
        solver.setActiveDofs(list(range(2, robot.numLinks())))
        solver.solve()
        assert robot.getConfig()[:2] == start[:2]
