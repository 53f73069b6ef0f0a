"""Cartesian queries and commands of klampt.control against Klamp't's own Python files, robot by robot."""

import json
import pathlib

import pytest

import control_probe
from conftest import needs_robotsim, reference, run

pytestmark = needs_robotsim


@pytest.fixture(scope="module")
def robots():
    folder = reference() / "klampt-data" / "robots"
    if not folder.is_dir():
        pytest.skip("Klamp't's robots are not in the reference folder")
    files = sorted([*folder.glob("*.rob"), *folder.glob("*.urdf")])
    return [str(f) for f in files if f.stat().st_size > 0 and f.name != "blank.rob"]


@pytest.fixture(scope="module")
def both(over, robots, tmp_path_factory):
    """Records by robot: Klamp't's files and ours on one robotsim."""
    folder = tmp_path_factory.mktemp("control")
    done = run(over, str(pathlib.Path(control_probe.__file__)), str(folder / "layer.json"), *robots)
    assert done.returncode == 0, done.stderr[-3000:]
    control_probe.main(str(folder / "own.json"), *robots)
    read = [[json.loads(line) for line in (folder / name).read_text().splitlines()] for name in ("layer.json", "own.json")]
    return [(a, b) for a, b in zip(*read) if "left out" not in b]


def off(record, kind):
    part = slice(9, 12) if "point" in kind else slice(0, 12)
    return max(abs(a - b) for a, b in zip(record[kind][part], record["target"][part]))


def test_queries_are_the_same_in_every_frame(both):
    assert len(both) >= 30
    for theirs, own in both:
        assert own["link"] == theirs["link"]
        for key, value in theirs.items():
            if key.partition(" ")[2] in control_probe.FRAMES:
                assert own[key] == pytest.approx(value, rel=1e-9, abs=1e-9), (own["robot"], key)


def test_commands_bring_the_tool_where_theirs_do_or_nearer(both):
    moved = 0
    for theirs, own in both:
        if not own["stands"] or "target" not in own:
            continue
        for kind in ("set pose", "set point", "move pose", "linear pose"):
            assert not isinstance(own[kind], str), (own["robot"], kind, own[kind])
            if isinstance(theirs.get(kind), list):
                assert off(own, kind) <= max(off(theirs, kind), 1e-3) + 1e-3, (own["robot"], kind)
                moved += 1
            # The target is 0.05 away at most: nothing turns by whole turns on the way.
            assert max(map(abs, own[kind + " q"])) < 2, (own["robot"], kind)
        if isinstance(theirs.get("velocity"), list):
            assert own["velocity"][9:] == pytest.approx(theirs["velocity"][9:], abs=1e-3), own["robot"]
    assert moved >= 20
