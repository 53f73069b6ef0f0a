"""The package under test, with robotsim's names where the extension is not built."""

import importlib.util
import os
import pathlib
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
