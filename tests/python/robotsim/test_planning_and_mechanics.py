"""Planners by name in Python's spaces, ramps, equilibrium."""

import gc
import math
import random
import weakref

import pytest

robotsim = pytest.importorskip("klampt.robotsim")
from klampt.robotsim import motionplanning  # noqa: E402
from klampt.robotsim.motionplanning import CSpaceInterface, PlannerInterface  # noqa: E402


def disc_space():
    """The unit square without a disc of radius 0.3."""
    space = CSpaceInterface()
    space.addFeasibilityTest("bounds", lambda q: all(0 <= x <= 1 for x in q))
    space.addFeasibilityTest("disc", lambda q: math.hypot(q[0] - 0.5, q[1] - 0.5) > 0.3)
    space.setSampler(lambda: [random.random(), random.random()])
    space.setVisibilityEpsilon(0.01)
    return space


@pytest.fixture(autouse=True)
def seeded():
    random.seed(1)
    robotsim.set_random_seed(1)
    motionplanning.set_plan_json_string("{}")


@pytest.mark.parametrize("kind", ["any", "rrt", "prm", "sbl", "rrt*", "prm*", "lazyprm*", "ompl:rrt", "ompl:birrt",
                                  "ompl:bitstar", "ompl:BIT*", "ompl:pdst", "ompl:KPIECE1"])
def test_planners(kind, needs_plugin):
    if kind.startswith("ompl:"):
        needs_plugin("planners_ompl")
    motionplanning.set_plan_type(kind)
    motionplanning.set_plan_setting("knn", 10)
    space = disc_space()
    planner = PlannerInterface(space)
    assert planner.setEndpoints([0.1, 0.5], [0.9, 0.5])
    for _ in range(40):
        planner.planMore(50)
        if planner.getSolutionPath():
            break
    path = planner.getSolutionPath()
    assert path[0] == [0.1, 0.5] and path[-1] == [0.9, 0.5]
    assert all(space.isVisible(a, b) for a, b in zip(path, path[1:]))
    vertices, edges = planner.getRoadmap()
    assert vertices and all(max(e) < len(vertices) for e in edges)
    assert planner.getStats()["numIters"] > 0


@pytest.mark.parametrize("kind", ["ompl:bitstar", "ompl:BIT*", "ompl:pdst", "ompl:KPIECE1", "ompl:bkpiece1", "ompl:sst",
                                  "ompl:RRT*", "ompl:rrt#", "ompl:BiRRT"])
def test_planners_of_ompl_by_any_spelling(kind):
    if motionplanning.native.plannerSettings("ompl.RRT") is None:
        pytest.skip("the plugin planners_ompl is not installed")
    motionplanning.set_plan_type(kind)
    space = disc_space()
    planner = PlannerInterface(space)
    planner.setEndpoints([0.1, 0.5], [0.9, 0.5])
    planner.planMore(2000)
    path = planner.getSolutionPath()
    assert path[0] == [0.1, 0.5] and path[-1] == [0.9, 0.5]
    assert all(space.isVisible(a, b) for a, b in zip(path, path[1:]))


def test_goal_by_test_and_costs():
    motionplanning.set_plan_type("rrt*")
    space = disc_space()
    planner = PlannerInterface(space)
    planner.setEndpointSet([0.1, 0.5], lambda q: q[0] > 0.9, lambda: [0.95, random.random()])
    planner.setCostFunction(lambda a, b: 2 * space.distance(a, b))
    planner.planMore(500)
    assert planner.getSolutionPath()[-1][0] > 0.9


def test_infeasible_ends_and_names():
    planner = PlannerInterface(disc_space())
    with pytest.raises(RuntimeError, match="disc"):
        planner.setEndpoints([0.5, 0.5], [0.9, 0.5])
    with pytest.raises(RuntimeError):
        motionplanning.set_plan_type("no such planner")
    space = disc_space()
    assert space.feasibilityFailures([0.5, 0.5]) == ["disc"] and not space.isVisible([0.1, 0.5], [0.9, 0.5])


