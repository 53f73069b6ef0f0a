"""Planning while a robot moves, from Python."""

import mortise
import numpy as np
import pytest


@pytest.fixture(scope="module")
def world(data):
    return mortise.load_world(data / "worlds" / "heron_shelf.xml")


@pytest.fixture(scope="module")
def ends(data):
    """Two places where heron can stay, in bays of the shelf."""
    return [np.array((data / "motions" / f"heron_shelf_{name}.config").read_text().split()[1:], dtype=float)
            for name in ("start", "goal")]


def follow(planner, until, step=0.001):
    """Returns the configuration at every step."""
    rows = []
    while planner.time < until - 1e-9 and not planner.arrived:
        planner.advance(planner.time + step)
        rows.append(planner.q)
    return np.array(rows)


def test_goes_to_targets_and_changes_its_mind(world, ends):
    robot = world.robots[0].robot
    planner = mortise.RealTimePlanner(world, start=ends[0], seed=3)
    assert planner.time == 0 and not planner.reaches and not planner.arrived
    assert np.array_equal(planner.q, ends[0])
    planner.set_target(ends[1])
    rows = [follow(planner, 0.8)]
    moved = np.abs(rows[0][-1] - ends[0]).max()
    assert 0 < moved and not planner.arrived
    planner.set_target(ends[0])
    rows.append(follow(planner, 30))
    assert planner.arrived and planner.reaches
    assert planner.q == pytest.approx(ends[0], abs=1e-5)
    given = planner.response
    assert given["given"] == pytest.approx(0.8, abs=1e-9) and 0 < given["response"] <= given["arrival"]
    assert given["cycles"] >= 1 and given["iterations"] > 0
    # No jumps, and no faster than the robot can.
    speeds = np.abs(np.diff(np.concatenate(rows), axis=0)) / 0.001
    limits = np.minimum(robot.velocity_max, 1e9)
    assert (speeds <= limits * (1 + 1e-6) + 1e-9).all()
    # Nothing that it was collides.
    collider = mortise.WorldCollider(world)
    state = mortise.WorldCollisionState(collider)
    for q in np.concatenate(rows)[::50]:
        state.set_configuration(q)
        assert state.any_collision() is None, q


def test_equal_calls_give_equal_motions(world, ends):
    motions = []
    for seed in (1, 1, 2):
        planner = mortise.planning.RealTimePlanner(world, robot="heron", start=ends[0], seed=seed)
        planner.set_target(ends[1])
        motions.append(follow(planner, 1.5))
    assert np.array_equal(motions[0], motions[1])


def test_without_a_target_it_rests(world, ends):
    planner = mortise.RealTimePlanner(world, start=ends[0])
    planner.set_target(ends[1])
    follow(planner, 0.5)
    planner.set_target(None)
    planner.advance(planner.end_time)
    rest = planner.q
    planner.advance(planner.time + 5)
    assert np.array_equal(planner.q, rest)


def test_says_what_is_wrong(world, ends):
    planner = mortise.RealTimePlanner(world, start=ends[0])
    with pytest.raises(ValueError, match="numbers"):
        planner.set_target([0, 1])
    inside = ends[0].copy()
    inside[:] = 10
    with pytest.raises(mortise.Error, match="cannot stay at the target"):
        planner.set_target(inside)
    planner.advance(1)
    with pytest.raises(ValueError, match="at least 1"):
        planner.advance(0.5)
    for wrong in ({"method": "magic"}, {"margin": -1}, {"split": 0}, {"iterations_per_second": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            mortise.RealTimePlanner(world, start=ends[0], **wrong)
    with pytest.raises(KeyError):
        mortise.RealTimePlanner(world, robot="nobody")
