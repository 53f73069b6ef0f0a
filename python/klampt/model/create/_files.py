"""Robots loaded from generated .rob files."""

import os
import tempfile

def cuboid(a, b):
    """The mesh of a box between two corners."""
    from .primitives import bbox
    return bbox(list(a), list(b))


def load_text(world, text, tempname, debug):
    """Loads a robot from the text of a .rob file; keeps the file when debug is set."""
    if tempname == "temp.rob" and not debug:
        handle, path = tempfile.mkstemp(suffix=".rob")
        os.close(handle)
    else:
        path = tempname
    try:
        with open(path, "w") as out:
            out.write(text)
        if world.loadElement(path) < 0:
            raise RuntimeError(f"the generated robot {path} could not be loaded")
    finally:
        if not debug and os.path.exists(path):
            os.remove(path)
    return world.robot(world.numRobots() - 1)