def test_exceptions_of_functions_come_out():
    space = disc_space()
    planner = PlannerInterface(space)
    planner.setEndpoints([0.1, 0.5], [0.9, 0.5])
    space.setSampler(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        planner.planMore(100)


def test_planners_that_refer_to_themselves_are_collected():
    class Owner:
        def __init__(self):
            self.space = CSpaceInterface()
            self.space.setFeasibility(self.feasible)
            self.space.setSampler(lambda: [random.random()])
            self.planner = PlannerInterface(self.space)
            self.planner.setEndpoints([0.1], [0.9])
            self.planner.planMore(5)

        def feasible(self, q):
            return True

    owners = [weakref.ref(Owner()) for _ in range(20)]
    gc.collect()
    assert not any(owner() for owner in owners)


def test_ramps():
    t, x, v = motionplanning.interpolate_1d_min_time(0, 0, 1, 0, -9, 9, 10, 1)
    assert t[-1] == pytest.approx(2) and x[-1] == 1 and max(v) == pytest.approx(1)
    t, x, v = motionplanning.interpolate_1d_min_accel(0, 0, 1, 0, 4, -9, 9, 10)
    assert t[-1] == pytest.approx(4) and max(v) == pytest.approx(0.5, abs=1e-6)
    times, points, rates = motionplanning.combine_nd_cubic(*motionplanning.interpolate_nd_min_time(
        [0, 0], [0, 0], [1, 0.5], [0, 0], [-9, -9], [9, 9], [10, 10], [1, 1]))
    assert times[-1] == pytest.approx(2) and points[-1] == pytest.approx([1, 0.5])
    times, points, rates = motionplanning.interpolate_nd_min_time_linear([0, 0], [1, 0.5], [1, 1], [1, 1])
    assert times[-1] == pytest.approx(2) and points[1][1] == pytest.approx(0.5 * points[1][0])
    assert motionplanning.brake_1d(0, 2, 1)[1][-1] == pytest.approx(2)


SQUARE = [[x, y, 0, 0, 0, 1, 0.5] for x in (-1, 1) for y in (-1, 1)]


def test_equilibrium():
    forces = robotsim.com_equilibrium(SQUARE, [0, 0, -9.8], [0.5, 0, 1])
    assert sum(f[2] for f in forces) == pytest.approx(9.8)
    assert robotsim.com_equilibrium(SQUARE, [0, 0, -9.8], [1.5, 0, 1]) is None
    assert robotsim.com_equilibrium(SQUARE, [0, 0, -9.8], None) is True
    planes = robotsim.support_polygon(SQUARE)
    assert all(nx * 0.9 + ny * 0.9 <= d for nx, ny, d in planes)
    assert any(nx * 1.1 > d for nx, ny, d in planes)
    assert not robotsim.force_closure(SQUARE)
    pinch = [[x, y, z, -x, -y, -z, 0.5] for x, y, z in
             [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]]
    assert robotsim.force_closure(pinch)


def test_support_polygons_without_end():
    """Two pads below and two above them: a wedge. Forces as inequalities bound the same."""
    pads = [[0, 1, 0, 0, 0, 1, 0], [0, -1, 0, 0, 0, 1, 0], [-1, 1, 0, 0, 0, -1, 0], [-1, -1, 0, 0, 0, -1, 0]]
    cones = [[1, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 0, -row[5], 0] for row in pads]
    root = math.sqrt(5)
    for planes in (robotsim.support_polygon(pads), robotsim.support_polygon([row[:3] for row in pads], cones)):
        assert sorted(tuple(round(x, 6) + 0.0 for x in row) for row in planes) == [
            pytest.approx(row, abs=1e-5) for row in
            [(-1, 0, 0), (-2 / root, -1 / root, 1 / root), (-2 / root, 1 / root, 1 / root)]]
    half = [[0, 2, 0, 0, 0, 1, 0], [0, 2, 0, 0, 0, -1, 0], [1, 2, 0, 0, 0, 1, 0], [1, 2, 0, 0, 0, -1, 0],
            [0.5, 3, 0, 0, 0, 1, 0]]
    assert robotsim.support_polygon(half) == [pytest.approx((0, -1, -2), abs=1e-7)]
    assert robotsim.support_polygon(half + [[0.5, 3, 0, 0, 0, -1, 0]]) == []


def test_equilibrium_in_a_plane():
    ground = [[-1, 0, math.pi / 2, 0.5], [1, 0, math.pi / 2, 0.5]]
    assert robotsim.support_polygon_2d(ground) == (pytest.approx(-1), pytest.approx(1))
    assert robotsim.com_equilibrium_2d(ground, [0, -1], [2, 0]) is None
    assert sum(f[1] for f in robotsim.com_equilibrium_2d(ground, [0, -1], [0.5, 0])) == pytest.approx(1)
    assert not robotsim.force_closure_2d(ground)
    assert robotsim.force_closure_2d([[-1, 0, 0, 0.5], [1, 0, math.pi, 0.5]])


def test_general_cones_agree():
    positions = [row[:3] for row in SQUARE]
    cone = []
    for a in (0, 0.5, 1, 1.5):
        cone += [math.cos(a * math.pi), math.sin(a * math.pi), -0.5 / math.sqrt(2), 0]
    cones = [cone] * 4
    assert robotsim.com_equilibrium(positions, cones, [0, 0, -9.8], [0.5, 0, 1]) is not None
    assert robotsim.com_equilibrium(positions, cones, [0, 0, -9.8], [1.5, 0, 1]) is None
