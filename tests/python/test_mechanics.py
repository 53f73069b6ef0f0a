"""Contacts, equilibrium, grasps and torques, against closed forms."""

import pickle
import random

import mortise
import numpy as np
import pytest

SQUARE = [[x, y, 0, 0, 0, 1, 0.5] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def test_contacts_are_read_in_every_form():
    contact = mortise.LinkContact([1, 2, 3], [0, 0, 2], 0.5, link=3)
    assert contact.n_W[2] == 1 and contact.link == 3 and contact.target == -1
    assert pickle.loads(pickle.dumps(contact)) == contact and "friction=0.5" in repr(contact)
    entry = {"p_WC": [1, 2, 3], "n_W": [0, 0, 1], "friction": 0.5, "link": 3}
    row = [[1, 2, 3, 0, 0, 1, 0.5]]
    cones = [mortise.friction_cones(form, 6) for form in ([contact], [entry], row, np.array(row))]
    assert all(np.array_equal(cones[0], other) for other in cones[1:])
    assert np.allclose(np.linalg.norm(cones[0][0][:, :2], axis=1), 0.5) and np.allclose(cones[0][0][:, 2], 1)
    (link, target, points), = mortise.contact_formation([contact, contact])
    assert (link, target, len(points)) == (3, -1, 2)
    with pytest.raises(ValueError, match="normal has no length"):
        mortise.LinkContact([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="contacts"):
        mortise.friction_cones([[1, 2, 3]])


def test_wrenches():
    W = mortise.wrench_matrix(SQUARE)
    assert W.shape == (6, 12) and np.allclose(W[3:, :3], np.eye(3))
    force = np.array([1.0, 2, 3])
    assert np.allclose(W[:3, :3] @ force, np.cross([-1, -1, 0], force))
    assert np.allclose(mortise.wrench_matrix(SQUARE, about=[-1, -1, 0])[:3, :3], 0)


def test_equilibrium_bears_the_weight():
    result = mortise.equilibrium(SQUARE, [0.5, 0, 1], mass=10)
    assert result and np.allclose(result.forces_W.sum(axis=0), [0, 0, 98])
    moments = np.cross(np.array(SQUARE)[:, :3] - [0.5, 0, 1], result.forces_W).sum(axis=0)
    assert np.allclose(moments, 0, atol=1e-6)
    assert not mortise.equilibrium(SQUARE, [1.01, 0, 1])
    assert mortise.equilibrium(SQUARE, [0, 0, 1], mass=10, force_limit=25)
    assert not mortise.equilibrium(SQUARE, [0, 0, 1], mass=10, force_limit=24)
    assert mortise.equilibrium(SQUARE, [1.01, 0, 1]).forces_W is None
    polygon = mortise.SupportPolygon(SQUARE)
    assert polygon.area == pytest.approx(4) and polygon.bounded and len(polygon.corners) == 4
    assert np.allclose(polygon.margin([[0, 0, 5], [0.75, 0, 0], [2, 0, 0]]), [1, 0.25, -1])
    assert polygon.margin([0.5, 0, 3]) == pytest.approx(0.5) and polygon.contains([0.9, 0.9, 0])
    assert mortise.SupportPolygon([]).empty


def test_polygons_without_end_have_rays():
    pads = [[0, 1, 0, 0, 0, 1, 0], [0, -1, 0, 0, 0, 1, 0], [-1, 1, 0, 0, 0, -1, 0], [-1, -1, 0, 0, 0, -1, 0]]
    polygon = mortise.SupportPolygon(pads)
    assert not polygon.bounded and not polygon.empty and polygon.area == np.inf
    assert np.allclose(polygon.corners, [[0, 1], [0, -1]])
    assert np.allclose(polygon.rays * np.sqrt(5), [[1, -2], [1, 2]])
    planes = polygon.half_planes
    for p in ([5, 6], [4000, 7999], [-0.1, 0], [3, 7.1]):
        assert polygon.contains([*p, 0]) == bool(np.all(planes[:, :2] @ p <= planes[:, 2]))
    assert "2 rays, unbounded" in repr(polygon)
    grasp = [[1, 0, 0, -1, 0, 0, 1], [-1, 0.5, 0, 1, 0, 0, 1], [-1, -0.5, 0, 1, 0, 0, 1]]
    whole = mortise.SupportPolygon(grasp)
    assert whole.half_planes.shape == (0, 3) and whole.corners.shape == (0, 2) and whole.margin([1e6, 0, 0]) == np.inf
    assert mortise.SupportPolygon(SQUARE).rays.shape == (0, 2) and len(mortise.SupportPolygon(SQUARE).half_planes) == 4


def test_slopes_slip_by_their_friction():
    for angle, friction, holds in ((0.2, 0.25, True), (0.2, 0.15, False)):
        n = [np.sin(angle), 0, np.cos(angle)]
        contacts = [[x * np.cos(angle), y, -x * np.sin(angle), *n, friction] for x in (-1, 1) for y in (-1, 1)]
        assert bool(mortise.equilibrium(contacts, [0, 0, 0], cone_edges=0)) == holds


def test_grasps():
    pinch = [[1, 0, 0, 1, 0, 0, 0.5], [-1, 0, 0, -1, 0, 0, 0.5]]
    assert not mortise.force_closure(pinch) and mortise.grasp_quality(pinch).quality == 0
    tripod = [[np.cos(t), np.sin(t), 0, np.cos(t), np.sin(t), 0, 0.5] for t in (0, 2 * np.pi / 3, 4 * np.pi / 3)]
    assert mortise.force_closure(tripod)
    quality = mortise.grasp_quality(tripod)
    assert quality.force_closure and 0 < quality.quality <= quality.upper + 1e-12 and quality.length == pytest.approx(1)
    better = mortise.grasp_quality([row[:6] + [1.0] for row in tripod])
    assert better.quality > quality.quality
    assert mortise.grasp_quality(tripod, budget="each").quality >= quality.quality
    # A pinch of a flat thing with friction 1 exerts forces along x of 1/2 at most, and of 1 across: the sum bounds.
    flat = mortise.grasp_quality(pinch, plane_normal=[0, 0, 1])
    assert flat.force_closure
    with pytest.raises(ValueError, match="budget"):
        mortise.grasp_quality(tripod, budget="some")


def test_torques_of_an_arm_that_leans(data):
    robot = mortise.load_robot(data / "robots" / "heron.urdf")
    q = robot.initial_configuration()
    q[1] += 0.4
    dynamics = mortise.RobotDynamics(robot)
    dynamics.set_state(q, 0 * q)
    free = mortise.contact_torques(robot, q, [])
    assert free.balanced and np.allclose(free.torques, dynamics.gravity_forces())
    state = mortise.RobotState(robot)
    state.set(q)
    tip = robot.num_links - 1
    contact = mortise.LinkContact(state.positions[tip], [0, 0, 1], 0.3, link=tip)
    held = mortise.contact_torques(robot, q, [contact])
    assert held.balanced and held.largest_utilization <= free.largest_utilization + 1e-9
    J = dynamics.position_jacobian(tip)
    assert np.allclose(held.torques, dynamics.gravity_forces() - J.T @ held.forces_W[0], atol=1e-6)
    result = mortise.balance(robot, q, SQUARE)
    assert result.balanced == (result.margin >= 0) and result.com_W.shape == (3,)


def test_contacts_of_worlds(data):
    world = mortise.load_world(data / "worlds" / "humanoid_beam.xml")
    contacts = mortise.world_contacts(world)
    robot = world.robots[0].robot
    assert isinstance(contacts, list)
    for contact in contacts:
        assert 0 <= contact.link < robot.num_links and np.linalg.norm(contact.n_W) == pytest.approx(1)
    if contacts:
        standing = mortise.balance(robot, world.robots[0].q, contacts)
        assert np.isfinite(standing.margin) or not standing.balanced


def test_hostile_arguments_do_not_crash(data):
    rng = random.Random(11)
    robot = mortise.load_robot(data / "robots" / "pole.rob")
    contact = mortise.LinkContact([0, 0, 0], [0, 0, 1], 0.5, link=0)
    beyond = mortise.LinkContact([0, 0, 0], [0, 0, 1], 0.5, link=99)
    with pytest.raises(IndexError, match="link 99"):
        mortise.contact_torques(robot, robot.initial_configuration(), [beyond])
    values = [None, 0, 1, -1, 0.5, float("nan"), float("inf"), "x", [], [contact], [beyond], [contact, None], SQUARE, [[1] * 7], [[float("nan")] * 7],
              np.zeros((0, 7)), np.zeros((2, 7)), {}, [{}], [{"p_WC": 1, "n_W": 2}], object(), robot, robot.initial_configuration(), [0, 0, 1],
              10**30, [{"p_WC": [0, 0, 0], "n_W": [0, 0, 1], "link": 99}]]
    calls = [mortise.friction_cones, mortise.wrench_matrix, mortise.contact_formation, mortise.equilibrium, mortise.SupportPolygon,
             mortise.force_closure, mortise.grasp_quality, mortise.contact_torques, mortise.balance, mortise.world_contacts, mortise.LinkContact]
    allowed = (TypeError, ValueError, IndexError, KeyError, OverflowError, mortise.Error)
    for _ in range(10000):
        try:
            calls[rng.randrange(len(calls))](*[values[rng.randrange(len(values))] for _ in range(rng.randrange(5))])
        except allowed as error:
            assert str(error)


def test_contacts_of_a_world_can_be_used_at_once(reference):
    """Rotations in files have few digits; the normals of what they turn have length 1 all the same."""
    world = mortise.load_world(reference / "klampt-data" / "hubo_plane.xml")
    robot = world.robots[0]
    contacts = mortise.world_contacts(world, touch=0.05)
    assert max(abs(np.linalg.norm(contact.n_W) - 1) for contact in contacts) < 1e-12
    assert mortise.contact_torques(robot.robot, robot.q, contacts).torques.shape == (robot.robot.num_links,)
