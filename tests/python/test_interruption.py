"""Ctrl-C, and other signals, end calls that take long, wherever they are."""

import signal
import time

import mortise
import numpy as np
import pytest

TICK = 0.03  # Seconds of processor time, after which the signal comes.


class Enough(Exception):
    pass


def bumps(n):
    i, j = np.meshgrid(np.arange(n), np.arange(n))
    return mortise.Geometry.heightmap(0.3 * np.sin(0.37 * i) * np.cos(0.23 * j), [n / 10, n / 10])


def share(call):
    """The part of a call's processor time that passes until a signal, which comes at once, ends it."""
    began = time.process_time()
    call()
    whole = time.process_time() - began
    if whole < 6 * TICK:
        pytest.skip("the call is too short here to be interrupted")

    def handler(*_):
        raise Enough

    previous = signal.signal(signal.SIGVTALRM, handler)
    try:
        began = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, TICK)
        with pytest.raises(Enough):
            call()
        return (time.process_time() - began) / whole
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def test_preparing_a_shape_can_be_interrupted():
    ground = bumps(250)
    assert share(lambda: mortise.CollisionShape(ground)) < 0.7


def test_preparing_a_simulation_can_be_interrupted(data):
    world = mortise.load_world(data / "worlds" / "blocks.xml").with_new_object(
        "field", bumps(120), mortise.BodyInertia(1, inertia=np.eye(3)), pose=mortise.RigidTransform(p=[0, 0, 5]))
    assert share(lambda: mortise.Simulation(world)) < 0.7
    simulation = mortise.Simulation(world)  # Nothing is left of the interruption.
    simulation.step(2)
    assert simulation.tick == 2


def test_contacts_of_a_world_can_be_interrupted(data):
    world = mortise.load_world(data / "worlds" / "blocks.xml")
    near = world.with_new_object("field", bumps(60), mortise.BodyInertia(1, inertia=np.eye(3)))
    assert share(lambda: mortise.world_contacts(near, touch=10)) < 0.7


def test_an_interruption_leaves_no_trace():
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
        mortise.CollisionShape(bumps(60))
    with pytest.raises(mortise.Error):
        mortise.load_robot("nothing.urdf")
    assert mortise.CollisionShape(bumps(10)).num_elements == 162
