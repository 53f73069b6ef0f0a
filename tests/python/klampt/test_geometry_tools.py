"""Colors, heightmaps and merged geometries as programs use them."""

import numpy as np
import pytest

from conftest import ROOT, needs_robotsim

pytestmark = needs_robotsim
CUBE = str(ROOT / "data" / "objects" / "cube.off")


@pytest.fixture()
def cube():
    from klampt import Geometry3D
    return Geometry3D(CUBE)


@pytest.fixture()
def ramp():
    """Heights x + 2 y over a square of 4 m, cells of 0.5 m."""
    from klampt import Heightmap
    hm = Heightmap()
    hm.heights = np.zeros((9, 9))
    hm.setSize(4.0, 4.0)
    hm.heights = np.array([[hm.getVertex(i, j)[:2] @ [1, 2] for j in range(9)] for i in range(9)])
    return hm


def test_colors_by_named_values(cube):
    from klampt.vis.colorize import colorize
    mesh = cube.getTriangleMesh()
    heights = np.asarray(mesh.vertices)[:, 2]
    for name in ("viridis", "plasma", "cool", "jet", "gray"):
        app = colorize(cube, "z", name)
        colors = np.asarray(app.getColors(app.VERTICES))
        top, bottom = colors[heights == heights.max()], colors[heights == heights.min()]
        assert np.ptp(top, axis=0).max() == 0 and np.abs(top[0] - bottom[0]).max() > 0.4
    app = colorize(cube, "nz", "gray", feature="faces", lighting=[0, 0, -1])
    colors = np.asarray(app.getColors(app.FACES))
    assert len(colors) == len(mesh.indices) and np.unique(colors[:, 0].round(3)).tolist() == [0.0, 0.125, 1.0]
    app = colorize(cube, [0, 0, 7, 7] * (len(mesh.indices) // 4), "random", feature="faces")
    assert len(np.unique(np.asarray(app.getColors(app.FACES)), axis=0)) == 2
    with pytest.raises(ValueError, match="height"):
        colorize(cube, "nothing")
    with pytest.raises(ValueError, match="colormap"):
        colorize(cube, "z", "nothing at all")


def test_colors_of_clouds_in_all_formats(cube):
    from klampt.model.geometry import point_cloud_colors, point_cloud_set_colors
    from klampt.vis.colorize import colorize
    cloud = cube.convert("PointCloud", 0.5)
    assert point_cloud_colors(cloud) is None
    colorize(cloud, "x", "gray")
    rows = point_cloud_colors(cloud, ("r", "g", "b", "a"))
    assert rows.shape == (cloud.numElements(), 4) and (rows[:, 3] == 1).all()
    rows[:, 3] = 0.4
    point_cloud_set_colors(cloud, rows, ("r", "g", "b", "a"))
    for order in ("rgba", "bgra", "argb", "abgr"):
        packed = point_cloud_colors(cloud, order)
        assert ((packed >> (8 * (3 - order.index("a")))) & 0xFF == 102).all()
        point_cloud_set_colors(cloud, packed, order)
        assert point_cloud_colors(cloud, ("r", "g", "b", "a")) == pytest.approx(rows, abs=1 / 255)
    assert len(point_cloud_colors(cloud, "channels")) == 4
    with pytest.raises(ValueError, match="channels"):
        point_cloud_colors(cloud, "hsv")


def test_heights_of_a_geometry(cube):
    from klampt import Heightmap
    from klampt.model.geometry import lower_heightmap, upper_heightmap
    cube.transform([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 2.0])
    low, high = cube.getBBTight()
    hm = Heightmap()
    hm.heights = np.zeros((9, 9))
    hm.setSize(4.0, 4.0)
    for find, height in ((upper_heightmap, high[2]), (lower_heightmap, low[2])):
        heights = np.asarray(find(cube, hm).getHeightmap().heights)
        found = np.isfinite(heights)
        assert heights[found] == pytest.approx(height) and found.sum() == 9 and found[3:6, 3:6].all()
    assert np.asarray(upper_heightmap(cube, hm, -7).getHeightmap().heights)[0, 0] == -7


def test_normals_and_points_of_heightmaps(ramp):
    from klampt import Geometry3D
    from klampt.model.geometry import heightmap_normals
    from klampt.vis.colorize import colorize
    wanted = np.array([-1, -2, 1]) / np.sqrt(6)
    assert np.abs(heightmap_normals(ramp) - wanted).max() < 1e-6
    heights = np.array(ramp.heights)
    heights[4, 4] = np.nan
    ramp.heights = heights
    normals = heightmap_normals(Geometry3D(ramp))
    assert (normals[4, 4] == 0).all() and normals[3, 4] == pytest.approx(wanted, abs=1e-6)
    ramp.addProperty("segment", np.arange(81.0).reshape(9, 9))
    assert colorize(ramp, "segment", "gray", lighting=lambda p, n: 1.0) is ramp
    cloud = Geometry3D(ramp).convert("PointCloud").getPointCloud()
    assert cloud.numPoints() == 81 and cloud.propertyIndex("segment") >= 0
    assert np.asarray(cloud.points)[12] == pytest.approx(ramp.getVertex(1, 3))
    column = np.asarray(cloud.properties)[:, cloud.propertyIndex("r")]
    assert column[0] == 0 and column[-1] == 1 and (np.diff(column) >= 0).all()


def test_merged_geometries_keep_colors(cube):
    from klampt import Appearance, Geometry3D
    from klampt.model.geometry import merge
    other = Geometry3D(CUBE)
    other.setCurrentTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [1.5, 0, 0])
    count = len(cube.getTriangleMesh().indices)
    app = Appearance()
    app.setColors(app.FACES, np.tile([[0, 1, 0, 1]], (count, 1)))
    cube.setAppearance(app)
    red = Appearance()
    red.setColor(1, 0, 0, 1)
    other.setAppearance(red)
    both = merge(cube, other)
    colors = np.asarray(both.getAppearance().getColors(Appearance.FACES))
    assert (colors[:count] == [0, 1, 0, 1]).all() and (colors[count:] == [1, 0, 0, 1]).all()
    assert np.asarray(both.getTriangleMesh().vertices)[:, 0].max() == pytest.approx(cube.getBBTight()[1][0] + 1.5)


def test_normals_of_clouds_are_kept():
    from klampt import PointCloud
    from klampt.model.geometry import point_cloud_normals
    rng = np.random.default_rng(3)
    cloud = PointCloud()
    cloud.setPoints(np.column_stack((rng.uniform(-1, 1, (400, 2)), np.zeros(400))))
    for options in ({"estimation_radius": 0.3}, {"estimation_knn": 8}, {}):
        normals = point_cloud_normals(cloud, estimation_viewpoint=[0, 0, 5], add=False, **options)
        assert np.abs(normals - [0, 0, 1]).max() < 1e-6
    point_cloud_normals(cloud, estimation_viewpoint=[0, 0, -5])
    assert point_cloud_normals(cloud, estimation_viewpoint=[0, 0, 5])[:, 2] == pytest.approx(-1)


def test_bodies_are_converted_in_place():
    from klampt import WorldModel
    from klampt.math import se3
    from klampt.model import geometry
    world = WorldModel()
    assert world.readFile(str(ROOT / "data" / "worlds" / "blocks.xml"))
    for o in world.rigidObjects:
        o.geometry().setCurrentTransform(*se3.identity())
    boxes = [o.geometry().getBBTight() for o in world.rigidObjects]
    geometry.convert(world, "aabb")
    assert {o.geometry().type() for o in world.rigidObjects} == {"GeometricPrimitive"}
    for o, box in zip(world.rigidObjects, boxes):
        assert np.asarray(o.geometry().getBBTight()) == pytest.approx(np.asarray(box), abs=1e-6)


def test_workspaces_by_test():
    from klampt import WorldModel
    from klampt.model import workspace
    world = WorldModel()
    assert world.readFile(str(ROOT / "data" / "worlds" / "blocks.xml"))
    if world.numRobots() == 0:
        world.loadRobot(str(ROOT / "data" / "robots" / "bench_arm.urdf"))
    link = world.robot(0).link(world.robot(0).numLinks() - 1)
    seen = []
    options = dict(Nsamples=20, resolution=0.2, obstacles=[world.terrain(0)], load=[0, 0, -1.0], load_type="force",
                   feasibility_test=lambda q: seen.append(len(q)) or True)
    grids = workspace.compute_workspace(link, [0, 0, 0], **options)
    assert set(grids) == {"workspace", "reachable", "self_collision_free", "obstacle_0_collision_free", "load",
                          "feasibility_test"}
    assert len(seen) >= 20 and set(seen) == {world.robot(0).numLinks()}
    assert np.sum(grids["workspace"].getValues()) <= np.sum(grids["reachable"].getValues())
    alone = workspace.compute_workspace(link, [0, 0, 0], all_tests=False, **options)
    assert np.array_equal(alone.getValues(), grids["workspace"].getValues())
    with pytest.raises(ValueError, match="load_type"):
        workspace.compute_workspace(link, [0, 0, 0], Nsamples=1, load=1.0, load_type="heavy")


def test_workspaces_are_whole_with_few_samples():
    from klampt import OccupancyGrid, WorldModel
    from klampt.model import ik, workspace
    world = WorldModel()
    world.loadRobot(str(ROOT / "data" / "robots" / "bench_arm.urdf"))
    robot = world.robot(0)
    link, q0, limits = robot.link(robot.numLinks() - 1), robot.getConfig(), robot.getJointLimits()

    def volume(grid):
        values = np.asarray(grid.getValues())
        cell = (np.array(grid.bmax) - np.array(grid.bmin)) / values.shape
        return np.count_nonzero(values) * np.prod(cell)

    few = workspace.compute_workspace(link, [0, 0, 0], Nsamples=200, resolution=0.2, self_collision=False)["reachable"]
    many = workspace.compute_workspace(link, [0, 0, 0], Nsamples=3000, resolution=0.2, self_collision=False)["reachable"]
    assert type(few) is OccupancyGrid
    assert volume(few) > 0.75 * volume(many)
    points = []
    for q in np.random.default_rng(0).uniform(*limits, size=(200, robot.numLinks())):
        robot.setConfig(q.tolist())
        points.append(link.getWorldPosition([0, 0, 0]))
    assert volume(few) > 2 * volume(workspace.compute_occupancy_grid(points, 0.2))
    robot.setConfig(q0)
    # Cells that are filled are within reach.
    values = np.asarray(few.getValues())
    cell = (np.array(few.bmax) - np.array(few.bmin)) / values.shape
    for place in np.argwhere(values)[::25]:
        middle = np.array(few.bmin) + (place + 0.5) * cell
        assert ik.solve_global(ik.objective(link, local=[0, 0, 0], world=middle.tolist()), numRestarts=20) or (
            np.min(np.linalg.norm(np.array(points) - middle, axis=1)) < 0.2)
    assert robot.getJointLimits() == limits


def test_grids_of_points_have_a_layer_of_cells_around_them():
    from klampt.model import workspace
    points = [[0, 0, 0], [1, 0.5, 0.2], [0.31, 0.2, 0.1]]
    grid = workspace.compute_occupancy_grid(points, resolution=0.1)
    assert np.asarray(grid.getValues()).shape == (13, 8, 5)
    assert np.count_nonzero(grid.getValues()) == 3 and not np.any(grid.getValues()[0]) and not np.any(grid.getValues()[-1])
    counted = workspace.compute_occupancy_grid(points * 2, dimensions=(4, 4, 4), bounds=([0, 0, 0], [1, 1, 1]), value="count")
    assert np.sum(counted.getValues()) == 6 and np.asarray(counted.getValues()).shape == (4, 4, 4)
    with pytest.raises(ValueError, match="no points"):
        workspace.compute_occupancy_grid([])


def test_samples_of_surfaces():
    from klampt import Geometry3D
    from klampt.model import create, geometry
    cube = create.box(1, 1, 1, center=(0, 0, 0))
    cube = cube if cube.type() == "TriangleMesh" else cube.convert("TriangleMesh")
    np.random.seed(4)
    first = geometry.sample_surface(cube, 200, want_elements=True, want_normals=True)
    np.random.seed(4)
    assert np.array_equal(first, geometry.sample_surface(cube, 200, want_elements=True, want_normals=True))
    assert first.shape == (200, 7)
    assert np.max(np.abs(first[:, :3]), axis=1) == pytest.approx(np.full(200, 0.5))
    assert np.einsum("ij,ij->i", first[:, :3], first[:, 4:]) == pytest.approx(np.full(200, 0.5))
    assert set(first[:, 3]) <= set(range(len(cube.getTriangleMesh().indices))) and len(set(first[:, 3])) > 6
    assert len(geometry.sample_surface(cube)) == len(cube.getTriangleMesh().vertices)
    ball = Geometry3D(create.sphere(2.0, center=(1, 0, 0), type="GeometricPrimitive"))
    ball.setCurrentTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 3])
    points = geometry.sample_surface(ball, 50, local=False)
    assert np.linalg.norm(points - [1, 0, 3], axis=1) == pytest.approx(np.full(50, 2.0))
    with pytest.raises(ValueError, match="sphere"):
        geometry.sample_surface(ball)


def test_heightmaps_with_holes():
    from klampt import Geometry3D, Heightmap
    hm = Heightmap()
    heights = np.full((11, 11), -np.inf)
    heights[3:6, 3:6] = 0.5
    hm.heights = heights
    hm.setSize(1.0, 1.0)
    g = Geometry3D(hm)
    low, high = g.getBB()
    assert low[2] == high[2] == pytest.approx(0.5) and high[0] - low[0] == pytest.approx(0.2)
    hit, point = g.rayCast([0.0, 0.1, 2.0], [0, 0, -1])
    assert hit and point[2] == pytest.approx(0.5) and not g.rayCast([0.4, 0.4, 2.0], [0, 0, -1])[0]
    assert np.array_equal(g.getHeightmap().heights, heights)
    hm.heights = np.full((4, 4), np.nan)
    assert not Geometry3D(hm).rayCast([0, 0, 2], [0, 0, -1])[0]
