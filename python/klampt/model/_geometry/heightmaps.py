"""Heightmaps of geometries, and normals of heightmaps."""

import numpy as np

from ...math import so3
from ...robotsim import Geometry3D, Heightmap


def _local_triangles(geom, viewport):
    """Corners (n, 3, 3) of a geometry's triangles in the frame of a heightmap's viewport."""
    mesh = (geom if geom.type() == "TriangleMesh" else geom.convert("TriangleMesh")).getTriangleMesh()
    R, t = geom.getCurrentTransform()
    points = np.asarray(mesh.vertices) @ so3.ndarray(R).T + np.asarray(t)
    Rv, tv = viewport.getPose()
    points = (points - np.asarray(tv)) @ so3.ndarray(Rv)
    return points[np.asarray(mesh.indices)]


def _rasterize(heights, corners, keep):
    """Writes the heights of one triangle, corners (3, 3) in cells and meters, where keep() prefers them."""
    low = np.maximum(np.ceil(corners[:, :2].min(0) - 1e-9), 0).astype(int)
    high = np.minimum(np.floor(corners[:, :2].max(0) + 1e-9), np.array(heights.shape) - 1).astype(int)
    (a, b, c) = corners
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if np.any(low > high) or abs(area) < 1e-14:
        return
    i, j = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1), indexing="ij")
    u = ((i - a[0]) * (c[1] - a[1]) - (j - a[1]) * (c[0] - a[0])) / area
    v = ((b[0] - a[0]) * (j - a[1]) - (b[1] - a[1]) * (i - a[0])) / area
    inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
    z = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2])
    cells = heights[low[0]:high[0] + 1, low[1]:high[1] + 1]
    cells[inside] = keep(cells[inside], z[inside])


def _project(geom, like, mask_value, start, keep):
    if like.isPerspective():
        raise NotImplementedError("heights of geometries are computed for heightmaps without perspective")
    result = Heightmap(like)
    v = result.viewport
    columns, rows = result.heights.shape
    heights = np.full((columns, rows), start)
    for corners in _local_triangles(geom, v):
        cells = np.column_stack((corners[:, 0] * v.fx + v.cx - 0.5, rows - 0.5 - (corners[:, 1] * v.fy + v.cy), corners[:, 2]))
        _rasterize(heights, cells, keep)
    result.heights = np.where(np.isinf(heights), mask_value, heights)
    return Geometry3D(result)


def upper_heightmap(geom, like, mask_value=-np.inf):
    """The highest points of a geometry over the grid of a heightmap; mask_value where there is nothing."""
    return _project(geom, like, mask_value, -np.inf, np.maximum)


def lower_heightmap(geom, like, mask_value=-np.inf):
    """The lowest points of a geometry over the grid of a heightmap; mask_value where there is nothing."""
    return _project(geom, like, mask_value, np.inf, np.minimum)


def _slopes(heights, axis):
    """Differences of neighbors a cell along an axis: central ones, one-sided where one side has no height, else 0."""
    h = np.moveaxis(heights, axis, 0)
    step = np.full((len(h) + 1,) + h.shape[1:], np.nan)
    with np.errstate(invalid="ignore"):
        step[1:-1] = h[1:] - h[:-1]
    step[~np.isfinite(step)] = np.nan
    before, after = step[:-1], step[1:]
    both = np.where(np.isnan(before), after, np.where(np.isnan(after), before, 0.5 * (before + after)))
    return np.moveaxis(np.nan_to_num(both), 0, axis)


def heightmap_normals(hm):
    """Unit normals (w, h, 3) of a heightmap without perspective, turned by its pose; 0 where there is no height."""
    hm = hm.getHeightmap() if isinstance(hm, Geometry3D) else hm
    if not isinstance(hm, Heightmap):
        raise TypeError(f"a Heightmap or a Geometry3D that holds one is wanted, got a {type(hm).__name__}")
    if hm.isPerspective():
        raise NotImplementedError("normals are computed for heightmaps without perspective")
    heights = np.asarray(hm.heights, dtype=float)
    dx, dy = hm.getResolution()
    # Rows are counted from large y to small.
    normals = np.stack((-_slopes(heights, 0) / dx, _slopes(heights, 1) / dy, np.ones(heights.shape)), axis=2)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    normals[~np.isfinite(heights)] = 0.0
    return normals @ so3.ndarray(hm.viewport.getPose()[0]).T
