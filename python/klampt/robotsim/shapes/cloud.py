"""Point clouds with properties."""

import numpy as np

from .colors import pack_colors, unpack_colors
from .mesh import GeometryData, points_array, rotation_matrix, translation


class PointCloud(GeometryData):
    """Points and numbers that belong to them.

    Attributes: `points`, an (n, 3) array, and `properties`, an (n, k) array, both views. Properties have names:
    `normal_x`, `normal_y`, `normal_z`; `rgb` (0xrrggbb) or `rgba` (0xaarrggbb) as numbers; `r`, `g`, `b`, `a`, `opacity`
    in [0, 1]; `c`, opacity up to 255; `u`, `v`; `radius`; and others. Settings are texts by name: `width` and `height` of
    clouds that stand in rows, `viewpoint` and others.
    """

    def __init__(self, rhs=None):
        self._points = np.zeros((0, 3))
        self._properties = np.zeros((0, 0))
        self._names = []
        self._settings = {}
        if rhs is not None:
            self.set(rhs)

    def set(self, rhs):
        """Takes over a copy of another cloud."""
        if not isinstance(rhs, PointCloud):
            raise TypeError("a PointCloud is needed, not a %s" % type(rhs).__name__)
        self._points = rhs._points.copy()
        self._properties = rhs._properties.copy()
        self._names = list(rhs._names)
        self._settings = dict(rhs._settings)
        self._changed()

    def getPoints(self):
        """The points, a view of shape (n, 3)."""
        return self._points

    def setPoints(self, points):
        """Replaces all points; properties of points that are new are 0."""
        self._points = points_array(points)
        if len(self._properties) != len(self._points):
            properties = np.zeros((len(self._points), len(self._names)))
            common = min(len(properties), len(self._properties))
            properties[:common] = self._properties[:common]
            self._properties = properties
        self._changed()

    def addPoint(self, p):
        """Appends a point whose properties are 0; returns its index."""
        self._points = np.vstack([self._points, translation(p)])
        self._properties = np.vstack([self._properties, np.zeros((1, len(self._names)))])
        self._changed()
        return len(self._points) - 1

    def setPoint(self, index, p):
        """Moves one point."""
        self._points[index] = translation(p)
        self._changed()

    def getPoint(self, index):
        """A point as a list of three numbers."""
        return self._points[index].tolist()

    def numProperties(self):
        """Returns how many properties each point has."""
        return len(self._names)

    def setPointsAndProperties(self, array):
        """Sets points and properties from an (n, 3 + k) array."""
        array = np.array(array, dtype=float)
        if array.ndim != 2 or array.shape[1] < 3:
            raise ValueError("points with properties are an array of shape (n, 3 + k), not %s" % (array.shape,))
        self._points = np.ascontiguousarray(array[:, :3])
        self._resize_names(array.shape[1] - 3)
        self._properties = np.ascontiguousarray(array[:, 3:])
        self._changed()

    def _resize_names(self, count):
        self._names = self._names[:count] + [""] * (count - len(self._names))

    def setProperties(self, properties):
        """Sets all properties from an (n, k) array."""
        array = np.array(properties, dtype=float)
        if array.ndim != 2 or len(array) != len(self._points):
            raise ValueError("properties are an array of shape (%d, k), not %s" % (len(self._points), array.shape))
        self._resize_names(array.shape[1])
        self._properties = np.ascontiguousarray(array)
        self._changed()

    def getProperties(self):
        """The properties, a view of shape (n, k)."""
        return self._properties

    def addProperty(self, pname, values=None):
        """Appends a property, 0 or one value a point; returns its index."""
        column = np.zeros(len(self._points)) if values is None else np.asarray(values, dtype=float).reshape(-1)
        if len(column) != len(self._points):
            raise ValueError("the property needs %d values, not %d" % (len(self._points), len(column)))
        self._names.append(str(pname))
        self._properties = np.column_stack([self._properties, column]) if self._properties.shape[1] else \
            column.reshape(-1, 1).copy()
        self._changed()
        return len(self._names) - 1

    def _property(self, key):
        index = self.propertyIndex(key) if isinstance(key, str) else int(key)
        if not 0 <= index < len(self._names):
            raise RuntimeError("the point cloud has no property %r" % (key,))
        return index

    def setPropertyName(self, pindex, pname):
        """Renames a property."""
        self._names[self._property(pindex)] = str(pname)
        self._changed()

    def getPropertyName(self, pindex):
        """Name of a property."""
        return self._names[self._property(pindex)]

    def getPropertyNames(self):
        """Names of all properties."""
        return list(self._names)

    def propertyIndex(self, pname):
        """Index of the property of that name, or -1."""
        return self._names.index(pname) if pname in self._names else -1

    def setProperty(self, index, key, value):
        """Sets a property, by index or name, of one point."""
        self._properties[index, self._property(key)] = value
        self._changed()

    def getProperty(self, index, key):
        """A property, by index or name, of one point."""
        return float(self._properties[index, self._property(key)])

    def translate(self, t):
        """Moves all points by a vector."""
        self._points += translation(t)
        self._changed()

    def transform(self, R, t):
        """Moves all points by a pose: R p + t; normals turn along."""
        matrix = rotation_matrix(R)
        self._points[:] = self._points @ matrix.T + translation(t)
        normals = [self.propertyIndex(n) for n in ("normal_x", "normal_y", "normal_z")]
        if min(normals) >= 0:
            self._properties[:, normals] = self._properties[:, normals] @ matrix.T
        self._changed()

    def join(self, pc):
        """Appends the points of a cloud with the same properties."""
        if pc._names != self._names:
            raise RuntimeError("the clouds have different properties: %s and %s" % (self._names, pc._names))
        self._points = np.vstack([self._points, pc._points])
        self._properties = np.vstack([self._properties, pc._properties])
        self._settings.pop("width", None)
        self._settings.pop("height", None)
        self._changed()

    def setSetting(self, key, value):
        """Sets a setting, a text."""
        self._settings[str(key)] = str(value)
        self._changed()

    def getSetting(self, key):
        """A setting. Raises RuntimeError when there is none of this name."""
        try:
            return self._settings[key]
        except KeyError:
            raise RuntimeError("the point cloud has no setting '%s'" % key) from None

    def setDepthImage(self, intrinsics, depth, depth_scale=1.0):
        """Points of a depth image of shape (h, w), row by row; z is the depth along the optical axis.

        `intrinsics`: [fx, fy, cx, cy] or a dictionary of these, in pixels.
        """
        fx, fy, cx, cy = ([intrinsics[k] for k in ("fx", "fy", "cx", "cy")] if isinstance(intrinsics, dict)
                          else intrinsics)
        depth = np.asarray(depth)
        if depth.ndim != 2:
            raise ValueError("a depth image has the shape (h, w), not %s" % (depth.shape,))
        z = depth.astype(float) * depth_scale
        rows, columns = np.indices(z.shape)
        self._points = np.column_stack([((columns - cx) / fx * z).ravel(), ((rows - cy) / fy * z).ravel(), z.ravel()])
        self._names = []
        self._properties = np.zeros((len(self._points), 0))
        self._settings["width"] = str(z.shape[1])
        self._settings["height"] = str(z.shape[0])
        self._changed()

    def setRGBDImages(self, intrinsics, color, depth, depth_scale=1.0):
        """The same with a color image: (h, w) of packed 0xrrggbb, or (h, w, 3) of bytes or numbers in [0, 1]."""
        self.setDepthImage(intrinsics, depth, depth_scale)
        color = np.asarray(color)
        if color.shape[:2] != np.asarray(depth).shape:
            raise ValueError("color and depth differ in size: %s and %s" % (color.shape, np.asarray(depth).shape))
        if color.ndim == 3:
            if color.dtype != np.uint8:
                color = np.clip(np.round(color * 255), 0, 255)
            color = color.astype(np.uint32)
            color = (color[:, :, 0] << 16) | (color[:, :, 1] << 8) | color[:, :, 2]
        self.addProperty("rgb", color.ravel().astype(float))

    setDepthImage_d = setDepthImage_f = setDepthImage_s = setDepthImage
    setRGBDImages_i_d = setRGBDImages_i_f = setRGBDImages_i_s = setRGBDImages
    setRGBDImages_b_d = setRGBDImages_b_f = setRGBDImages_b_s = setRGBDImages

    def getColors(self, format="rgb"):
        """Colors of the points, or None when there are none.

        `format`: 'rgb', 'bgr', 'rgba', 'bgra', 'argb', 'abgr' for packed numbers, ('r', 'g', 'b') or
        ('r', 'g', 'b', 'a') for rows of numbers in [0, 1], 'channels' for a tuple of columns, or 'opacity'.
        """
        channels = self._channels()
        return None if channels is None else pack_colors(channels, format)

    def _column(self, name):
        return self._properties[:, self._names.index(name)]

    def _channels(self):
        """(n, 3) or (n, 4) numbers in [0, 1], or None."""
        for packed in ("rgb", "rgba"):
            if packed in self._names:
                return unpack_colors(self._column(packed), "argb" if packed == "rgba" else "rgb")
        alpha = None
        if "a" in self._names or "opacity" in self._names:
            alpha = self._column("a" if "a" in self._names else "opacity")
        elif "c" in self._names:
            alpha = self._column("c") / 255.0
        if all(n in self._names for n in "rgb"):
            columns = [self._column(n) for n in "rgb"]
        elif alpha is not None:
            columns = [np.ones(len(self._points))] * 3
        else:
            return None
        return np.column_stack(columns + ([] if alpha is None else [alpha]))

    def setColors(self, colors, color_format="rgb", pc_property="auto"):
        """Sets the points' colors, given in one of the formats of `getColors`.

        `pc_property`: the property that holds them: 'rgb', 'rgba', 'opacity', 'channels' for one property a channel, or
        'auto' for what the cloud has already.
        """
        if color_format == "opacity":
            self._set_column("opacity" if pc_property in ("auto", "opacity") else pc_property, np.asarray(colors))
            return
        if color_format == "channels":
            channels = np.column_stack([np.asarray(c, dtype=float) for c in colors])
        else:
            channels = unpack_colors(np.asarray(colors), color_format)
        if len(channels) != len(self._points):
            raise ValueError("there are %d colors for %d points" % (len(channels), len(self._points)))
        if pc_property == "auto":
            present = [n for n in ("rgb", "rgba") if n in self._names]
            if present:
                pc_property = present[0]
            elif "r" in self._names:
                pc_property = "channels"
            else:
                pc_property = "rgba" if channels.shape[1] == 4 else "rgb"
        if pc_property == "channels":
            for name, column in zip("rgba", channels.T):
                self._set_column(name, column)
        else:
            self._set_column(pc_property, pack_colors(channels, "argb" if pc_property == "rgba" else "rgb"))

    def _set_column(self, name, values):
        if name not in self._names:
            self.addProperty(name)
        self._properties[:, self._names.index(name)] = np.asarray(values, dtype=float)
        self._changed()

    points = property(getPoints, setPoints)
    properties = property(getProperties, setProperties)

    def __reduce__(self):
        return _make_cloud, (self._points, self._properties, self._names, self._settings)

    def __repr__(self):
        return "<PointCloud: %d points, properties %s>" % (len(self._points), self._names)


def _make_cloud(points, properties, names, settings):
    cloud = PointCloud()
    cloud._points = np.array(points)
    cloud._properties = np.array(properties)
    cloud._names = list(names)
    cloud._settings = dict(settings)
    return cloud
