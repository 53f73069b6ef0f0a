"""The package as a whole: what importing it brings along, its stubs, what is left of it at the end."""

import ast
import doctest
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys

import mortise
import numpy as np
import pytest


def run(script, **environment):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **environment})


def test_import_needs_no_display():
    found = run("import sys, mortise; print(sorted(sys.modules)); print(open('/proc/self/maps').read())", DISPLAY="")
    assert found.returncode == 0, found.stderr
    for foreign in ("matplotlib", "OpenGL", "PyQt5", "libGL.so", "libX11", "libQt"):
        assert foreign not in found.stdout


def test_it_ends_quietly_with_everything_alive(data):
    script = (f"import mortise; w = mortise.load_world({str(data / 'worlds' / 'blocks.xml')!r}); s = mortise.Simulation(w); "
              "s.add_hook_after(lambda x: None); s.step(); v = s.sensors(); k = mortise.RobotState(w.robot(0).robot).q; "
              "mortise.forever = [w, s, v, k]")
    found = run(script)
    assert (found.returncode, found.stderr) == (0, "")


def test_warnings_go_to_logging(data, caplog):
    with caplog.at_level("DEBUG", logger="mortise"):
        mortise.load_world(data / "worlds" / "blocks.xml")
    assert all(record.name == "mortise" for record in caplog.records)


def test_stubs_name_what_is_there():
    file = pathlib.Path(mortise.__file__).parent / "_mortise.pyi"
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            assert callable(getattr(mortise, node.name)), node.name
        if isinstance(node, ast.ClassDef):
            type_ = getattr(mortise, node.name)
            assert inspect.isclass(type_)
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    assert hasattr(type_, member.name), f"{node.name}.{member.name}"


def test_stubs_are_those_of_the_extension(data):
    import importlib.util
    spec = importlib.util.spec_from_file_location("make_stubs", data.parent / "python" / "packaging" / "make_stubs.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.stubs() == made.TARGET.read_text(), "write them again: python/packaging/make_stubs.py"


def test_stubtest_accepts_the_stubs(tmp_path):
    pytest.importorskip("mypy")
    # pybind11's metaclass, and constructors, which say (*args, **kwargs) of themselves.
    (tmp_path / "known.txt").write_text(r"mortise\._mortise\.[A-Z]\w*(\.__init__)?" + "\n")
    package = pathlib.Path(mortise.__file__).parent.parent
    found = subprocess.run([sys.executable, "-m", "mypy.stubtest", "mortise._mortise", "--ignore-missing-stub", "--concise", "--allowlist",
                            str(tmp_path / "known.txt"), "--ignore-unused-allowlist"], capture_output=True, text=True, cwd=tmp_path,
                           env={**os.environ, "MYPYPATH": str(package)})
    assert found.returncode == 0, found.stdout + found.stderr


def examples_of(data):
    """Name and text of all examples that use `mortise`: programs, and pages and notebooks joined to programs."""
    source = data.parent
    for file in [*sorted(data.rglob("*.py")), *sorted((source / "sdk").rglob("*.py"))]:
        if "import klampt" not in file.read_text() and "from klampt" not in file.read_text():  # Klamp't's API has no types.
            yield file.stem, file.read_text()
    for page in sorted((source / "docs").glob("*.md")):
        blocks = re.findall(r"^((?:<!--[^\n]*-->\n)?)```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        whole = [text for comment, text in blocks if "a part of" not in comment]
        if whole and "klampt" not in whole[0]:
            yield "page_" + page.stem, "\n".join(whole)
    for notebook in sorted(data.rglob("*.ipynb")):
        cells = ["".join(cell["source"]) for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
        if "import mortise" in cells[0]:
            yield "notebook_" + notebook.stem, "\n".join(cells)


def test_strict_mypy_accepts_examples(tmp_path, data):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text("import mortise\n\nrobot = mortise.load_robot('a.rob')\nstate = mortise.RobotState(robot)\n"
                       "state.set(robot.initial_configuration())\nheight: float = float(state.positions[0, 2])\n"
                       "simulation = mortise.Simulation(mortise.load_world('w.xml'), backend='ode')\n"
                       "status: str = simulation.advance(1)\nX = state.transform(0) * mortise.RigidTransform()\n"
                       "print(X.inverse(), (X * [0, 0, 1]).shape)\n")
    files = [program.name]
    for name, text in examples_of(data):
        (tmp_path / f"{name}.py").write_text(text)
        files.append(f"{name}.py")
    assert {"heron_parts.py", "mortise_client.py", "page_python.py", "page_python_tutorial.py", "page_python_components.py",
            "notebook_arm_by_numbers.py"} <= set(files)
    package = pathlib.Path(mortise.__file__).parent.parent
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *files],
                           capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(package)})
    assert found.returncode == 0, found.stdout


def test_all_that_is_public_is_documented():
    """Classes, functions, methods and attributes."""
    silent = []
    for name in mortise.__all__:
        thing = getattr(mortise, name)
        if not (inspect.getdoc(thing) or "").strip():
            silent.append(name)
        if not inspect.isclass(thing) or issubclass(thing, Exception):
            continue
        for key, member in vars(thing).items():
            documented = isinstance(member, (property, staticmethod, classmethod)) or inspect.isroutine(member) or inspect.isgetsetdescriptor(member)
            if not key.startswith("_") and documented and not (inspect.getdoc(member) or "").strip():
                silent.append(f"{name}.{key}")
    assert silent == []


def test_examples_in_docstrings_hold(tmp_path, data, monkeypatch):
    (tmp_path / "data").symlink_to(data)
    monkeypatch.chdir(tmp_path)
    attempted = 0
    for name in mortise.__all__:
        thing = getattr(mortise, name)
        members = [thing, *(vars(thing).values() if inspect.isclass(thing) else ())]
        for member in members:
            doc = inspect.getdoc(member) or ""
            if ">>>" not in doc:
                continue
            test = doctest.DocTestParser().get_doctest(doc, {"mortise": mortise, "np": np}, name, None, None)
            said = []
            result = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
            assert result.failed == 0, "".join(said)
            attempted += result.attempted
    assert attempted >= 8
