"""Reads and writes Klamp't's objects: text, files, and JSON.

load(type, file) and save(object, type, file) with type 'auto' go by the file's name.
"""

import json
import os

from ..model import types
from ..model.trajectory import Trajectory
from ..robotsim import Geometry3D, WorldModel
from ._json import from_json, fromJson, to_json, toJson  # noqa: F401
from ._text import *
from ._text import readers, writers

_MESH = ["Geometry3D", "TriangleMesh"]
EXTENSION_TO_TYPES = {
    ".config": ["Config"], ".configs": ["Configs"], ".geom": ["Geometry3D", "GeometricPrimitive"],
    ".pcd": ["Geometry3D", "PointCloud"],
    ".vol": ["Geometry3D", "ImplicitSurface", "OccupancyGrid"], ".group": ["Geometry3D", "Group"],
    ".vector3": ["Vector3"], ".matrix3": ["Matrix3"], ".ikgoal": ["IKGoal"],
    ".xform": ["RigidTransform"],
    ".path": ["Trajectory", "LinearPath", "SE3Trajectory", "SO3Trajectory"], ".hold": ["Hold"],
    ".stance": ["Stance"], ".grasp": ["Grasp"], ".rob": ["RobotModel"], ".urdf": ["RobotModel"],
    ".obj": ["Geometry3D", "RigidObjectModel", "TriangleMesh"], ".env": ["TerrainModel"],
    ".xml": ["WorldModel", "MultiPath", "Grasp"],
    **{e: _MESH for e in (".tri", ".off", ".stl", ".ply", ".wrl", ".dae", ".poly", ".gltf", ".glb",
                          ".fbx", ".blend", ".dxf")},
}
TYPE_TO_EXTENSIONS: "dict[str, list[str]]" = {}
for _extension, _types in EXTENSION_TO_TYPES.items():
    for _type in _types:
        TYPE_TO_EXTENSIONS.setdefault(_type, []).append(_extension)
UNSUPPORTED_JSON_TYPES = ["Heightmap", "RobotModel", "RigidObjectModel", "TerrainModel",
                          "WorldModel"]


def filename_to_types(name):
    """Types that a file of that name may hold."""
    extension = os.path.splitext(name)[1].lower()
    if extension not in EXTENSION_TO_TYPES:
        raise RuntimeError(f"the type of {name} cannot be told from its ending; give the type")
    return EXTENSION_TO_TYPES[extension]


def filename_to_type(name):
    """The likeliest type of a file of that name; 'xml' and 'json' are told by their content."""
    extension = os.path.splitext(name)[1].lower()
    if extension in (".xml", ".json"):
        return extension[1:]
    return filename_to_types(name)[0]


def write(obj, type):
    """Text of an object; type 'auto' or 'json' too."""
    if type == "json":
        return json.dumps(to_json(obj))
    if type == "auto":
        type = types.object_to_type(obj, writers)
    if type not in writers:
        raise ValueError(f"objects of type {type} cannot be written as text")
    return writers[type](obj)


def read(type, text):
    """Object of a text."""
    if type == "json":
        return from_json(json.loads(text))
    if type not in readers:
        raise ValueError(f"objects of type {type} cannot be read from text")
    return readers[type](text)


def load_WorldModel(fn):
    """A world file."""
    w = WorldModel()
    if not w.loadFile(fn):
        raise IOError(f"the world {fn} could not be read")
    return w


def load_Geometry3D(fn):
    """A geometry file."""
    g = Geometry3D()
    if not g.loadFile(fn):
        raise IOError(f"the geometry {fn} could not be read")
    return g


def load_Trajectory(fn):
    """A trajectory file."""
    value = Trajectory()
    value.load(fn)
    return value


def load_MultiPath(fn):
    """A multipath file."""
    from ..model.multipath import MultiPath
    value = MultiPath()
    value.load(fn)
    return value


def load_dynamic_xml(fn):
    """A world, a multipath or a grasp, by the file's content."""
    import xml.etree.ElementTree as ET
    root = ET.parse(fn).getroot()
    if root.tag == "Grasp":
        return read("Grasp", ET.tostring(root, encoding="unicode"))
    return load_MultiPath(fn) if root.tag == "multipath" else load_WorldModel(fn)


loaders = {"Trajectory": load_Trajectory, "LinearPath": load_Trajectory,
           "MultiPath": load_MultiPath, "Geometry3D": load_Geometry3D,
           "WorldModel": load_WorldModel, "xml": load_dynamic_xml}
savers = {"Trajectory": lambda x, fn: x.save(fn), "LinearPath": lambda x, fn: x.save(fn),
          "MultiPath": lambda x, fn: x.save(fn), "Geometry3D": lambda x, fn: x.saveFile(fn),
          "WorldModel": lambda x, fn: x.saveFile(fn)}


def save(obj, type, fn):
    """Writes an object to a file."""
    if hasattr(obj, "saveFile"):
        return obj.saveFile(fn)
    if type == "json" or (type == "auto" and fn.endswith(".json")):
        with open(fn, "w") as f:
            json.dump(to_json(obj), f)
        return True
    if type == "auto":
        known = [t for t in EXTENSION_TO_TYPES.get(os.path.splitext(fn)[1].lower(), [])
                 if t in savers or t in writers]
        kinds = types.object_to_types(obj)
        kinds = kinds if isinstance(kinds, list) else [kinds]
        type = next((t for t in known if t in kinds), None) or types.object_to_type(
            obj, [*savers, *writers])
    if type in savers:
        savers[type](obj, fn)
        return True
    with open(fn, "w") as f:
        f.write(write(obj, type) + "\n")
    return True


def load(type, fn):
    """Reads an object from a file."""
    if type == "auto":
        type = filename_to_type(fn)
    if "://" in fn:
        raise IOError(f"{fn}: addresses are not read; download the file first")
    if type in loaders:
        if not os.path.exists(fn):
            raise FileNotFoundError(f"{fn} does not exist")
        return loaders[type](fn)
    with open(fn) as f:
        return read(type, f.read())


def __getattr__(name):
    """Names of functions before version 0.7: readHold() is read_Hold(), and so on."""
    word, kind = (name[:4], name[4:]) if name.startswith("read") else (name[:5], name[5:])
    if word in ("read", "write") and f"{word}_{kind}" in globals():
        return globals()[f"{word}_{kind}"]
    raise AttributeError(f"module 'klampt.io.loader' has no attribute '{name}'")
