"""Robots, their states and their dynamics: views of memory, batches, closed forms, errors."""

import copy
import gc
import math
import pickle

import mortise
import numpy as np
import pytest


@pytest.fixture(scope="module")
def robot(data):
    return mortise.load_robot(data / "robots" / "heron.urdf")


def test_robot_says_what_it_is(robot):
    assert repr(robot) == f"Robot('heron', {robot.num_links} links, {robot.num_drivers} drivers)"
    assert len(robot) == len(robot.links) == robot.num_links
    assert robot.link("shoulder").index == robot.find_link("shoulder")
    assert robot.link(1).name == robot.links[1].name
    assert robot.find_link("nothing") == -1
    assert type(robot).__module__ == "mortise"


def test_unknown_links_are_named(robot):
    with pytest.raises(KeyError, match="shoulder"):
        robot.link("sholder")
    with pytest.raises(IndexError, match="out of range"):
        robot.link(99)
    with pytest.raises(TypeError, match="index or a name"):
        robot.link(None)


def test_limits_cannot_be_written(robot):
    with pytest.raises(ValueError):
        robot.q_min[0] = 1
    with pytest.raises(ValueError):
        mortise.RobotState(robot).positions[0, 0] = 1


def test_state_views_share_memory_and_keep_it(robot):
    state = mortise.RobotState(robot)
    q = state.q
    assert q is state.q and not q.flags.owndata and q.flags.writeable
    q[1] = 0.25
    assert state.q[1] == 0.25
    positions, rotations = state.positions, state.rotations
    assert positions.strides == (96, 8) and rotations.strides == (96, 8, 24)
    state.update()
    before = positions.copy()
    del state
    gc.collect()
    assert np.array_equal(positions, before)
    q[:] = 7


def test_frames_follow(robot):
    state = mortise.RobotState(robot)
    q = np.linspace(-0.5, 0.5, len(robot))
    state.set(q)
    for link in robot.links:
        X = state.transform(link.index)
        assert np.array_equal(X.p, state.positions[link.index])
        assert np.array_equal(X.R, state.rotations[link.index])
        parent = state.transform(link.parent) if link.parent >= 0 else mortise.RigidTransform()
        relative = parent.inverse() @ X
        if not link.prismatic:
            turned = mortise.rotation_about_axis(link.axis, q[link.index])
            assert np.allclose(relative.R, link.X_PL0.R @ turned, atol=1e-12)


def test_assigning_copies(robot):
    state = mortise.RobotState(robot)
    q = state.q
    state.q = list(range(len(robot)))
    assert q[2] == 2
    state.q = state.q[::-1]
    assert q[0] == len(robot) - 1
    with pytest.raises(ValueError, match=rf"q: expected {len(robot)} numbers"):
        state.q = [1, 2]
    with pytest.raises(TypeError):
        state.q = None
    with pytest.raises(TypeError, match="numbers"):
        state.set(["a"] * len(robot))


def test_two_link_arm_by_hand(data):
    robot = mortise.load_robot(data / "robots" / "pole.rob")
    dynamics = mortise.RobotDynamics(robot)
    q = np.linspace(0.1, 0.4, len(robot))
    dq = np.linspace(-1, 1, len(robot))
    ddq = np.linspace(2, 1, len(robot))
    dynamics.set_state(q, dq)
    tau = dynamics.inverse_dynamics(ddq)
    whole = dynamics.mass_matrix() @ ddq + dynamics.coriolis_forces() + dynamics.gravity_forces()
    assert np.allclose(tau, whole, atol=1e-9)
    assert np.allclose(dynamics.forward_dynamics(tau), ddq, atol=1e-8)
    assert math.isclose(dynamics.kinetic_energy(), 0.5 * dq @ dynamics.mass_matrix() @ dq, abs_tol=1e-9)


