"""Cameras of views and heightmaps."""

import json
import math

import numpy as np


_TEXT_KEYS = ("FRAME", "PERSPECTIVE", "INTRINSICS", "SCALE", "NEARPLANE", "FARPLANE", "DEPTHRANGE", "CAMTRANSFORM")


def _word(value):
    return value if isinstance(value, str) else repr(float(value) if isinstance(value, np.floating) else value)


class Viewport:
    """A camera: its image of `w` x `h` pixels at (`x`, `y`), focal lengths `fx`, `fy`, center `cx`, `cy` in pixels,
    clipping planes `n` and `f`, and its pose `xform` (R, t) in the world. `ori` says how its axes are meant: "OpenCV" (z
    forward, y down) or "OpenGL" (z backward, y up)."""

    def __init__(self):
        self.perspective = True
        self.x, self.y, self.w, self.h = 0, 0, 640, 480
        self.n, self.f = 0.1, 1000.0
        self.fx = self.fy = 640 / (2 * math.tan(math.radians(30)))
        self.cx, self.cy = 320.0, 240.0
        self.xform = [1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 0, 0]
        self.ori = "OpenCV"

    def resize(self, w, h):
        """Another size of the image; the angles of view stay."""
        if self.w > 0 and self.h > 0:
            self.fx, self.cx = self.fx * w / self.w, self.cx * w / self.w
            self.fy, self.cy = self.fy * h / self.h, self.cy * h / self.h
        self.w, self.h = int(w), int(h)

    def setFOV(self, xfov, yfov=-1):
        """Sets the horizontal angle of view (rad) and, where it is given, the vertical one; else pixels are square."""
        self.fx = 0.5 * self.w / math.tan(0.5 * xfov)
        self.fy = self.fx if yfov <= 0 else 0.5 * self.h / math.tan(0.5 * yfov)

    def getFOV(self):
        """The horizontal angle of view, rad."""
        return 2 * math.atan(0.5 * self.w / self.fx)

    def getVFOV(self):
        """The vertical angle of view, rad."""
        return 2 * math.atan(0.5 * self.h / self.fy)

    def setPose(self, R, t):
        """Sets where the camera is."""
        if len(R) != 9 or len(t) != 3:
            raise ValueError("a pose is a list of 9 numbers and one of 3")
        self.xform = [float(v) for v in R] + [float(v) for v in t]

    def getPose(self):
        """Returns where the camera is: (R, t)."""
        return list(self.xform[:9]), list(self.xform[9:])

    def setClippingPlanes(self, cp):
        """Sets near and far plane."""
        self.n, self.f = cp

    def getClippingPlanes(self):
        """Near and far plane."""
        return self.n, self.f

    def _matrix(self):
        R = np.asarray(self.xform[:9]).reshape(3, 3).T
        # Columns right, down, forward.
        return R @ np.diag([1.0, -1.0, -1.0]) if self.ori.lower() == "opengl" else R

    def viewRectangle(self, depth):
        """Returns what is seen at a depth: (xmin, ymin, xmax, ymax) in the camera's axes."""
        if not self.perspective:
            depth = 1.0
        left, right = -self.cx * depth / self.fx, (self.w - self.cx) * depth / self.fx
        top, bottom = -self.cy * depth / self.fy, (self.h - self.cy) * depth / self.fy
        return left, top, right, bottom

    def project(self, pt):
        """Pixel and depth of a point of the world: (x, y, z)."""
        p = self._matrix().T @ (np.asarray(pt, dtype=float) - np.asarray(self.xform[9:]))
        z = p[2] if self.perspective else 1.0
        if z == 0:
            return [math.inf, math.inf, 0.0]
        return [float(self.cx + self.fx * p[0] / z + self.x), float(self.cy + self.fy * p[1] / z + self.y), float(p[2])]

    def clickSource(self, x, y):
        """Returns where the ray through a pixel begins."""
        t = np.asarray(self.xform[9:], dtype=float)
        if self.perspective:
            return t.tolist()
        offset = [(x - self.x - self.cx) / self.fx, (y - self.y - self.cy) / self.fy, 0.0]
        return (t + self._matrix() @ offset).tolist()

    def clickDirection(self, x, y):
        """Unit direction of the ray through a pixel."""
        d = np.array([0.0, 0.0, 1.0])
        if self.perspective:
            d[0], d[1] = (x - self.x - self.cx) / self.fx, (y - self.y - self.cy) / self.fy
        d = self._matrix() @ d
        return (d / np.linalg.norm(d)).tolist()

    _KEYS = ("perspective", "x", "y", "w", "h", "n", "f", "fx", "fy", "cx", "cy", "xform", "ori")

    def toJson(self):
        """The camera as JSON."""
        return json.dumps({key: getattr(self, key) for key in self._KEYS})

    def fromJson(self, str):
        """Reads what `toJson` writes; False when it makes no sense."""
        try:
            data = json.loads(str)
            for key in self._KEYS:
                if key in data:
                    setattr(self, key, data[key])
        except (ValueError, TypeError):
            return False
        return True

    def toText(self):
        """The camera as lines of a name and numbers, which earlier versions of Klamp't and its programs read, too."""
        R, t = np.asarray(self.xform[:9]).reshape(3, 3).T, self.xform[9:]
        matrix = [v for row, x in zip(R, t) for v in (*row, x)] + [0, 0, 0, 1]
        lines = [("FRAME", self.x, self.y, self.w, self.h), ("PERSPECTIVE", int(self.perspective)),
                 ("SCALE", self.fx / self.w if self.w else 1.0), ("INTRINSICS", self.fx, self.fy, self.cx, self.cy),
                 ("NEARPLANE", self.n), ("FARPLANE", self.f), ("ORIENTATION", self.ori), ("CAMTRANSFORM", *matrix)]
        return "VIEWPORT\n" + "".join(" ".join(map(_word, line)) + "\n" for line in lines)

    def fromText(self, str):
        """Reads what `toText` writes, or files of earlier versions; False when it makes no sense."""
        lines = [line.split() for line in str.splitlines() if line.strip()]
        if not lines or lines[0] != ["VIEWPORT"]:
            return False
        try:
            for key, *words in lines[1:]:
                self._read(key, words)
        except (ValueError, IndexError):
            return False
        return True

    def _read(self, key, words):
        """One line of a text file; lines that are not known are passed over."""
        if key == "ORIENTATION":
            self.ori = words[0]
            return
        values = [float(w) for w in words] if key in _TEXT_KEYS else []
        if key == "FRAME":
            self.x, self.y = int(values[0]), int(values[1])
            self.resize(int(values[2]), int(values[3]))
        elif key == "PERSPECTIVE":
            self.perspective = values[0] != 0
        elif key == "INTRINSICS":
            self.fx, self.fy, self.cx, self.cy = values
        elif key == "SCALE":
            self.fx = self.fy = values[0] * self.w
        elif key == "NEARPLANE":
            self.n = values[0]
        elif key == "FARPLANE":
            self.f = values[0]
        elif key == "DEPTHRANGE":
            self.n, self.f = values
        elif key == "CAMTRANSFORM":
            matrix = np.reshape(values, (4, 4))
            self.setPose(matrix[:3, :3].T.ravel().tolist(), matrix[:3, 3].tolist())

    def copy(self):
        """Another camera like this one."""
        result = type(self)()
        result.fromJson(self.toJson())
        return result

    fov = property(getFOV, lambda self, angle: self.setFOV(math.radians(angle) if angle >= math.pi else angle),
                   doc="The horizontal angle of view, rad; degrees, as in versions before 0.10, where it is set to pi or more.")
    clippingPlanes = property(getClippingPlanes, setClippingPlanes)
    clippingplanes = property(getClippingPlanes, setClippingPlanes, doc="Name of clippingPlanes before 0.10.")
