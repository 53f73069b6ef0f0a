"""Pictures of a scene, taken with the cameras that robots have: there is no OpenGL.

Bodies, geometries, configurations, points, frames and paths are seen; texts, labels and plots are not.
"""

import numpy as np

from ..math import se3
from ..model import config, types
from ..model._sensing.images import camera_to_images
from ..robotsim import Geometry3D, WorldModel
from ._bodies import bodies

_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_DATA = ("TriangleMesh", "PointCloud", "GeometricPrimitive", "ConvexHull", "ImplicitSurface", "OccupancyGrid", "VolumeGrid",
         "Heightmap")


def objectToVisType(item, world):
    """Name of the type that an item is shown as."""
    kinds = types.object_to_types(item, world)
    if not isinstance(kinds, (list, tuple)):
        return kinds
    if world is not None and "Config" in kinds:
        sizes = [world.robot(i).numLinks() for i in range(world.numRobots())]
        if len(item) in sizes:
            return "Config"
    for kind in ("Vector3", "RigidTransform"):
        if kind in kinds:
            return kind
    return kinds[0]


class Painter:
    """A picture that fills up: `color` (h, w, 3) and `depth` (h, w), the distance along the view."""

    def __init__(self, view, background, image=None):
        self.view = view
        shape = (int(view.h), int(view.w))
        self.color = np.empty(shape + (3,))
        self.color[:] = np.multiply(background[:3], 255)
        if image is not None and np.shape(image)[:2] == shape:
            self.color[:] = np.asarray(image)[:, :, :3]
        self.depth = np.full(shape, float(view.f))

    def paint(self, camera, world, alpha=1.0):
        """Paints what a camera sees of a world, where it is in front."""
        self._aim(camera)
        camera.kinematicSimulate(world, 1e-3)
        color, depth = camera_to_images(camera)
        front = depth < np.minimum(self.depth, self.view.f)
        self.color[front] += alpha * (color[front] - self.color[front])
        if alpha >= 1:
            self.depth[front] = depth[front]

    def _aim(self, camera):
        view = self.view
        wanted = {"link": -1, "xres": int(view.w), "yres": int(view.h), "fx": view.fx, "fy": view.fy, "cx": view.cx,
                  "cy": view.cy, "zmin": view.n, "zmax": view.f}
        for key, value in wanted.items():
            if float(camera.getSetting(key) or "nan") != value:
                camera.setSetting(key, str(value))
        camera.setTransform(*view.get_transform())

    def dots(self, points, color, size):
        """Squares of some pixels around points."""
        R, t = se3.inv(self.view.get_transform())
        local = np.asarray(points, dtype=float).reshape(-1, 3) @ np.reshape(R, (3, 3)) + t
        local = local[local[:, 2] > self.view.n]
        z = local[:, 2]
        u = self.view.fx * local[:, 0] / z + self.view.cx
        v = self.view.fy * local[:, 1] / z + self.view.cy
        half = (max(int(size), 1) - 1) / 2
        h, w = self.depth.shape
        for du in np.arange(-half, half + 1):
            for dv in np.arange(-half, half + 1):
                x, y = np.floor(u + du), np.floor(v + dv)
                inside = (x >= 0) & (x < w) & (y >= 0) & (y < h)
                x, y, near = x[inside].astype(int), y[inside].astype(int), z[inside]
                seen = near <= self.depth[y, x] * 1.01
                self.color[y[seen], x[seen]] = np.multiply(color[:3], 255)

    def line(self, points, color, size):
        """A line through points, in steps that leave no holes."""
        points = np.asarray(points, dtype=float)
        for a, b in zip(points, points[1:]):
            self.dots(a + np.linspace(0, 1, 400)[:, None] * (b - a), color, size)


def _camera():
    robot = WorldModel().makeRobot("eye")
    return robot.addSensor("eye", "CameraSensor")


def _rgba(color):
    """A color of three or four numbers with its opacity; None stays None."""
    return None if color is None else (*map(float, color), 1.0)[:4]


def _drawn(body):
    return body.appearance().getDraw()


