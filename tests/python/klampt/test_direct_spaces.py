"""Spaces of robots that no program has changed are asked in C++; they answer and sample as their methods in Python do."""

import gc
import random
import weakref

import pytest

pytest.importorskip("klampt")
from klampt import WorldModel  # noqa: E402
from klampt.math import so3  # noqa: E402
from klampt.model.collide import WorldCollider  # noqa: E402
from klampt.plan import robotplanning  # noqa: E402
from klampt.plan.cspace import MotionPlan  # noqa: E402
from klampt.plan.robotcspace import EmbeddedRobotCSpace, RobotCSpace  # noqa: E402
from klampt.robotsim import set_random_seed  # noqa: E402


class ByHand(RobotCSpace):
    """The same space, through Python."""

    def inJointLimits(self, x):
        return RobotCSpace.inJointLimits(self, x)

    def sample(self):
        return RobotCSpace.sample(self)

    def sampleneighborhood(self, c, r):
        return RobotCSpace.sampleneighborhood(self, c, r)

    def selfCollision(self, x=None):
        return RobotCSpace.selfCollision(self, x)

    def distance(self, a, b):
        return RobotCSpace.distance(self, a, b)


class EmbeddedByHand(EmbeddedRobotCSpace):
    """The same space, through Python."""


def load(data, name):
    world = WorldModel()
    assert world.readFile(str(data / "worlds" / name))
    return world


def both(world, collider, cls=ByHand):
    spaces = [made(world.robot(0), collider) for made in (RobotCSpace, cls)]
    for space in spaces:
        space.setup()
    assert spaces[0].cspace._direct is not None and spaces[1].cspace._direct is None
    return spaces


def same_answers(spaces, home, count, rng):
    """Of configurations anywhere, near the world's own, and beyond the limits, and of short edges; returns how many were free."""
    free = 0
    for k in range(count):
        near = (4, 0.4, 0.1)[k % 3]
        q = [rng.uniform(max(a, x - near), min(b, x + near)) for x, (a, b) in zip(home, spaces[1].bound)]
        if k % 20 == 0:
            q[rng.randrange(len(q))] += 0.5
        answers = [space.cspace.isFeasible(q) for space in spaces]
        assert answers[0] == answers[1], q
        free += answers[0]
        if k % 50 == 0:
            r = [x + rng.uniform(-0.2, 0.2) for x in q]
            assert spaces[0].cspace.isVisible(q, r) == spaces[1].cspace.isVisible(q, r)
    return free


@pytest.mark.parametrize("name", ["heron_shelf.xml", "watched_blocks.xml", "handover.xml", "humanoid_beam.xml"])
def test_answers_are_those_of_the_tests_one_by_one(data, name):
    world = load(data, name)
    robot, collider = world.robot(0), WorldCollider(world)
    home = robot.getConfig()
    # Where its own shapes overlap, every configuration would be in collision.
    for i in range(robot.numLinks()):
        for j in range(i):
            if robot.selfCollisionEnabled(i, j) and robot.link(i).geometry().collides(robot.link(j).geometry()):
                robot.enableSelfCollision(i, j, False)
    if name == "humanoid_beam.xml":
        home[2] += 1  # It stands on the ground.
    free = same_answers(both(world, collider), home, 1250, random.Random(5))
    assert 0 < free < 1250
    # Without some pairs of the collider, and of the robot itself.
    rng = random.Random(6)
    bodies = [world.terrain(i) for i in range(world.numTerrains())] + [world.rigidObject(i) for i in range(world.numRigidObjects())]
    for i in range(robot.numLinks()):
        for body in bodies:
            if rng.random() < 0.5 and robot.link(i).geometry().type():
                collider.ignoreCollision((robot.link(i), body))
        for j in range(i):
            if rng.random() < 0.3:
                robot.enableSelfCollision(i, j, False)
    assert free <= same_answers(both(world, collider), home, 1250, random.Random(5)) < 1250


def test_changes_between_calls_count(data):
    """Poses, shapes, masks, limits and self collisions are those at the time of a call."""
    world = load(data, "watched_blocks.xml")
    robot, collider = world.robot(0), WorldCollider(world)
    home = robot.getConfig()
    spaces = both(world, collider)
    free = [same_answers(spaces, home, 200, random.Random(6))]
    block = world.rigidObject(0)
    block.setTransform(so3.rotation([0, 0, 1], 0.3), [0.3, 0.1, 0.5])
    block.geometry().scale(6)
    free.append(same_answers(spaces, home, 200, random.Random(6)))
    collider.ignoreCollision(block)
    free.append(same_answers(spaces, home, 200, random.Random(6)))
    for i in range(robot.numLinks()):
        for j in range(i):
            robot.enableSelfCollision(i, j, False)
    for space in spaces:
        space.bound = [(a - 0.4, b + 0.4) for a, b in space.bound]
    free.append(same_answers(spaces, home, 200, random.Random(6)))
    link = robot.link(robot.numLinks() - 1)
    link.geometry().scale(8)
    free.append(same_answers(spaces, home, 200, random.Random(6)))
    assert len(set(free)) > 3


