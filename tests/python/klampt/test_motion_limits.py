"""Motions of a SimRobotController beyond the limits of joints, links without motors, and its settings."""

import json
import logging
import re
import subprocess

import pytest

from conftest import needs_robotsim

pytestmark = needs_robotsim

# A rail without a motor, then two joints with one, the second of which turns without end.
ROBOT = """
links "rail" "arm" "wheel"
parents -1 0 1
jointtype p r r
axis 1 0 0  0 0 1  0 0 1
TParent 1 0 0 0 1 0 0 0 1 0 0 0   1 0 0 0 1 0 0 0 1 0 0 0   1 0 0 0 1 0 0 0 1 0.3 0 0
qMin 0 -1 0
qMax 0 1.5 6.28319
q 0 0 0
mass 1 1 1
com 0 0 0  0.1 0 0  0.1 0 0
inertia 0.1 0 0 0 0.1 0 0 0 0.1  0.1 0 0 0 0.1 0 0 0 0.1  0.1 0 0 0 0.1 0 0 0 0.1
velMax 1 2 2
accMax 1 8 8
torqueMax 100 100 100
servoP 200 200
servoI 0 0
servoD 20 20
dryFriction 1.5 0
viscousFriction 0.5 0
joint weld 0
joint normal 1
joint spin 2
driver normal 1
driver normal 2
"""


@pytest.fixture()
def controlled(tmp_path):
    """(simulation, controller) of the robot."""
    from klampt import Simulator, WorldModel
    (tmp_path / "railed.rob").write_text(ROBOT)
    world = WorldModel()
    world.loadRobot(str(tmp_path / "railed.rob"))
    sim = Simulator(world)
    return sim, sim.controller(0)


@pytest.mark.parametrize("call", ["setMilestone", "addMilestone", "addMilestoneLinear"])
@pytest.mark.parametrize("beyond, limit", [(2.5, 1.5), (1.5 + 1e-9, 1.5), (-7.0, -1.0)])
def test_milestones_beyond_a_limit_go_to_the_limit_and_say_so(controlled, caplog, call, beyond, limit):
    sim, controller = controlled
    with caplog.at_level(logging.WARNING, "mortise"):
        getattr(controller, call)([0, beyond, 0.2])
    assert [r.getMessage() for r in caplog.records if "is beyond the limit of 'arm'" in r.getMessage()]
    sim.simulate(controller.remainingTime() + 0.02)
    assert controller.getCommandedConfig() == pytest.approx([0, limit, 0.2], abs=1e-12)


def test_the_same_time_as_to_the_limit(controlled):
    _, controller = controlled
    controller.setMilestone([0, 1.5, 0])
    time = controller.remainingTime()
    controller.setMilestone([0, 9, 0])
    assert controller.remainingTime() == time > 0.5


def test_velocities_beyond_a_limit_become_the_limit(controlled, caplog):
    _, controller = controlled
    with caplog.at_level(logging.WARNING, "mortise"):
        controller.setMilestone([0, 0.5, 0], [0, 5, 0])
    assert [r.getMessage() for r in caplog.records if "velocity 5 is beyond the limit of 'arm', 2" in r.getMessage()]
    assert controller.remainingTime() > 0


def test_within_limits_nothing_is_said(controlled, caplog):
    _, controller = controlled
    with caplog.at_level(logging.WARNING, "mortise"):
        controller.setMilestone([0, 1.5, 9.0], [0, 0, 2])  # The wheel has no limit to its angle.
    assert caplog.records == []


@pytest.mark.parametrize("call, more", [("setMilestone", ()), ("addMilestoneLinear", ()), ("setLinear", (0.1,)),
                                        ("addCubic", ([0.3, 0, 0], 0.1))])
def test_links_without_a_motor_are_not_commanded(controlled, call, more):
    sim, controller = controlled
    getattr(controller, call)([0.4, 0.1, 0.1], *more)
    sim.simulate(controller.remainingTime() + 0.02)
    assert controller.getCommandedConfig() == pytest.approx([0, 0.1, 0.1], abs=1e-12)
    assert controller.getCommandedVelocity()[0] == 0
    controller.setVelocity([1, 0.5, 0.5], 0.2)
    sim.simulate(0.22)
    assert controller.getCommandedConfig() == pytest.approx([0, 0.2, 0.2], abs=1e-12)


SETTINGS = ["enableGravityCompensation", "enableFeedforwardAcceleration", "enableFrictionCompensation", "gravity", "velocityScale",
            "accelerationScale"]


def test_settings(controlled):
    sim, controller = controlled
    assert controller.settings() == SETTINGS
    assert controller.getSetting("enableGravityCompensation") == "1"
    assert controller.getSetting("gravity") == "0 0 -9.8"
    assert controller.setSetting("gravity", "0 3 0")
    sim.simulate(0.02)
    # m g r of what hangs on the arm, against a pull to the side.
    assert controller.getCommandedTorque()[0] == pytest.approx(-3 * (0.1 + 0.4), rel=1e-2)
    assert controller.setSetting("enableGravityCompensation", "0")
    assert controller.getSetting("enableGravityCompensation") == "0"
    sim.simulate(0.02)
    assert controller.getCommandedTorque() == pytest.approx([0, 0])


