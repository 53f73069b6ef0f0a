"""The sight of sensors."""

import math

import numpy as np

from ...math import se3, vectorops
from ...robotsim import GeometricPrimitive, Geometry3D, PointCloud
from .camera import camera_to_viewport


def _viewport(camera):
    return camera if hasattr(camera, "click_ray") else camera_to_viewport(camera)


def _is_point(object):
    return hasattr(object, "__iter__") and not hasattr(object[0], "__iter__")


def _is_box(object):
    return hasattr(object, "__iter__") and hasattr(object[1], "__iter__")


def _geometry(object):
    """The Geometry3D of an object, a box (low, high) or a ball (center, radius)."""
    if hasattr(object, "geometry"):
        return object.geometry()
    if not hasattr(object, "__iter__"):
        return object
    shape = GeometricPrimitive()
    if _is_box(object):
        shape.setAABB(*object)
    else:
        shape.setSphere(*object)
    return Geometry3D(shape)


def _corners(box):
    low, high = box
    return [[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]]
            for i in (0, 1) for j in (0, 1) for k in (0, 1)]


def _in_range(view, z, require_depth):
    return view.n <= z <= view.f if require_depth else z > 0


def _in_picture(view, pixel, require_depth):
    """Returns whether a projected point is in the picture, and, where that is asked, in the range of depths."""
    return (pixel is not None and 0 <= pixel[0] <= view.w and 0 <= pixel[1] <= view.h
            and _in_range(view, pixel[2], require_depth))


def _ball_visible(view, center, radius, full, require_depth):
    pixel = view.project(center, False)
    if pixel is None or pixel[2] <= 0:
        return not full and vectorops.distance(view.get_transform()[1], center) <= radius - view.n
    size = view.fx * radius / pixel[2]
    if full:
        near, far = (view.n, view.f) if require_depth else (0, math.inf)
        return (size <= pixel[0] <= view.w - size and size <= pixel[1] <= view.h - size
                and near <= pixel[2] - radius and pixel[2] + radius <= far)
    closest = [max(0, min(limit, v)) for v, limit in zip(pixel, (view.w, view.h))]
    depth = max(view.n, min(view.f, pixel[2]))
    return (vectorops.distance(closest, pixel[:2]) <= size
            and (not require_depth or abs(depth - pixel[2]) <= radius))


def visible(camera, object, full=True, require_depth=False):
    """Returns whether an object is within the view of a camera (a sensor or GLViewport); nothing hides it.

    object: a point, a ball (center, radius), a box (low, high), a Geometry3D, or a body, for which its box is taken. full:
    all of it must be in view, else any part. require_depth: it must also be between the nearest and the farthest depth.
    """
    view = _viewport(camera)
    if _is_point(object):
        return _in_picture(view, view.project(object, False), require_depth)
    if hasattr(object, "__iter__") and not _is_box(object):
        return _ball_visible(view, object[0], object[1], full, require_depth)
    box = object if hasattr(object, "__iter__") else _geometry(object).getBB()
    seen = [_in_picture(view, view.project(p, False), require_depth) for p in _corners(box)]
    if full:
        return all(seen)
    if any(seen):
        return True
    low, high = box
    center = vectorops.interpolate(low, high, 0.5)
    return _in_picture(view, view.project(center, False), require_depth) or (
        not require_depth and all(a <= x <= b for a, x, b in zip(low, view.get_transform()[1], high)))


def _bodies(occluders):
    """The bodies of a world, or those of a list."""
    if not hasattr(occluders, "numRobots"):
        return list(occluders or [])
    links = [r.link(j) for r in map(occluders.robot, range(occluders.numRobots())) for j in range(r.numLinks())]
    return (links + [occluders.rigidObject(i) for i in range(occluders.numRigidObjects())]
            + [occluders.terrain(i) for i in range(occluders.numTerrains())])


def occluded(origin, point, occluders, tol=1e-3):
    """Returns whether a body of occluders (a world, or a list of bodies or geometries) lies between an origin and a point, by
    more than tol (m)."""
    d = vectorops.sub(point, origin)
    distance = vectorops.norm(d)
    d = vectorops.div(d, max(distance, 1e-12))
    for body in _bodies(occluders):
        geometry = _geometry(body)
        if geometry.empty():
            continue
        hit, p = geometry.rayCast(origin, d)
        if hit and vectorops.distance(origin, p) < distance - tol:
            return True
    return False


def sample_visible_surface(origin, object, num_samples):
    """At most num_samples points (world) of an object's surface whose normals point to an origin."""
    from ..geometry import sample_surface
    samples = np.asarray(sample_surface(_geometry(object), int(math.ceil(num_samples * 2.5)), want_normals=True, local=False))
    towards = np.einsum("ij,ij->i", np.asarray(origin, dtype=float) - samples[:, :3], samples[:, 3:6]) > 0
    return samples[towards, :3][:num_samples].tolist()


def visible_fraction(camera, object, num_samples=100, occluders=None, self_occlusion=False):
    """Part (0 to 1) of the side of an object that faces a camera that is in its view and not hidden, by samples.

    camera, object: as for visible(). occluders: a world, or a list of bodies, that may hide it; self_occlusion: so may the
    object, which matters where it is not convex.
    """
    view = _viewport(camera)
    origin = view.get_transform()[1]
    points = [object] if _is_point(object) else sample_visible_surface(origin, object, num_samples)
    hiding = _bodies(occluders) + ([_geometry(object)] if self_occlusion and not _is_point(object) else [])
    seen = sum(1 for p in points if view.project(p) is not None and not occluded(origin, p, hiding))
    return seen / max(1, len(points))


def laser_to_points(sensor, frame="world", scan=None):
    """PointCloud of what a LaserRangeSensor that scans a plane hits, in a frame: 'world', 'link' or 'sensor'."""
    ranges = np.asarray(sensor.getMeasurements() if scan is None else scan, dtype=float)
    far = float(sensor.getSetting("depthMaximum"))
    n = int(float(sensor.getSetting("measurementCount")))
    if _swept(sensor):
        raise NotImplementedError("scanners that sweep along y have no points here; they are "
                                  "seen by their measurements")
    half = float(sensor.getSetting("xSweepMagnitude"))
    T = {"world": sensor.getTransformWorld, "link": sensor.getTransform}.get(frame, se3.identity)()
    points = [se3.apply(T, [r * math.sin(a), 0.0, r * math.cos(a)])
              for a, r in zip(np.linspace(-half, half, n), ranges) if r < far]
    cloud = PointCloud()
    cloud.setPoints(np.asarray(points, dtype=float).reshape(-1, 3))
    return cloud


def _swept(sensor):
    return ("ySweepMagnitude" in sensor.settings()
            and float(sensor.getSetting("ySweepMagnitude")) != 0.0)
