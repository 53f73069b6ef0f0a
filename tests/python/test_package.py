"""The package as a whole: what importing it brings along, its stubs, what is left of it at the end."""

import ast
import inspect
import os
import pathlib
import subprocess
import sys

import mortise
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


def test_strict_mypy_accepts_the_stubs(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text("import mortise\n\nrobot = mortise.load_robot('a.rob')\nstate = mortise.RobotState(robot)\n"
                       "state.set(robot.initial_configuration())\nheight: float = float(state.positions[0, 2])\n"
                       "simulation = mortise.Simulation(mortise.load_world('w.xml'), backend='ode')\n"
                       "status: str = simulation.advance(1)\nX = state.transform(0) * mortise.RigidTransform()\n"
                       "print(X.inverse(), (X * [0, 0, 1]).shape)\n")
    package = pathlib.Path(mortise.__file__).parent.parent
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)],
                           capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(package)})
    assert found.returncode == 0, found.stdout
