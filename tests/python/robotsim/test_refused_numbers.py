"""What no model can have is refused by every setter, which changes nothing: numbers that are none, masses below 0, matrices that
are no rotations, surfaces that push and pull."""

import math

import klampt
import numpy as np
import pytest

NONE = (math.nan, math.inf, -math.inf)
TURN = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]
ORIGIN = [0.0, 0, 0]
NO_ROTATIONS = ([0.0] * 9, [2.0, 0, 0, 0, 2, 0, 0, 0, 2], [1.0, 0, 0, 0, 1, 0, 0, 0, -1], [1.0, 0, 0, 0, 1, 0, 0, 0, math.nan],
                [1.0] * 9, [math.inf] * 9)


@pytest.fixture
def world(data):
    world = klampt.WorldModel()
    assert world.readFile(str(data / "worlds" / "blocks.xml"))
    return world


def refused(calls, kinds=(ValueError, RuntimeError)):
    for name, call in calls.items():
        try:
            call()
        except kinds as error:
            assert str(error), name
        else:
            pytest.fail(f"{name} is accepted")


def state(world):
    """All that the setters below could change."""
    robot, thing, terrain = world.robot(0), world.rigidObject(0), world.terrain(0)
    link = robot.link(2)
    mass = link.getMass()
    surface = thing.getContactParameters()
    return (robot.getConfig(), robot.getVelocity(), robot.getJointLimits(), robot.getVelocityLimits(), robot.getAccelerationLimits(),
            robot.getTorqueLimits(), [robot.link(i).getTransform() for i in range(robot.numLinks())], link.getParentTransform(), link.getAxis(),
            mass.getMass(), mass.getCom(), mass.getInertia(), thing.getTransform(), thing.getVelocity(), thing.getMass().getMass(),
            surface.kFriction, surface.kRestitution, surface.kStiffness, surface.kDamping, thing.geometry().getCurrentTransform(),
            terrain.geometry().getCollisionMargin(), robot.numLinks())


def test_numbers_that_are_none(world):
    robot, thing = world.robot(0), world.rigidObject(0)
    link, n = robot.link(2), world.robot(0).numLinks()
    before = state(world)
    for bad in NONE:
        q, p = [0.1] * n, [0.0, bad, 0]
        q[3] = bad
        refused({
            "setConfig": lambda: robot.setConfig(q), "setConfig of an array": lambda: robot.setConfig(np.array(q)),
            "config": lambda: setattr(robot, "config", q), "setVelocity": lambda: robot.setVelocity(q),
            "setDOFPosition": lambda: robot.setDOFPosition(1, bad), "driver.setValue": lambda: robot.driver(1).setValue(bad),
            "driver.setVelocity": lambda: robot.driver(1).setVelocity(bad), "setParentTransform": lambda: link.setParentTransform(TURN, p),
            "link.setTransform": lambda: link.setTransform(TURN, p), "setAxis": lambda: link.setAxis(p),
            "object.setTransform": lambda: thing.setTransform(TURN, p), "object.setVelocity": lambda: thing.setVelocity(p, ORIGIN),
            "object.setVelocity, linear": lambda: thing.setVelocity(ORIGIN, p),
            "setCurrentTransform": lambda: thing.geometry().setCurrentTransform(TURN, p), "translate": lambda: thing.geometry().translate(p),
            "scale": lambda: thing.geometry().scale(bad), "transform": lambda: thing.geometry().transform(TURN, p),
            "margin": lambda: thing.geometry().setCollisionMargin(bad), "mount": lambda: robot.mount(-1, robot, TURN, p),
            "Mass.setMass": lambda: klampt.Mass().setMass(bad), "Mass.setCom": lambda: klampt.Mass().setCom(p),
            "Mass.setInertia": lambda: klampt.Mass().setInertia([1, bad, 1])})
    refused({"lower limits": lambda: robot.setJointLimits([math.nan] * n, [1.0] * n),
             "upper limits": lambda: robot.setJointLimits([-1.0] * n, [math.nan] * n),
             "velocity limits": lambda: robot.setVelocityLimits([math.nan] * n),
             "acceleration limits": lambda: robot.setAccelerationLimits([math.nan] * n),
             "torque limits": lambda: robot.setTorqueLimits([math.nan] * n)})
    assert state(world) == before