def planned(space, start, goal, rounds):
    random.seed(4)
    set_random_seed(4)
    planner = MotionPlan(space)
    planner.setEndpoints(start, goal)
    for _ in range(rounds // 20):
        planner.planMore(20)
        if planner.getPath():
            break
    return planner.getPath(), planner.getRoadmap(), random.random(), planner.getStats()["configurationsChecked"]


@pytest.mark.parametrize("type, rounds", [("sbl", 1000), ("rrt", 2000), ("prm", 60)])
def test_plans_are_those_through_python(data, type, rounds):
    import mortise
    world = load(data, "heron_shelf.xml")
    start, goal = world.robot(0).getConfig(), list(mortise.load(data / "motions" / "heron_shelf_goal.config"))
    moving = [i for i, (a, b) in enumerate(zip(start, goal)) if a != b]
    MotionPlan.setOptions(type=type, perturbationRadius=0.5, connectionThreshold=2.0, bidirectional=True, shortcut=False, restart=False)
    found = []
    for cls, embedded in ((RobotCSpace, EmbeddedRobotCSpace), (ByHand, EmbeddedByHand)):
        whole = cls(world.robot(0), WorldCollider(world))
        whole.eps = 0.05
        part = embedded(cls(world.robot(0), WorldCollider(world)), moving, start)
        part.eps = 0.05
        found.append([planned(whole, start, goal, rounds), planned(part, part.project(start), part.project(goal), rounds)])
        assert (part.cspace._direct is not None) == (whole.cspace._direct is not None) == (cls is RobotCSpace)
        counts = part.cspace.getStats()
        assert counts["feasible_setconfig_count"] > 100 and counts["feasible_self collision_count"] > 100
    for direct, by_hand in zip(*found):
        assert direct[:3] == by_hand[:3]
        assert 0 < direct[3] <= by_hand[3]
    assert type == "prm" or all(path for path, *_ in found[0])


def test_functions_of_a_program_are_asked(data):
    """Whatever a program changes of a space, what it put there is called."""
    world = load(data, "heron_shelf.xml")
    robot = world.robot(0)
    q = robot.getConfig()

    def changed(change):
        space = RobotCSpace(robot, WorldCollider(world))
        change(space)
        space.setup()
        return space
    for change in (lambda s: s.addConstraint(lambda q: False), lambda s: setattr(s, "inJointLimits", lambda x: False),
                   lambda s: setattr(s, "selfCollision", lambda: True), lambda s: s.feasibilityTests.append(lambda q: False) or
                   s.feasibilityTestNames.append("never")):
        assert not changed(change).cspace.isFeasible(q)
    space = changed(lambda s: None)
    assert space.cspace.isFeasible(q)
    space.cspace.addFeasibilityTest("never", lambda q: False)
    assert not space.cspace.isFeasible(q)
    space = changed(lambda s: setattr(s, "sample", lambda: seen.append(1) or list(q)))
    seen = []
    planner = MotionPlan(space, type="rrt")
    planner.setEndpoints(q, q[:1] + [q[1] + 0.01] + q[2:])
    space.cspace.setInterpolate(lambda a, b, u: seen.append(2) or robot.interpolate(a, b, u))
    planner.planMore(30)
    assert 2 in seen


def test_goals_may_look_at_the_robot(data):
    world = load(data, "heron_shelf.xml")
    robot = world.robot(0)
    link, start = robot.link(robot.numLinks() - 1), robot.getConfig()
    height = link.getTransform()[1][2]
    asked = []

    def above(q):
        asked.append(robot.getConfig() == q)
        return link.getTransform()[1][2] > height + 0.1
    random.seed(1)
    planner = robotplanning.plan_to_set(world, robot, above, type="rrt", perturbationRadius=0.5)
    for _ in range(100):
        planner.planMore(20)
        if planner.getPath():
            break
    assert asked and all(asked[1:])
    assert above(planner.getPath()[-1]) is not None and planner.getPath()[0] == start


def test_nothing_of_a_plan_stays(data):
    """Spaces that know their planners are collected."""
    world = load(data, "heron_shelf.xml")
    q = world.robot(0).getConfig()
    space = RobotCSpace(world.robot(0), WorldCollider(world))
    space.planner = MotionPlan(space, type="rrt")
    space.planner.setEndpoints(q, q[:1] + [q[1] + 0.01] + q[2:])
    space.planner.planMore(10)
    gone = weakref.ref(space)
    del space
    gc.collect()
    assert gone() is None
