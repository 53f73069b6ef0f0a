"""Colors of geometries from values of their elements."""

import numpy as np


def _colormap(values, colormap, vrange):
    low, high = vrange if vrange is not None else (np.min(values), np.max(values))
    u = np.clip((np.asarray(values, float) - low) / max(high - low, 1e-300), 0.0, 1.0)
    if colormap in (None, "gray", "grey"):
        return np.column_stack((u, u, u, np.ones_like(u)))
    # Blue over green to red, each a triangle.
    ramp = [np.clip(1.5 - np.abs(4 * u - c), 0.0, 1.0) for c in (3.0, 2.0, 1.0)]
    return np.column_stack(ramp + [np.ones_like(u)])


def colorize(object, value, colormap=None, feature=None, vrange=None, lighting=None):
    """Colors vertices or faces of a body or geometry by values.

    value: an array of one number an element, 'x', 'y', 'z' or 'index'. Returns the
    appearance that was colored.
    """
    geometry = object.geometry() if callable(getattr(object, "geometry", None)) else object
    appearance = object.appearance() if hasattr(object, "appearance") else None
    if appearance is None:
        from ..robotsim import Appearance
        appearance = Appearance()
    cloud = geometry.type() == "PointCloud"
    points = (np.asarray(geometry.getPointCloud().points) if cloud
              else np.asarray(geometry.getTriangleMesh().vertices))
    if isinstance(value, str):
        choices = {"x": 0, "y": 1, "z": 2}
        if value == "index":
            value = np.arange(len(points))
        elif value in choices:
            value = points[:, choices[value]]
        else:
            raise ValueError(f"colorize: value '{value}' is not known; use x, y, z, index or an array")
    value = np.asarray(value)
    colors = value if value.ndim == 2 else _colormap(value, colormap, vrange)
    if feature is None:
        feature = "vertices" if len(colors) == len(points) else "faces"
    which = appearance.FACES if feature == "faces" else appearance.VERTICES
    appearance.setColors(which, colors)
    return appearance