def test_masses_surfaces_and_rotations(world):
    robot, thing, terrain = world.robot(0), world.rigidObject(0), world.terrain(0)
    link = robot.link(2)
    before = state(world)
    for bad in (-1.0, -1e-300, *NONE):
        mass = klampt.Mass()
        refused({"setMass": lambda: mass.setMass(bad)})
        mass.mass = bad  # A plain attribute, as in Klamp't.
        refused({"of a link": lambda: link.setMass(mass), "of an object": lambda: thing.setMass(mass)})
    for bad in (-0.5, math.nan, -math.inf):
        for name in ("kFriction", "kRestitution", "kStiffness", "kDamping"):
            surface = thing.getContactParameters()
            setattr(surface, name, bad)
            refused({name: lambda: thing.setContactParameters(surface)})
        refused({"of a terrain": lambda: terrain.setFriction(bad)})
    refused({"margin": lambda: terrain.geometry().setCollisionMargin(-0.01)})
    for R in NO_ROTATIONS:
        refused({"object": lambda: thing.setTransform(R, ORIGIN), "link": lambda: link.setTransform(R, ORIGIN),
                 "parent": lambda: link.setParentTransform(R, ORIGIN), "shape": lambda: thing.geometry().setCurrentTransform(R, ORIGIN),
                 "mount": lambda: robot.mount(-1, robot, R, ORIGIN)})
    assert state(world) == before
    # Rotations as people type them stay as given, and stiffness and damping may be without end.
    typed = [0.7071, 0.7071, 0, -0.7071, 0.7071, 0, 0, 0, 1]
    thing.setTransform(typed, ORIGIN)
    assert thing.getTransform()[0] == typed
    surface = thing.getContactParameters()
    surface.kStiffness = surface.kDamping = math.inf
    thing.setContactParameters(surface)
    # Shapes may be mapped by any matrix.
    thing.geometry().transform([1, 0, 0, 0, 1, 0, 0, 0, -1], ORIGIN)


