"""Heights and depths over a grid."""

import numpy as np

from .cloud import PointCloud
from .mesh import GeometryData
from ..viewport import Viewport


class Heightmap(GeometryData):
    """Heights over a grid, or the depths of an image.

    `heights` is a (w, h) array of float32, a view; entry (i, j) belongs to column i and row j, rows counted from the top
    (from large y to small). The `viewport` says where entries are, in the middle of their pixels: without perspective at
    ((i + 1/2 - cx) / fx, (h - 1/2 - j - cy) / fy, height), with it at depth d at (d (i + 1/2 - cx) / fx,
    d (j + 1/2 - cy) / fy, d).
    """

    def __init__(self, rhs=None):
        self._heights = np.zeros((0, 0), dtype=np.float32)
        self._viewport = Viewport()
        self._viewport.perspective = False
        self._viewport.w = self._viewport.h = 1
        self._viewport.fx = self._viewport.fy = 1.0
        self._viewport.cx = self._viewport.cy = 0.5
        self._colors = None  # (h, w, 1, 3 or 4) of bytes
        self._names = []
        self._properties = []
        if rhs is not None:
            self._take_over(rhs)

    def _take_over(self, rhs):
        if not isinstance(rhs, Heightmap):
            raise TypeError("a Heightmap is needed, not a %s" % type(rhs).__name__)
        self._heights = rhs._heights.copy()
        self._viewport = rhs._viewport.copy()
        self._colors = None if rhs._colors is None else rhs._colors.copy()
        self._names = list(rhs._names)
        self._properties = [p.copy() for p in rhs._properties]
        self._changed()

    def set(self, *args):
        """set(heightmap) takes over a copy; set(value) fills all entries; set(i, j, value) sets one."""
        if len(args) == 1 and isinstance(args[0], Heightmap):
            self._take_over(args[0])
        elif len(args) == 1:
            self._heights[...] = float(args[0])
        elif len(args) == 3:
            self._heights[int(args[0]), int(args[1])] = float(args[2])
        else:
            raise TypeError("set takes a heightmap, a value, or two indices and a value")
        self._changed()

    def resize(self, w, h):
        """Gives it so many columns and rows; those that were there keep their heights."""
        heights = np.zeros((w, h), dtype=np.float32)
        fresh = self._heights.size == 0
        common = tuple(slice(0, min(a, b)) for a, b in zip(heights.shape, self._heights.shape))
        heights[common] = self._heights[common]
        self._heights = heights
        self._colors = None
        self._properties = [np.zeros((w, h)) for _ in self._properties]
        self._resized(int(w), int(h), fresh)
        self._changed()

    def _resized(self, w, h, fresh=False):
        """The view keeps what it covers when the number of columns and rows changes; at first each covers a meter."""
        v = self._viewport
        across, down = w / max(v.w, 1), h / max(v.h, 1)
        if not fresh:
            v.fx, v.fy = v.fx * across, v.fy * down
        v.cx, v.cy = v.cx * across, v.cy * down
        v.w, v.h = w, h

    def setSize(self, width, height):
        """Heights over a rectangle of this size, centered at the origin."""
        w, h = self._heights.shape
        v = self._viewport
        v.perspective = False
        v.fx, v.fy = max(w - 1, 1) / float(width), max(h - 1, 1) / float(height)
        v.cx, v.cy = 0.5 * w, 0.5 * h
        self._changed()

    def setFOV(self, fovx, fovy=-1):
        """Depths of an image with these angles of view between its outermost columns and rows, rad."""
        w, h = self._heights.shape
        fx = 0.5 * max(w - 1, 1) / np.tan(0.5 * fovx)
        self.setIntrinsics(fx, fx if fovy <= 0 else 0.5 * max(h - 1, 1) / np.tan(0.5 * fovy))

    def setIntrinsics(self, fx, fy, cx=-1, cy=-1):
        """Depths of an image with these focal lengths and center in pixels; below 0: the middle."""
        w, h = self._heights.shape
        v = self._viewport
        v.perspective = True
        v.fx, v.fy = float(fx), float(fy)
        v.cx, v.cy = float(cx) if cx >= 0 else 0.5 * w, float(cy) if cy >= 0 else 0.5 * h
        self._changed()

    def isPerspective(self):
        """Returns whether it holds depths of an image."""
        return bool(self._viewport.perspective)

    def isOrthographic(self):
        """Returns whether it holds heights."""
        return not self._viewport.perspective

    def getViewport(self):
        """A copy of what says where entries are."""
        return self._viewport.copy()

    def setViewport(self, viewport):
        """Replaces what says where entries are."""
        self._viewport = viewport.copy()
        self._changed()

    def get(self, i, j):
        """Height of an entry."""
        return float(self._heights[i, j])

    def getVertex(self, i, j):
        """Returns where an entry is: three numbers."""
        v, d = self._viewport, float(self._heights[i, j])
        if v.perspective:
            return np.array([d * (i + 0.5 - v.cx) / v.fx, d * (j + 0.5 - v.cy) / v.fy, d])
        return np.array([(i + 0.5 - v.cx) / v.fx, (self._heights.shape[1] - 0.5 - j - v.cy) / v.fy, d])

    def getSize(self):
        """Width and height in meters; the angles of view where it holds depths."""
        w, h = self._heights.shape
        v = self._viewport
        if v.perspective:
            return np.array([2 * np.arctan(0.5 * (w - 1) / v.fx), 2 * np.arctan(0.5 * (h - 1) / v.fy)])
        return np.array([(w - 1) / v.fx, (h - 1) / v.fy])

    def getResolution(self):
        """Width and height of a cell in meters; at depth 1 where it holds depths."""
        return np.array([1 / self._viewport.fx, 1 / self._viewport.fy])

    def shift(self, dh):
        """Adds to all heights."""
        self._heights += np.float32(dh)
        self._changed()

    def scale(self, c):
        """Multiplies all heights."""
        self._heights *= np.float32(c)
        self._changed()

    def getHeights(self):
        """All heights, a view of shape (w, h)."""
        return self._heights

    def setHeights(self, arr):
        """Replaces all heights by a (w, h) array."""
        array = np.array(arr, dtype=np.float32)
        if array.ndim != 2:
            raise ValueError("heights are an array of 2 dimensions, not %d" % array.ndim)
        if array.shape != self._heights.shape:
            self._resized(*array.shape, self._heights.size == 0)
            self._colors = None
            self._properties = [np.zeros(array.shape) for _ in self._properties]
        self._heights = array
        self._changed()

    setHeights_f = setHeights

    def setHeightImage(self, img, height_scale=1.0):
        """The same from an image of shape (h, w)."""
        self.setHeights(np.asarray(img, dtype=np.float32).T * np.float32(height_scale))

    def getHeightImage(self):
        """The heights as an image of shape (h, w), float32."""
        return self._heights.T.copy()

    def _scaled_image(self, kind, most):
        largest = float(self._heights.max()) if self._heights.size else 0.0
        scale = largest / most if largest > 0 else 1.0
        return np.clip(np.round(self._heights.T / scale), 0, most).astype(kind), scale

    def getHeightImage_b(self):
        """The heights as an image of bytes, and what to multiply them by."""
        return self._scaled_image(np.uint8, 255)

    def getHeightImage_s(self):
        """The heights as an image of uint16, and what to multiply them by."""
        return self._scaled_image(np.uint16, 65535)

    def hasColors(self):
        """Returns whether entries have colors."""
        return self._colors is not None

    def clearColors(self):
        """Drops the colors."""
        self._colors = None
        self._changed()

    def _make_colors(self, channels):
        if self._colors is None or self._colors.shape[2] < channels:
            w, h = self._heights.shape
            colors = np.full((h, w, channels), 255, dtype=np.uint8)
            if self._colors is not None:
                colors[:, :, :min(3, channels)] = self._colors[:, :, :3]
            self._colors = colors

    def setColor(self, *args):
        """setColor(color) of all entries, setColor(i, j, color) of one; a gray in [0, 1] or up to four channels."""
        color = np.atleast_1d(np.asarray(args[-1], dtype=float))
        color = np.concatenate([np.repeat(color, 3), [1.0]]) if len(color) == 1 else color
        self._make_colors(4)
        pixel = np.clip(np.round(np.concatenate([color, np.ones(4 - len(color))]) * 255), 0, 255)
        if len(args) == 1:
            self._colors[...] = pixel
        else:
            self._colors[args[1], args[0]] = pixel
        self._changed()

    def getColor(self, i, j):
        """Color of an entry: (r, g, b, a)."""
        if self._colors is None:
            return 1.0, 1.0, 1.0, 1.0
        c = [float(v) / 255 for v in self._colors[j, i]]
        if len(c) == 1:
            return c[0], c[0], c[0], 1.0
        return tuple(c + [1.0] * (4 - len(c)))

    def getColorImage(self):
        """Colors as an image of bytes, (h, w, channels), a view. Raises RuntimeError when there are none."""
        if self._colors is None:
            raise RuntimeError("the heightmap has no colors")
        return self._colors

    def setColorImage(self, img):
        """Colors from an image: (h, w) of packed uint32 (RGBA) or gray, or (h, w, 1, 3 or 4)."""
        img = np.asarray(img)
        w, h = self._heights.shape
        if img.shape[:2] != (h, w):
            raise ValueError("the image is of %s, but %s pixels are needed" % (img.shape[:2], (h, w)))
        if img.ndim == 2 and img.dtype == np.uint32:
            img = np.stack([(img >> s) & 0xff for s in (24, 16, 8, 0)], axis=2)
        elif img.ndim == 2:
            img = img[:, :, np.newaxis]
        if np.issubdtype(img.dtype, np.floating):
            img = np.clip(np.round(img * 255), 0, 255)
        self._colors = np.ascontiguousarray(img.astype(np.uint8))
        self._changed()

    setColorImage_b = setColorImage_i = setColorImage

    def getColorImage_i(self):
        """Colors as an image of packed RGBA, (h, w) of uint32."""
        pixels = np.full(self.getColorImage().shape[:2] + (4,), 255, dtype=np.uint32)
        c = self._colors
        pixels[:, :, :3] = c[:, :, :3] if c.shape[2] >= 3 else c[:, :, :1]
        if c.shape[2] == 4:
            pixels[:, :, 3] = c[:, :, 3]
        return (pixels[:, :, 0] << 24) | (pixels[:, :, 1] << 16) | (pixels[:, :, 2] << 8) | pixels[:, :, 3]

    def getColorImage_d(self):
        """Colors as an image of numbers in [0, 1]."""
        return self.getColorImage() / 255.0

    def numProperties(self):
        """Returns how many properties entries have."""
        return len(self._names)

    def addProperty(self, pname, values=None):
        """Appends a property, 0 or from a (w, h) array; returns its index."""
        array = np.zeros(self._heights.shape) if values is None else np.array(values, dtype=float)
        if array.shape != self._heights.shape:
            raise ValueError("the property is of shape %s, not %s" % (array.shape, self._heights.shape))
        self._names.append(str(pname))
        self._properties.append(array)
        return len(self._names) - 1

    def propertyIndex(self, pname):
        """Index of the property of that name, or -1."""
        return self._names.index(pname) if pname in self._names else -1

    def setProperty(self, i, j, values):
        """Sets all properties of an entry."""
        for array, value in zip(self._properties, values):
            array[i, j] = value

    def getProperty(self, i, j):
        """All properties of an entry."""
        return np.array([array[i, j] for array in self._properties])

    def setProperties(self, pindex, values):
        """Sets one property of all entries from a (w, h) array."""
        self._properties[pindex][...] = values

    def getProperties(self, pindex):
        """One property of all entries, a view of shape (w, h)."""
        return self._properties[pindex]

    def setPropertyImage(self, pindex, img):
        """The same from an image of shape (h, w)."""
        self.setProperties(pindex, np.asarray(img, dtype=float).T)

    heights = property(getHeights, setHeights)
    colorImage = property(getColorImage, setColorImage)
    viewport = property(getViewport, setViewport)

    def _vertices(self):
        """All entries' places, row by row of the grid: (w * h, 3), columns outermost."""
        v, d = self._viewport, self._heights.astype(float)
        i, j = np.indices(d.shape)
        if v.perspective:
            points = [d * (i + 0.5 - v.cx) / v.fx, d * (j + 0.5 - v.cy) / v.fy, d]
        else:
            points = [(i + 0.5 - v.cx) / v.fx, (d.shape[1] - 0.5 - j - v.cy) / v.fy, d]
        return np.stack([p.ravel() for p in points], axis=1)

    def to_cloud(self):
        """A point for each entry, column by column, with the colors (r, g, b) and properties there are."""
        cloud = PointCloud()
        cloud.setPoints(self._vertices())
        if self._colors is not None:
            colors = self._colors if self._colors.shape[2] >= 3 else np.repeat(self._colors[:, :, :1], 3, axis=2)
            for i, name in enumerate("rgba"[:colors.shape[2]]):
                cloud.addProperty(name, np.ascontiguousarray(colors[:, :, i].T.ravel() / 255.0))
        for name, values in zip(self._names, self._properties):
            cloud.addProperty(name, np.ascontiguousarray(values.ravel(), dtype=float))
        return cloud

    def _triangles(self):
        """Two triangles a cell, facing up, or the camera."""
        w, h = self._heights.shape
        i, j = (x.ravel() for x in np.indices((max(w - 1, 0), max(h - 1, 0))))
        a, b, c, d = i * h + j, (i + 1) * h + j, (i + 1) * h + j + 1, i * h + j + 1
        return np.concatenate([np.stack([a, d, c], 1), np.stack([a, c, b], 1)]).astype(np.int32)

    def __reduce__(self):
        return _make_heightmap, (self._heights, self._viewport.toJson(), self._colors, self._names, self._properties)

    def __repr__(self):
        return "<Heightmap: %d x %d>" % self._heights.shape


def _make_heightmap(heights, viewport, colors, names, properties):
    heightmap = Heightmap()
    heightmap._heights = np.array(heights)
    heightmap._viewport.fromJson(viewport)
    heightmap._colors, heightmap._names = colors, list(names)
    heightmap._properties = [np.array(p) for p in properties]
    return heightmap
