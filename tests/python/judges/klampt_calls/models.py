"""Modules of klampt.model: config, types, subrobot, collide, coordinates, access, geometry, create, cartesian_trajectory."""

from . import case, draw, make_shapes, robot_files
from .shapes import area

CASES = {}


@case(CASES, 1, 1e-8)
def configurations(place, rng, record):
    """klampt.model.config and types."""
    from klampt.model import config, types
    k = place.klampt
    name, robot, world = robot_files.pick(place, rng)
    robot_files.pose(robot, rng, speed=False)
    planar = any(robot.getJointType(i) == "floatingplanar" for i in range(robot.numLinks()))
    items = {"robot": robot, "link": robot.link(0), "world": world, "R": draw.rotation(rng), "T": draw.transform(rng), "x": [1.0, 2.0]}
    from klampt.model import trajectory, contact, coordinates
    items["trajectory"] = trajectory.Trajectory([0, 1], [[1.0, 2.0], [3.0, 4.0]])
    goal = k.IKObjective()
    goal.setFixedPoint(1, draw.vector(rng), draw.vector(rng))
    items["goal"] = goal
    items["point"] = coordinates.Point([1, 2, 3], coordinates.Frame("f", worldCoordinates=draw.transform(rng)))
    items["contact"] = contact.ContactPoint([0, 0, 1], [0, 0, 1], 0.5)
    for what, item in items.items():
        record.call(f"{what}: is_compound", config.is_compound, item)
        record.call(f"{what}: num_config_params", config.num_config_params, item)
        record.call(f"{what}: get_config", config.get_config, item)
        record.call(f"{what}: get_config_names", config.get_config_names, item)
        record.call(f"{what}: object_to_type", types.object_to_type, item)
        record.call(f"{what}: object_to_types", types.object_to_types, item)
        if what not in ("world", "trajectory") and not planar:
            a = record.call(f"{what}: a config", config.get_config, item)
            if a is not None:
                record.call(f"{what}: distance", config.distance, item, a, a)
                record.call(f"{what}: interpolate", config.interpolate, item, a, a, 0.25)
    kinds = sorted({str(x) for x in types.known_types()} - {"Stance", "Grasp"})  # Klamp't's manual has these, its Python has not.
    record("known_types", kinds)
    for kind in kinds:
        record.call(f"make {kind}", types.make, kind, robot, then=lambda r: type(r).__name__)


@case(CASES, 1.5, 1e-8)
def subrobots(place, rng, record):
    """SubRobotModel."""
    from klampt.model import subrobot
    name, robot, _ = robot_files.pick(place, rng)
    record("robot", name)
    robot_files.pose(robot, rng)
    n = robot.numLinks()
    links = sorted({rng.randrange(n) for _ in range(rng.randrange(1, n + 1))})
    sub = subrobot.SubRobotModel(robot, links)
    record("links", links)
    planar = any(robot.getJointType(i).startswith("floating") for i in range(n))
    for what in ("numLinks", "numDrivers", "getConfig", "getVelocity", "getJointLimits", "getVelocityLimits", "getAccelerationLimits",
                 "getTorqueLimits"):
        record.call(what, getattr(sub, what))
    q = draw.vector(rng, len(links))
    full = draw.vector(rng, n)
    record.call("tofull", sub.tofull, q)
    record.call("fromfull", sub.fromfull, full)
    record.call("setConfig", sub.setConfig, q)
    record("config of robot", robot.getConfig())
    if not planar:
        record.call("distance", sub.distance, q, draw.vector(rng, len(links)))
        record.call("interpolate", sub.interpolate, q, draw.vector(rng, len(links)), 0.3)
        record.call("interpolateDeriv", sub.interpolateDeriv, q, draw.vector(rng, len(links)))
    record.call("configToDrivers", sub.configToDrivers, q)
    i = rng.randrange(len(links))
    link = sub.link(i)
    for what in ("getIndex", "getParent", "getName", "getOrientationJacobian"):
        record.call("link." + what, getattr(link, what))
    for what in ("getJacobian", "getPositionJacobian"):
        record.call("link." + what, getattr(link, what), draw.vector(rng))
    record.call("setDOFPosition", sub.setDOFPosition, i, 0.125)
    record.call("getDOFPosition", sub.getDOFPosition, i)
    record("config after", robot.getConfig())


def simple_world(k, rng):
    """A robot of boxes, objects and a terrain."""
    world = k.WorldModel()
    floor = world.makeTerrain("floor")
    p = k.GeometricPrimitive()
    p.setAABB([-3, -3, -0.1], [3, 3, 0])
    floor.geometry().set(k.Geometry3D(p))
    for i in range(4):
        o = world.makeRigidObject(f"o{i}")
        m = make_shapes.mesh(k, *draw.ball(rng, 0.3, 4, 5))
        o.geometry().set(k.Geometry3D(m))
    return world


