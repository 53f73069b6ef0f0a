"""Viewports: size in pixels, focal length, clip planes, and a camera."""

import math

from ..math import se3, so3, vectorops
from . import camera

_FLIP = [1, 0, 0, 0, -1, 0, 0, 0, -1]  # x right, y down, z forward instead of OpenGL's axes


class GLViewport:
    """x, y, w, h in pixels; fx, fy, cx, cy in pixels; n, f clip distances; controller."""

    def __init__(self):
        self.x, self.y, self.w, self.h = 0, 0, 640, 480
        self.fx = self.fy = 320.0 / math.tan(math.radians(30.0))
        self.cx, self.cy = 320.0, 240.0
        self.n, self.f = 0.1, 1000.0
        self.clippingplanes = (0.1, 1000.0)
        self.orthogonal = False
        self.screenDeviceScale = 1
        self.controller = camera.orbit()
        self.controller.dist = 6.0
        self.controller.rot[:] = [0.0, -0.5, 0.0]

    @property
    def camera(self):
        """The camera; another name of controller."""
        return self.controller

    @camera.setter
    def camera(self, value):
        self.controller = value

    @property
    def fov(self):
        """Horizontal field of view in degrees."""
        return math.degrees(2 * math.atan(0.5 * self.w / self.fx))

    @fov.setter
    def fov(self, degrees):
        self.fx = self.fy = 0.5 * self.w / math.tan(math.radians(degrees) * 0.5)

    def setFOV(self, xfov, yfov=-1):
        """Sets the horizontal field of view, rad, and the vertical one if it is given; else pixels are square."""
        self.fx = 0.5 * self.w / math.tan(0.5 * xfov)
        self.fy = self.fx if yfov <= 0 else 0.5 * self.h / math.tan(0.5 * yfov)

    def getFOV(self):
        """The horizontal field of view, rad."""
        return 2 * math.atan(0.5 * self.w / self.fx)

    def getVFOV(self):
        """The vertical field of view, rad."""
        return 2 * math.atan(0.5 * self.h / self.fy)

    def resize(self, w, h):
        """Changes the size and keeps the field of view."""
        scale = w / self.w if self.w else 1.0
        self.fx, self.fy = self.fx * scale, self.fy * scale
        self.w, self.h, self.cx, self.cy = w, h, w * 0.5, h * 0.5

    def contains(self, x, y):
        """Whether a pixel is inside."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def set_transform(self, T, convention="standard"):
        """Moves the camera; 'standard' looks along z, 'opengl' along -z."""
        R, t = T
        self.controller.set_matrix((so3.mul(R, _FLIP) if convention == "standard" else R, t))

    def get_transform(self, convention="standard"):
        """The camera's transform (R, t)."""
        R, t = self.controller.matrix()
        return (so3.mul(R, _FLIP) if convention == "standard" else R, t)

    getTransform = get_transform
    setTransform = set_transform
    setPose = set_transform
    getPose = get_transform

    def fit(self, center, radius):
        """Looks at a ball."""
        self.controller.tgt = list(center)
        self.controller.dist = max(1e-3, radius) * 2.0

    def click_ray(self, x, y):
        """(origin, direction) of the ray through a pixel."""
        R, t = self.get_transform()
        d = ((x - self.x - self.cx) / self.fx, (y - self.y - self.cy) / self.fy, 1.0)
        return (t, vectorops.unit(so3.apply(R, d)))

    def project(self, pt, clip=True):
        """(x, y, depth) in pixels of a point, None when clip is set and it is outside."""
        x, y, z = se3.apply(se3.inv(self.get_transform()), pt)
        if abs(z) < 1e-12:
            return None
        u, v = self.x + self.cx + self.fx * x / z, self.y + self.cy + self.fy * y / z
        if clip and not (self.n <= z <= self.f and self.contains(u, v)):
            return None
        return (u, v, z)

    def update_viewport(self):
        """Nothing is kept elsewhere."""

    def set_current_GL(self):
        """Draws nothing: there is no OpenGL context."""

    def drawGL(self, draw_frustum=True, draw_coords=True):
        """Draws nothing: there is no OpenGL context."""

    def save_file(self, fn):
        """Writes the viewport as JSON."""
        import json
        with open(fn, "w") as f:
            json.dump(to_json(self), f)

    def load_file(self, fn):
        """Reads what save_file() wrote."""
        import json
        with open(fn) as f:
            from_json(self, json.load(f))


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