def test_simulations(world):
    simulator = klampt.Simulator(world)
    controller, body, n = simulator.controller(0), simulator.body(world.rigidObject(0)), world.robot(0).numLinks()
    zeros = [0.0] * n
    joint = klampt.SimJoint()
    joint.makeHinge(body, body.getTransform()[1], [0, 0, 1])
    before = (body.getTransform(), body.getVelocity(), simulator.getSetting("gravity"), simulator.getSetting("simStep"), controller.getPIDGains())
    for bad in NONE:
        p, q = [0.0, bad, 0], [bad, *zeros[1:]]
        refused({
            "setGravity": lambda: simulator.setGravity(p), "setSimStep": lambda: simulator.setSimStep(bad), "simulate": lambda: simulator.simulate(bad),
            "setSetting": lambda: simulator.setSetting("gravity", f"0 0 {bad}"), "setTransform": lambda: body.setTransform(TURN, p),
            "setObjectTransform": lambda: body.setObjectTransform(TURN, p), "setVelocity": lambda: body.setVelocity(p, ORIGIN),
            "setObjectVelocity": lambda: body.setObjectVelocity(ORIGIN, p), "applyWrench": lambda: body.applyWrench(p, ORIGIN),
            "applyForceAtPoint": lambda: body.applyForceAtPoint(ORIGIN, p), "padding": lambda: body.setCollisionPadding(bad),
            "setMilestone": lambda: controller.setMilestone(q), "velocity of a milestone": lambda: controller.setMilestone(zeros, q),
            "addMilestoneLinear": lambda: controller.addMilestoneLinear(q), "setLinear": lambda: controller.setLinear(zeros, math.nan),
            "setCubic": lambda: controller.setCubic(zeros, q, 1), "setVelocity of the robot": lambda: controller.setVelocity(q, 1),
            "time of a velocity": lambda: controller.setVelocity(zeros, bad), "setTorque": lambda: controller.setTorque(q),
            "setPIDCommand": lambda: controller.setPIDCommand(q, zeros), "its velocities": lambda: controller.setPIDCommand(zeros, q),
            "its torques": lambda: controller.setPIDCommand(zeros, zeros, q), "setPIDGains": lambda: controller.setPIDGains(q, zeros, zeros),
            "friction of a joint": lambda: joint.setFriction(bad), "axis of a joint": lambda: klampt.SimJoint().makeHinge(body, ORIGIN, p),
            "point of a joint": lambda: klampt.SimJoint().makeHinge(body, p, [0, 0, 1])})
    refused({"gains below 0": lambda: controller.setPIDGains([-1.0, *zeros[1:]], zeros, zeros), "step 0": lambda: simulator.setSimStep(0),
             "step below 0": lambda: simulator.setSimStep(-0.01), "limits": lambda: joint.setLimits(math.nan, 1),
             "limits the wrong way round": lambda: joint.setLimits(1, -1), "friction below 0": lambda: joint.setFriction(-1),
             "two numbers of gravity": lambda: simulator.setGravity([0, -9.8]),
             "contacts without end": lambda: simulator.setSetting("maxContacts", "1e300"),
             "error reduction": lambda: simulator.setSetting("errorReductionParameter", "2")})
    for R in NO_ROTATIONS:
        refused({"setTransform": lambda: body.setTransform(R, ORIGIN), "setObjectTransform": lambda: body.setObjectTransform(R, ORIGIN)})
    for name in ("kFriction", "kRestitution", "kStiffness", "kDamping"):
        surface = body.getSurface()
        setattr(surface, name, -1.0)
        refused({name: lambda: body.setSurface(surface)})
    assert before == (body.getTransform(), body.getVelocity(), simulator.getSetting("gravity"), simulator.getSetting("simStep"),
                      controller.getPIDGains())
    simulator.simulate(0.02)
    assert np.isfinite(simulator.getActualConfig(0)).all()


def test_goals_of_inverse_kinematics(world):
    robot = world.robot(0)
    solver = klampt.IKSolver(robot)
    goal = klampt.IKObjective()
    for bad in NONE:
        p = [bad, 0, 0]
        refused({"setFixedPoint": lambda: goal.setFixedPoint(2, p, ORIGIN), "its target": lambda: goal.setFixedPoint(2, ORIGIN, p),
                 "setFixedTransform": lambda: goal.setFixedTransform(2, TURN, p), "setAxialRotConstraint": lambda: goal.setAxialRotConstraint(p, [1, 0, 0]),
                 "its target axis": lambda: goal.setAxialRotConstraint([1, 0, 0], p), "setBiasConfig": lambda: solver.setBiasConfig(p)})
    for R in NO_ROTATIONS:
        refused({"setFixedTransform": lambda: goal.setFixedTransform(2, R, ORIGIN), "setFixedRotConstraint": lambda: goal.setFixedRotConstraint(R)})
    refused({"tolerance": lambda: solver.setTolerance(-1), "no tolerance": lambda: solver.setTolerance(math.nan),
             "limits": lambda: solver.setJointLimits([math.nan], [1.0])})
    assert solver.getTolerance() >= 0


