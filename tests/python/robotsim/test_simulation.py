"""Simulation, controllers and sensors of klampt.robotsim."""

import math

import numpy as np
import pytest

robotsim = pytest.importorskip("klampt.robotsim")
from klampt.robotsim import GeometricPrimitive, Geometry3D, SimJoint, Simulator, WorldModel  # noqa: E402

IDENTITY = [1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0]


@pytest.fixture
def blocks():
    """A cube of 1 kg, 20 cm wide, 1 mm above the ground."""
    world = WorldModel()
    ground, cube = GeometricPrimitive(), GeometricPrimitive()
    ground.setAABB([-2, -2, -1], [2, 2, 0])
    cube.setAABB([-0.1] * 3, [0.1] * 3)
    world.makeTerrain("ground").geometry().set(Geometry3D(ground))
    body = world.makeRigidObject("cube")
    body.geometry().set(Geometry3D(cube))
    mass = body.getMass()
    mass.setMass(1)
    mass.setCom([0, 0, 0])
    mass.setInertia([0.4 / 60] * 3)
    body.setMass(mass)
    body.setTransform(IDENTITY, [0, 0, 0.101])
    return world


def test_rest_and_contact_forces(blocks):
    sim = Simulator(blocks)
    sim.simulate(1)
    cube, ground = blocks.rigidObject(0).getID(), blocks.terrain(0).getID()
    sim.simulate(0.1)
    assert sim.getStatus() == Simulator.STATUS_NORMAL and sim.getTime() == pytest.approx(1.1)
    assert sim.inContact(cube, ground) and sim.hadContact(cube, -1)
    assert sim.contactForce(cube, ground) == pytest.approx([0, 0, 9.8], abs=0.1)
    contacts = sim.getContacts(cube, ground)
    assert contacts.shape[1] == 7 and np.all(contacts[:, 5] > 0.99)
    assert sim.getContactForces(cube, ground).sum(axis=0)[2] == pytest.approx(9.8, abs=0.1)
    assert blocks.rigidObject(0).getTransform()[1][2] == pytest.approx(0.1, abs=0.01)


def test_forces_last_one_call(blocks):
    sim = Simulator(blocks)
    sim.setGravity([0, 0, 0])
    body = sim.body(blocks.rigidObject(0))
    body.setTransform(IDENTITY, [0, 0, 1])
    body.applyWrench([2, 0, 0], [0, 0, 0])
    sim.simulate(0.5)
    assert body.getVelocity()[1][0] == pytest.approx(1, rel=0.01)
    sim.simulate(0.5)
    assert body.getVelocity()[1][0] == pytest.approx(1, rel=0.01)
    body.setVelocity([0, 0, 1], [0, 0, 0])
    assert body.getVelocity() == (pytest.approx([0, 0, 1]), pytest.approx([0, 0, 0]))


def test_frame_at_the_center_of_mass(blocks):
    cube = blocks.rigidObject(0)
    mass = cube.getMass()
    mass.setCom([0, 0, 0.05])
    cube.setMass(mass)
    body = Simulator(blocks).body(cube)
    assert body.getTransform()[1][2] == pytest.approx(0.151)
    assert body.getObjectTransform()[1][2] == pytest.approx(0.101)


def test_state_and_reset(blocks):
    sim = Simulator(blocks)
    sim.simulate(0.2)
    state = sim.getState()
    sim.simulate(0.3)
    there = blocks.rigidObject(0).getTransform()
    sim.setState(state)
    sim.simulate(0.3)
    assert blocks.rigidObject(0).getTransform() == there
    sim.reset()
    assert sim.getTime() == 0 and blocks.rigidObject(0).getTransform()[1][2] == pytest.approx(0.101)


def test_commands_of_a_world_act_as_in_a_simulation(tmp_path, caplog):
    mortise = pytest.importorskip("mortise")
    (tmp_path / "ball.geom").write_text("Sphere 0 0 0 0.1\n")
    (tmp_path / "arm.rob").write_text('links "a"\nparents -1\nTParent 1 0 0 0 1 0 0 0 1 0 0 1\nmass 1\n'
                                      "qMin -1\nqMax 1\ntorqueMax 10\n")
    path = tmp_path / "w.xml"
    path.write_text("""<world><robot name="arm" file="arm.rob" translation="5 0 0"/>
<rigidObject name="ball" position="0 0 1"><geometry file="ball.geom"/><physics mass="1" automass="1"/></rigidObject>
<simulation>
<command at="0.02" body="ball" impulse="0.5 0 3"/>
<command at="0.05" body="ball" velocity="0 0.25 0" for="0.05"/>
<command at="0.15" body="ball" torque="0 0 0.1" for="0.0302"/>
<command at="0.1" command="set_q" arguments="0.5"/>
</simulation></world>""")
    expected = mortise.Simulation(mortise.load_world(path), on_unstable="scale")
    expected.advance(0.2)
    world = WorldModel()
    assert world.readFile(str(path))
    sim = Simulator(world)
    said = caplog.text
    assert "w.xml:7" in said and "'set_q" in said and "the program is the robot's controller" in said
    state = None
    for t in (0.06, 0.07, 0.07):
        if t == 0.07 and state is None:
            state = sim.getState()
        sim.simulate(t)
    there_v, there_w = expected.object_velocity("ball")

    def same():
        w, v = sim.body(world.rigidObject(0)).getVelocity()
        return np.array_equal(v, there_v) and np.array_equal(w, there_w)

    assert same()
    sim.setState(state)
    sim.simulate(0.14)
    assert same()
    sim.setSetting("rigidObjectCollisions", "0")  # Built anew, in the middle of the commands.
    sim.reset()
    sim.simulate(0.2)
    assert same()


