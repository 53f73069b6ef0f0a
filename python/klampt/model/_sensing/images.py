"""Images of cameras, and points of images."""

import math

import numpy as np

from ...math import so3
from ...robotsim import Appearance, Geometry3D, Heightmap, PointCloud, SensorModel, TriangleMesh


def check_camera(camera):
    """Raises unless this is a camera."""
    if not isinstance(camera, SensorModel) or camera.type != "CameraSensor":
        raise AssertionError("a SensorModel of type CameraSensor is wanted, got "
                             f"{getattr(camera, 'type', type(camera).__name__)}")


def number(camera, name):
    """A setting as a number."""
    return float(camera.getSetting(name))


def size(camera):
    """(width, height) in pixels."""
    return int(number(camera, "xres")), int(number(camera, "yres"))


def intrinsics_of(camera):
    """fx, fy, cx, cy in pixels."""
    return {k: number(camera, k) for k in ("fx", "fy", "cx", "cy")}


def camera_to_images(camera, image_format="numpy", color_format="channels"):
    """Images of a camera's last measurement: color, depth, (color, depth), or None.

    color_format: 'channels' for (h, w, 3) bytes, 'rgb' or 'bgr' for (h, w) packed integers.
    depth: (h, w) meters.
    """
    check_camera(camera)
    if image_format != "numpy":
        raise NotImplementedError(f"image_format '{image_format}' is not offered; use 'numpy'")
    w, h = size(camera)
    has_rgb, has_depth = (bool(number(camera, k)) for k in ("rgb", "depth"))
    values = np.asarray(camera.getMeasurements())
    if values.size < w * h * (has_rgb + has_depth):  # Nothing was measured since the size was set.
        return (None, None) if has_rgb and has_depth else None
    rgb = depth = None
    if has_rgb:
        packed = values[:w * h].reshape(h, w).astype(np.uint32)
        red, green, blue = ((packed >> s) & 0xFF for s in (16, 8, 0))
        if color_format == "rgb":
            rgb = packed
        elif color_format == "bgr":
            rgb = (blue << 16) | (green << 8) | red
        else:
            rgb = np.dstack((red, green, blue)).astype(np.uint8)
    if has_depth:
        start = w * h if has_rgb else 0
        depth = values[start:start + w * h].reshape(h, w).copy()
    if has_rgb and has_depth:
        return (rgb, depth)
    return rgb if has_rgb else depth


def _focal(w, h, xfov, yfov):
    if xfov is None and yfov is None:
        raise ValueError("image_to_points() wants intrinsics, xfov or yfov")
    fx = None if xfov is None else 0.5 * w / math.tan(0.5 * xfov)
    fy = fx if yfov is None else 0.5 * h / math.tan(0.5 * yfov)
    return {"fx": fy if fx is None else fx, "fy": fy, "cx": 0.5 * w, "cy": 0.5 * h}


def _grid_triangles(w, h):
    corner = (np.arange(h - 1)[:, None] * w + np.arange(w - 1)[None, :]).reshape(-1, 1)
    first = corner + np.array([[0, w + 1, 1]])
    second = corner + np.array([[w + 1, 0, w]])
    return np.stack((first, second), axis=1).reshape(-1, 3).astype(np.int32)


def _cloud(points, color, packed, image_size):
    cloud = PointCloud()
    if image_size is not None:
        cloud.setSetting("width", str(image_size[0]))
        cloud.setSetting("height", str(image_size[1]))
    cloud.setPoints(np.ascontiguousarray(points))
    if color is not None:
        names = ["rgb"] if packed else ["r", "g", "b"]
        for i, name in enumerate(names):
            cloud.addProperty(name, np.ascontiguousarray(color[:, i], dtype=float))
    return cloud


def _mesh(points, color, w, h):
    mesh = TriangleMesh()
    mesh.setVertices(np.ascontiguousarray(points))
    mesh.setIndices(_grid_triangles(w, h))
    if color is None:
        return mesh
    appearance = Appearance()
    appearance.setColors(Appearance.VERTICES, np.ascontiguousarray(color, dtype=np.float32))
    return (mesh, appearance)


