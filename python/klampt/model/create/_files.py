"""Robots loaded from generated .rob files."""

import os
import tempfile

# The unit cube as an OFF mesh within a .rob file: {min} and {max} are corners.
CUBE = ("{{TriangleMesh\\nOFF\\n8 12 0\\n"
        + "\\n".join("{%s[0]} {%s[1]} {%s[2]}" % (x, y, z) for x in ("a", "b")
                     for y in ("a", "b") for z in ("a", "b"))
        + "\\n3 0 1 3\\n3 0 3 2\\n3 4 6 7\\n3 4 7 5\\n3 0 4 5\\n3 0 5 1\\n3 2 3 7\\n3 2 7 6"
        + "\\n3 0 2 6\\n3 0 6 4\\n3 1 5 7\\n3 1 7 3\\n}}")


def cube(a, b):
    """Text of a box between two corners for a line 'geometry'."""
    return CUBE.format(a=a, b=b)


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
