"""Colors of geometries from values of their elements."""

import colorsys

import numpy as np

from ..robotsim import Appearance, Geometry3D, Heightmap, PointCloud, TriangleMesh

# Programs get these along with `import *`.
from ..math import vectorops
from ..robotsim import *

# Control colors of maps: from low to high, evenly spaced.
_MAPS = {
    "gray": [(0, 0, 0), (1, 1, 1)],
    "viridis": [(0.27, 0.00, 0.33), (0.23, 0.32, 0.55), (0.13, 0.57, 0.55), (0.37, 0.79, 0.38), (0.99, 0.91, 0.14)],
    "plasma": [(0.05, 0.03, 0.53), (0.49, 0.01, 0.66), (0.80, 0.28, 0.47), (0.97, 0.58, 0.25), (0.94, 0.98, 0.13)],
    "cool": [(0, 1, 1), (1, 0, 1)],
    "jet": [(0, 0, 0.5), (0, 0, 1), (0, 1, 1), (1, 1, 0), (1, 0, 0), (0.5, 0, 0)],
}


def _random_colors(values):
    """A color for each different value, the same in every run."""
    _, which = np.unique(np.asarray(values), return_inverse=True)
    turns = (np.arange(which.max() + 1) * 0.6180339887498949) % 1.0
    table = np.array([colorsys.hsv_to_rgb(t, 0.5 + 0.5 * ((i * 7) % 5) / 4, 0.9) for i, t in enumerate(turns)])
    return table[which.ravel()]


def _map_colors(values, colormap, vrange):
    """Colors (n, 3) of n numbers by the name of a map; names that are not built in are Matplotlib's."""
    if colormap == "random":
        return _random_colors(values)
    values = np.asarray(values, dtype=float)
    low, high = vrange if vrange is not None else (np.nanmin(values), np.nanmax(values))
    u = np.clip((values - low) / max(high - low, 1e-300), 0.0, 1.0)
    stops = _MAPS.get({"grey": "gray"}.get(colormap, colormap))
    if stops is None:
        try:
            from matplotlib import colormaps
            return np.asarray(colormaps[colormap](u))[:, :3]
        except (ImportError, KeyError):
            raise ValueError(f"colorize: colormap '{colormap}' is not known; use random, " + ", ".join(_MAPS)
                             + ", or with Matplotlib one of its names") from None
    at = np.linspace(0.0, 1.0, len(stops))
    return np.column_stack([np.interp(u, at, channel) for channel in zip(*stops)])


def _data_of(object):
    """(geometry, data): the Geometry3D, if there is one, and its mesh, cloud or heightmap."""
    geometry = object.geometry() if callable(getattr(object, "geometry", None)) else object
    if isinstance(geometry, (PointCloud, TriangleMesh, Heightmap)):
        return None, geometry
    if not isinstance(geometry, Geometry3D):
        raise ValueError(f"colorize: a {type(object).__name__} has no points or triangles; use a body, a Geometry3D, a "
                         "TriangleMesh, a PointCloud or a Heightmap")
    kind = geometry.type()
    readers = {"TriangleMesh": geometry.getTriangleMesh, "PointCloud": geometry.getPointCloud,
               "Heightmap": geometry.getHeightmap}
    if kind not in readers:
        raise NotImplementedError(f"colorize: geometries of type '{kind}' are not colored; convert() makes a TriangleMesh or "
                                  "a PointCloud of them")
    return geometry, readers[kind]()


class _Elements:
    """The elements that are colored: vertices or faces, their positions and normals, each computed when asked for."""

    def __init__(self, data, feature):
        self.data, self.feature = data, feature
        if isinstance(data, PointCloud):
            self.positions = np.asarray(data.points)
        elif isinstance(data, Heightmap):
            self.positions = data._vertices()
        else:
            self.positions = np.asarray(data.vertices)
            if feature == "faces":
                self.positions = self.positions[np.asarray(data.indices)].mean(axis=1)

    def normals(self):
        from ..model import geometry
        if isinstance(self.data, PointCloud):
            return geometry.point_cloud_normals(self.data, estimation_viewpoint=[0, 0, 0])
        if isinstance(self.data, Heightmap):
            return geometry.heightmap_normals(self.data).reshape(-1, 3)
        find = geometry.triangle_normals if self.feature == "faces" else geometry.vertex_normals
        return find(self.data)


def _property(data, name):
    """Values of a property of a cloud or heightmap, None without one."""
    name = {"nx": "normal_x", "ny": "normal_y", "nz": "normal_z"}.get(name, name)
    if isinstance(data, PointCloud) and data.propertyIndex(name) >= 0:
        return np.asarray(data.properties)[:, data.propertyIndex(name)]
    if isinstance(data, Heightmap):
        if name in ("height", "z"):
            return np.asarray(data.heights, dtype=float).ravel()
        if data.propertyIndex(name) >= 0:
            return np.asarray(data.getProperties(data.propertyIndex(name))).ravel()
    return None


