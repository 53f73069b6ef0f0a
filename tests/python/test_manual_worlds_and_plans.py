"""Worlds and plans as Klamp't's manuals write them, through the program."""

import csv
import json
import math
import subprocess

import pytest


def run(program, *words, code=0):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=250)
    assert done.returncode == code, done.stdout + done.stderr
    return done


ROOM = """<world>
  <terrain name="floor" file="floor.geom"/>
  <rigidObject name="box" position="0 0 0.2"><geometry file="box.geom"/><physics mass="1" inertia="0.01 0.01 0.01"/></rigidObject>
  <simulation><globals boundaryLayer="{0}"/></simulation>
</world>
"""


def rest_of_box(program, folder, layer, *words):
    """Returns where a box of 20 cm comes to rest, the warnings, and the settings of the run."""
    (folder / "floor.geom").write_text("AABB -2 -2 -0.1  2 2 0\n")
    (folder / "box.geom").write_text("AABB -0.1 -0.1 -0.1  0.1 0.1 0.1\n")
    (folder / "room.xml").write_text(ROOM.format(layer))
    done = run(program, "sim", folder / "room.xml", "--duration", "2", "--json", *words)
    return json.loads(done.stdout), done.stderr


def test_contacts_without_a_boundary_layer(program, tmp_path):
    """Exact shapes: the box rests on the floor itself, not on a layer of 2.5 mm."""
    padded, _ = rest_of_box(program, tmp_path, 1)
    exact, said = rest_of_box(program, tmp_path, 0, "--strict", "--verbose")

    def height(result):
        return next(o for o in result["objects"] if o["name"] == "box")["T"][11]

    assert height(padded) == pytest.approx(0.1025, abs=2e-4)
    assert height(exact) == pytest.approx(0.1, abs=2e-4)
    assert "boundaryLayer is 0" in said and "exact shapes, without padding" in said
    assert any("exact shapes" in text for text in exact["substitutions"]["padding"])
    again, _ = rest_of_box(program, tmp_path, 0)
    assert again["state_hash"] == exact["state_hash"] != padded["state_hash"]


NAMES = {"Lazy-RRT*": "mortise.LazyRRGStar", "Lazy-PRM*": "mortise.LazyPRMStar", "RRT*": "mortise.RRTStar", "PRM*": "mortise.PRMStar",
         "PRT": "mortise.SBLPRT", "LBT-RRT": "ompl.LazyLBTRRT"}


@pytest.mark.parametrize("name", NAMES)
def test_planners_by_the_names_of_the_manual(program, data, needs_plugin, tmp_path, name):
    if name == "LBT-RRT":
        needs_plugin("planners_ompl")
    done = run(program, "plan", data / "worlds" / "heron_shelf.xml", "--start", data / "motions" / "heron_shelf_start.config",
               "--goal", data / "motions" / "heron_shelf_start.config", "--planner", name, "--iterations", "50", "--json")
    assert json.loads(done.stdout)["planner"] == NAMES[name]


def test_unsolved_problems_say_what_to_use(program, data):
    for name in ("MCR", "minimum constraint removal"):
        done = run(program, "plan", data / "worlds" / "heron_shelf.xml", "--start",
                   data / "motions" / "heron_shelf_start.config", "--goal", data / "motions" / "heron_shelf_goal.config",
                   "--planner", name, code=1)
        assert "no planner for minimum constraint removal" in done.stderr and "`ignore`" in done.stderr


def test_goals_out_of_balance_are_explained(program, data):
    world = data / "worlds" / "humanoid_beam.xml"
    crouch = ["--settings", data / "planning" / "humanoid" / "crouch.yaml", "--json"]
    done = run(program, "plan", world, *crouch, "--balance-margin", "0.2", code=1)
    reason = json.loads(done.stdout)["message"]
    assert "m inside the edge of the support polygon (at least 0.2 m inside is wanted); it balances with a margin of" in reason
    margin = reason.split("with a margin of ")[1].split(" m")[0]
    run(program, "plan", world, *crouch, "--balance-margin", str(0.9 * float(margin)), "--goal",
               data / "planning" / "humanoid" / "stand.config")
    # Far in front of the feet: of the solutions of inverse kinematics, the nearest to balance says what would help.
    done = run(program, "plan", world, *crouch, "--goal-ik", "{link: left_hand, position: [0.6, 0.2, 0.3]}", "--iterations", "300",
               code=1)
    reason = json.loads(done.stdout)["message"]
    assert "nearest to balance: the center of mass is" in reason
    assert "contacts that reach below (" in reason or "it balances with a margin of" in reason


HELD = (1.5, 0.5)
ARM = """TParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 1 0 0  1 0 0 0 1 0 0 0 1 1 0 0
parents -1 0 1
axis 0 0 1  0 0 1  0 0 1
links a b c
mass 1 1 1
qMin -7 -7 -7
qMax 7 7 7
velMax 20 20 20
accMax 200 200 200
torqueMax 1000 1000 1000
servoP 1 1 1
servoD 1 1 1
"""


def reaching(angle):
    """The configuration of three links of 1 m whose tip is at HELD, the last one turned by an angle."""
    x, y = HELD[0] - math.cos(angle), HELD[1] - math.sin(angle)
    elbow = math.acos((x * x + y * y - 2) / 2)
    shoulder = math.atan2(y, x) - elbow / 2
    return [shoulder, elbow, angle - shoulder - elbow]


def tip_of(q):
    angles = [sum(q[:i + 1]) for i in range(3)]
    return sum(map(math.cos, angles)), sum(map(math.sin, angles))


def section(milestones, goal=""):
    rows = "".join(f'<milestone config="3 {" ".join(map(repr, q))}" time="{t}"/>' for q, t in milestones)
    return f"<section>{goal}{rows}</section>"


@pytest.mark.parametrize("goal, within", [("", (0.1, 0.3)), ("<ikgoal>2 -1 F 1 0 0 1.5 0.5 0 N</ikgoal>", (0, 1.5e-3))])
def test_goals_of_a_multipath_are_kept_while_it_is_followed(program, tmp_path, goal, within):
    """On straight lines between milestones the tip leaves its goal by 18 cm."""
    (tmp_path / "arm.rob").write_text(ARM)
    (tmp_path / "walk.xml").write_text("<multipath>" + section([([0, 0, 0], 0), (reaching(-0.5), 2)])
                                       + section([(reaching(-0.5), 2), (reaching(0.3), 3), (reaching(1), 5)], goal)
                                       + section([(reaching(1), 5), ([0.1, 0.2, 0.3], 6)]) + "</multipath>")
    done = run(program, "sim", tmp_path / "arm.rob", "--backend", "kinematic", "--path", tmp_path / "walk.xml", "--duration", "6.2",
               "--log", tmp_path / "log.csv", "--log-rate", "200")
    assert "goals and holds of the path" not in done.stderr
    rows = list(csv.DictReader((tmp_path / "log.csv").open()))
    off = [math.dist(tip_of([float(row[f"arm_q[{name}]"]) for name in "abc"]), HELD) for row in rows
           if 2.05 <= float(row["time"]) <= 4.95]
    assert len(off) > 500 and within[0] <= max(off) <= within[1]
    # Paths without goals go straight, at the same times.
    halfway = min(rows, key=lambda row: abs(float(row["time"]) - 1))
    assert [float(halfway[f"arm_qcmd[{name}]"]) for name in "abc"] == pytest.approx([0.5 * x for x in reaching(-0.5)], abs=0.02)
