"""Files: worlds, configurations, trajectories, geometries; resources; numpy; web pages."""

from .. import robotsim as _robotsim
from .loader import from_json, load, read, save, to_json, write

__all__ = ["html", "loader", "resource", "load", "save", "write", "read", "to_json", "from_json",
           "subscribe_to_stream", "detach_from_stream", "process_streams", "wait_for_stream",
           "threejs_get_scene", "threejs_get_transforms"]


def __getattr__(name):
    """Functions of the compiled module, where it offers them."""
    if name in __all__ and hasattr(_robotsim, name):
        return getattr(_robotsim, name)
    if name in ("subscribe_to_stream", "detach_from_stream", "process_streams", "wait_for_stream",
                "threejs_get_scene", "threejs_get_transforms"):
        def missing(*args):
            raise NotImplementedError(f"{name}() is not offered: streams of other systems are cut")
        return missing
    raise AttributeError(f"module 'klampt.io' has no attribute '{name}'")
