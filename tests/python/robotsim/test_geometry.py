"""Shapes of klampt.robotsim against closed forms."""

import gc
import math
import pickle
import weakref

import numpy as np
import pytest

robotsim = pytest.importorskip("klampt.robotsim")
from klampt.robotsim import (ConvexHull, GeometricPrimitive, Geometry3D, Heightmap, ImplicitSurface, Mass,  # noqa: E402
                             OccupancyGrid, PointCloud, TriangleMesh, WorldModel)

IDENTITY = [1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0]


def box(lower, upper):
    primitive = GeometricPrimitive()
    primitive.setAABB(lower, upper)
    return Geometry3D(primitive)


def sphere(center, radius):
    primitive = GeometricPrimitive()
    primitive.setSphere(center, radius)
    return Geometry3D(primitive)


def tetrahedron():
    mesh = TriangleMesh()
    mesh.setVertices([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mesh.setIndices([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    return mesh


def test_distances_of_spheres():
    a, b = sphere([0, 0, 0], 0.4), sphere([0, 0, 0], 0.3)
    b.setCurrentTransform(IDENTITY, [2, 0, 0])
    result = a.distance(b)
    assert result.d == pytest.approx(1.3)
    assert result.cp1 == pytest.approx([0.4, 0, 0]) and result.cp2 == pytest.approx([1.7, 0, 0])
    assert result.grad1 == [-x for x in result.grad2]
    b.setCurrentTransform(IDENTITY, [0.5, 0, 0])
    assert a.distance(b).d == pytest.approx(-0.2)
    assert a.collides(b) and not a.collides(sphere([3, 0, 0], 1))
    assert a.withinDistance(sphere([1, 0, 0], 0.1), 0.51)
    assert not a.withinDistance(sphere([1, 0, 0], 0.1), 0.49)


def test_contacts_with_padding():
    a, b = box([0, 0, 0], [1, 1, 1]), sphere([0.5, 0.5, 1.25], 0.2)
    assert a.contacts(b, 0, 0).depths == []
    contacts = a.contacts(b, 0.04, 0.02)
    assert contacts.depths == pytest.approx([0.01])
    assert contacts.points1[0] == pytest.approx([0.5, 0.5, 1.04])
    assert contacts.points2[0] == pytest.approx([0.5, 0.5, 1.03])
    assert contacts.normals[0] == pytest.approx([0, 0, 1])


def test_ray_and_point_queries():
    g = box([0, 0, 0], [1, 1, 1])
    g.setCurrentTransform(IDENTITY, [0, 0, 5])
    assert g.rayCast([0.5, 0.5, 0], [0, 0, 1]) == (True, pytest.approx([0.5, 0.5, 5]))
    assert g.rayCast_ext([3, 3, 0], [0, 0, 1])[0] == -1
    assert g.contains_point([0.5, 0.5, 5.5]) and not g.contains_point([0.5, 0.5, 4.5])
    assert g.distance_point([0.5, 0.5, 4]).d == pytest.approx(1)
    assert g.support([1, 1, 1]) == pytest.approx([1, 1, 6])
    assert g.getBB() == (pytest.approx([0, 0, 5]), pytest.approx([1, 1, 6]))


def test_concave_polygon_is_hit_where_it_is():
    polygon = GeometricPrimitive()
    polygon.setPolygon([0, 0, 0, 1, 0, 0, 0.5, 0.5, 0, 1, 1, 0, 0, 1, 0])
    g = Geometry3D(polygon)
    assert g.rayCast([0.25, 0.5, 1], [0, 0, -1])[0]
    assert not g.rayCast([0.9, 0.5, 1], [0, 0, -1])[0]


def test_transform_bakes_and_current_transform_does_not():
    g = Geometry3D(tetrahedron())
    g.setCurrentTransform(IDENTITY, [1, 2, 3])
    assert g.getTriangleMesh().vertices[1].tolist() == [1, 0, 0]
    g.transform([0, 1, 0, -1, 0, 0, 0, 0, 1], [0, 0, 1])
    assert g.getTriangleMesh().vertices[1] == pytest.approx([0, 1, 1])
    g.scale(2)
    assert g.getTriangleMesh().vertices[1] == pytest.approx([0, 2, 2])
    assert g.getCurrentTransform() == (IDENTITY, [1, 2, 3])


def test_views_change_the_geometry():
    g = Geometry3D(tetrahedron())
    g.getTriangleMesh().vertices[3, 2] = 7
    g.refreshCollider()
    assert g.getBB()[1] == pytest.approx([1, 1, 7])
    g.getTriangleMesh().translate([1, 0, 0])
    assert g.getBB()[1] == pytest.approx([2, 1, 7])


def test_views_outlive_their_geometry():
    g = Geometry3D(tetrahedron())
    vertices = g.getTriangleMesh().vertices
    g.setTriangleMesh(TriangleMesh())
    del g
    gc.collect()
    assert vertices.shape == (4, 3) and vertices[1, 0] == 1


def test_geometry_and_its_data_are_collected():
    g = Geometry3D(tetrahedron())
    alive = weakref.ref(g.getTriangleMesh())
    del g
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("kind", ["TriangleMesh", "PointCloud", "ImplicitSurface", "OccupancyGrid", "ConvexHull", "Heightmap"])
def test_conversions(kind):
    g = sphere([0, 0, 0], 0.5)
    converted = g.convert(kind, 0.05)
    assert converted.type() == kind and g.type() == "GeometricPrimitive"
    assert converted.getBB()[1][2] == pytest.approx(0.5, abs=0.08)
    again = pickle.loads(pickle.dumps(converted))
    assert again.type() == kind and again.numElements() == converted.numElements()


def test_wrong_type_raises():
    with pytest.raises(RuntimeError):
        sphere([0, 0, 0], 1).getTriangleMesh()
    with pytest.raises(TypeError):
        Geometry3D().setTriangleMesh(ConvexHull())
    with pytest.raises(ValueError):
        Geometry3D().setCurrentTransform(IDENTITY, [0, 0])
    with pytest.raises(TypeError):
        Geometry3D().setCurrentTransform(IDENTITY, 3)


def test_slice_and_region():
    g = box([-1, -1, -1], [1, 1, 1]).convert("TriangleMesh")
    cut = g.slice(IDENTITY, [0, 0, 0.25], 0)
    assert cut.type() == "Group"
    length = 0.0
    for i in range(cut.numElements()):
        ends = cut.getElement(i).getGeometricPrimitive().properties
        length += math.dist(ends[:3], ends[3:])
    assert length == pytest.approx(8)
    half = g.roi("intersect", [-2, -2, 0], [2, 2, 2])
    assert half.getBB()[0][2] == pytest.approx(0)
    cloud = g.convert("PointCloud", 0.3)
    assert cloud.slice(IDENTITY, [0, 0, 0], 0.2).type() == "PointCloud"
    assert cloud.roi("~within", [-2, -2, 0], [2, 2, 2]).getBB()[1][2] <= 0


def test_groups():
    g = Geometry3D()
    g.setGroup()
    g.setElement(0, sphere([0, 0, 0], 1))
    g.setElement(1, box([2, 0, 0], [3, 1, 1]))
    assert g.type() == "Group" and g.numElements() == 2
    assert g.getElement(1).type() == "GeometricPrimitive"
    assert g.rayCast_ext([2.5, 0.5, 9], [0, 0, -1])[0] == 1
    with pytest.raises(RuntimeError):
        g.setElement(7, sphere([0, 0, 0], 1))


def test_merge_of_meshes_and_clouds():
    a = Geometry3D(tetrahedron())
    b = Geometry3D(tetrahedron())
    b.setCurrentTransform(IDENTITY, [5, 0, 0])
    a.merge(b)
    assert len(a.getTriangleMesh().vertices) == 8 and a.getBB()[1][0] == pytest.approx(6)
    clouds = [Geometry3D(PointCloud()) for _ in range(2)]
    for i, cloud in enumerate(clouds):
        cloud.getPointCloud().setPoints([[i, 0, 0], [i, 1, 0]])
    clouds[0].merge(clouds[1])
    assert len(clouds[0].getPointCloud().points) == 4


def test_estimated_mass():
    mass = Mass()
    mass.estimate(sphere([1, 0, 0], 0.5).convert("TriangleMesh", 0.02), 2.0, 0)
    assert mass.getCom() == pytest.approx([1, 0, 0], abs=1e-6)
    assert mass.getInertia()[0] == pytest.approx(0.4 * 2 * 0.25, rel=0.01)


def test_cloud_properties_and_colors():
    cloud = PointCloud()
    cloud.addProperty("rgb")
    cloud.addPoint((0, 0, 0))
    cloud.addPoint([1, 2, 3])
    assert cloud.points.tolist() == [[0, 0, 0], [1, 2, 3]] and cloud.properties.shape == (2, 1)
    cloud.setColors([0xff0000, 0x00ff80], "rgb")
    assert cloud.getProperty(1, "rgb") == 0x00ff80
    assert cloud.getColors(("r", "g", "b"))[0].tolist() == [1, 0, 0]
    assert cloud.getColors("bgr")[1] == 0x80ff00
    with pytest.raises(RuntimeError):
        cloud.getProperty(0, "height")


def test_depth_image_as_cloud():
    cloud = PointCloud()
    cloud.setDepthImage([100, 100, 1.5, 0.5], np.full((2, 4), 2.0))
    assert cloud.points[0] == pytest.approx([-0.03, -0.01, 2]) and cloud.getSetting("width") == "4"
    cloud.setRGBDImages({"fx": 100, "fy": 100, "cx": 0, "cy": 0}, np.zeros((2, 4, 3), dtype=np.uint8), np.ones((2, 4)))
    assert cloud.getPropertyNames() == ["rgb"]


def test_heightmap_and_grids():
    heightmap = Heightmap()
    heightmap.resize(3, 2)
    heightmap.setSize(2, 1)
    heightmap.set(2, 0, 5)
    assert heightmap.getVertex(2, 0).tolist() == [1, 0.5, 5]
    g = Geometry3D(heightmap)
    assert g.type() == "Heightmap" and g.getBB()[1] == pytest.approx([1, 0.5, 5])
    grid = OccupancyGrid()
    grid.setBounds([0, 0, 0, 1, 1, 1])
    grid.resize(2, 2, 2)
    grid.set(1, 1, 1, 1.0)
    assert Geometry3D(grid).contains_point([0.75, 0.75, 0.75]) and not Geometry3D(grid).contains_point([0.25, 0.25, 0.25])
    surface = ImplicitSurface()
    surface.bmin, surface.bmax, surface.values = [0, 0, 0], [1, 1, 1], np.ones((3, 3, 3))
    assert Geometry3D(surface).type() == "ImplicitSurface"


def test_reference_and_copy():
    world = WorldModel()
    rigid = world.makeRigidObject("thing")
    rigid.geometry().set(sphere([0, 0, 0], 1))
    assert rigid.geometry().type() == "GeometricPrimitive" and not rigid.geometry().isStandalone()
    copy = rigid.geometry().copy()
    copy.setTriangleMesh(tetrahedron())
    assert copy.isStandalone() and rigid.geometry().type() == "GeometricPrimitive"
    rigid.setTransform(IDENTITY, [0, 0, 4])
    assert rigid.geometry().getCurrentTransform()[1] == [0, 0, 4]
    handle = rigid.geometry()
    del world, rigid
    gc.collect()
    assert handle.type() == "GeometricPrimitive"


def test_bounding_boxes_prepare_no_queries():
    """Exact queries refuse shapes of this size, and a box of one needs none."""
    mesh = TriangleMesh()
    mesh.setVertices(np.array([[0, 0, 0], [1e61, 0, 0], [0, 2e61, 0], [0, 0, 3e61]]))
    mesh.setIndices(np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32))
    geometry = Geometry3D(mesh)
    assert geometry.getBB() == ([0, 0, 0], [1e61, 2e61, 3e61])
    geometry.setCurrentTransform([0, 1, 0, -1, 0, 0, 0, 0, 1], [1, 2, 3])
    low, high = geometry.getBB()
    assert low == pytest.approx([-2e61, 2, 3]) and high == pytest.approx([1, 1e61, 3e61])
    with pytest.raises(RuntimeError, match="1e60"):
        geometry.collides(geometry)
