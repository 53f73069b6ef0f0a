"""Commands that Klamp't's manuals print, run as programs."""

import json
import math
import os
import signal
import struct
import subprocess

import pytest


def run(program, *words, cwd=None, code=0):
    done = subprocess.run([program, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=250)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_geometry_contains(program, data, tmp_path):
    """A sphere of 1 m, asked on both sides of its surface."""
    ball = tmp_path / "ball.geom"
    ball.write_text("Sphere 1 0 0 1\n")
    inside, outside = [], []
    for i in range(8):
        direction = [math.cos(i), math.sin(i) * math.cos(2 * i), math.sin(i) * math.sin(2 * i)]
        inside.append([1 + 0.999 * direction[0], 0.999 * direction[1], 0.999 * direction[2]])
        outside.append([1 + 1.001 * direction[0], 1.001 * direction[1], 1.001 * direction[2]])
    points = [word for p in inside + outside for word in ("--point", " ".join(map(repr, p)))]
    answers = json.loads(run(program, "geometry", "contains", ball, *points, "--json").stdout)["points"]
    assert [a["inside"] for a in answers] == [True] * 8 + [False] * 8
    assert answers[3]["point"] == inside[3]
    # Inside a mesh, and within its margin.
    cube = data / "objects" / "cube.off"
    assert "(0, 0, 0) is inside" in run(program, "geometry", "contains", cube, "--point", "0,0,0").stdout
    beyond = "0.501 0 0"  # A millimeter outside of a cube of 1 m.
    assert "is outside" in run(program, "geometry", "contains", cube, "--point", beyond).stdout
    assert "is inside" in run(program, "geometry", "contains", cube, "--point", beyond, "--margin", "0.002").stdout
    assert "--point" in run(program, "geometry", "contains", cube, code=2).stderr
    assert "three numbers" in run(program, "geometry", "contains", cube, "--point", "1 2", code=2).stderr


def test_motions_of_drivers_and_back(program, data, tmp_path):
    """A gripper's two fingers, each half of the opening."""
    (tmp_path / "opening.path").write_text("0\t1\t0.02\n0.5\t1\t0.06\n2\t1\t0.04\n")
    pincer = data / "robots" / "pincer.rob"
    run(program, "path", "drivers", pincer, "opening.path", "fingers.path", "--to-links", cwd=tmp_path)
    rows = [[float(x) for x in line.split()] for line in (tmp_path / "fingers.path").read_text().splitlines()]
    assert rows == [[0, 3, 0, 0.01, -0.01], [0.5, 3, 0, 0.03, -0.03], [2, 3, 0, 0.02, -0.02]]
    run(program, "path", "drivers", pincer, "fingers.path", "back.path", cwd=tmp_path)
    back = [[float(x) for x in line.split()] for line in (tmp_path / "back.path").read_text().splitlines()]
    assert back == [[0, 1, 0.02], [0.5, 1, 0.06], [2, 1, 0.04]]
    # Motions that drivers cannot do are said.
    (tmp_path / "crooked.path").write_text("0\t3\t0 0.01 -0.01\n1\t3\t0.5 0.03 -0.01\n")
    said = run(program, "path", "drivers", pincer, "crooked.path", "lost.path", cwd=tmp_path).stderr
    assert "no driver moves palm, which moves in the motion" in said and "do not move together" in said
    assert "3 numbers" in run(program, "path", "drivers", pincer, "fingers.path", "x.path", "--to-links", cwd=tmp_path,
                              code=1).stderr


def test_pictures_of_a_folder(program, tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "ball.geom").write_text("Sphere 0 0 0 1\n")
    (folder / "box.geom").write_text("AABB 0 0 0 1 2 3\n")
    (folder / "notes.txt").write_text("no model\n")
    (folder / "broken.rob").write_text("TParent 1 2 3\n")
    done = run(program, "render", folder, "-o", tmp_path / "pictures", "--json")
    assert json.loads(done.stdout)["pictures"] == 2
    assert "no picture of" in done.stderr and "broken.rob" in done.stderr
    assert sorted(p.name for p in (tmp_path / "pictures").iterdir()) == ["ball.geom.png", "box.geom.png"]
    head = (tmp_path / "pictures" / "ball.geom.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:24]) == (256, 256)
    run(program, "render", folder, "-o", tmp_path / "small", "--size", "32x24", "--quiet")
    head = (tmp_path / "small" / "box.geom.png").read_bytes()[:24]
    assert struct.unpack(">II", head[16:24]) == (32, 24)
    assert "holds no log" in run(program, "render", tmp_path / "pictures", "-o", tmp_path / "none", code=1).stderr


def served(program, *words):
    """Runs a program until it prints its address, interrupts it, and gives the address and what it said."""
    process = subprocess.Popen([program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert address.startswith("http://127.0.0.1:"), said
    return said


@pytest.mark.parametrize("name", ["RobotTest", "RobotPose"])
def test_posing_programs_run_by_their_names(program, data, tmp_path, name):
    if not os.path.exists(os.path.join(os.path.dirname(program), "..", "share", "mortise", "viewer.html")):
        pytest.skip("this build has no viewer")
    robot = data / "robots" / "reacher.rob"
    (tmp_path / "poses").mkdir()
    (tmp_path / "poses" / "home.config").write_text("6\t0 0 0 0 0 0\n")
    (tmp_path / "library.xml").write_text('<resource_library><Config name="home">6 1 1 1 1 1 1</Config>'
                                          '<Config name="away">6 2 1 1 1 1 1</Config></resource_library>')
    link = tmp_path / name
    link.symlink_to(program)
    served(str(link), robot, "--no-browser", "--resources", tmp_path / "mine")
    said = served(program, name, robot, data / "motions" / "reacher_sweep.path", "-l", tmp_path / "poses", "-l",
                  tmp_path / "library.xml", "--no-browser", "--resources", tmp_path / "mine")
    assert "there is a resource 'home' already; this one is called 'home2'" in said
    assert "away" not in said and not (tmp_path / "mine").exists()
    assert "usage: mortise " + name in run(program, name).stdout
    done = run(program, name, data / "motions" / "reacher_sweep.path", code=2)
    assert "not resources alone" in done.stderr


@pytest.mark.parametrize("words", [("RobotTest",), ("robot", "view")])
def test_pages_that_move_joints_need_a_robot(program, data, words):
    done = run(program, *words, data / "objects" / "cube.off", "--no-browser", code=1)
    assert "there is no robot in '" in done.stderr and "and so no joint to move" in done.stderr
    assert "hint: name a robot" in done.stderr
    assert done.stdout == ""


def test_notes_are_no_warnings(program, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text('<multipath><section><milestone config="2 0 0"/><milestone config="2 1 1"/></section></multipath>')
    said = run(program, "path", "convert", path, tmp_path / "m.path").stderr
    assert "mortise: note: the path has no times" in said and "warning" not in said
    assert run(program, "path", "convert", path, tmp_path / "m.path", "--quiet").stderr == ""


def test_lists_of_planners_say_whose_names_are_alike(program):
    listed = run(program, "plan", "--list-planners").stdout
    if "ompl.RRT" not in listed:
        pytest.skip("this build has no planners of OMPL")
    assert "`RRT` is ompl.RRT, and `rrt` mortise.RRT." in listed
    assert "RRT*" in listed and "`RRT*` is" not in listed