def test_jacobian_is_the_derivative(robot):
    dynamics = mortise.RobotDynamics(robot)
    state = mortise.RobotState(robot)
    q = np.linspace(-0.3, 0.6, len(robot))
    point = np.array([0.1, -0.05, 0.2])
    tip = len(robot) - 1
    dynamics.set_position(q)
    J = dynamics.jacobian(tip, point)
    step = 1e-6
    for i in range(len(robot)):
        e = np.zeros(len(robot))
        e[i] = step
        state.set(q + e)
        plus = state.point(tip, point)
        state.set(q - e)
        assert np.allclose((plus - state.point(tip, point)) / (2 * step), J[3:, i], atol=1e-7)


def test_results_go_where_they_are_asked_for(robot):
    dynamics = mortise.RobotDynamics(robot)
    n = len(robot)
    for order in "FC":
        out = np.zeros((6, n), order=order)
        assert dynamics.jacobian(n - 1, out=out) is out
        assert np.array_equal(out, dynamics.jacobian(n - 1))
    strided = np.zeros((12, 2 * n))[::2, ::2]
    dynamics.jacobian(n - 1, None, strided)
    assert np.array_equal(strided, dynamics.jacobian(n - 1))
    with pytest.raises(ValueError, match="out: expected .*float64"):
        dynamics.jacobian(n - 1, out=np.zeros((6, n), dtype=np.float32))
    with pytest.raises(ValueError, match=r"\(6, "):
        dynamics.jacobian(n - 1, out=np.zeros((5, n)))
    frozen = np.zeros((6, n))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        dynamics.jacobian(n - 1, out=frozen)


def test_batches_equal_single_calls(robot):
    n = len(robot)
    random = np.random.default_rng(1)
    q, dq, x = random.uniform(-1, 1, (3, 50, n))
    state, dynamics = mortise.RobotState(robot), mortise.RobotDynamics(robot)
    for threads in (1, 3):
        frames = mortise.forward_kinematics(robot, q, threads=threads)
        jacobians = mortise.jacobians(robot, q, n - 1, [0, 0, 0.1], threads=threads)
        torques = mortise.inverse_dynamics(robot, q, dq, x, threads=threads)
        accelerations = mortise.forward_dynamics(robot, q, dq, x, threads=threads)
        for i in range(50):
            state.set(q[i])
            dynamics.set_state(q[i], dq[i])
            assert np.array_equal(frames[i, :, 9:], state.positions)
            assert np.array_equal(frames[i, :, :9].reshape(n, 3, 3), state.rotations)
            assert np.array_equal(jacobians[i], dynamics.jacobian(n - 1, [0, 0, 0.1]))
            assert np.array_equal(torques[i], dynamics.inverse_dynamics(x[i]))
            assert np.array_equal(accelerations[i], dynamics.forward_dynamics(x[i]))
    with pytest.raises(ValueError, match="rows of shape"):
        mortise.forward_kinematics(robot, np.zeros((2, n + 1)))
    assert mortise.forward_kinematics(robot, np.zeros((0, n))).shape == (0, n, 12)


def test_drivers_and_configurations(robot):
    values = np.linspace(-0.2, 0.2, robot.num_drivers)
    q = robot.configuration_from_drivers(values)
    assert np.allclose(robot.driver_values(q), values)


def test_values_are_pickled():
    X = mortise.RigidTransform(mortise.rotation_from_moment([0.1, 0.2, 0.3]), [1, 2, 3])
    body = mortise.BodyInertia(2, [0, 0, 1], np.eye(3))
    motion = mortise.Trajectory([0, 1, 2], np.arange(6).reshape(3, 2))
    cubic = mortise.HermiteTrajectory([0, 1], np.eye(2), np.eye(2))
    for value in (X, body, motion, cubic):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value


def test_transforms():
    X = mortise.RigidTransform(mortise.rotation_from_moment([0, 0, math.pi / 2]), [1, 0, 0])
    assert np.allclose(X.apply([1, 0, 0]), [1, 1, 0])
    assert np.allclose(X.apply(np.eye(3))[1], [0, 0, 0])
    for points in (np.array([1.0, 0, 0]), [1, 0, 0], np.eye(3), np.zeros((0, 3)), np.asfortranarray(np.eye(3))[::2]):
        assert np.array_equal(X * points, X.apply(points)) and np.array_equal(X @ points, X.apply(points))
    with pytest.raises(TypeError):
        X * 2.0
    with pytest.raises(ValueError, match="points"):
        X * np.zeros(4)
    assert np.allclose((X @ X.inverse()).matrix(), np.eye(4))
    assert mortise.RigidTransform.from_matrix(X.matrix()) == X
    assert mortise.RigidTransform.from_rows(X.rows()) == X
    with pytest.raises(ValueError, match=r"R: expected a 3 x 3 matrix, found an array of shape \(2, 2\)"):
        mortise.RigidTransform(np.eye(2))