def _points(depth, color, intr, keep, points_format, all_points):
    """Points of a depth image in the format asked for; keep marks valid pixels."""
    h, w = depth.shape
    x = (np.arange(w) - intr["cx"]) / intr["fx"]
    y = (np.arange(h) - intr["cy"]) / intr["fy"]
    points = np.dstack((x[None, :] * depth, y[:, None] * depth, depth))
    packed = color is not None and color.ndim == 2
    if color is not None:
        if color.dtype == np.uint8:
            color = color / 255.0
        color = color.reshape(h, w, -1)
    if all_points or points_format == "TriangleMesh":
        points = points.reshape(w * h, 3)
        color = None if color is None else color.reshape(w * h, -1)
    else:
        points, color = points[keep], None if color is None else color[keep]
    if points_format == "numpy":
        return points if color is None else np.hstack((points, color))
    if points_format == "TriangleMesh":
        if not all_points:
            raise NotImplementedError("a TriangleMesh wants all_points=True")
        return _mesh(points, color, w, h)
    if points_format not in ("PointCloud", "Geometry3D"):
        raise ValueError(f"points_format '{points_format}' is not known; use numpy, PointCloud, "
                         "TriangleMesh, Heightmap or Geometry3D")
    cloud = _cloud(points, color, packed, (w, h) if all_points else None)
    return cloud if points_format == "PointCloud" else Geometry3D(cloud)


def _heightmap(depth, color, intr, scale):
    from ...robotsim import Viewport
    h, w = depth.shape
    view = Viewport()
    view.resize(w, h)
    for key, value in intr.items():
        setattr(view, key, value)
    res = Heightmap()
    res.setViewport(view)
    res.setHeightImage(depth, scale)
    if color is not None:
        res.setColorImage(color)
    return res


def image_to_points(depth, color, intrinsics=None, xfov=None, yfov=None, depth_scale=None,
                    depth_range=None, color_format="auto", points_format="numpy",
                    all_points=False):
    """Points of a depth image (h, w), in the camera's frame: x right, y down, z forward.

    color: image of the same size or None. intrinsics: fx, fy, cx, cy; or angles of view in
    radians. depth_range: (least, most) valid depth; 0 is never valid. points_format: 'numpy'
    (rows x, y, z[, color]), 'PointCloud', 'TriangleMesh', 'Heightmap', 'Geometry3D'.
    """
    depth = np.array(depth, dtype=float)
    if depth.ndim != 2:
        raise ValueError(f"depth must have 2 dimensions, got {depth.ndim}")
    h, w = depth.shape
    if color is not None:
        color = np.asarray(color)
        if color.shape[:2] != (h, w):
            raise ValueError(f"color is {color.shape[:2]} pixels, depth {depth.shape}")
    intr = _focal(w, h, xfov, yfov) if intrinsics is None else intrinsics
    if points_format == "Heightmap":
        return _heightmap(depth, color, intr, 1.0 if depth_scale is None else depth_scale)
    if depth_scale is not None:
        depth *= depth_scale
    keep = depth > 0
    if depth_range is not None:
        keep &= (depth > depth_range[0]) & (depth < depth_range[1])
        if all_points:
            depth[~keep] = 0
    return _points(depth, color, intr, keep, points_format, all_points)


def camera_to_points(camera, points_format="numpy", all_points=False, color_format="channels"):
    """Points of a camera's last measurement in its frame; arguments as for image_to_points().

    color_format: 'channels', 'rgb', or None for points alone.
    """
    check_camera(camera)
    if not number(camera, "depth"):
        raise AssertionError("the camera measures no depth; set its setting 'depth' to 1")
    images = camera_to_images(camera, "numpy", color_format or "channels")
    rgb, depth = images if number(camera, "rgb") else (None, images)
    if depth is None:
        raise AssertionError("the camera has no measurement yet; simulate it first")
    if color_format is None:
        rgb = None
    intr, far = intrinsics_of(camera), number(camera, "zmax")
    if points_format == "Heightmap":
        return _heightmap(depth, rgb, intr, 1.0)
    keep = depth < far
    if all_points and points_format != "TriangleMesh":
        depth[~keep] = 0
    return _points(depth, rgb, intr, keep, points_format, all_points)


def camera_to_points_world(camera, *args, **kwargs):
    """camera_to_points_world(camera, points_format="numpy", color_format="channels"): camera_to_points() in the world's
    frame. Programs from before 0.10 give the robot after the camera.
    """
    kwargs.pop("robot", None)
    if args and (args[0] is None or hasattr(args[0], "numLinks")):
        args = args[1:]
    return _points_world(camera, *args, **kwargs)


def _points_world(camera, points_format="numpy", color_format="channels"):
    check_camera(camera)
    R, t = camera.getTransformWorld()
    points = camera_to_points(camera, points_format, False, color_format)
    if points_format == "numpy":
        points[:, :3] = points[:, :3] @ so3.ndarray(R).T + np.asarray(t)
    elif points_format == "Geometry3D":
        points.setCurrentTransform(R, t)
    else:
        points.transform(R, t)
    return points