@pytest.mark.parametrize("name, value", [("enableGravityCompensation", "maybe"), ("gravity", "1 2"), ("gravity", "0 0 x"),
                                         ("gravity", "nan 0 0"), ("color", "1"), ("velocityScale", "1.5"),
                                         ("accelerationScale", "0"), ("velocityScale", ""), ("enable_friction_compensation", "0.5")])
def test_settings_that_are_none_change_nothing(controlled, name, value):
    _, controller = controlled
    assert not controller.setSetting(name, value)
    assert [controller.getSetting(x) for x in controller.settings()] == ["1", "0", "0", "0 0 -9.8", "1", "1"]


def test_a_setting_that_it_does_not_have(controlled):
    with pytest.raises(RuntimeError, match="enableGravityCompensation, .* and accelerationScale"):
        controlled[1].getSetting("replay")


def test_changes_of_the_world_keep_settings(controlled):
    sim, controller = controlled
    controller.setSetting("enableGravityCompensation", "0")
    surface = sim.body(sim.world.robot(0).link(1)).getSurface()
    surface.kFriction = 0.3
    sim.body(sim.world.robot(0).link(1)).setSurface(surface)
    sim.simulate(0.02)
    assert sim.controller(0).getSetting("enableGravityCompensation") == "0"
    assert sim.controller(0).setSetting("velocityScale", "0.5")
    state = sim.getState()
    sim.controller(0).setSetting("velocityScale", "0.25")
    sim.setState(state)
    assert sim.controller(0).getSetting("velocityScale") == "0.5"


def test_settings_have_the_names_that_the_program_lists(controlled, data, program):
    """The controller that robots get by default has settings that change while it runs, by the same names."""
    described = subprocess.run([program, "plugins", "info", "FeedforwardPolynomialPathController", "--json"], capture_output=True, text=True)
    names = [p["name"] for p in json.loads(described.stdout)[0]["schema"]["parameters"] if p.get("changeable")]
    listed = subprocess.run([program, "sim", data / "robots" / "reacher.rob", "--list-commands"], capture_output=True, text=True)
    controller = controlled[1]
    assert [re.sub("_(.)", lambda m: m.group(1).upper(), name) for name in names] == SETTINGS
    for name, camel in zip(names, SETTINGS):
        assert re.search(rf"^    {name} +=", listed.stdout, re.MULTILINE) and controller.getSetting(name) == controller.getSetting(camel)
    assert controller.setSetting("velocity_scale", "0.5") and controller.getSetting("velocityScale") == "0.5"


def test_torques_for_accelerations_and_friction(controlled):
    """At the start of a ramp: the joint's inertia times its acceleration; then friction at the reference's velocity."""
    sim, controller = controlled
    robot = sim.world.robot(0)
    assert controller.setSetting("enableFeedforwardAcceleration", "true") and controller.setSetting("enableGravityCompensation", "0")
    controller.setMilestone([0, 1.0, 0])
    sim.simulate(0.01)
    robot.setVelocity([0, 0, 0])
    assert controller.getCommandedTorque() == pytest.approx(robot.torquesFromAccel([0, 8, 0])[1:], rel=1e-2)
    controller.setSetting("enableFeedforwardAcceleration", "0")
    controller.setSetting("enableFrictionCompensation", "1")
    sim.simulate(0.05)
    speed = controller.getCommandedVelocity()[1]
    assert speed > 0.1 and controller.getCommandedTorque() == pytest.approx([1.5 + 0.5 * speed, 0])


def test_part_of_the_limits(controlled):
    sim, controller = controlled
    controller.setMilestone([0, 1.0, 0])
    whole = controller.remainingTime()
    controller.setSetting("velocityScale", "0.5")
    controller.setSetting("accelerationScale", "0.25")
    controller.setMilestone([0, 1.0, 0])
    # 1 rad at 2 rad/s and 8 rad/s^2, then half and a quarter of that: x / v + v / a.
    assert whole == pytest.approx(1 / 2 + 2 / 8) and controller.remainingTime() == pytest.approx(1.5)


def test_settings_of_the_worlds_file(tmp_path):
    from klampt import Simulator, WorldModel
    (tmp_path / "railed.rob").write_text(ROBOT)
    (tmp_path / "world.xml").write_text("""<world><robot file="railed.rob"/><simulation><robot index="0">
        <controller type="FeedforwardPolynomialPathController" rate="50" enableGravityCompensation="0" velocity_scale="0.5" gravity="0 0 -3"/>
        </robot></simulation></world>""")
    sim = Simulator(WorldModel(str(tmp_path / "world.xml")))
    controller = sim.controller(0)
    given = ["0", "0", "0", "0 0 -3", "0.5", "1"]
    assert [controller.getSetting(x) for x in SETTINGS] == given
    controller.setSetting("velocityScale", "1")
    sim.reset()
    assert [controller.getSetting(x) for x in SETTINGS] == given
    # Without one there, that of the robot's own file.
    (tmp_path / "own.rob").write_text(ROBOT + "property controller \"<controller type='PolynomialPathController' accelerationScale='0.5'/>\"\n")
    world = WorldModel()
    world.loadRobot(str(tmp_path / "own.rob"))
    assert Simulator(world).controller(0).getSetting("acceleration_scale") == "0.5"
