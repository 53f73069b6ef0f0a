"""A source archive builds a wheel that works on its own. The C++ of the build tree under test is taken as it is."""

import email
import os
import pathlib
import subprocess
import sys
import tarfile
import zipfile

import pytest

CLEAN = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "LD_LIBRARY_PATH", "MORTISE_PLUGIN_PATH")}
PROGRAM = '''
import mortise
robot = mortise.load_robot(ROBOT)
state = mortise.RobotState(robot)
simulation = mortise.Simulation(mortise.World().with_robot(robot))
simulation.advance(0.01)
print(mortise.__file__, len(robot), mortise.__version__)
print([line.split()[-1] for line in open("/proc/self/maps") if "libmortise_kernel" in line][0])
print(sorted(component["name"] for component in mortise.components("physics")))
'''


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=CLEAN, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def build_tree():
    folder = os.environ.get("MORTISE_BINARY_DIR")
    if not folder or not (pathlib.Path(folder) / "lib" / "libmortise_kernel.so").exists():
        pytest.skip("MORTISE_BINARY_DIR names no build tree")
    return pathlib.Path(folder)


@pytest.fixture(scope="module")
def tools(build_tree):
    """An interpreter with scikit-build-core and build, kept in the build tree."""
    folder = build_tree / "packaging_tools"
    python = folder / "bin" / "python"
    if not (folder / "installed").exists():
        try:
            run(sys.executable, "-m", "venv", "--system-site-packages", folder)
            run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "scikit-build-core>=0.10", "build", "wheel", timeout=120)
        except (AssertionError, subprocess.TimeoutExpired) as failure:
            pytest.skip(f"scikit-build-core cannot be installed: {str(failure).strip().splitlines()[-1]}")
        (folder / "installed").touch()
    return python


@pytest.fixture(scope="module")
def archive(tools, data, tmp_path_factory):
    """The source archive of the tree."""
    folder = tmp_path_factory.mktemp("sdist")
    run(tools, "-m", "build", "--sdist", "--no-isolation", "--skip-dependency-check", "--outdir", folder, data.parent)
    return next(folder.glob("mortise-*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(tools, archive, build_tree, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(archive) as tar:
        tar.extractall(folder)
    run(tools, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, f"--config-settings=cmake.define.MORTISE_BUILD_DIR={build_tree}",
        next(folder.glob("mortise-*")))
    return next(folder.glob("mortise-*.whl"))


def test_the_source_archive_holds_the_sources_and_nothing_that_is_made(archive):
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {"CMakeLists.txt", "LICENSE", "pyproject.toml", "kernel/CMakeLists.txt", "python/src/module.cpp", "python/mortise/__init__.py",
            "python/mortise/py.typed", "python/packaging/install_wheel.cmake.in", "PKG-INFO"} <= names
    made = [name for name in names if name.startswith(("build/", "runs/", ".git/")) or "node_modules/" in name or name.endswith((".o", ".so", ".pyc"))]
    assert made == []


def test_the_wheel_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        info = email.message_from_bytes(files.read(next(name for name in names if name.endswith(".dist-info/METADATA"))))
    assert (info["Name"], info["Requires-Dist"]) == ("mortise", "numpy") and info["Version"].count(".") == 2
    assert len(info.get_all("Classifier")) > 8 and {"images", "plots", "test"} <= set(info.get_all("Provides-Extra"))
    assert any(name.startswith("mortise/_mortise.") and name.endswith(".so") for name in names)
    assert {"mortise/py.typed", "mortise/_mortise.pyi", "mortise/model.py"} <= set(names)
    kernels = [name for name in names if name.startswith("mortise/lib/libmortise_kernel")]
    assert len(kernels) == 1 and kernels[0].endswith(".so.0")
    assert [name for name in names if name.partition("/")[0] not in ("mortise", wheel.name.split("-cp")[0] + ".dist-info")] == []


def test_the_wheel_works_without_the_tree(wheel, data, tmp_path):
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--force-reinstall", wheel)
    lines = run(python, "-c", PROGRAM.replace("ROBOT", repr(str(data / "robots" / "bench_arm.urdf"))), cwd=tmp_path).splitlines()
    assert lines[0].startswith(str(tmp_path / "venv")) and lines[1].startswith(str(tmp_path / "venv"))
    assert "mortise.NativePhysics" in lines[2] and "mortise.KinematicPhysics" in lines[2]
