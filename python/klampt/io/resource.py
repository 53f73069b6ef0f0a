"""Named objects in a folder, read, edited and written by name."""

import os
import warnings

import numpy as np

from ..model import types
from ..vis import visualization as _vis
from . import loader

_directory = os.getcwd()


def get_directory():
    """The folder of resources."""
    return _directory


def set_directory(value):
    """Sets the folder of resources."""
    global _directory
    _directory = value


def known_extensions():
    """Endings of files that resources have."""
    return list(loader.EXTENSION_TO_TYPES)


def known_types():
    """Types of resources."""
    return types.known_types()


def visual_edit_types():
    """Types that can be edited in a window."""
    return ["Config", "Configs", "Trajectory", "Vector3", "Point", "RigidTransform", "Rotation",
            "WorldModel"]


# Names of before version 0.9.
getDirectory, setDirectory = get_directory, set_directory
knownTypes, knownExtensions, visualEditTypes = known_types, known_extensions, visual_edit_types


def _path(name, directory):
    return os.path.join(get_directory() if directory is None else directory, name)


def get(name, type="auto", directory=None, default=None, doedit="auto", description=None,
        editor="visual", world=None, referenceObject=None, frame=None):
    """The resource of a name.

    doedit: True edits it, 'auto' when it does not exist, False never (the default value is
    returned instead, or RuntimeError raised).
    """
    if name is None and doedit is False:
        raise RuntimeError("get() without a name wants an editor")
    value, found = default, False
    kind = loader.filename_to_type(name) if type == "auto" and name is not None else type
    if name is not None and os.path.exists(_path(name, directory)):
        value, found = loader.load(kind, _path(name, directory)), True
    if found and doedit is not True:
        return value
    if doedit is False:
        if default is not None:
            return default
        raise RuntimeError(f"Resource {_path(name, directory)} does not exist")
    made = None
    if value is None and kind != "auto":
        made = value = types.make(kind, referenceObject if referenceObject is not None else world)
    accepted, edited = edit(name, value, kind, description, editor, world, referenceObject, frame)
    if not accepted:
        return value if found else None
    if name is not None and made is not None and edited is made:
        warnings.warn(f"there is no {_path(name, directory)}, and nobody edited one: an empty {kind} is written there and returned; "
                      "doedit=False makes this an error", stacklevel=2)
    if name is not None:
        set(name, edited, kind, directory)
    return edited


def set(name, value, type="auto", directory=None):
    """Writes a resource."""
    fn = _path(name, directory)
    folder = os.path.dirname(fn)
    if folder:
        os.makedirs(folder, exist_ok=True)
    if type == "auto":
        try:
            type = loader.filename_to_type(name)
        except RuntimeError:
            type = types.object_to_type(value)
    return loader.save(value, "auto" if type == "xml" else type, fn)


def load(type=None, directory=None):
    """Asks for a file; the first of the type in the folder without a user."""
    folder = get_directory() if directory is None else directory
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        kinds = loader.EXTENSION_TO_TYPES.get(os.path.splitext(name)[1].lower(), [])
        if kinds and (type is None or type in kinds):
            return name, loader.load("auto" if type is None else type, os.path.join(folder, name))
    return None


def save(value, type="auto", directory=None):
    """Asks for a name and writes; without a user the name is that of the type."""
    kind = types.object_to_type(value) if type == "auto" else type
    name = "untitled" + loader.TYPE_TO_EXTENSIONS.get(kind, [".json"])[0]
    set(name, value, kind, directory)
    return name


def thumbnail(value, size, type="auto", world=None, frame=None):
    """A picture of a value of that size (w, h), with the world it belongs to: Pillow's image, or RGBA bytes without Pillow."""
    from ..vis import _pictures, _scene
    scene = _scene.VisualizationScene()
    if hasattr(value, "numRobots"):
        world = value
    elif type in ("Config", "Configs", "Trajectory", "IKGoal") and world is None:
        raise ValueError(f"a picture of a {type} wants the world")
    if world is not None:
        scene.add("world", world)
    if value is not world:
        scene.add("item", value)
    view = scene.getViewport()
    view.w, view.h = size
    view.cx, view.cy = size[0] / 2, size[1] / 2
    view.fx = view.fy = min(size)
    scene.autoFitCamera()
    painter = _pictures.take(scene, {})
    try:
        return _pictures.formatted(painter, "Image", False)
    except ImportError:
        color = _pictures.formatted(painter, "numpy", False)
        return np.dstack((color, np.full(color.shape[:2], 255, dtype=np.uint8))).tobytes()


def console_edit(name, value, type, description=None, world=None, frame=None):
    """edit() in a terminal."""
    return edit(name, value, type, description, "console", world, None, frame)


def edit(name, value, type="auto", description=None, editor="visual", world=None,
         referenceObject=None, frame=None):
    """Lets the user change a value; returns (accepted, value).

    With MORTISE_VIS=browser a page shows sliders, handles or text. Without a user the script answers (see klampt.vis), or the
    value is accepted once.
    """
    if name is None and type == "auto":
        raise RuntimeError("edit() without a name wants a type")
    if type == "auto":
        type = types.object_to_type(value)
    if value is None:
        value = types.make(type, referenceObject if referenceObject is not None else world)
    return _vis._answer("Anonymous" if name is None else name, value, type if editor != "console" else None, description, world,
                        referenceObject, frame)