class _Collector:
    """Sorts what a scene shows into geometries (those that one sees through apart), points and lines."""

    def __init__(self, worlds):
        self.worlds = worlds
        self.solid, self.clear = [], []
        self.points, self.lines = [], []

    def geometry(self, geometry, T, color):
        if not geometry.empty():
            (self.solid if color[3] >= 1 else self.clear).append((geometry, T, color))

    def body(self, body, color=None):
        if not _drawn(body):
            return
        geometry = body.geometry()
        self.geometry(geometry, geometry.getCurrentTransform(), color or body.appearance().getColor())

    def configuration(self, q, color):
        """A robot of the worlds elsewhere than where it is."""
        for world in self.worlds:
            for robot in (world.robot(i) for i in range(world.numRobots())):
                if robot.numLinks() == len(q):
                    before = robot.getConfig()
                    robot.setConfig(q)
                    for link in filter(_drawn, bodies(robot)):
                        self.geometry(link.geometry(), link.getTransform(), color or link.appearance().getColor())
                    robot.setConfig(before)
                    return

    def frame(self, T, length):
        for axis in _AXES:
            end = se3.apply(T, [length * a for a in axis])
            self.lines.append(([T[1], end], axis, 2))

    def item(self, item):
        shown, look = item.item, item.attributes
        color = look.get("color")
        if color is None and look.get("appearance") is not None:
            color = look["appearance"].getColor()
        color = _rgba(color)
        if hasattr(shown, "numRobots") or hasattr(shown, "numLinks") or hasattr(shown, "geometry"):
            return self._thing(item, color)
        if isinstance(shown, Geometry3D):
            return self.geometry(shown, shown.getCurrentTransform(), color or shown.getAppearance().getColor())
        if type(shown).__name__ in _DATA:
            return self.geometry(Geometry3D(shown), se3.identity(), color or (0.5, 0.5, 0.5, 1.0))
        if hasattr(shown, "milestones"):
            return self._path(shown, color or (1.0, 0.5, 0.0, 1.0))
        value = shown if item.drawConfig is None else item.drawConfig
        try:
            kind = objectToVisType(value, self.worlds[0] if self.worlds else None)
        except Exception:  # Not everything that can be added has a type.
            return None
        if kind == "Config":
            self.configuration(value, color)
        elif kind == "Configs":
            for q in value:
                self.configuration(q, color)
        elif kind == "Vector3":
            self.points.append((value, color or (0.0, 0.0, 0.0, 1.0), look.get("size", 5)))
        elif kind == "RigidTransform":
            self.frame(value if len(value) == 2 else (value[:9], value[9:]), look.get("length", 0.1))
        return None

    def _thing(self, item, color):
        """Worlds, robots and bodies, of which parts may be hidden, moved or colored."""
        if item.hidden:
            return
        shown, before = item.item, None
        if item.drawConfig is not None and not hasattr(shown, "numRobots"):
            before = config.get_config(shown)
            config.set_config(shown, item.drawConfig)
        own = _rgba(item.attributes.get("color", color))
        if not hasattr(shown, "numRobots") and not hasattr(shown, "numLinks"):
            self.body(shown, own)
        else:
            from ._scene import Item, children
            for name, part in children(shown).items():
                self._thing(item.subAppearances.get(name) or Item(name, part, {}), own)
        if before is not None:
            config.set_config(shown, before)

    def _path(self, path, color):
        """Ways of points and of poses; values of joints are no places."""
        if hasattr(path, "robot"):
            return
        points = [m[9:12] if len(m) in (12, 24) else m for m in path.milestones]
        if points and len(points[0]) == 3:
            self.lines.append((points, color, 3))


def _plain(item):
    """Returns whether a world is to be shown as it is."""
    return item.attributes.get("color") is None and all(
        not part.hidden and part.drawConfig is None and part.attributes.get("color") is None and _plain(part)
        for part in item.subAppearances.values())


def _model(pieces):
    world = WorldModel()
    for i, (geometry, T, color) in enumerate(pieces):
        body = world.makeRigidObject(str(i))
        body.geometry().set(geometry)
        body.setTransform(*T)
        body.appearance().setColor(*color)
    return world


def take(scene, cameras):
    """A Painter with the picture of a scene. `cameras` keeps what is needed again, by the names of items."""
    painter = Painter(scene.getViewport(), scene.background, scene.backgroundImage)
    items = [item for item in scene.items.values() if not item.hidden]
    worlds = [item.item for item in items if hasattr(item.item, "numRobots")]
    collector = _Collector(worlds)
    for item in items:
        if hasattr(item.item, "numRobots") and _plain(item):
            if cameras.get(item.name, (None,))[0] is not item.item:
                cameras[item.name] = (item.item, _camera())
            painter.paint(cameras[item.name][1], item.item)
        else:
            collector.item(item)

    def paint(pieces, alpha):
        camera = cameras.setdefault(("pieces", alpha), _camera())
        painter.paint(camera, _model(pieces), alpha)

    if collector.solid:
        paint(collector.solid, 1.0)
    for point, color, size in collector.points:
        painter.dots([point], color, size)
    for points, color, size in collector.lines:
        painter.line(points, color, size)
    for alpha in sorted({color[3] for _, _, color in collector.clear}, reverse=True):
        paint([piece for piece in collector.clear if piece[2][3] == alpha], alpha)
    return painter


def formatted(painter, format, want_depth):
    """The picture as vis.screenshot() gives it."""
    color, depth = np.clip(painter.color, 0, 255).astype(np.uint8), painter.depth.astype(np.float32)
    if format in ("auto", "numpy"):
        pair = (color, depth)
    elif format == "Image":
        from PIL import Image
        pair = (Image.fromarray(color), Image.fromarray(depth))
    elif format == "bytes":
        h, w = depth.shape
        pair = ((w, h, color[::-1].tobytes()), (w, h, depth[::-1].ravel().tolist()))
    else:
        raise ValueError(f"the format '{format}' is not known; use auto, numpy, Image or bytes")
    return pair if want_depth else pair[0]
