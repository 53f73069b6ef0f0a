"""Poses of cameras, and how they project."""

import json
import math

import numpy as np

from ...math import se3, vectorops
from ...robotsim import RobotModelLink
from ...vis.glviewport import GLViewport
from .. import coordinates
from .images import check_camera, intrinsics_of, number, size


def set_sensor_xform(sensor, T, link=None):
    """Moves a sensor to a transform (R, t) or Frame, on a link (handle, index) if given."""
    if isinstance(T, coordinates.Frame):
        if isinstance(T._data, RobotModelLink):
            return set_sensor_xform(sensor, se3.identity(), T._data)
        parent = -1 if T.parent() is None else T.parent()._data
        return set_sensor_xform(sensor, T.relativeCoordinates(), parent)
    sensor.setTransform(*T)
    if link is not None:
        sensor.setLink(link)


def get_sensor_xform(sensor, robot=None):
    """Transform of a sensor in the frame of its link; with the robot, in the world. A name of versions before 0.10."""
    return sensor.getTransform() if robot is None else sensor.getTransformWorld()


def _pose(camera, frame):
    if hasattr(frame, "numLinks"):  # Before 0.10 the robot is given here.
        frame = "world"
    if frame == "world":
        return camera.getTransformWorld()
    return camera.getTransform() if frame == "link" else se3.identity()


def camera_to_viewport(camera, frame="world"):
    """A GLViewport that sees what the camera sees; frame: 'world', 'link' or None."""
    check_camera(camera)
    view = GLViewport()
    view.w, view.h = size(camera)
    for key, value in intrinsics_of(camera).items():
        setattr(view, key, value)
    view.n, view.f = number(camera, "zmin"), number(camera, "zmax")
    view.controller.dist = 1.0
    view.set_transform(_pose(camera, frame))
    return view


def viewport_to_camera(viewport, camera, frame="world"):
    """Sets a camera to see what a viewport sees."""
    check_camera(camera)
    T = viewport.get_transform()
    if frame == "world":
        link = camera.getLink()
        if link is not None and getattr(link, "index", -1) >= 0:
            T = se3.mul(se3.inv(link.getTransform()), T)
    if frame is not None:
        camera.setTransform(*T)
    for key, value in (("xres", viewport.w), ("yres", viewport.h), ("fx", viewport.fx),
                       ("fy", viewport.fy), ("cx", viewport.cx), ("cy", viewport.cy),
                       ("zmin", viewport.n), ("zmax", viewport.f)):
        camera.setSetting(key, str(value))
    return camera


def camera_to_intrinsics(camera, format="opencv", fn=None):
    """Intrinsics: 'json' (fx, fy, cx, cy), 'numpy' (3 x 3), 'opencv' (matrix, distortion),
    'ros' (CameraInfo's fields); written to a file when it is named.
    """
    check_camera(camera)
    w, h = size(camera)
    i = intrinsics_of(camera)
    matrix = np.array([[i["fx"], 0.0, i["cx"]], [0.0, i["fy"], i["cy"]], [0.0, 0.0, 1.0]])
    plain = {**i, "model": None, "coeffs": []}
    if format == "json":
        res = plain
    elif format == "numpy":
        res = matrix
        if fn is not None:
            np.save(fn, matrix)
        return res
    elif format == "opencv":
        res = (matrix, np.zeros(5))
        plain = {"camera_matrix": matrix.tolist(), "dist_coeffs": [0.0] * 5, "width": w,
                 "height": h}
    elif format == "ros":
        res = {"width": w, "height": h, "distortion_model": "plumb_bob", "D": [0.0] * 5,
               "K": matrix.flatten().tolist(), "R": np.eye(3).flatten().tolist(),
               "P": np.hstack((matrix, np.zeros((3, 1)))).flatten().tolist()}
        plain = res
    else:
        raise ValueError(f"format '{format}' is not known; use json, numpy, opencv or ros")
    if fn is not None:
        with open(fn, "w") as f:
            json.dump(plain, f)
    return res


def intrinsics_to_camera(data, camera, format="opencv"):
    """Sets a camera's intrinsics from data or a file in a format as above."""
    check_camera(camera)
    if isinstance(data, str):
        if format == "numpy":
            data = np.load(data)
        else:
            with open(data) as f:
                data = json.load(f)
            if format == "opencv":
                data = (data["camera_matrix"], data.get("dist_coeffs"))
    if format == "json":
        values = {k: data[k] for k in ("fx", "fy", "cx", "cy")}
    else:
        K = {"numpy": lambda: data, "opencv": lambda: data[0],
             "ros": lambda: np.reshape(data["K"], (3, 3))}[format]()
        K = np.asarray(K, dtype=float)
        values = {"fx": K[0, 0], "fy": K[1, 1], "cx": K[0, 2], "cy": K[1, 2]}
        if format == "ros":
            values.update(xres=data["width"], yres=data["height"])
    for key, value in values.items():
        camera.setSetting(key, str(value))


def camera_ray(camera, x, y, *earlier):
    """(origin, direction) in the world of the ray through a pixel. Before 0.10 the robot comes before x and y."""
    if hasattr(x, "numLinks"):
        x, y = y, earlier[0]
    view = camera_to_viewport(camera, "world")
    return view.click_ray(x, y)


def camera_project(camera, pt, clip=True, *earlier):
    """(x, y, depth) of a point in the world, None when clip is set and it is not seen. Before 0.10 the robot comes before the
    point."""
    if hasattr(pt, "numLinks"):
        pt, clip = clip, earlier[0] if earlier else True
    view = camera_to_viewport(camera, "world")
    x, y, z = se3.apply(se3.inv(view.get_transform()), pt)
    if clip and not view.n <= z <= view.f:
        return None
    if z == 0:
        return None
    u, v = view.cx + view.fx * x / z, view.cy + view.fy * y / z
    if clip and not (0 <= u <= view.w and 0 <= v <= view.h):
        return None
    return (u, v, z)


def field_of_view(camera):
    """(horizontal, vertical) in radians."""
    i, (w, h) = intrinsics_of(camera), size(camera)
    return 2 * math.atan(0.5 * w / i["fx"]), 2 * math.atan(0.5 * h / i["fy"])


def direction_of(camera):
    """Returns the direction in which a camera looks, a unit vector in the world."""
    return vectorops.unit(camera.getTransformWorld()[0][6:9])