def test_settings(blocks):
    sim = Simulator(blocks)
    assert sim.getSetting("simStep") == "0.001" and sim.getSetting("gravity") == "0 0 -9.8"
    sim.setSetting("gravity", "0 0 -1")
    assert sim.getSetting("gravity") == "0 0 -1"
    with pytest.raises(RuntimeError):
        sim.getSetting("no such setting")
    with pytest.raises(RuntimeError):
        sim.setSetting("simStep", "fast")


def test_hinge(blocks):
    sim = Simulator(blocks)
    body = sim.body(blocks.rigidObject(0))
    joint = SimJoint()
    joint.makeHinge(body, [0.5, 0, 0.101], [0, 0, 1])
    body.setVelocity([0, 0, 1], [0, -0.5, 0])
    sim.simulate(0.5)
    p = np.array(body.getTransform()[1]) - [0.5, 0, 0]
    assert np.hypot(p[0], p[1]) == pytest.approx(0.5, abs=0.01)


@pytest.fixture
def arm(reference):
    return WorldModel(str(reference / "klampt-data" / "tx90scenario0.xml"))


def test_milestones_and_pid(arm):
    sim = Simulator(arm)
    controller = sim.controller(0)
    q = controller.getCommandedConfig()
    goal = list(q)
    goal[1] += 0.3
    controller.setMilestone(goal)
    assert controller.remainingTime() > 0.1
    while controller.remainingTime() > 0:
        sim.simulate(0.05)
    sim.simulate(0.5)
    assert controller.getSensedConfig()[1] == pytest.approx(goal[1], abs=0.02)
    assert controller.getCommandedConfig() == pytest.approx(goal, abs=1e-6)
    drivers = arm.robot(0).configToDrivers(q)
    controller.setPIDCommand(drivers, [0.0] * len(drivers))
    sim.simulate(1)
    assert controller.getControlType() == "PID"
    assert controller.getSensedConfig()[1] == pytest.approx(q[1], abs=0.1)
    controller.setTorque([0.0] * len(drivers))
    assert controller.getControlType() == "torque"
    with pytest.raises(RuntimeError):
        controller.setTorque([0.0])
    with pytest.raises(RuntimeError):
        controller.setMilestone([0.0])
    assert len(controller.getPIDGains()) == 3


def test_control_rate(arm):
    """What is commanded changes with each update of the controller, and no more often."""
    sim = Simulator(arm)
    controller = sim.controller(0)
    for dt in (0, 0.0, -0.01, math.nan, math.inf):
        with pytest.raises(ValueError, match="dt: expected seconds above 0"):
            controller.setRate(dt)
    assert controller.getRate() == 0.01
    changes = {}
    for dt in (0.01, 0.05):
        controller.setRate(dt)
        assert controller.getRate() == dt
        goal = list(controller.getCommandedConfig())
        goal[1] += 0.5
        controller.setMilestone(goal)
        seen = []
        for _ in range(100):
            sim.simulate(0.005)
            seen.append(controller.getCommandedConfig()[1])
        changes[dt] = sum(a != b for a, b in zip(seen, seen[1:]))
    assert changes[0.01] > 3 * changes[0.05] > 3, changes
    sim.reset()
    assert controller.getRate() == 0.05


def test_sensors(arm):
    sim = Simulator(arm)
    controller = sim.controller(0)
    assert controller.numSensors() >= 1
    sim.simulate(0.02)
    sensor = controller.sensor(0)
    assert len(sensor.getMeasurements()) == len(sensor.measurementNames()) > 0
    with pytest.raises(KeyError):
        controller.sensor("no such sensor")


def test_camera(arm):
    camera = arm.robot(0).addSensor("camera", "CameraSensor")
    camera.setSetting("xres", "8")
    camera.setSetting("yres", "6")
    camera.setSetting("zmax", "50")
    assert camera.getSetting("xres") == "8" and camera.getLink() is None
    camera.setTransform([1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 0, 5])
    assert camera.getTransform() == ([1, 0, 0, 0, -1, 0, 0, 0, -1], [0, 0, 5])
    camera.kinematicSimulate(arm, 0.01)
    values = camera.getMeasurements()
    assert len(values) == 2 * 48 and np.nanmin(values[48:]) > 0
    with pytest.raises(RuntimeError):
        camera.setSetting("no such setting", "1")
    with pytest.raises(RuntimeError):
        arm.robot(0).addSensor("x", "NoSuchSensor")


def test_simulate_takes_the_time_that_it_is_given(blocks):
    sim = Simulator(blocks)
    for _ in range(60):
        sim.simulate(1 / 60)
    assert sim.getTime() == pytest.approx(1, abs=1e-12)
    sim.reset()
    for _ in range(3):
        sim.simulate(0.0004)
    assert sim.getTime() == pytest.approx(0.0012, abs=1e-15)
