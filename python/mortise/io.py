"""Files, and where they are looked for.

`load` and `save` take any format that a plugin reads or writes; `load_robot` and `load_world` say what is wanted.
"""

from ._mortise import add_package, add_resource_folder, load, load_robot, load_world, load_world_description, save

__all__ = ["add_package", "add_resource_folder", "load", "load_robot", "load_world", "load_world_description", "save"]
