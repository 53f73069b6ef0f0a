"""Edits of a simulation's world from Python."""

import mortise
import pytest


def test_edits_repeat_and_are_taken_back(data):
    world = mortise.load_world(data / "worlds/blocks.xml")

    def run():
        simulation = mortise.Simulation(world)
        simulation.advance(0.1)
        entries = [simulation.edit(body="ball", mass=2, friction=0.1)]
        entries.append(simulation.edit(add="crate", box=[0.2, 0.2, 0.2], mass=1, position=[1, 1, 2]))
        simulation.advance(0.1)
        return simulation, entries

    first, entries = run()
    second, _ = run()
    assert first.state_hash() == second.state_hash()
    assert entries[0] == {"at": pytest.approx(0.1), "edit": {"body": "ball", "mass": 2.0, "friction": 0.1}}
    assert first.object_pose("crate").p[2] == pytest.approx(2 - 0.5 * 9.8 * 0.01, abs=2e-3)
    assert [list(edit)[0] for edit in first.edits] == ["body", "add"]
    saved, later = first.save(), first.state_hash()
    first.edit(remove="crate")
    with pytest.raises(Exception, match="crate"):
        first.object_pose("crate")
    first.restore(saved)
    assert first.state_hash() == later and len(first.edits) == 2
    first.reset()
    assert first.edits == []


def test_what_cannot_be_says_what_to_do(data):
    simulation = mortise.Simulation(mortise.load_world(data / "worlds/blocks.xml"))
    before = simulation.state_hash()
    for changes, expected in [
        ({"remove": "reacher"}, "only rigid objects can"),
        ({"body": "bal", "mass": 1}, "did you mean 'ball'"),
        ({"body": "ball", "mas": 1}, "did you mean 'mass'"),
        ({"body": "ball"}, "nothing changes"),
    ]:
        with pytest.raises(Exception, match=expected):
            simulation.edit(**changes)
    assert simulation.state_hash() == before
