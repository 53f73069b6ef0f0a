"""Data objects out of what the compiled part gives."""

import numpy as np

from .cloud import PointCloud
from .heightmap import Heightmap
from .mesh import ConvexHull, TriangleMesh
from .primitive import GeometricPrimitive


def mesh_of(data):
    mesh = TriangleMesh()
    mesh._vertices, mesh._indices = data
    return mesh


def cloud_of(data):
    cloud = PointCloud()
    cloud._points, cloud._names, cloud._properties, columns, rows = data
    if columns and rows:
        cloud._settings = {"width": str(columns), "height": str(rows)}
    return cloud


def primitive_of(data):
    primitive = GeometricPrimitive()
    primitive._type, primitive._properties = data[0], np.array(data[1])
    return primitive


def hull_of(data):
    hull = ConvexHull()
    hull._points = data
    return hull


def grid_of(kind, data):
    grid = kind()
    grid._bmin, grid._bmax = np.array(data[0]), np.array(data[1])
    grid._values, grid._number = data[2], data[3]
    return grid


def heightmap_of(data):
    heights, width, height, (R, t) = data
    heightmap = Heightmap()
    heightmap._heights = np.ascontiguousarray(heights[:, ::-1] + t[2], dtype=np.float32)
    w, h = heights.shape
    v = heightmap._viewport
    v.w, v.h = w, h
    v.fx, v.fy = (w - 1) / width, (h - 1) / height
    v.cx, v.cy = 0.5 * w - t[0] * v.fx, 0.5 * h - t[1] * v.fy
    return heightmap