def test_wrong_types_are_one_sentence(world):
    """What stands behind `klampt` says what the caller called, not what C++ would have taken."""
    robot, thing, geometry = world.robot(0), world.rigidObject(0), world.rigidObject(0).geometry()
    link, controller, body = robot.link(2), klampt.Simulator(world).controller(0), klampt.Simulator(world).body(thing)
    goal, n = klampt.IKObjective(), robot.numLinks()
    numbers = {
        "setConfig": robot.setConfig, "setVelocity": robot.setVelocity, "setVelocityLimits": robot.setVelocityLimits,
        "setAccelerationLimits": robot.setAccelerationLimits, "setTorqueLimits": robot.setTorqueLimits,
        "getGravityForces": robot.getGravityForces, "torquesFromAccel": robot.torquesFromAccel,
        "accelFromTorques": robot.accelFromTorques, "configToDrivers": robot.configToDrivers,
        "velocityToDrivers": robot.velocityToDrivers, "configFromDrivers": robot.configFromDrivers,
        "velocityFromDrivers": robot.velocityFromDrivers, "setAxis": link.setAxis, "getWorldPosition": link.getWorldPosition,
        "getWorldDirection": link.getWorldDirection, "getLocalPosition": link.getLocalPosition,
        "getLocalDirection": link.getLocalDirection, "getPointVelocity": link.getPointVelocity, "getJacobian": link.getJacobian,
        "getPositionJacobian": link.getPositionJacobian, "getPositionHessian": link.getPositionHessian,
        "getAcceleration": link.getAcceleration, "getAngularAcceleration": link.getAngularAcceleration,
        "setMilestone": controller.setMilestone, "addMilestone": controller.addMilestone,
        "addMilestoneLinear": controller.addMilestoneLinear, "setTorque": controller.setTorque,
        "setLinear": lambda x: controller.setLinear(x, 1), "setCubic": lambda x: controller.setCubic(x, [0.0] * n, 1),
        "setPIDCommand": lambda x: controller.setPIDCommand(x, [0.0] * n), "setPIDGains": lambda x: controller.setPIDGains(x, x, x),
        "setTransform": lambda x: thing.setTransform(TURN, x), "setParentTransform": lambda x: link.setParentTransform(x, ORIGIN),
        "setObjectTransform": lambda x: body.setObjectTransform(x, ORIGIN), "setObjectVelocity": lambda x: body.setObjectVelocity(x, ORIGIN),
        "setCurrentTransform": lambda x: geometry.setCurrentTransform(x, ORIGIN), "rotate": geometry.rotate, "translate": geometry.translate,
        "setFixedRotConstraint": goal.setFixedRotConstraint, "interpolate": lambda x: robot.interpolate(x, x, 0.5),
        "distance": lambda x: robot.distance(x, x), "interpolateDeriv": lambda x: robot.interpolateDeriv(x, x)}
    texts = {"setName of a robot": robot.setName, "setName of a link": link.setName, "makeRobot": world.makeRobot,
             "makeRigidObject": world.makeRigidObject, "makeTerrain": world.makeTerrain, "convert": geometry.convert}
    assert len(numbers) + len(texts) >= 45
    for wanted, calls, wrong in (("numbers", numbers, (None, "x", object(), {"a": 1}, 3, [None], ["a", 1], [1, {}], int, world)),
                                 ("a text", texts, (None, 3, [1], object()))):
        for name, call in calls.items():
            for bad in wrong:
                with pytest.raises((TypeError, ValueError, RuntimeError)) as caught:
                    call(bad)
                text = str(caught.value)
                assert text and "incompatible" not in text and "Invoked" not in text and "arg0" not in text, (name, bad, text)
                if caught.type is TypeError and "numpy" not in text:
                    assert wanted in text or "expected" in text, (name, bad, text)
    with pytest.raises(TypeError, match=r"^setMilestone\(\): expected a list of numbers, found None$"):
        controller.setMilestone(None)
    with pytest.raises(TypeError, match=r"^setConfig\(\): expected a list of numbers, found 'a' at index 1$"):
        robot.setConfig([0, "a"])
