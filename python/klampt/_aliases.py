"""Import names of earlier versions: klampt.vectorops is klampt.math.vectorops, and so on."""

import importlib
import importlib.machinery
import importlib.util
import os
import sys

MOVED = {
    "vectorops": "math.vectorops", "so2": "math.so2", "so3": "math.so3", "se3": "math.se3",
    "spline": "math.spline", "geodesic": "math.geodesic", "rootfind": "math.rootfind", "contactcspace": "plan.contactcspace",
    "ik": "model.ik", "trajectory": "model.trajectory", "hermite_trajectory": "model.trajectory",
    "multipath": "model.multipath", "contact": "model.contact", "hold": "model.hold", "config": "model.config",
    "coordinates": "model.coordinates", "cartesian_trajectory": "model.cartesian_trajectory",
    "robotcollide": "model.collide", "collide": "model.collide", "subrobot": "model.subrobot",
    "model.floatingbase": "model.create.moving_base_robot",
    "map": "model.access", "model.map": "model.access", "io.loading": "io.loader", "loading": "io.loader", "types": "model.types", "sensing": "model.sensing",
    "resource": "io.resource", "loader": "io.loader", "numpy_convert": "io.numpy_convert",
    "html": "io.html", "control.roscontroller": "control.io.roscontroller", "cspace": "plan.cspace", "cspaceutils": "plan.cspaceutils",
    "motionplanning": "plan.motionplanning", "robotcspace": "plan.robotcspace",
    "robotplanning": "plan.robotplanning", "rigidobjectcspace": "plan.rigidobjectcspace",
    "simulation": "sim.simulation", "batch": "sim.batch", "settle": "sim.settle",
    "simlog": "sim.simlog", "visualization": "vis", "glprogram": "vis.glprogram",
    "glcommon": "vis.glcommon", "glinterface": "vis.glinterface",
    "glrobotprogram": "vis.glrobotprogram", "gldraw": "vis.gldraw", "glviewport": "vis.glviewport",
    "glinit": "vis.glinit", "camera": "vis.camera", "editors": "vis.editors",
}

# Names that are not offered, with what to use instead.
CUT = {
    "klampt.math.autodiff": "use numpy, or a library for automatic differentiation",
    "klampt.math.symbolic": "use sympy",
    "klampt.math.symbolic_io": "use sympy",
    "klampt.math.symbolic_klampt": "use sympy",
    "klampt.math.symbolic_linalg": "use sympy",
    "klampt.math.symbolic_sympy": "use sympy",
    "klampt.math.optimize": "use scipy.optimize",
    "klampt.plan.robotoptimize": "use klampt.model.ik with a secondary cost",
    "klampt.plan.kinetrajopt": "use klampt.plan.robotplanning and path_to_trajectory",
    "klampt.io.povray": "export with klampt.io.html or the viewer",
    "klampt.io.povray_animation": "export with klampt.io.html or the viewer",
    "klampt.io.rerun_convert": "use the viewer",
    "klampt.io.trimesh_convert": "use klampt.io.numpy_convert on TriangleMesh",
    "klampt.io.download_objaverse": "download the files and read them",
    "klampt.io.download_ycb": "download the files and read them",
    "klampt.control.networkrobotinterface": "run the interface in this process",
    "klampt.control.io.serialcontroller": "give the robot a SerialController in the world, or run `mortise drive`",
    "klampt.control.io.rosinterface": "give the simulated robot the controller ros1_relay, or drive it by klampt.io.ros",
    "klampt.control.serialcontroller": "give the robot a SerialController in the world, or run `mortise drive`",
    "klampt.apps": "use the programs of `mortise`, such as `mortise view` and `mortise resource`",
    "klampt.vis.backends": "there is one display, the headless one, and `mortise view` in a browser",
}


def load(name):
    """The module that an old name of the package stands for."""
    return importlib.import_module("klampt." + MOVED[name])


class _Loader:
    """Gives the module that exists under its new name, which keeps its own spec."""

    def __init__(self, target):
        self.target = target

    def create_module(self, spec):
        module = importlib.import_module(self.target)
        self.kept = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.kept
        module.__loader__ = self.kept.loader


class _Finder:
    """Finds 'import klampt.ik', and explains imports of what is not offered."""

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith("klampt."):
            return None
        if fullname in CUT:
            # Without a name: `from klampt.math import symbolic` would swallow an error that names the module.
            raise ModuleNotFoundError(f"{fullname} is not offered by Mortise's klampt: {CUT[fullname]}")
        short = fullname[len("klampt."):]
        if short in MOVED:
            return importlib.machinery.ModuleSpec(fullname, _Loader("klampt." + MOVED[short]))
        return None


# Packages of their own before version 0.9.
PACKAGES = {"control": "klampt.control"}


class _Submodules:
    """Finds 'import control.controller' where `control` is klampt.control: asked first, so that modules are not loaded twice."""

    def find_spec(self, fullname, path=None, target=None):
        top, dot, rest = fullname.partition(".")
        owner = PACKAGES.get(top)
        if not dot or owner is None or getattr(sys.modules.get(top), "__name__", None) != owner:
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(f"{owner}.{rest}"))


class EarlierPackages:
    """Packages of earlier versions as the top-level packages that they were, within `with EarlierPackages():`. A package of the
    name that is installed comes first, and keeps the modules that it has."""

    def __enter__(self):
        if not any(isinstance(f, _Submodules) for f in sys.meta_path):
            sys.meta_path.insert(0, _Submodules())  # For good: what was imported goes on being these packages.
        sys.meta_path.append(self)
        return self

    def __exit__(self, *error):
        sys.meta_path.remove(self)

    def find_spec(self, fullname, path=None, target=None):
        top, dot, rest = fullname.partition(".")
        if top not in PACKAGES or importlib.util.find_spec(PACKAGES[top] + dot + rest) is None:
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(PACKAGES[top] + dot + rest))


def install():
    """Adds the finder, once; it is asked last. With MORTISE_KLAMPT_SCRIPTS=1 earlier packages have their own names, too."""
    if any(isinstance(f, _Finder) for f in sys.meta_path):
        return
    sys.meta_path.append(_Finder())
    if os.environ.get("MORTISE_KLAMPT_SCRIPTS") == "1":
        EarlierPackages().__enter__()
