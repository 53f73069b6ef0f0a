"""Klamp't's example programs, unchanged, each from its own folder, without a display."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from companions import write_companions
from conftest import ROOT, needs_robotsim, reference

pytestmark = needs_robotsim

# Program: (arguments, script of the display). Programs are started in their own folder but for those in FOLDERS.
FOLDERS = {"testing/model/cartesiantest.py": "testing"}
PROGRAMS = {
    "testing/math/so3test.py": ((), {}),
    "testing/math/so3hermitetest.py": ((), {}),
    "testing/model/trajectorytest.py": ((), {}),
    "testing/model/cartesiantest.py": ((), {}),
    "testing/geometry/masstest.py": ((), {}),
    "testing/geometry/polygon_raycast_test.py": ((), {}),
    "testing/geometry/geometrytest.py": ((), {}),
    "testing/io/worldiotest.py": ((), {}),
    "testing/io/robotiotest.py": ((), {}),
    "testing/sim/settletest.py": ((), {}),
    "testing/sim/cameratest.py": ((), {}),
    "demos/model/exercise_joints.py": (("../../../data/robots/tx90l.rob",), {}),
    "demos/model/trajectory_test.py": ((), {}),
    "demos/plan/planning_test.py": (("../../../data/robots/tx90l.rob",), {}),
    "demos/plan/raw_planner_interface.py": ((), {"keys": ["space", "p", "space"], "input": ["1"]}),
    "demos/control/pose.py": (("../../../data/tx90cuptable.xml",), {}),
    "exercises/ik/ex2.py": ((), {}),
    "exercises/control/ex.py": ((), {}),
}
# They plot.
PLOTTING = {"testing/math/so3hermitetest.py", "testing/model/trajectorytest.py"}
# Those that show a window and ask for nothing on standard input.
SHOWN = ["demos/model/trajectory_test.py", "demos/control/pose.py", "exercises/control/ex.py", "testing/sim/cameratest.py"]
PAGE = pathlib.Path(os.environ.get("MORTISE_BINARY_DIR", "build/release")) / "share/mortise/viewer.html"
SUITES = ["world", "robot", "geometry_modification", "stability", "controller", "convert"]
# Tests that want packages which Debian does not have.
OTHER_PACKAGES = {"convert": ["-k", "not open3d and not trimesh"]}


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """A copy of the programs, for they write files; data is the real folder."""
    root = reference() / "klampt-python" / "examples"
    if not root.is_dir():
        pytest.skip("the example programs are not in the reference folder")
    copy = tmp_path_factory.mktemp("klampt") / "examples"
    shutil.copytree(root, copy, symlinks=True, ignore=lambda d, n: ["data"] if d == str(root) else [])
    os.symlink(reference() / "klampt-data", copy / "data")
    write_companions(copy / "Python3")
    return copy


def run(command, folder, script, tmp_path, display="headless"):
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"frames": 20, **script}))
    packages = [os.environ.get("MORTISE_PYTHON_DIR"), os.environ.get("PYTHONPATH"), str(ROOT / "python")]
    env = {**os.environ, "MORTISE_VIS": display, "MORTISE_VIS_SCRIPT": str(path),
           "PYTHONPATH": os.pathsep.join(p for p in packages if p), "DISPLAY": ""}
    return subprocess.run([sys.executable, *command], cwd=folder, env=env, timeout=900,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


def check(done):
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-5000:]
    assert "Traceback" not in done.stderr, done.stderr[-5000:]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(examples, program, tmp_path):
    if program in PLOTTING:
        pytest.importorskip("matplotlib")
    args, script = PROGRAMS[program]
    source = examples / "Python3" / program
    folder = examples / "Python3" / FOLDERS.get(program, os.path.dirname(program))
    if program == "demos/plan/raw_planner_interface.py":
        pytest.importorskip("OpenGL")
    check(run([os.path.relpath(source, folder), *args], folder, script, tmp_path))


@pytest.mark.parametrize("program", SHOWN)
def test_program_in_pages(examples, program, tmp_path):
    """The same where windows are pages of a browser, which nobody opens."""
    if not PAGE.exists():
        pytest.skip("this build has no viewer")
    source = examples / "Python3" / program
    done = run([source.name, *PROGRAMS[program][0]], source.parent, PROGRAMS[program][1], tmp_path, "browser")
    check(done)
    assert "the viewer is at http://127.0.0.1:" in done.stderr or "draws with OpenGL itself" in done.stderr


@pytest.mark.parametrize("suite", SUITES)
def test_suite(examples, suite, tmp_path):
    folder = examples / "Python3" / "testing" / "pytest"
    done = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", f"{suite}_test.py",
                *OTHER_PACKAGES.get(suite, [])], folder, {}, tmp_path)
    assert done.returncode == 0, done.stdout[-6000:]


def test_notebook(examples, tmp_path):
    """The code cells of PlanAndSim, played for some frames."""
    pytest.importorskip("IPython")
    notebook = json.loads((examples / "Jupyter" / "PlanAndSim.ipynb").read_text())
    cells = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    text = "from IPython.display import display\n" + "\n".join(cells) + "\nplayback_widget.play(5)\n"
    text = text.replace("from __future__ import print_function,division\n", "")
    program = examples / "Jupyter" / "plan_and_sim.py"
    program.write_text(text)
    check(run([program.name], program.parent, {}, tmp_path))
