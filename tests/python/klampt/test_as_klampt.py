"""What was found to differ from the real Klamp't 0.10.1; numbers are what that gives."""

import math

import numpy as np
import pytest

from conftest import needs_robotsim

pytestmark = needs_robotsim

ARM = """links "a" "b" "c"
parents -1 0 1
jointtype r r r
axis 0 1 0  0 1 0  0 1 0
TParent 1 0 0 0 1 0 0 0 1 0 0 0
        1 0 0 0 1 0 0 0 1 1 0 0
        1 0 0 0 1 0 0 0 1 1 0 0
qMin -3 -3 -2
qMax 3 3 -1
q 0.3 0.2 -1.5
mass 1 2 3
com 0.5 0 0  0.5 0.1 0  0.4 0 0.2
inertia 0.1 0 0 0 0.2 0 0 0 0.3  0.1 0 0 0 0.2 0 0 0 0.3  0.1 0 0 0 0.2 0 0 0 0.3
joint normal 0
joint normal 1
joint spin 2
"""
BASE = """links "x" "y" "z" "rest"
parents -1 0 1 2
jointtype p p r r
axis 1 0 0  0 1 0  0 0 1  0 0 1
TParent 1 0 0 0 1 0 0 0 1 0 0 0
        1 0 0 0 1 0 0 0 1 0 0 0
        1 0 0 0 1 0 0 0 1 0 0 0
        1 0 0 0 1 0 0 0 1 1 0 0
mass 1 1 1 1
joint floatingplanar 2 -1
joint normal 3
qMin -9 -9 -9 1
qMax 9 9 9 1
driver translation 0 2
driver normal 3
"""


def load(tmp_path, text):
    import klampt
    path = tmp_path / "robot.rob"
    path.write_text(text.replace("TParent", "TParent ").replace("\n        ", " "))
    world = klampt.WorldModel()
    world.loadRobot(str(path))
    return world, world.robot(0)


def test_inertias_are_about_the_center_of_mass(tmp_path):
    _, robot = load(tmp_path, ARM)
    mass = robot.link(1).getMass()
    assert mass.getInertia() == pytest.approx([0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3])
    before = np.asarray(robot.getMassMatrix())
    robot.link(1).setMass(mass)
    assert np.asarray(robot.getMassMatrix()) == pytest.approx(before, abs=1e-12)
    mass.setInertia([1, 2, 3])
    assert mass.getInertia() == [1, 2, 3]
    robot.link(1).setMass(mass)
    assert robot.link(1).getMass().getInertia() == pytest.approx([1, 0, 0, 0, 2, 0, 0, 0, 3])


def test_robots_without_sensors_have_those_of_joints(tmp_path):
    import klampt
    world, robot = load(tmp_path, ARM)
    assert [(s.getName(), s.getType()) for s in robot.sensors] == [("q", "JointPositionSensor"), ("dq", "JointVelocitySensor")]
    robot.setConfig([0.1, 0.2, -1.5])
    robot.sensor("q").kinematicSimulate(world, 0.01)
    assert list(robot.sensor("q").getMeasurements()) == pytest.approx([0.1, 0.2, -1.5])
    assert klampt.Simulator(world).controller(0).numSensors() == 2
    path = tmp_path / "saved.rob"
    assert robot.saveFile(str(path)) is not False
    assert "sensors" not in path.read_text()


def test_a_driver_of_a_base_sets_one_velocity(tmp_path):
    _, robot = load(tmp_path, BASE)
    robot.setVelocity([0, 0, 0.5, 0])
    robot.driver(0).setVelocity(1)
    assert robot.getVelocity() == [1, 0, 0.5, 0]


def test_links_without_a_way_to_move_are_not_active(tmp_path):
    import klampt
    _, robot = load(tmp_path, BASE)
    solver, goal = klampt.IKSolver(robot), klampt.IKObjective()
    goal.setFixedPoint(3, [0, 0, 0], [1, 1, 0])
    solver.add(goal)
    assert solver.getActiveDofs() == [0, 1, 2]


def test_planes_of_goals(tmp_path):
    import klampt
    _, robot = load(tmp_path, ARM)
    goal, solver = klampt.IKObjective(), klampt.IKSolver(robot)
    goal.setLinks(2)
    goal.setPlanarPosConstraint([0, 0, 1], [0, 0, 2], 0.7)
    assert goal.getPosition()[1] == pytest.approx([0, 0, 0.35])
    solver.add(goal)
    at = robot.link(2).getWorldPosition([0, 0, 1])
    assert solver.getResidual() == pytest.approx([at[2] - 0.35])


