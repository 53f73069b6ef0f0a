"""Programs of our own for what Klamp't's manual names: demos, and the script of MultiPaths."""

import importlib.util
import math
import os
import subprocess
import sys

import pytest

from conftest import ROOT, needs_robotsim

pytestmark = needs_robotsim


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "data" / "python" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(arguments, folder, **script):
    """Runs in a folder of its own: a window without a display presses every button once, that of logs, too."""
    packages = [os.environ.get("MORTISE_PYTHON_DIR"), os.environ.get("PYTHONPATH"), str(ROOT / "python")]
    env = {**os.environ, "MORTISE_VIS": "headless", "DISPLAY": "",
           "PYTHONPATH": os.pathsep.join(p for p in packages if p), **script}
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=250, env=env,
                          stdin=subprocess.DEVNULL, cwd=folder)


def test_simtest_follows_a_path(tmp_path):
    done = run([ROOT / "data/python/simtest.py", ROOT / "data/robots/reacher.rob", "--path",
                ROOT / "data/motions/reacher_sweep.path", "--duration", "4"], tmp_path)
    assert done.returncode == 0, done.stderr
    name, numbers = done.stdout.strip().split(": ")
    last = (ROOT / "data/motions/reacher_sweep.path").read_text().split("\n")
    end = [float(x) for x in [line for line in last if line.strip()][-1].split()[2:]]
    assert name == "robot reacher"
    assert max(abs(float(x) - y) for x, y in zip(numbers.split(), end)) < 0.02
    # Its window, for a few frames.
    done = run([ROOT / "data/python/simtest.py", ROOT / "data/worlds/blocks.xml", "--start"], tmp_path, MORTISE_VIS_FRAMES="5")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert run([ROOT / "data/python/simtest.py", "nothing.xml"], tmp_path).returncode == 2


def test_kbdrive_drives_what_keys_say():
    import klampt
    kbdrive = load("kbdrive")
    assert kbdrive.drive_of("1") == (0, 1) and kbdrive.drive_of("0") == (9, 1) and kbdrive.drive_of("w") == (1, -1)
    assert kbdrive.drive_of("a") is None and kbdrive.drive_of("space") is None
    world = klampt.WorldModel()
    assert world.readFile(str(ROOT / "data/robots/reacher.rob"))
    program = kbdrive.KeyboardDrive(world, 0.5)
    start = world.robot(0).getConfig()
    assert program.keyboardfunc("1", 0, 0) and program.keyboardfunc("w", 0, 0)
    for _ in range(50):
        program.sim_step()
    seconds = 50 * program.dt
    assert program.target[0] == pytest.approx(start[0] + 0.5 * seconds, abs=1e-9)
    assert program.target[1] == pytest.approx(start[1] - 0.5 * seconds, abs=1e-9)
    assert program.target[2:] == pytest.approx(start[2:])
    assert program.sim.getActualConfig(0) == pytest.approx(program.target, abs=0.05)
    # Keys that are let go stop, and limits hold.
    program.keyboardupfunc("w", 0, 0)
    kept = program.target[1]
    for _ in range(2000):
        program.control_loop()
    assert program.target[1] == kept
    assert program.target[0] <= world.robot(0).getJointLimits()[1][0]


def test_kbdrive_runs_as_a_program(tmp_path):
    import json
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"frames": 10, "keys": ["1"]}))
    done = run([ROOT / "data/python/kbdrive.py", ROOT / "data/robots/reacher.rob"], tmp_path, MORTISE_VIS_SCRIPT=str(script))
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert "the robot is at" in done.stdout


def test_multipath_as_a_script(tmp_path):
    from klampt.model.multipath import MultiPath
    original = MultiPath()
    q = [[0.125, 0.25], [1.0, 0.5], [-0.75, 1 / 3]]
    for i in range(2):
        section = MultiPath.Section()
        section.configs, section.times = [q[i], q[i + 1]], [float(i), float(i + 1)]
        original.sections.append(section)
    file = tmp_path / "path.xml"
    original.save(str(file))
    script = ["-m", "klampt.model.multipath"]
    assert run([*script, "-s", file], tmp_path).stdout == "2\t0.125 0.25\n"
    goal = run([*script, "-g", file], tmp_path).stdout.split()
    assert goal[0] == "2" and math.isclose(float(goal[2]), 1 / 3, rel_tol=1e-12)
    done = run([*script, "-c", file, file, "-o", tmp_path / "twice.xml"], tmp_path)
    assert done.returncode == 0, done.stderr
    twice = MultiPath()
    twice.load(str(tmp_path / "twice.xml"))
    assert twice.numSections() == 4 and twice.endTime() == 4
    assert run([*script, "-c", file, file], tmp_path).returncode == 2
    assert run([*script, file], tmp_path).returncode == 2
