"""What sensors see."""

import math
import random

import numpy as np

from ...math import se3, vectorops
from .camera import camera_project, camera_to_viewport


def _corners(box):
    low, high = box
    return [[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]]
            for i in (0, 1) for j in (0, 1) for k in (0, 1)]


def visible(camera, object, full=True, require_depth=False):
    """Whether an object or point is within a camera's view (nothing hides it).

    full: all of its box must be; else any part of it.
    """
    if require_depth and not float(camera.getSetting("depth")):
        return False
    if hasattr(object, "__iter__"):
        return camera_project(camera, object) is not None
    g = object.geometry() if hasattr(object, "geometry") else object
    seen = [camera_project(camera, p) is not None for p in _corners(g.getBB())]
    if full:
        return all(seen)
    if any(seen):
        return True
    view = camera_to_viewport(camera)
    low, high = g.getBB()
    center = vectorops.interpolate(low, high, 0.5)
    return camera_project(camera, center) is not None or all(
        a <= x <= b for a, x, b in zip(low, view.get_transform()[1], high))


def occluded(origin, point, occluders, tol=1e-3):
    """Whether a body of occluders lies between an origin and a point."""
    d = vectorops.sub(point, origin)
    distance = vectorops.norm(d)
    d = vectorops.div(d, max(distance, 1e-12))
    for body in occluders:
        g = body.geometry() if hasattr(body, "geometry") else body
        hit, p = g.rayCast(origin, d)
        if hit and vectorops.distance(origin, p) < distance - tol:
            return True
    return False


def sample_visible_surface(origin, object, num_samples):
    """Points of an object's surface seen from an origin, by rays into its box."""
    g = object.geometry() if hasattr(object, "geometry") else object
    low, high = g.getBB()
    points = []
    for _ in range(10 * num_samples):
        aim = [random.uniform(a, b) for a, b in zip(low, high)]
        hit, p = g.rayCast(origin, vectorops.unit(vectorops.sub(aim, origin)))
        if hit:
            points.append(list(p))
            if len(points) == num_samples:
                break
    return points


def visible_fraction(camera, object, num_samples=100, occluders=None, self_occlusion=False):
    """Part of an object's surface (0 to 1) that a camera sees, by samples."""
    from ..geometry import sample_surface
    g = object.geometry() if hasattr(object, "geometry") else object
    origin = camera.getTransformWorld()[1]
    hiding = list(occluders or []) + ([object] if self_occlusion else [])
    points = sample_surface(g, num_samples, local=False)
    seen = sum(1 for p in points if camera_project(camera, list(p)) is not None
               and not occluded(origin, list(p), hiding))
    return seen / max(1, len(points))


def laser_to_points(sensor, frame="world", scan=None):
    """Points of a LaserRangeSensor's scan in a frame: 'world', 'link' or 'local'."""
    ranges = np.asarray(sensor.getMeasurements() if scan is None else scan, dtype=float)
    far = float(sensor.getSetting("depthMaximum"))
    n = int(float(sensor.getSetting("measurementCount")))
    if _swept(sensor):
        raise NotImplementedError("scanners that sweep along y have no points here; they are "
                                  "seen by their measurements")
    half = float(sensor.getSetting("xSweepMagnitude"))
    angles = np.linspace(-half, half, n)
    points = []
    T = sensor.getTransformWorld() if frame == "world" else (
        sensor.getTransform() if frame == "link" else se3.identity())
    for a, r in zip(angles, ranges):
        if r < far:
            p = [r * math.sin(a), 0.0, r * math.cos(a)]
            points.append(se3.apply(T, p))
    return points


def _swept(sensor):
    return ("ySweepMagnitude" in sensor.settings()
            and float(sensor.getSetting("ySweepMagnitude")) != 0.0)
