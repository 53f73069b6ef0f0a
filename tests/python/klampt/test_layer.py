"""Klamp't's own Python files on our robotsim in place of its compiled modules: they import, and pass their own tests."""

import ast
import os
import shutil

import pytest

from conftest import needs_robotsim, reference, run

pytestmark = needs_robotsim

# What is missing here is no part of Klamp't: packages, a function that Python 3.11 dropped, and a compiled root finder.
REASONS = ("No module named", "getargspec", "_rootfind", "without previously initializing", "without first calling")
IMPORTS = """
import importlib, pkgutil, sys
import klampt
count = 0
for module in pkgutil.walk_packages(klampt.__path__, "klampt.", onerror=lambda name: None):
    if "symbolic" in module.name or "robotsim." in module.name:
        continue
    try:
        importlib.import_module(module.name)
        count += 1
    except Exception as error:
        print(module.name + ": " + str(error).splitlines()[0])
print(count)
"""


def test_modules_import(over):
    lines = run(over, "-c", IMPORTS).stdout.splitlines()
    assert int(lines[-1]) >= 85
    assert [line for line in lines[:-1] if ": " in line and not any(reason in line for reason in REASONS)] == []


def test_its_own_tests_pass(over):
    # test_robotsim_getstatus is for Python 2; test_transfer checks the wrong index and fails in Klamp't, too.
    done = run(over, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_math_so3.py", "test_types.py", "test_robotsim.py",
               "--deselect", "test_types.py::test_transfer")
    assert done.returncode == 0, done.stdout[-3000:]
    assert "4 passed" in done.stdout


@pytest.mark.parametrize("suite", ["world", "robot", "geometry_modification", "stability"])
def test_example_suites_pass_on_it(over, suite):
    folder = over / "programs" / "Python3" / "testing" / "pytest"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(reference() / "klampt-python/examples/Python3/testing/pytest" / f"{suite}_test.py", folder)
    if not (over / "programs" / "data").exists():
        os.symlink(over / "data", over / "programs" / "data")
    done = run(over, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{suite}_test.py", cwd=folder)
    assert done.returncode == 0, done.stdout[-3000:]


def test_all_names_are_there():
    """What Klamp't's compiled module declares: functions, classes, methods and their arguments' number."""
    from klampt import robotsim
    source = reference() / "klampt-python" / "layer" / "Python" / "klampt" / "robotsim.py"
    missing = []
    for node in ast.parse(source.read_text()).body:
        name = getattr(node, "name", "_")
        if name.startswith(("_", "SwigPyIterator")):
            continue
        if not hasattr(robotsim, name):
            missing.append(name)
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if (isinstance(member, ast.FunctionDef) and not member.name.startswith("_")
                        and not hasattr(getattr(robotsim, name), member.name)):
                    missing.append(f"{name}.{member.name}")
    assert missing == []