def test_axes_of_goals(tmp_path):
    """|u.a| + 1 - b.a, which is not 0 the wrong way round; its derivative; solutions are the right way round."""
    import klampt
    _, robot = load(tmp_path, ARM)
    robot.setConfig([0.3, 0.2, -1.5])
    link = robot.link(2)
    a, b = [0.6, 0.0, 0.8], [0.48, 0.6, 0.64]
    goal, solver = klampt.IKObjective(), klampt.IKSolver(robot)
    goal.setLinks(2)
    goal.setAxialRotConstraint(a, b)
    solver.add(goal)
    axis, k = np.array(link.getWorldDirection(a)), 1 / (1 + b[0])
    u, v = [-b[1], 1 - k * b[1] ** 2, -k * b[1] * b[2]], [-b[2], -k * b[1] * b[2], 1 - k * b[2] ** 2]
    assert solver.getResidual() == pytest.approx([abs(np.dot(x, axis)) + 1 - np.dot(b, axis) for x in (u, v)])
    q, h = np.array(robot.getConfig()), 1e-6
    J = np.asarray(solver.getJacobian())
    for i in range(3):
        values = []
        for s in (1, -1):
            robot.setConfig(list(q + s * h * np.eye(3)[i]))
            values.append(np.array(solver.getResidual()))
        assert J[:, i] == pytest.approx((values[0] - values[1]) / (2 * h), abs=1e-6)
    wrong = klampt.IKSolver(robot)
    robot.setConfig([0.3, 0.2, -1.5])
    goal.setAxialRotConstraint(a, [-x for x in link.getWorldDirection(a)])
    wrong.add(goal)
    assert not wrong.isSolved()
    wrong.setActiveDofs([0, 1])
    wrong.setJointLimits([], [])
    robot.setConfig([0.4, 0.2, -1.5])
    if wrong.solve():
        assert np.dot(link.getWorldDirection(a), goal.getRotationAxis()[1]) > 0.99
    assert wrong.solve() == wrong.isSolved()


def test_turning_joints_come_back_within_their_limits(tmp_path):
    import klampt
    _, robot = load(tmp_path, ARM)
    robot.setConfig([0.1, 0.1, -1.2])
    target = robot.link(2).getWorldPosition([1, 0, 0])
    robot.setConfig([0.3, 0.3, -1.4])
    goal, solver = klampt.IKObjective(), klampt.IKSolver(robot)
    goal.setFixedPoint(2, [1, 0, 0], target)
    solver.add(goal)
    assert solver.solve()
    assert -2 <= robot.getConfig()[2] <= -1


def test_views_of_heightmaps():
    import klampt
    h = klampt.Heightmap()
    h.resize(4, 3)
    h.setSize(2, 3)

    def view():
        v = h.getViewport()
        return [v.w, v.h, v.fx, v.fy, v.cx, v.cy]
    assert view() == pytest.approx([4, 3, 1.5, 2 / 3, 2, 1.5])
    h.setHeights(np.zeros((5, 7), dtype=np.float32))
    assert view() == pytest.approx([5, 7, 1.875, 14 / 9, 2.5, 3.5])
    h.setFOV(1.0, 0.8)
    assert view() == pytest.approx([5, 7, 3.660975443, 7.095667260, 2.5, 3.5])
    h.setIntrinsics(3, 4, 1, 2)
    h.resize(10, 14)
    assert view() == pytest.approx([10, 14, 6, 8, 2, 4])
    image = klampt.Heightmap()
    image.resize(4, 3)
    image.setHeights(np.ones((4, 3), dtype=np.float32))
    image.setIntrinsics(3, 4, 1.5, 1.0)
    vertices = klampt.Geometry3D(image).convert("TriangleMesh").getTriangleMesh().getVertices()
    assert vertices.min(axis=0) == pytest.approx([-1 / 3, -0.125, 1])


def test_slices_of_clouds_are_flat():
    import klampt
    cloud = klampt.PointCloud()
    cloud.setPoints(np.array([[1, 2, 0.1], [3, 4, -0.05], [5, 6, 2]]))
    found = klampt.Geometry3D(cloud).slice([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0], 0.2).getPointCloud().getPoints()
    assert found.tolist() == [[1, 2, 0], [3, 4, 0]]


def test_names_of_ids_and_surfaces_of_new_objects(tmp_path):
    world, robot = load(tmp_path, ARM)
    robot.setName("arm")
    assert world.getName(robot.link(1).getID()) == "arm[b]"
    assert world.getName(robot.getID()) == "arm"
    assert world.makeRigidObject("o").getContactParameters().kRestitution == 0


def test_accelerations_of_hermite_curves():
    from klampt.model.trajectory import HermiteTrajectory
    curve, h = HermiteTrajectory([0, 1, 2.5], [[0, 0, 1, 2], [1, 3, 0, -1], [2, 1, 1, 1]]), 1e-5
    for t in (0.3, 1.7):
        slope = [(b - a) / (2 * h) for a, b in zip(curve.deriv(t - h), curve.deriv(t + h))]
        assert curve.eval_accel(t) == pytest.approx(slope, abs=1e-6)
    assert curve.eval_accel(-1) == [0, 0]


def test_what_a_plane_leaves():
    from klampt.model.geometry import PlaneFitter
    points = np.array([[0, 0, 1], [1, 0, -1], [0, 1, -1], [1, 1, 1], [0.5, 0.5, 0]])
    fit = PlaneFitter(points)
    assert fit.sse == pytest.approx(sum(fit.distance(p) ** 2 for p in points))
    assert fit.goodness_of_fit() == pytest.approx(math.sqrt(fit.sse / 2))
    assert PlaneFitter(points[:3]).goodness_of_fit() == float("inf")
