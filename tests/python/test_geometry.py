"""Shapes, what is made from them, and queries between them and in worlds, against closed forms."""

import copy
import pickle
import random
import threading

import mortise
import numpy as np
import pytest

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)


def shapes():
    rows = np.random.default_rng(0).normal(size=(7, 3))
    return [
        mortise.Geometry(), mortise.Geometry.point([1, 2, 3]), mortise.Geometry.segment([0, 0, 0], [1, 0, 0]),
        mortise.Geometry.triangle([0, 0, 0], [1, 0, 0], [0, 1, 0]), mortise.Geometry.polygon([[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        mortise.Geometry.sphere(0.5, [1, 0, 0], margin=0.01), mortise.Geometry.box([1, 2, 3]),
        mortise.Geometry.box([1, 2, 3], pose=mortise.RigidTransform(p=[1, 1, 1])), mortise.Geometry.aligned_box([0, 0, 0], [1, 1, 2]),
        mortise.Geometry.ellipsoid([1, 2, 3]), mortise.Geometry.cylinder(0.3, 2, axis=[1, 1, 0]),
        mortise.Geometry.capsule([0, 0, 0], [0, 0, 1], 0.2), mortise.Geometry.mesh(CUBE, [[0, 1, 2]]), mortise.Geometry.convex_hull(rows),
        mortise.Geometry.point_cloud(rows, {"normal_x": rows[:, 0], "rgb": rows[:, 1]}),
        mortise.Geometry.heightmap([[0, 1, 2], [3, 4, 5]], [2, 1]),
        mortise.Geometry.implicit_surface(np.arange(24.0).reshape(2, 3, 4), [0, 0, 0], [1, 1, 1]),
        mortise.Geometry.occupancy_grid(np.eye(3).reshape(1, 3, 3), [0, 0, 0], [1, 1, 1]),
        mortise.Geometry.group([mortise.Geometry.sphere(1), mortise.Geometry.point([0, 0, 0])]),
    ]


def test_views_share_memory_and_outlive_the_shape():
    mesh = mortise.Geometry.mesh(CUBE, [[0, 1, 2], [1, 3, 2]])
    vertices, triangles = mesh.vertices, mesh.triangles
    assert np.shares_memory(vertices, mesh.vertices) and not vertices.flags.owndata and not vertices.flags.writeable
    assert np.shares_memory(triangles, mesh.triangles) and triangles.dtype == np.int32
    del mesh
    assert np.array_equal(vertices, CUBE) and triangles.tolist() == [[0, 1, 2], [1, 3, 2]]
    with pytest.raises(ValueError):
        vertices[0] = 1
    cloud = mortise.Geometry.point_cloud(CUBE, {"rgb": np.arange(8.0)})
    assert np.shares_memory(cloud.points, cloud.vertices) and cloud.properties["rgb"].tolist() == list(range(8))
    grid = mortise.Geometry.occupancy_grid(np.arange(24.0).reshape(2, 3, 4), [0, 0, 0], [2, 3, 4], threshold=5)
    assert grid.values[1, 2, 3] == 23 and grid.values.base is not None
    field = mortise.Geometry.heightmap([[0, 1, 2], [3, 4, 5]], [2, 1])
    assert field.heights[1, 0] == 3
    with pytest.raises(AttributeError, match="of kind 'sphere' has no triangles"):
        mortise.Geometry.sphere(1).triangles


def test_shapes_pickle_with_equal_bits():
    for shape in shapes():
        again = pickle.loads(pickle.dumps(shape))
        assert again.kind == shape.kind and again.margin == shape.margin and repr(again) == repr(shape)
        assert pickle.dumps(again.parameters) == pickle.dumps(shape.parameters) or shape.kind == "group"
        assert copy.deepcopy(shape).kind == shape.kind


def test_masses_are_exact():
    box = mortise.Geometry.box([1, 2, 3])
    assert box.moments()["volume"] == pytest.approx(6)
    body = box.inertia(mass=12)
    assert np.allclose(np.diag(body.inertia), [13, 10, 5])
    assert mortise.Geometry.sphere(2).inertia(density=3).mass == pytest.approx(32 * np.pi)
    moved = box.transformed(mortise.RigidTransform(p=[1, 0, 0]))
    assert np.allclose(moved.moments()["center"], [1, 0, 0])
    assert box.klampt_inertia(3).mass == 3
    with pytest.raises(ValueError, match="mass, density"):
        box.inertia()
    with pytest.raises(mortise.Error):
        mortise.Geometry.point_cloud(CUBE).moments()


def test_conversions():
    ball = mortise.Geometry.sphere(1).converted("mesh", resolution=0.1)
    assert ball.moments()["volume"] == pytest.approx(4 / 3 * np.pi, rel=0.02)
    assert np.linalg.norm(ball.vertices, axis=1).max() <= 1 + 1e-12
    hull = mortise.Geometry.point_cloud(np.vstack([CUBE, [[0.5, 0.5, 0.5]]])).hull_mesh()
    assert hull.num_vertices == 8 and hull.moments()["volume"] == pytest.approx(1)
    assert ball.simplified(0.5).num_triangles < ball.num_triangles
    fine = hull.refined(0.3)
    assert fine.num_triangles > 100 and fine.moments()["volume"] == pytest.approx(1)
    (outline, closed), = hull.sliced([0, 0, 1], 0.25)
    assert closed and np.allclose(outline[:, 2], 0.25)
    cloud = hull.converted("point_cloud", resolution=0.25)
    assert np.allclose(np.abs(cloud.points - 0.5).max(axis=1), 0.5) and "normal_x" in cloud.properties
    big = mortise.Geometry.box([1, 1, 1]).transformed(scale=2)
    assert np.allclose(big.bounds()[1], [1, 1, 1])
    assert hull.united(hull).num_vertices == 16
    with pytest.raises(mortise.Error, match="cloud"):
        mortise.Geometry.point_cloud(CUBE).converted("mesh")
    with pytest.raises(mortise.Error):
        ball.converted("nothing")


def test_distances_are_closed_forms():
    ball = mortise.CollisionShape(mortise.Geometry.sphere(0.5))
    box = mortise.Geometry.box([2, 2, 2])
    found = ball.distance(box, pose=mortise.RigidTransform(p=[3, 0, 0]))
    assert found and found.distance == pytest.approx(1.5)
    assert np.allclose(found.p_WA, [2.5, 0, 0]) and np.allclose(found.p_WB, [1, 0, 0]) and np.allclose(found.normal_W, [-1, 0, 0])
    assert ball.distance(box, pose=mortise.RigidTransform(p=[1.2, 0, 0])).distance == pytest.approx(-0.3)
    assert not ball.distance(box, pose=mortise.RigidTransform(p=[9, 0, 0]), upper_bound=1)
    assert ball.collides(box, pose=mortise.RigidTransform(p=[1.5, 0, 0]))
    assert not ball.collides(box, pose=mortise.RigidTransform(p=[1.6, 0, 0]))
    assert ball.collides(box, pose=mortise.RigidTransform(p=[1.6, 0, 0]), within=0.11)
    touching = ball.contacts(box, tolerance=0.2, pose=mortise.RigidTransform(p=[1.6, 0, 0]))
    assert touching["gaps"].shape == (1,) and touching["gaps"][0] == pytest.approx(0.1)
    assert ball.contains([0, 0, 0.49]) and ball.contains([[0, 0, 0], [0, 0, 1]]).tolist() == [True, False]


def test_rays_are_closed_forms():
    ball = mortise.CollisionShape(mortise.Geometry.sphere(1, [0, 0, 5]).converted("mesh", 0.05))
    hit = ball.ray_cast([0.01, 0.02, 0], [0, 0, 2])
    assert hit and hit.t == pytest.approx(2, abs=2e-3) and hit.normal_W[2] < -0.9
    assert not ball.ray_cast([0, 0, 0], [0, 0, 2], max=1.9)
    origins = np.random.default_rng(1).uniform(-2, 2, (1000, 3)) * [1, 1, 0]
    directions = np.tile([0.0, 0, 1], (1000, 1))
    many = ball.ray_casts(origins, directions)
    one = ball.ray_casts(origins, directions, threads=1)
    assert all(np.array_equal(many[key], one[key], equal_nan=True) for key in many)
    for i in range(0, 1000, 50):
        hit = ball.ray_cast(origins[i], directions[i])
        assert (hit.t == many["t"][i]) and hit.hit == np.isfinite(many["t"][i])


def test_worlds_are_checked(data):
    world = mortise.load_world(data / "worlds" / "heron_shelf.xml")
    robot = world.robots[0].robot
    collider = mortise.WorldCollider(world)
    state = mortise.WorldCollisionState(collider)
    rng = np.random.default_rng(3)
    rows = rng.uniform(np.maximum(robot.q_min, -2), np.minimum(robot.q_max, 2), (200, robot.num_links))
    colliding = collider.colliding(rows)
    assert 0 < colliding.sum() < 200 and np.array_equal(colliding, collider.colliding(rows, threads=1))
    clear = collider.clearances(rows)
    assert np.array_equal(clear <= 0, colliding)
    for q, collides in zip(rows[:50], colliding):
        state.set_configuration(q)
        pairs = state.collisions("robots")
        assert (len(pairs) > 0) == collides == (state.robot_collision() is not None)
        for a, b in pairs:
            assert state.collides(a, b) and collider.checks(a, b)
        ids, nearest = state.nearest("robots")
        assert nearest.distance == pytest.approx(state.distance(*ids).distance)
    free = rows[~colliding]
    ways = collider.edges_free(free[:-1], free[1:], resolution=0.05)
    assert ways.shape == (len(free) - 1,)
    assert collider.edges_free(free, free).all()
    state.tolerance = 0.05
    assert state.tolerance == 0.05
    # The upright in the middle of the shelf ends 1.1 m above the floor; before the shelf there is nothing.
    down = state.ray_cast([0.7, 0, 5], [0, 0, -1], "shelf")
    assert down[0] == world.id("shelf") and down[1].t == pytest.approx(3.9)
    assert state.ray_cast([0.9, 0, 5], [0, 0, -1], "shelf") is None
    table = state.ray_casts([[0.7, 0, 5], [0.9, 0, 5]], [[0, 0, -1]] * 2, "shelf")
    assert table["ids"].tolist() == [down[0], -1] and table["t"].tolist() == [down[1].t, np.inf]


def test_objects_are_moved(data):
    world = mortise.load_world(data / "worlds" / "blocks.xml")
    state = mortise.WorldCollisionState(mortise.WorldCollider(world))
    ball = world.id("ball")
    state.set_pose("ball", mortise.RigidTransform(p=[0, 0, 50]))
    assert len(state.collisions("ball")) == 0 and np.allclose(state.pose(ball).p, [0, 0, 50])
    with pytest.raises(ValueError, match="rotation"):
        state.set_pose("ball", (np.eye(3) * 2, [0, 0, 0]))
    with pytest.raises(ValueError, match="finite"):
        state.set_pose("ball", mortise.RigidTransform(p=[np.nan, 0, 0]))
    with pytest.raises(KeyError, match="bal"):
        state.collisions("bal")
    with pytest.raises(IndexError):
        state.collides(0, 10000)


def test_states_are_shared_by_threads(data):
    world = mortise.load_world(data / "worlds" / "heron_shelf.xml")
    collider = mortise.WorldCollider(world)
    state = mortise.WorldCollisionState(collider)
    q = world.robots[0].q
    answers = []

    def ask():
        for _ in range(200):
            answers.append(state.robot_collision() is None and len(state.collisions("objects", "terrains")) >= 0)
            state.set_configuration(q)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1


def hostile(rng):
    values = [None, 0, -1, 1.5, float("nan"), float("inf"), "x", "", b"", [], [1, 2], [1, 2, 3], [[1, 2, 3]], [[0, 1, 2]], {}, object(), True,
              10**30, np.zeros(3), np.zeros((0, 3)), np.full((2, 3), np.nan), np.zeros((3, 3)), np.eye(4), np.zeros(3, dtype="f4"),
              np.zeros((4, 3))[::2], np.zeros(3, dtype=complex), np.array(["a"]), np.zeros((2, 2, 2)), mortise.RigidTransform(),
              mortise.Geometry(), mortise.Geometry.sphere(1), "mesh", "robots", (np.eye(3), [0, 0, 1]), [None], 1e300]
    return values[rng.randrange(len(values))]


def test_hostile_arguments_do_not_crash(data):
    rng = random.Random(5)
    world = mortise.load_world(data / "worlds" / "blocks.xml")
    collider = mortise.WorldCollider(world)
    state = mortise.WorldCollisionState(collider)
    shape = mortise.CollisionShape(mortise.Geometry.box([1, 1, 1]))
    makers = [getattr(mortise.Geometry, name) for name in
              ("point", "segment", "triangle", "polygon", "sphere", "box", "aligned_box", "ellipsoid", "cylinder", "capsule", "mesh",
               "convex_hull", "point_cloud", "heightmap", "implicit_surface", "occupancy_grid", "group")]
    box = mortise.Geometry.box([1, 1, 1])
    cloud = mortise.Geometry.point_cloud(CUBE)
    others = [box.simplified, cloud.simplified, box.inertia, box.moments, box.transformed, box.united, cloud.within, cloud.sliced,
              box.with_margin, mortise.CollisionShape, shape.distance, shape.collides, shape.contacts, shape.ray_cast, shape.ray_casts,
              shape.contains, mortise.WorldCollider, collider.checks, collider.shape, collider.without_pair, collider.colliding,
              collider.clearances, collider.edges_free, state.pose, state.set_pose, state.set_configuration, state.collides,
              state.any_collision, state.collisions, state.self_collisions, state.robot_collision, state.distance, state.nearest,
              state.contacts, state.ray_cast, state.ray_casts, mortise.WorldCollisionState]
    calls = makers + others
    allowed = (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError, mortise.Error)
    for _ in range(20000):
        function = calls[rng.randrange(len(calls))]
        try:
            function(*[hostile(rng) for _ in range(rng.randrange(4))])
        except allowed as error:
            assert str(error)