def test_errors_say_where(tmp_path, robot):
    broken = tmp_path / "broken.rob"
    broken.write_text("links \"a\"\nparents -1\nTParent 1 0 0  0 1 0  0 0 1  0 0 zero\n")
    with pytest.raises(mortise.Error) as raised:
        mortise.load_robot(broken)
    error = raised.value
    assert isinstance(error, RuntimeError)
    assert "broken.rob" in str(error) and error.file.endswith("broken.rob") and error.line > 0
    with pytest.raises(mortise.Error, match="tried"):
        mortise.load_robot(tmp_path / "nothing.urdf")
    with pytest.raises(TypeError):
        mortise.load_robot(None)
    with pytest.raises(ValueError):
        mortise.load_robot("a\0b")


def test_hostile_arguments_raise(robot):
    """Wrong sizes, types, strides and dead things: an exception that names the argument, never a crash."""
    random = np.random.default_rng(3)
    n = len(robot)
    state, dynamics = mortise.RobotState(robot), mortise.RobotDynamics(robot)
    values = [None, 1, -1, 1e300, float("nan"), "text", b"bytes", [], (), {}, object(), [None] * n, [1j] * n, [[1]] * n,
              np.zeros(n, dtype=np.float32), np.zeros(n, dtype=complex), np.zeros((n, 1)), np.zeros((2, n))[::-1],
              np.array(["a"] * n), np.zeros(0), np.zeros(2 * n)[::2], robot, state, range(n), np.float64(3), 10**400,
              np.full(n, np.nan), np.zeros(n, dtype=">f8"), "shoulder", n - 1, True]
    calls = [state.set, dynamics.set_position, dynamics.set_state, dynamics.jacobian, robot.link, state.transform, state.point,
             dynamics.inverse_dynamics, dynamics.mass_matrix, mortise.RigidTransform, mortise.RobotState, mortise.Trajectory,
             lambda *a: mortise.forward_kinematics(robot, *a), lambda *a: mortise.jacobians(robot, *a), mortise.load_robot,
             robot.driver_values, robot.configuration_from_drivers, mortise.rotation_about_axis, mortise.BodyInertia,
             mortise.Simulation, mortise.component, mortise.rotation_from_moment]
    allowed = (TypeError, ValueError, IndexError, KeyError, RuntimeError, OverflowError)
    for _ in range(4000):
        call = calls[random.integers(len(calls))]
        arguments = [values[random.integers(len(values))] for _ in range(random.integers(0, 5))]
        try:
            call(*arguments)
        except allowed as error:
            assert str(error)


def test_objects_die_in_any_order(robot):
    random = np.random.default_rng(5)
    alive = []
    for _ in range(20000):
        kind = random.integers(4)
        if kind == 0 or not alive:
            alive.append(mortise.RobotState(robot))
        elif kind == 1:
            thing = alive[random.integers(len(alive))]
            if isinstance(thing, mortise.RobotState):
                alive.append([thing.q, thing.dq, thing.positions, thing.rotations][random.integers(4)])
        elif kind == 2:
            alive.pop(random.integers(len(alive)))
        else:
            thing = alive[random.integers(len(alive))]
            if isinstance(thing, np.ndarray):
                thing.sum()
                if thing.flags.writeable:
                    thing[:] = 1
            else:
                thing.update()


def test_uninitialized_objects_raise(robot):
    class Forgetful(mortise.RobotState):
        def __init__(self):
            pass

    with pytest.raises(TypeError):
        Forgetful()
    with pytest.raises(TypeError):
        mortise.RobotState.__new__(mortise.RobotState).q