@case(CASES, 1.5, 1e-6)
def colliders(place, rng, record):
    """klampt.model.collide."""
    import random
    from klampt.model import collide
    k = place.klampt
    world = place.keep("collide world", lambda: simple_world(k, random.Random(3)))
    robot_file = place.data / "robots" / "planar3R.rob"
    if world.numRobots() == 0:
        world.loadRobot(str(robot_file))
    robot = world.robot(0)
    robot.setConfig(draw.vector(rng, 3, 3))
    for i in range(4):
        world.rigidObject(i).setTransform(draw.rotation(rng), draw.vector(rng, 3, 0.8))
    collider = collide.WorldCollider(world)

    def names(pairs):
        return sorted(tuple(x.getName() for x in pair) for pair in pairs)
    record.call("collisions", collider.collisions, then=names)
    for what in ("robotSelfCollisions", "robotObjectCollisions", "robotTerrainCollisions"):
        record.call(what, getattr(collider, what), robot, then=names)
    o, p = world.rigidObject(rng.randrange(4)), world.rigidObject(rng.randrange(4))
    record.call("objectTerrainCollisions", collider.objectTerrainCollisions, o, then=names)
    record.call("objectObjectCollisions", collider.objectObjectCollisions, o, p, then=names)
    record.call("isCollisionEnabled", collider.isCollisionEnabled, (o, p))
    record.call("isCollisionEnabled of one", collider.isCollisionEnabled, o)
    record.call("collisionTests", lambda: len(list(collider.collisionTests())))
    collider.ignoreCollision((o, p))
    record.call("collisions, one ignored", collider.collisions, then=names)
    record.call("tests, one ignored", lambda: len(list(collider.collisionTests())))
    start, direction = draw.vector(rng, 3, 2), draw.unit(rng)
    record.call("rayCast", collider.rayCast, start, direction, then=lambda r: [r[0].getName(), list(r[1])] if r else None)
    record.call("rayCastRobot", collider.rayCastRobot, robot, start, direction, then=lambda r: [r[0].getName(), list(r[1])] if r else None)
    geometries = [world.rigidObject(i).geometry() for i in range(4)]
    record.call("self_collision_iter", lambda: sorted(collide.self_collision_iter(geometries)))
    record.call("group_collision_iter", lambda: sorted(collide.group_collision_iter(geometries[:2], geometries[2:])))
    record.call("group_subset_collision_iter", lambda: sorted(collide.group_subset_collision_iter(geometries, [0, 1], [1, 2, 3])))
    record.call("ray_cast", collide.ray_cast, geometries, start, direction)
    boxes = [([*draw.vector(rng, 3, 1)], [1 + x for x in draw.vector(rng, 3, 0.5)]) for _ in range(2)]
    for what in ("bb_intersect", "bb_intersection", "bb_union"):
        record.call(what, getattr(collide, what), *boxes)
    record.call("bb_create", collide.bb_create, draw.vector(rng), draw.vector(rng), draw.vector(rng))
    record.call("bb_create of none", collide.bb_create)
    record.call("bb_empty", collide.bb_empty, boxes[0])
    record.call("bb_contains", collide.bb_contains, boxes[0], draw.vector(rng))


@case(CASES, 1, 1e-9)
def coordinates(place, rng, record):
    """klampt.model.coordinates."""
    from klampt.model import coordinates
    manager = coordinates.Manager()
    T, S, U = draw.transform(rng), draw.transform(rng), draw.transform(rng)
    a = manager.addFrame("a", worldCoordinates=T)
    b = manager.addFrame("b", parent="a", relativeCoordinates=S)
    c = manager.addFrame("c", parent="b", worldCoordinates=U)
    for f in (a, b, c):
        for what in ("worldOrigin", "relativeOrigin", "worldRotation", "relativeRotation", "worldCoordinates", "relativeCoordinates"):
            record.call(f"{f.name()}.{what}", getattr(f, what))
    p = manager.addPoint("p", draw.vector(rng), "b")
    d = manager.addDirection("d", draw.vector(rng), "c")
    for item in (p, d):
        record.call("worldCoordinates", item.worldCoordinates)
        record.call("to a", lambda item=item: manager.to(item, "a").localCoordinates())
        record.call("toWorld", lambda item=item: item.toWorld().localCoordinates())
    record.call("transform", lambda: manager.transform("b", "c").coordinates())
    record.call("setFrameCoordinates", manager.setFrameCoordinates, "a", U, "world")
    record.call("b after", b.worldCoordinates)
    record.call("p after", p.worldCoordinates)
    record.call("pointFromWorld", lambda: manager.pointFromWorld(draw.vector(rng), "c").localCoordinates())
    record.call("directionFromWorld", lambda: manager.directionFromWorld(draw.vector(rng), "c").localCoordinates())
    record.call("frame of none", manager.frame, "nothing")


