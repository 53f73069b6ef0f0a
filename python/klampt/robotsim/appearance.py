"""Colors and textures of things as data; nothing here draws."""

import numpy as np


class Appearance:
    """Colors of a thing's features, textures, and how it is drawn.

    Features are `ALL`, `VERTICES`, `EDGES`, `FACES`, `EMISSIVE` and `SPECULAR`. Viewers read what is set here.
    """

    ALL = 0
    VERTICES = 1
    EDGES = 2
    FACES = 3
    EMISSIVE = 4
    SPECULAR = 5

    def __init__(self, app=None):
        self._reset()
        self.id = -1
        if app is not None:
            self.set(app)

    def _reset(self):
        self._draw = {self.VERTICES: True, self.EDGES: False, self.FACES: True}
        self._color = {self.VERTICES: (0.0, 0.0, 0.0, 1.0), self.EDGES: (0.0, 0.0, 0.0, 1.0),
                       self.FACES: (0.5, 0.5, 0.5, 1.0), self.EMISSIVE: (0.0, 0.0, 0.0, 1.0),
                       self.SPECULAR: (0.0, 0.0, 0.0, 1.0)}
        self._colors = {}
        self._tint, self._tint_strength = (0.0, 0.0, 0.0, 0.0), 0.0
        self._shininess = 0.0
        self._texture1d = self._texture2d = None
        self._texcoords1d = self._texcoords2d = None
        self._texgen, self._texgen_world, self._tex_wrap = None, False, False
        self._point_size, self._crease_angle = 5.0, 0.0
        self._silhouette = (0.0025, (0.0, 0.0, 0.0, 1.0))
        self._version = 0

    @property
    def world(self):
        """-1 where it belongs to no world."""
        return -1 if self.id < 0 else 0

    @property
    def appearancePtr(self):
        """A number that identifies the appearance."""
        return id(self)

    def refresh(self, deep=True):
        """Viewers look again."""
        self._version += 1

    def clone(self):
        """An appearance of its own like this one."""
        return Appearance(self)

    copy = clone

    def set(self, app):
        """Takes over a copy of another appearance."""
        if not isinstance(app, Appearance):
            raise TypeError("an Appearance is needed, not a %s" % type(app).__name__)
        for key, value in vars(app).items():
            if key in ("id", "_version"):
                continue
            vars(self)[key] = dict(value) if isinstance(value, dict) else value
        self.refresh()

    def isStandalone(self):
        """Returns whether it belongs to no world."""
        return self.id < 0

    def free(self):
        """Back to how everything looks at first."""
        if self.id < 0:
            self._reset()

    def _features(self, feature):
        return (self.VERTICES, self.EDGES, self.FACES) if feature == self.ALL else (int(feature),)

    def setDraw(self, *args):
        """setDraw(on) of everything, setDraw(feature, on) of a feature."""
        feature, on = (self.ALL, args[0]) if len(args) == 1 else args
        for f in self._features(feature):
            self._draw[f] = bool(on)
        self.refresh(False)

    def getDraw(self, feature=0):
        """Returns whether a feature is drawn; ALL: whether any is."""
        return any(self._draw.get(f, False) for f in self._features(feature))

    def setColor(self, *args):
        """setColor(r, g, b[, a]) of everything, or with a feature first; each in [0, 1]."""
        if len(args) == 1:
            args = tuple(args[0])
        if len(args) == 5:
            features, channels = self._features(args[0]), args[1:]
        elif len(args) == 2:
            features, channels = self._features(args[0]), tuple(args[1])
        elif len(args) in (3, 4):
            features, channels = self._features(self.ALL), args
        else:
            raise TypeError("setColor takes r, g, b, a, and a feature before them")
        color = tuple(float(c) for c in channels)
        color += (1.0,) * (4 - len(color))
        for f in features:
            self._color[f] = color
            self._colors.pop(f, None)
        self.refresh(False)

    def getColor(self, feature=3):
        """Color of a feature, by default of faces: (r, g, b, a)."""
        return self._color[self.FACES if feature == self.ALL else int(feature)]

    def setColors(self, feature, colors):
        """A color for each element of a feature: (n, 3) or (n, 4)."""
        array = np.array(colors, dtype=np.float32)
        if array.ndim != 2 or array.shape[1] not in (3, 4):
            raise ValueError("colors are an array of shape (n, 3) or (n, 4), not %s" % (array.shape,))
        self._colors[int(feature)] = array
        self.refresh()

    def getColors(self, feature):
        """The colors of a feature's elements, or its one color as an array of one row."""
        feature = self.FACES if feature == self.ALL else int(feature)
        if feature in self._colors:
            return self._colors[feature]
        return np.array([self._color[feature]], dtype=np.float32)

    def setElementColor(self, feature, element, r, g, b, a=1):
        """Color of one element of a feature."""
        array = self._colors.get(int(feature))
        if array is None or len(array) <= element or array.shape[1] < 4:
            whole = np.tile(np.array(self._color[int(feature)], dtype=np.float32), (element + 1, 1))
            if array is not None:
                common = min(len(array), len(whole))
                if len(array) > len(whole):
                    whole = np.tile(whole[:1], (len(array), 1))
                    common = len(array)
                whole[:common, :array.shape[1]] = array[:common]
            array = whole
        array[element] = (r, g, b, a)
        self._colors[int(feature)] = array
        self.refresh()

    def getElementColor(self, feature, element):
        """Color of one element of a feature."""
        array = self._colors.get(int(feature))
        if array is None or element >= len(array):
            return self._color[int(feature)]
        color = tuple(float(c) for c in array[element])
        return color + (1.0,) * (4 - len(color))

    def setTintColor(self, color, strength):
        """A color that is mixed in, by how much."""
        self._tint, self._tint_strength = tuple(float(c) for c in color), float(strength)
        self.refresh(False)

    def getTintColor(self):
        """The color that is mixed in."""
        return self._tint

    def getTintStrength(self):
        """Returns how much of it."""
        return self._tint_strength

    def setShininess(self, shininess, strength=-1):
        """Sets how sharp highlights are, and how bright."""
        self._shininess = float(shininess)
        if strength >= 0:
            self._color[self.SPECULAR] = (float(strength),) * 3 + (1.0,)
        self.refresh(False)

    def getShininess(self):
        """Returns how sharp highlights are."""
        return self._shininess

    def setTexture1D(self, format, array):
        """A texture of one dimension: gray values, packed or (n, channels); '' drops it."""
        self._texture1d = None if format == "" else (format, np.array(array))
        self.refresh()

    def setTexture2D(self, format, array, topdown=True):
        """A texture of two dimensions, (h, w) or (h, w, channels); '' drops it."""
        self._texture2d = None if format == "" else (format, np.array(array), topdown)
        self.refresh()

    setTexture1D_b = setTexture1D_i = setTexture1D_channels = setTexture1D
    setTexture2D_b = setTexture2D_i = setTexture2D_channels = setTexture2D

    def getTexture1D_format(self):
        """Format of the texture of one dimension, '' when there is none."""
        return "" if self._texture1d is None else self._texture1d[0]

    def getTexture1D_channels(self):
        """The texture of one dimension, None when there is none."""
        return None if self._texture1d is None else self._texture1d[1]

    def getTexture2D_format(self):
        """Format of the texture of two dimensions, '' when there is none."""
        return "" if self._texture2d is None else self._texture2d[0]

    def getTexture2D_channels(self):
        """The texture of two dimensions, None when there is none."""
        return None if self._texture2d is None else self._texture2d[1]

    def setTexcoords(self, array):
        """Places in the texture, one a vertex: (n,) or (n, 2)."""
        array = np.asarray(array, dtype=float)
        if array.ndim == 1:
            self.setTexcoords1D(array)
        else:
            self.setTexcoords2D(array)

    def setTexcoords1D(self, array):
        """Places in the texture of one dimension."""
        self._texcoords1d = np.array(array, dtype=float)
        self.refresh()

    def getTexcoords1D(self):
        """Places in the texture of one dimension; empty when there are none."""
        return np.zeros(0) if self._texcoords1d is None else self._texcoords1d

    def setTexcoords2D(self, array):
        """Places in the texture of two dimensions."""
        self._texcoords2d = np.array(array, dtype=float)
        self.refresh()

    def getTexcoords2D(self):
        """Places in the texture of two dimensions; empty when there are none."""
        return np.zeros((0, 2)) if self._texcoords2d is None else self._texcoords2d

    def setTexgen(self, matrix, worldcoordinates=False):
        """Places in the texture out of those in space, by a matrix of m x 4."""
        self._texgen, self._texgen_world = np.array(matrix, dtype=float), bool(worldcoordinates)
        self.refresh()

    def getTexgenMatrix(self):
        """That matrix; empty when there is none."""
        return np.zeros((0, 4)) if self._texgen is None else self._texgen

    def isTexgenWorld(self):
        """Returns whether it is about places in the world."""
        return self._texgen_world

    def setTexWrap(self, wrap):
        """Sets whether textures repeat."""
        self._tex_wrap = bool(wrap)

    def setPointSize(self, size):
        """Size of points, in pixels."""
        self._point_size = float(size)

    def setCreaseAngle(self, creaseAngleRads):
        """Angle of edges from which on they look sharp, rad."""
        self._crease_angle = float(creaseAngleRads)

    def setSilhouette(self, radius, r=0, g=0, b=0, a=1):
        """Thickness of the outline, and its color; 0: none."""
        self._silhouette = (float(radius), (float(r), float(g), float(b), float(a)))

    def drawGL(self, *args):
        """Does nothing: there is no OpenGL here."""

    def drawWorldGL(self, geom):
        """Does nothing: there is no OpenGL here."""
