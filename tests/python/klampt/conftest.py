"""The package under test, with robotsim's names where the extension is not built."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The packages of the build come before the sources, which have no extension.
PACKAGES = os.environ.get("MORTISE_PYTHON_DIR")
if PACKAGES:
    sys.path.insert(0, PACKAGES)
sys.path.append(str(ROOT / "python"))

_NAMES = """AABBPoser Appearance ContactParameters ContactQueryResult ConvexHull
DistanceQueryResult DistanceQuerySettings GeneralizedIKObjective GeneralizedIKSolver
GeometricPrimitive Geometry3D Heightmap IKObjective IKSolver ImplicitSurface Mass ObjectPoser
OccupancyGrid PointCloud PointPoser RigidObjectModel RobotModel RobotModelDriver RobotModelLink
RobotPoser SensorModel SimBody SimJoint SimRobotController Simulator SpherePoser TerrainModel
TransformPoser TriangleMesh Viewport Widget WidgetSet WorldModel CSpaceInterface
PlannerInterface""".split()


def bare_robotsim(name):
    """A module with robotsim's classes, empty but for Viewport: enough for what computes in Python."""
    module = types.ModuleType(name)
    for n in _NAMES:
        setattr(module, n, type(n, (), {}))
    spec = importlib.util.spec_from_file_location("bare_viewport", ROOT / "python/klampt/robotsim/viewport.py")
    viewport = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(viewport)
    module.Viewport = viewport.Viewport
    return module


def has_robotsim():
    """Whether the extension can be imported."""
    if importlib.util.find_spec("klampt.robotsim") is None:
        return False
    try:
        importlib.import_module("klampt.robotsim")
        return True
    except ImportError:
        return False


def _prepare():
    package = types.ModuleType("klampt")
    package.__path__ = [p + "/klampt" for p in sys.path if os.path.isdir(p + "/klampt")]
    sys.modules["klampt"] = package
    found = has_robotsim()
    del sys.modules["klampt"]
    if found:
        for m in [m for m in sys.modules if m.startswith("klampt.")]:
            del sys.modules[m]
    else:
        sys.modules["klampt.robotsim"] = bare_robotsim("klampt.robotsim")
    return found


HAS_ROBOTSIM = _prepare()
needs_robotsim = pytest.mark.skipif(not HAS_ROBOTSIM, reason="the extension _mortise is not built")


def reference():
    """Folder of reference data; skips the test without it."""
    path = os.environ.get("MORTISE_REFERENCE_DIR")
    if not path or not os.path.isdir(path):
        pytest.skip("MORTISE_REFERENCE_DIR is not set")
    return pathlib.Path(path)


@pytest.fixture(scope="session")
def layer():
    """Klamp't's own Python files as package 'oracle', over empty robotsim classes."""
    root = reference() / "klampt-python" / "layer" / "Python" / "klampt"
    if not root.is_dir():
        pytest.skip("Klamp't's Python files are not in the reference folder")
    package = types.ModuleType("oracle")
    package.__path__ = [str(root)]
    sys.modules["oracle"] = package
    sys.modules["oracle.robotsim"] = bare_robotsim("oracle.robotsim")
    for sub in ("math", "model"):
        part = types.ModuleType("oracle." + sub)
        part.__path__ = [str(root / sub)]
        sys.modules["oracle." + sub] = part
        setattr(package, sub, part)
    collide = types.ModuleType("oracle.model.collide")
    collide.self_collision_iter = None
    sys.modules["oracle.model.collide"] = collide
    return lambda name: importlib.import_module("oracle." + name)


@pytest.fixture(scope="session")
def over(tmp_path_factory):
    """A folder with the layer on top of our robotsim."""
    import klampt.robotsim
    import mortise
    layer = reference() / "klampt-python" / "layer"
    if not layer.is_dir():
        pytest.skip("Klamp't's Python files are not in the reference folder")
    folder = tmp_path_factory.mktemp("layer")
    shutil.copytree(layer / "Python" / "klampt", folder / "klampt", ignore=shutil.ignore_patterns("robotsim.py"))
    own = pathlib.Path(klampt.robotsim.__file__).parent
    shutil.copytree(own, folder / "klampt" / "robotsim", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("plan/motionplanning.py", "_compat.py"):
        shutil.copy(own.parent / name, folder / "klampt" / name)
    shutil.copytree(layer / "tests", folder / "tests")
    os.symlink(pathlib.Path(mortise.__file__).parent, folder / "mortise")
    data = reference() / "klampt-data"
    (folder / "home" / "Klampt-examples").mkdir(parents=True)
    for link in (folder / "home" / "Klampt-examples" / "data", folder / "tests" / "data", folder / "data"):
        os.symlink(data, link)
    return folder


def run(over, *command, cwd=None):
    env = {**os.environ, "PYTHONPATH": str(over), "HOME": str(over / "home"), "DISPLAY": ""}
    return subprocess.run([sys.executable, "-W", "ignore", *command], cwd=cwd or over / "tests", env=env, timeout=600,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
