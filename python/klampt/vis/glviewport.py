"""Viewports of windows: a camera that moves around a point."""

import math

from ..math import so3, vectorops
from ..robotsim import Viewport
from . import camera

_FLIP = [1, 0, 0, 0, -1, 0, 0, 0, -1]  # x right, y down, z forward instead of OpenGL's axes


def _turned(R, convention):
    return so3.mul(R, _FLIP) if convention == "standard" else R


class GLViewport(Viewport):
    """A klampt.Viewport whose camera `controller` moves: an orbit with tgt, rot and dist, or another one of vis.camera.

    Its `xform` follows the controller when something is asked of it, or with update_viewport().
    """

    def __init__(self):
        Viewport.__init__(self)
        self.ori = "OpenGL"
        self.setFOV(math.radians(60.0))
        self.n, self.f = 0.2, 100
        self.orthogonal = False
        self.screenDeviceScale = 1
        self.controller = camera.orbit()
        self.controller.dist = 6.0
        self.controller.rot[:] = [0.0, -0.5, 0.0]

    @property
    def camera(self):
        """Name of controller before 0.10."""
        return self.controller

    @camera.setter
    def camera(self, value):
        self.controller = value

    def contains(self, x, y):
        """Returns whether a pixel is inside."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def set_transform(self, T, convention="standard"):
        """Moves the camera; 'standard' looks along z with y down, 'openGL' along -z with y up."""
        self.controller.set_matrix((_turned(T[0], convention), T[1]))
        self.update_viewport()

    def get_transform(self, convention="standard"):
        """The camera's transform (R, t)."""
        R, t = self.controller.matrix()
        return (_turned(R, convention), t)

    getTransform = get_transform
    setTransform = set_transform

    def fit(self, center, radius):
        """Looks at a ball."""
        self.controller.tgt = list(center)
        self.controller.dist = max(1e-3, radius) * 2.0
        if radius < self.n:
            self.n = 0.5 * max(1e-3, radius)
        if 3 * radius > self.f:
            self.f = 3.5 * radius

    def update_viewport(self):
        """Takes the pose of the controller over; returns the viewport."""
        self.setPose(*self.controller.matrix())
        return self

    def click_ray(self, x, y):
        """(origin, direction) of the ray through a pixel, y from the top."""
        R, t = self.get_transform()
        d = ((x - self.x - self.cx) / self.fx, (y - self.y - self.cy) / self.fy, 1.0)
        return (t, vectorops.unit(so3.apply(R, d)))

    def project(self, pt, clip=True):
        """(x, y, depth) in pixels of a point, None when clip is set and it is out of the picture or behind the camera."""
        self.update_viewport()
        x, y, z = Viewport.project(self, pt)
        if clip and (not self.contains(x, y) or z < 0):
            return None
        return (x, y, z)

    def set_current_GL(self):
        """Makes it the view of OpenGL, in a window that draws with it."""
        from . import _opengl
        if _opengl.is_drawing():
            _opengl.set_view(self)

    def drawGL(self, draw_frustum=True, draw_coords=True):
        """Draws nothing: there is no OpenGL context."""

    def save_file(self, fn):
        """Writes the viewport as text, in Klamp't's format."""
        with open(fn, "w") as f:
            f.write(self.update_viewport().toText())
            f.write(f"ORBITDIST {getattr(self.controller, 'dist', 1.0)!r}\n")

    def load_file(self, fn):
        """Reads what save_file() or Klamp't's programs wrote. IOError for another file."""
        with open(fn) as f:
            text = f.read()
        for words in map(str.split, text.splitlines()):
            if len(words) == 2 and words[0] == "ORBITDIST":
                self.controller.dist = float(words[1])
        if not self.fromText(text):
            raise IOError(f"{fn} is no file of a viewport")
        R, t = self.getPose()
        if self.ori.lower() != "opengl":
            R, self.ori = so3.mul(R, _FLIP), "OpenGL"
        self.controller.set_matrix((R, t))

    def copy(self):
        """Another viewport like this one, with a controller of its own."""
        other = type(self)()
        from_json(other, to_json(self))
        return other.update_viewport()


_FIELDS = ("x", "y", "w", "h", "fx", "fy", "cx", "cy", "n", "f")


def to_json(view):
    """Plain data of a viewport."""
    data = {k: getattr(view, k) for k in _FIELDS}
    R, t = view.controller.matrix()
    return {**data, "R": list(R), "t": list(t), "dist": getattr(view.controller, "dist", 1.0)}


def from_json(view, data):
    """Sets a viewport from plain data."""
    for k in _FIELDS:
        setattr(view, k, data.get(k, getattr(view, k)))
    if hasattr(view.controller, "dist"):
        view.controller.dist = data.get("dist", view.controller.dist)
    if "R" in data:
        view.controller.set_matrix((data["R"], data["t"]))


def fit_to(view, objects, zoom=True):
    """Turns a viewport towards the boxes of objects with geometries."""
    boxes = []
    for o in objects:
        parts = []
        if hasattr(o, "numRobots"):
            parts = [o.rigidObject(i) for i in range(o.numRigidObjects())]
            parts += [o.robot(i).link(j) for i in range(o.numRobots())
                      for j in range(o.robot(i).numLinks())]
        elif hasattr(o, "numLinks"):
            parts = [o.link(i) for i in range(o.numLinks())]
        elif hasattr(o, "geometry"):
            parts = [o]
        boxes += [p.geometry().getBB() for p in parts if not p.geometry().empty()]
    boxes = [b for b in boxes if all(math.isfinite(v) for v in list(b[0]) + list(b[1]))]
    if boxes:
        low = list(map(min, zip(*(b[0] for b in boxes))))
        high = list(map(max, zip(*(b[1] for b in boxes))))
        radius = 0.5 * vectorops.distance(low, high) if zoom else view.controller.dist * 0.5
        view.fit(vectorops.interpolate(low, high, 0.5), radius)