def _named_values(data, elements, name, vrange):
    """(values or colors, range) of a named feature."""
    if name == "index":
        return np.arange(len(elements.positions)), vrange
    values = _property(data, name)
    if values is not None:
        return values, vrange
    if name in ("p", "position"):
        low, high = elements.positions.min(axis=0), elements.positions.max(axis=0)
        return (elements.positions - low) / max((high - low).max(), 1e-300), vrange
    if name in ("x", "y", "z"):
        return elements.positions[:, "xyz".index(name)], vrange
    if name in ("n", "normal"):
        return (elements.normals() + 1.0) * 0.5, vrange
    if name in ("nx", "ny", "nz"):
        return elements.normals()[:, "xyz".index(name[1])], (-1, 1) if vrange is None else vrange
    raise ValueError(f"colorize: value '{name}' is not known; use position, normal, x, y, z, nx, ny, nz, index, height, a "
                     "property's name or an array")


def _shading(elements, lighting):
    normals = elements.normals()
    if callable(lighting):
        return np.array([lighting(p, n) for p, n in zip(elements.positions, normals)])
    if len(lighting) != 3:
        raise ValueError(f"colorize: lighting is a direction of 3 numbers or a function, got {len(lighting)} numbers")
    return 0.25 + 0.75 * np.clip(-normals @ np.asarray(lighting, dtype=float), 0.0, 1.0)


def _feature_of(data, value, colormap, feature):
    if feature not in ("vertices", "faces", None):
        raise ValueError(f"colorize: feature '{feature}' is not known; use vertices or faces")
    if not isinstance(data, TriangleMesh):
        if feature == "faces":
            raise ValueError("colorize: only triangle meshes have faces")
        return "vertices"
    if feature is not None:
        return feature
    if isinstance(value, str):
        return "faces" if colormap == "random" else "vertices"
    return "faces" if len(value) == len(data.indices) else "vertices"


def _write(object, geometry, data, feature, colors):
    """Puts colors where they belong: into clouds and heightmaps, else into an appearance, which is returned."""
    if callable(getattr(object, "appearance", None)):
        app = object.appearance()
    elif isinstance(data, PointCloud):
        from ..model.geometry import point_cloud_set_colors
        point_cloud_set_colors(data, colors, ("r", "g", "b", "a")[:colors.shape[1]])
        if geometry is not None:
            geometry.setPointCloud(data)
        return data
    elif isinstance(data, Heightmap):
        image = colors.reshape(*data.heights.shape, -1).swapaxes(0, 1)
        data.setColorImage(np.rint(image * 255).astype(np.uint8))
        if geometry is not None:
            geometry.setHeightmap(data)
        return data
    else:
        app = object if isinstance(object, Appearance) else Appearance()
    app.setColors(app.FACES if feature == "faces" else app.VERTICES, colors.astype(np.float32))
    return app


def colorize(object, value, colormap=None, feature=None, vrange=None, lighting=None):
    """Colors vertices or faces of a body or geometry by values.

    value: an array of one number or one color an element, or a name: position, normal, x, y, z, nx, ny, nz, index, height
    (heightmaps), a property of a cloud or heightmap. colormap: viridis (the default), plasma, cool, jet, gray, random (a
    color for each different value) or one of Matplotlib's. feature: 'vertices' or 'faces' of a mesh. vrange: the values
    (lowest, highest) that get the ends of the map. lighting: a direction of light (3), or a function (point, normal) ->
    brightness. Clouds and heightmaps get the colors themselves and are returned, unless they are a body's; else the
    appearance that holds them. Nothing happens to an empty geometry.
    """
    if isinstance(getattr(object, "geometry", lambda: object)(), Geometry3D):
        if (object.geometry() if callable(getattr(object, "geometry", None)) else object).empty():
            return None
    if isinstance(object, Appearance):
        colors = np.asarray(value, dtype=float)
        colors = colors if colors.ndim == 2 else _map_colors(colors, colormap or "viridis", vrange)
        return _write(object, None, None, feature or "vertices", colors)
    geometry, data = _data_of(object)
    feature = _feature_of(data, value, colormap, feature)
    elements = _Elements(data, feature)
    if isinstance(value, str):
        value, vrange = _named_values(data, elements, value, vrange)
    value = np.asarray(value)
    if len(value) != len(elements.positions):
        raise ValueError(f"colorize: there are {len(value)} values for {len(elements.positions)} {feature}")
    colors = value.astype(float) if value.ndim == 2 else _map_colors(value, colormap or "viridis", vrange)
    if lighting is not None:
        colors = np.column_stack((colors[:, :3] * _shading(elements, lighting)[:, None], colors[:, 3:]))
    return _write(object, geometry, data, feature, colors)
