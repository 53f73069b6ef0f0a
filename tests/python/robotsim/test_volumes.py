"""Signed distance fields and occupancy grids: how deep balls and points are in them, and what they become."""

import math

import numpy as np
import pytest

CENTER, RADIUS, CELLS = (0.05, -0.02, 0.03), 0.45, 14
CELL = 1.4 / CELLS


def field():
    """A signed distance field of a ball."""
    from klampt import Geometry3D, ImplicitSurface
    at = [-0.7 + CELL * (i + 0.5) for i in range(CELLS)]
    surface = ImplicitSurface()
    surface.setBmin([-0.7] * 3)
    surface.setBmax([0.7] * 3)
    surface.setValues(np.array([[[math.dist((x, y, z), CENTER) - RADIUS for z in at] for y in at] for x in at]))
    return Geometry3D(surface)


def ball(p, radius):
    from klampt import GeometricPrimitive, Geometry3D
    sphere = GeometricPrimitive()
    sphere.setSphere(list(p), radius)
    return Geometry3D(sphere)


@pytest.mark.parametrize("distance", [0.1, 0.2, 0.3, 0.44, 0.61, 0.9])
@pytest.mark.parametrize("radius", [0.02, 0.1, 0.38])
def test_balls_are_as_deep_as_the_field_says(distance, radius):
    shape, p = field(), [CENTER[0], CENTER[1] + distance, CENTER[2]]
    gap = distance - RADIUS - radius
    other = ball(p, radius)
    for found in (shape.distance(other), other.distance(shape)):
        assert found.d == pytest.approx(gap, abs=0.3 * CELL)
        assert math.dist(found.cp1, found.cp2) == pytest.approx(abs(found.d), abs=1e-6)
    assert shape.collides(other) == (gap < 0)
    contacts = shape.contacts(other, 0.03, 0.02)
    assert len(contacts.depths) == (1 if gap < 0.05 else 0)
    if gap < 0.05:
        assert contacts.depths[0] == pytest.approx(0.05 - gap, abs=0.3 * CELL)
        assert contacts.normals[0][1] == pytest.approx(1, abs=0.1)  # From the field to the ball: out of it.
        swapped = other.contacts(shape, 0.02, 0.03)
        assert swapped.depths[0] == pytest.approx(contacts.depths[0]) and swapped.normals[0][1] == pytest.approx(-1, abs=0.1)


def test_the_deepest_point_of_a_cloud_counts():
    from klampt import Geometry3D, PointCloud
    cloud = PointCloud()
    cloud.setPoints(np.array([[CENTER[0] + d, CENTER[1], CENTER[2]] for d in (0.8, 0.4, 0.2)]))
    found = field().distance(Geometry3D(cloud))
    assert found.d == pytest.approx(0.2 - RADIUS, abs=0.3 * CELL) and found.elem2 == 2
    assert len(field().contacts(Geometry3D(cloud), 0, 0).depths) == 2


@pytest.mark.parametrize("level", [0, 0.1, -0.1])
def test_meshes_and_points_of_a_field_are_those_of_a_level(level):
    shape = field()
    if level >= 0:
        vertices = shape.convert("TriangleMesh", level).getTriangleMesh().getVertices()
        assert np.abs(np.linalg.norm(vertices - CENTER, axis=1) - RADIUS - level).max() < 0.3 * CELL
    points = shape.convert("PointCloud", level).getPointCloud().getPoints()
    values = shape.getImplicitSurface().getValues()
    assert len(points) == (values <= level).sum()
    assert np.linalg.norm(points - CENTER, axis=1).max() <= RADIUS + level + 1e-9


def test_fields_and_grids_keep_their_box():
    shape = field()
    for kind, cells in (("ImplicitSurface", (28, 28, 28)), ("OccupancyGrid", (28, 28, 28))):
        made = shape.convert(kind, 0.05)
        data = made.getImplicitSurface() if kind == "ImplicitSurface" else made.getOccupancyGrid()
        assert data.getValues().shape == cells and list(data.getBmin()) == [-0.7] * 3 and list(data.getBmax()) == [0.7] * 3
    grid = shape.convert("OccupancyGrid")
    assert (grid.getOccupancyGrid().getValues() > 0.5).sum() == (shape.getImplicitSurface().getValues() <= 0).sum()
    points = grid.convert("PointCloud").getPointCloud().getPoints()
    assert sorted(points.tolist()) == pytest.approx(np.array(sorted(shape.convert("PointCloud").getPointCloud().getPoints().tolist())))
    with pytest.raises(RuntimeError, match="too fine"):
        shape.convert("ImplicitSurface", 1e-5)
