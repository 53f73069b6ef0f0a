"""Nothing that a program calls by hand crashes: methods and attributes with None, wrong and unmade objects, wrong arrays.

MORTISE_FUZZ_CALLS asks for more of them.
"""

import os
import pathlib
import subprocess
import sys

import mortise
import pytest


@pytest.mark.parametrize("module", ["mortise", "mortise._mortise.robotsim", "klampt.robotsim"])
def test_calls_by_hand_raise(tmp_path, data, module):
    if module == "klampt.robotsim":
        pytest.importorskip(module)
    log = tmp_path / "last_call"
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-W", "ignore", str(pathlib.Path(__file__).parent / "refusals.py"),
                           str(data / "worlds" / "blocks.xml"), str(log), "1", os.environ.get("MORTISE_FUZZ_CALLS", "20000"), module],
                          cwd=tmp_path, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, f"{done.returncode} in {log.read_text().strip()}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    assert done.stdout.splitlines()[-1] == "done", done.stdout


def test_attributes_refuse_none_and_unmade_objects():
    for attribute, cls in ((mortise.Geometry.vertices, mortise.Geometry), (mortise.Robot.num_links, mortise.Robot), (mortise.World.objects, mortise.World)):
        for wrong in (None, 3, cls.__new__(cls)):
            with pytest.raises((TypeError, RuntimeError)):
                attribute.fget(wrong)
    with pytest.raises(TypeError, match="__init__"):
        mortise.RigidTransform.inverse(mortise.RigidTransform.__new__(mortise.RigidTransform))
    with pytest.raises(TypeError):
        mortise.RigidTransform.p.fset(None, [0, 0, 0])
