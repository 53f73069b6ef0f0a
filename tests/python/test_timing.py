"""Times for paths, ramps and splines, against closed forms."""

import random

import mortise
import numpy as np
import pytest


def test_ramps_are_closed_forms():
    ramp = mortise.shortest_ramp(0, 1, velocity_max=1, acceleration_max=1)
    assert ramp.duration == pytest.approx(2) and ramp.accelerations == (1, -1)
    x, dx, ddx = ramp.evaluate([0, 1, 2])
    assert np.allclose(x, [0, 0.5, 1]) and np.allclose(dx, [0, 1, 0])
    slow = mortise.shortest_ramp(0, 3, velocity_max=1, acceleration_max=1)
    assert slow.duration == pytest.approx(4) and slow.cruise_velocity == pytest.approx(1)
    assert mortise.ramp_of_time(0, 1, 4, velocity_max=1, acceleration_max=1).duration == 4
    assert mortise.shortest_ramp(0, 1, velocity_max=0, acceleration_max=1) is None
    assert mortise.minimum_time([0, 0], [1, 3], velocity_max=1, acceleration_max=1) == pytest.approx(4)
    assert mortise.minimum_time([0], [1], velocity_max=0, acceleration_max=1) == np.inf
    assert mortise.minimum_time(0, 3, velocity_max=1, acceleration_max=1) == slow.duration
    assert ramp.range() == (0, 1)
    x, dx, ddx = ramp.evaluate(0.5)
    assert x == pytest.approx(0.125) and dx == pytest.approx(0.5) and ddx == 1


def test_paths_keep_to_limits():
    path = np.random.default_rng(2).uniform(-1, 1, (6, 3))
    v, a = [1, 2, 3], [4, 3, 2]
    durations = {}
    for method in ("parabolic", "blend", "smooth"):
        motion = mortise.time_path(path, v, a, method=method)
        speed, force = mortise.bound_usage(motion, v, a)
        assert speed <= 1 + 1e-6 and force <= 1 + 1e-6 and max(speed, force) > 0.9
        assert np.allclose(motion.evaluate(motion.end_time)[0], path[-1])
        durations[method] = motion.duration
    assert durations["blend"] < durations["parabolic"]
    line = mortise.time_path([[0.0], [3.0]], 1, 1)
    assert line.duration == pytest.approx(4, rel=1e-6)
    assert mortise.time_path([[0.0], [3.0]], 1, method="linear").duration == pytest.approx(3)
    jerky = mortise.time_path([[0.0], [3.0]], 1, 1, jerk_max=2)
    assert 4 < jerky.duration < 5
    times = np.linspace(0, jerky.duration, 2000)
    _, dq = jerky.evaluate(times)
    assert np.abs(np.diff(dq[:, 0], 2)).max() / (times[1] ** 2) <= 2.01


def test_robots_are_retimed(data):
    robot = mortise.load_robot(data / "robots" / "heron.urdf")
    rng = np.random.default_rng(1)
    start = robot.initial_configuration()
    path = [start]
    for _ in range(4):
        step = np.where(np.isfinite(robot.velocity_max) & (robot.velocity_max > 0), rng.uniform(-0.3, 0.3, robot.num_links), 0)
        path.append(np.clip(path[-1] + step, robot.q_min, robot.q_max))
    # Links that no driver moves stay.
    free = np.zeros(robot.num_links, dtype=bool)
    free[[d.links[0] for d in robot.drivers]] = True
    path = np.where(free, np.array(path), start)
    plain = mortise.retime(robot, path)
    assert plain.duration > 0 and plain.peak_velocity <= 1 + 1e-6 and plain.peak_acceleration <= 1 + 1e-6
    assert np.allclose(plain.motion.evaluate(plain.duration)[0], path[-1], atol=1e-6)
    slow = mortise.retime(robot, path, velocity_scaling=0.5, acceleration_scaling=0.25)
    assert slow.duration == pytest.approx(2 * plain.duration, rel=0.02)
    strong = mortise.retime(robot, path, torque=True)
    assert strong.duration >= plain.duration * (1 - 1e-6) and strong.peak_torque <= 1 + 1e-3
    smooth = mortise.retime(robot, path, jerk=50)
    assert smooth.duration > plain.duration and smooth.peak_jerk <= 1
    with pytest.raises(ValueError, match="path"):
        mortise.retime(robot, [[1, 2], [3, 4]])
    with pytest.raises(TypeError, match="no argument 'velocty'"):
        mortise.retime(robot, path, velocty=1)


def test_splines_go_through_their_points():
    angles = np.linspace(0, np.pi, 20)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    (curve,) = mortise.smooth_curve(circle)
    assert np.allclose(curve.configurations, circle)
    q, dq = curve.evaluate(np.linspace(curve.start_time, curve.end_time, 500))
    assert np.abs(np.linalg.norm(q, axis=1) - 1).max() < 1e-3
    assert len(mortise.smooth_curve([[0, 0], [1, 0], [1, 1]])) == 2
    motion = mortise.HermiteTrajectory([0, 1], [[0.0], [1.0]], [[0.0], [0.0]])
    straight = mortise.sampled(motion, 1e-3)
    times = np.linspace(0, 1, 100)
    assert np.abs(straight.evaluate(times)[0] - motion.evaluate(times)[0]).max() <= 1e-3


def test_hostile_arguments_do_not_crash():
    rng = random.Random(3)
    motion = mortise.HermiteTrajectory([0, 1], [[0.0], [1.0]], [[0.0], [0.0]])
    values = [None, 0, 1, -1, 0.5, float("nan"), float("inf"), "x", [], [1], [1, 2], [[0.0], [1.0]], [[0, 0], [1, 1], [2, 0]], [[float("nan")]],
              np.zeros((0, 2)), np.zeros((2, 2)), {}, object(), motion, "blend", "linear", 10**30, (0, 1)]
    calls = [mortise.time_path, mortise.shortest_ramp, mortise.ramp_of_time, mortise.minimum_time, mortise.bound_usage, mortise.smooth_curve,
             mortise.sampled]
    allowed = (TypeError, ValueError, IndexError, OverflowError, mortise.Error)
    for _ in range(10000):
        try:
            calls[rng.randrange(len(calls))](*[values[rng.randrange(len(values))] for _ in range(rng.randrange(6))])
        except allowed as error:
            assert str(error)