@case(CASES, 1, 1e-6)
def geometry_module(place, rng, record):
    """klampt.model.geometry."""
    from klampt.model import geometry
    import numpy
    k = place.klampt
    a, b, c = draw.vector(rng), draw.vector(rng), draw.vector(rng)
    record.call("fit_plane3", geometry.fit_plane3, numpy.array(a), numpy.array(b), numpy.array(c))
    points = [draw.vector(rng) for _ in range(rng.randrange(4, 9))]
    record.call("fit_plane", geometry.fit_plane, points, then=lambda p: numpy.outer(p, p))
    record.call("fit_plane_centroid", geometry.fit_plane_centroid, points, then=lambda r: [r[0], numpy.outer(r[1], r[1])])
    T = draw.transform(rng)
    moved = [[sum(T[0][i + 3 * j] * p[j] for j in range(3)) + T[1][i] for i in range(3)] for p in points]
    record.call("align_points", geometry.align_points, points, moved)
    record.call("align_points_rotation", geometry.align_points_rotation, points, moved)
    fitter = geometry.PlaneFitter(numpy.array(points))
    record.call("PlaneFitter", lambda: numpy.outer(fitter.plane_equation(), fitter.plane_equation()))
    record.call("goodness_of_fit", fitter.goodness_of_fit)
    fitter.add_point(draw.vector(rng))
    record.call("PlaneFitter with one more", lambda: numpy.outer(fitter.plane_equation(), fitter.plane_equation()))
    mesh = make_shapes.random_mesh(k, rng, True)
    record.call("triangle_normals", geometry.triangle_normals, mesh)
    record.call("vertex_normals", geometry.vertex_normals, mesh)
    record.call("vertex_normals, not weighted", geometry.vertex_normals, mesh, False)
    cloud = make_shapes.cloud(k, rng)
    record.call("point_cloud_simplify: count", geometry.point_cloud_simplify, cloud, 0.3, then=lambda c: len(c.getPoints()))
    shapes = [make_shapes.make(k, rng, "solid"), make_shapes.make(k, rng, "solid")]
    shapes[1].setCurrentTransform(*T)
    record.call("merge", geometry.merge, *shapes, then=area)
    hm = make_shapes.heightmap(k, rng)
    record.call("heightmap_normals", geometry.heightmap_normals, hm)


@case(CASES, 1, 1e-6)
def cartesian(place, rng, record):
    """klampt.model.cartesian_trajectory: that paths are found and end where they should."""
    from klampt.model import cartesian_trajectory, ik
    world = robot_files.world_of(place, place.data / "robots" / rng.choice(["planar3R.rob", "tx90ball.rob", "ur5.rob"]))
    robot = world.robot(0)
    n = robot.numLinks()
    low, high = robot.getJointLimits()
    q = [0.4 * x for x in draw.within(rng, low, high, 1.5)]
    robot.setConfig(q)
    link = robot.link(n - 1)
    p = link.getWorldPosition([0, 0, 0])
    robot.setConfig([x + rng.uniform(-0.1, 0.1) for x in q])
    goal = link.getWorldPosition([0, 0, 0])
    robot.setConfig(q)
    for what in ("cartesian_interpolate_linear", "cartesian_interpolate_bisect"):
        robot.setConfig(q)
        t = record.call(f"{what} is found", lambda what=what: getattr(cartesian_trajectory, what)(
            robot, ik.objective(link, local=[0, 0, 0], world=p), p, goal, delta=0.02), then=lambda t: t is not None)
        if t is not None:
            robot.setConfig(t.milestones[-1])
            record(f"{what}: end", link.getWorldPosition([0, 0, 0]), 1e-2)
            record(f"{what}: start", list(t.milestones[0]), 1e-3)
    robot.setConfig(q)
    t = record.call("cartesian_move_to is found", lambda: cartesian_trajectory.cartesian_move_to(
        robot, ik.objective(link, local=[0, 0, 0], world=goal), delta=0.02), then=lambda t: t is not None)
    if t is not None:
        robot.setConfig(t.milestones[-1])
        record("cartesian_move_to: end", link.getWorldPosition([0, 0, 0]), 1e-2)


@case(CASES, 0.7, 1e-9)
def created(place, rng, record):
    """klampt.model.create, access."""
    from klampt.model import access
    from klampt.model.create import primitives
    size = [rng.uniform(0.2, 1) for _ in range(3)]
    mass = rng.choice([float("inf"), 2.0])
    for what, args in (("box", size), ("sphere", size[:1]), ("bbox", [[0, 0, 0], size])):
        record.call(what, lambda what=what, args=args: getattr(primitives, what)(*args, mass=mass), then=lambda g: [g.type(), g.getBBTight()], tolerance=1e-2)
        world = place.klampt.WorldModel()
        record.call(f"{what} in a world", lambda what=what, args=args, world=world: getattr(primitives, what)(
            *args, mass=mass, world=world, name="made"), then=lambda o: [type(o).__name__, o.getName()])
        if world.numRigidObjects():
            m = world.rigidObject(0).getMass()
            record(f"{what}: mass", [m.getMass(), m.getCom(), m.getInertia()])
    name, robot, world = robot_files.pick(place, rng)
    robot_files.pose(robot, rng)
    record.call("flatten", access.flatten, [1, [2, 3], {"a": 4}])
