"""Simulators that change while they run, settings of planners, and robots made of text."""

import math

import pytest

from conftest import ROOT, needs_robotsim

pytestmark = needs_robotsim
DATA = ROOT / "data"


@pytest.fixture()
def world():
    from klampt import WorldModel
    w = WorldModel()
    assert w.readFile(str(DATA / "worlds" / "blocks.xml"))
    return w


@pytest.fixture()
def arm():
    from klampt import WorldModel
    w = WorldModel()
    w.loadRobot(str(DATA / "robots" / "bench_arm.urdf"))
    return w


@pytest.mark.parametrize("switch", [1, 1.0, True, "1"])
def test_settings_of_planners(switch):
    from klampt.plan.cspace import CSpace, MotionPlan
    from klampt.plan.motionplanning import set_plan_setting, set_plan_type
    space = CSpace()
    space.bound, space.eps = [(0.0, 1.0)] * 2, 1e-2
    space.addFeasibilityTest(lambda q: abs(q[0] - 0.5) > 0.1 or q[1] > 0.6, "wall")
    set_plan_type("rrt")
    set_plan_setting("bidirectional", switch)
    plan = MotionPlan(space)
    plan.setEndpoints([0.1, 0.1], [0.9, 0.1])
    plan.planMore(2000)
    assert len(plan.getPath()) > 2
    plan.close()
    MotionPlan.setOptions(type="any")


def test_what_cannot_be_added_changes_nothing(arm):
    from klampt import Simulator
    sim = Simulator(arm)
    count = sim.controller(0).numSensors()
    for _ in range(2):
        with pytest.raises(RuntimeError):
            sim.controller(0).addSensor("late", "TimeDelayedSensor")
    assert sim.controller(0).numSensors() == count
    sim.simulate(0.05)
    assert sim.getTime() == pytest.approx(0.05)


def test_changes_of_surfaces_keep_what_controllers_were_told(arm):
    from klampt import Simulator
    sim = Simulator(arm)
    c, n = sim.controller(0), arm.robot(0).numDrivers()
    c.setPIDGains([7.0] * n, [0.0] * n, [1.0] * n)
    q = arm.robot(0).getConfig()
    c.setMilestone([v + 0.1 for v in q])
    sim.simulate(0.1)
    state, left = sim.getActualConfig(0), c.remainingTime()
    for i in range(arm.robot(0).numLinks()):
        sim.body(arm.robot(0).link(i)).setCollisionPadding(0.003 + 0.001 * i)
    sim.setSetting("maxContacts", 7)
    assert sim.body(arm.robot(0).link(1)).getCollisionPadding() == 0.004
    assert sim.getActualConfig(0) == state
    assert c.getPIDGains()[0] == [7.0] * n
    assert c.remainingTime() == pytest.approx(left, abs=1e-9) and left > 0
    sim.simulate(0.1)
    assert sim.getTime() == pytest.approx(0.2)
    assert c.remainingTime() == pytest.approx(max(0, left - 0.1), abs=0.011)  # An update of the controller.
    sim.reset()
    assert (sim.getTime(), sim.getActualConfig(0)) == (0.0, pytest.approx(q))


def test_threads_beside_a_simulation(world):
    import threading
    import time
    from klampt import Simulator
    sim, ticks = Simulator(world), []
    thread = threading.Thread(target=lambda: sim.simulate(2.0))
    thread.start()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        world.rigidObject(0).getTransform()
        time.sleep(0.001)
    thread.join()
    assert sim.getTime() == pytest.approx(2.0)  # And asking while it runs waits for it.
    assert len(ticks) > 5


def test_robots_made_of_text():
    from klampt import WorldModel
    from klampt.math import so3
    from klampt.model.create import moving_base_robot, planar_robot
    w = WorldModel()
    planar = planar_robot.make(3, w)
    assert planar.link(1).geometry().getBB()[1][0] == pytest.approx(2.0)
    base = moving_base_robot.make(str(DATA / "robots" / "bench_arm.urdf"), w)
    moving_base_robot.set_xform(base, so3.rotation([0, 0, 1], math.pi / 2), [1, 2, 3])
    assert moving_base_robot.get_xform(base)[1] == pytest.approx([1, 2, 3])


def test_times_and_goals_that_are_no_numbers_are_refused(world):
    from klampt.sim import SimpleSimulator
    sim = SimpleSimulator(world)
    sim.addHook(world.rigidObject(0), lambda body: None)
    with pytest.raises(ValueError, match="wants seconds of at least 0, got nan"):
        sim.simulate(math.nan)
    q = world.robot(0).getConfig()
    with pytest.raises(RuntimeError, match="finite numbers"):
        sim.controller(0).setMilestone([math.nan] * len(q))
    sim.controller(0).setMilestone(q)
    sim.simulate(0.01)
