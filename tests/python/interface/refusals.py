"""Calls every method and attribute of the packages' classes with what they cannot take; run by test_refusals.py.

    refusals.py WORLD LOG SEED CALLS [MODULE...]

All members are called once with each bad `self`, then at random with bad arguments. LOG holds the call that is being made, so
that a crash names it.
"""

import importlib
import inspect
import random
import resource
import signal
import sys
import tempfile
import types

import mortise
import numpy as np

WORLD, LOG, SEED, CALLS = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
MODULES = sys.argv[5:] or ["mortise", "mortise._mortise.robotsim", "klampt.robotsim"]
ALLOWED = (TypeError, ValueError, RuntimeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError, BufferError,
           ZeroDivisionError, StopIteration, NotImplementedError, OSError, AssertionError)
# Files and servers, runs without end, what changes the process, and what is not a call.
NEVER = {"save", "saveFile", "log", "run_pipeline", "add_package", "add_plugin", "add_plugin_folder", "add_resource_folder", "load_robot",
         "load_world", "load_world_description", "load", "loadFile", "readFile", "loadRobot", "loadElement", "advance", "advance_to", "simulate",
         "planMore", "plan", "__class__", "__new__", "__init_subclass__", "__subclasshook__", "__dict__", "__weakref__", "__del__",
         "__reduce__", "__reduce_ex__", "__getattribute__", "__getattr__", "__setattr__", "__delattr__", "__dir__", "__sizeof__", "__abstractmethods__",
         "robotsim", "show", "view", "destroy", "__swig_destroy__"}
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
sys.stderr = open("/dev/null", "w")
log = open(LOG, "w", buffering=1)
random.seed(SEED)
np.random.seed(SEED)


def late(*_):
    raise TimeoutError("a call that takes too long")


signal.signal(signal.SIGALRM, late)


def values_of_mortise():
    """Live objects of `mortise`."""
    world = mortise.load_world(WORLD)
    robot = world.robots[0].robot
    simulation = mortise.Simulation(world)
    simulation.advance(0.01)
    box = mortise.Geometry.box([1, 1, 1])
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    shape = mortise.CollisionShape(box)
    space = mortise.Space([0, 0], [1, 1], lambda q: True)
    contacts = [mortise.LinkContact([x, y, 0], [0, 0, 1], 0.5) for x in (0, 1) for y in (0, 1)]
    collider = mortise.WorldCollider(world)
    return [world, robot, robot.links[1], robot.drivers[0], world.objects[0], world.terrains[0], world.robots[0], mortise.RobotState(robot),
            mortise.RobotDynamics(robot), collider, mortise.WorldCollisionState(collider), shape, box, mortise.Geometry(),
            mortise.Geometry.mesh(cube, [[0, 1, 2]]), mortise.Geometry.point_cloud(cube, {"rgb": np.arange(8.0)}),
            mortise.Geometry.convex_hull(cube), mortise.Geometry.heightmap([[0, 1, 2], [3, 4, 5]], [2, 1]),
            mortise.Geometry.occupancy_grid(np.zeros((2, 3, 4)), [0, 0, 0], [2, 3, 4]), mortise.RigidTransform(),
            mortise.BodyInertia(1, [0, 0, 0], np.eye(3)), mortise.Trajectory([0, 1], np.zeros((2, len(robot)))),
            mortise.HermiteTrajectory([0, 1], np.eye(2), np.eye(2)), space, space.plan([0, 0], [1, 1], iterations=5), simulation,
            *simulation.sensors()[:1], mortise.load_world_description(WORLD), *contacts, mortise.equilibrium(contacts, [0.5, 0.5, 1]),
            mortise.SupportPolygon(contacts), mortise.grasp_quality(contacts), mortise.shortest_ramp(0, 1, velocity_max=1, acceleration_max=2),
            shape.ray_cast([0, 0, 5], [0, 0, -1]), shape.distance(mortise.Geometry.sphere(1), pose=mortise.RigidTransform(p=[3, 0, 0])),
            mortise.time_path([[0, 0], [1, 0], [1, 1]], velocity_max=1, acceleration_max=2, deviation=0.05),
            mortise.solve_ik(robot, [{"link": len(robot) - 1, "position": [0.3, 0.1, 0.5]}])]


def values_of_klampt():
    """Live objects of `klampt.robotsim`, and handles to what is gone."""
    robotsim = importlib.import_module("klampt.robotsim")
    world = robotsim.WorldModel()
    assert world.readFile(WORLD)
    simulator = robotsim.Simulator(world)
    robot, thing = world.robot(0), world.rigidObject(0)
    mesh, cloud = robotsim.TriangleMesh(), robotsim.PointCloud()
    mesh.setVertices(np.eye(3))
    mesh.setIndices([[0, 1, 2]])
    cloud.setPoints(np.eye(3))
    primitive = robotsim.GeometricPrimitive()
    primitive.setSphere([0, 0, 0], 1)
    goal = robotsim.IKObjective()
    goal.setFixedPoint(robot.numLinks() - 1, [0, 0, 0], [0.3, 0.1, 0.5])
    solver = robotsim.IKSolver(robot)
    solver.add(goal)
    other = robotsim.WorldModel()
    assert other.readFile(WORLD)
    gone = [other.rigidObject(0), other.robot(0), other.robot(0).link(0), other.terrain(0), robotsim.Simulator(other).controller(0)]
    for handle in gone[:2]:
        other.remove(handle)
    gone_world = robotsim.WorldModel()
    assert gone_world.readFile(WORLD)
    gone += [gone_world.robot(0).link(1), gone_world.rigidObject(0).geometry()]
    return [world, robot, robot.link(0), robot.link(robot.numLinks() - 1), robot.driver(0), thing, thing.geometry(), thing.appearance(),
            thing.getMass(), world.terrain(0), mesh, cloud, primitive, robotsim.Geometry3D(mesh), robotsim.Geometry3D(cloud),
            robotsim.Geometry3D(primitive), robotsim.Geometry3D(), robotsim.Heightmap(), robotsim.ImplicitSurface(), robotsim.OccupancyGrid(),
            robotsim.ConvexHull(), goal, solver, simulator, simulator.controller(0), simulator.body(thing), robotsim.Viewport(),
            robotsim.RobotPoser(robot), robotsim.PointPoser(), robotsim.Appearance(), *gone]


def values_of_native():
    """Live objects of what stands behind `klampt.robotsim`."""
    native = mortise._mortise.robotsim
    world = native.World()
    world.load(WORLD)
    shape = native.Shape()
    shape.setPrimitive("Sphere", [0, 0, 0, 1])
    return [world, *world.robots, *world.objects[:1], *world.terrains[:1], shape, native.Shape(), native.Objective(), native.Simulator(world),
            world.robots[0].shape(0)]


MAKERS = {"mortise": values_of_mortise, "klampt.robotsim": values_of_klampt, "mortise._mortise.robotsim": values_of_native}


def plain_values(n):
    """Arguments of the wrong type, size, number type, order and number."""
    return [None, 0, 1, -1, 7, 2.5, float("nan"), float("inf"), -float("inf"), 10**30, -2**63, 1j, "", "link", "a\0b", b"x", [], [1], [0, 0, 1],
            [1.0] * n, [float("nan")] * 3, [float("nan")] * n, ["a"], [None], [[0, 0, 1]] * 2, (1, 2, 3), (), {}, {"a": 1}, {1: 2}, np.zeros(3),
            np.zeros(n), np.zeros((2, n)), np.zeros((2, 3)), np.zeros(3, "f4"), np.zeros(n, "i2"), np.arange(9)[::-1], np.arange(18.0)[::2],
            np.zeros((6, n), order="F")[:, ::2], np.zeros(3, ">f8"), np.zeros(3, complex), np.array(None), np.array(["a"] * 3), np.zeros((0, 3)),
            np.full((3, 3), np.nan), np.eye(4), np.zeros((3, 3, 3)), np.zeros(25, "u1")[1:].view("f8"), object(), object, lambda *a: 0, True,
            range(3), np.float32(1), np.bool_(True), [1, 0, 0, 0, 1, 0, 0, 0, 1], ([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0])]


def members_of(cls):
    """(name, function) of everything that can be called with an instance, getters and setters among them."""
    for name, member in vars(cls).items():
        if name in NEVER:
            continue
        if isinstance(member, property):
            for part, function in (("get", member.fget), ("set", member.fset)):
                if function is not None:
                    yield f"{name}.{part}", function
        elif inspect.isgetsetdescriptor(member):
            yield f"{name}.get", member.__get__
            yield f"{name}.set", member.__set__
        elif isinstance(member, (staticmethod, classmethod)):
            yield name, getattr(cls, name)
        elif callable(member):
            yield name, member


def unmade(cls):
    """An instance whose __init__ never ran; None where there is no such thing."""
    try:
        return cls.__new__(cls)
    except TypeError:
        return None


made = refused = silent = 0
foreign = []


def call(title, function, arguments):
    """Once; anything but a plain exception is kept."""
    global made, refused, silent
    log.seek(0)
    log.write(f"{title} {[type(a).__name__ for a in arguments]}{' ' * 200}\n")
    signal.setitimer(signal.ITIMER_REAL, 5)
    try:
        function(*arguments)
        made += 1
    except ALLOWED as error:
        refused += 1
        silent += not str(error) and not isinstance(error, (StopIteration, AssertionError, MemoryError))
    except Exception as error:
        foreign.append(f"{title}: {type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


targets = []
live = []
classes = []
with tempfile.TemporaryDirectory() as folder:
    for module_name in MODULES:
        live += MAKERS[module_name]()
    n = len(mortise.load_world(WORLD).robots[0].robot)
    values = plain_values(n) + live
    likely = [-1, 0, 1, 2, 100, 2**31 - 1, -2**31, 0.5, [0, 0, 1], [0.0] * n, [1.0] * n, [1, 0, 0, 0, 1, 0, 0, 0, 1], "", "link", True, *live[:30]]
    for module_name in MODULES:
        module = importlib.import_module("mortise") if module_name.startswith("mortise") else importlib.import_module(module_name)
        if module_name == "mortise._mortise.robotsim":
            module = mortise._mortise.robotsim
        for name in sorted(vars(module)):
            thing = getattr(module, name)
            if name.startswith("_") or name in NEVER or isinstance(thing, types.ModuleType) or getattr(thing, "__module__", "") == "typing":
                continue
            if isinstance(thing, type) and thing.__module__.split(".")[0] in ("mortise", "klampt") and not issubclass(thing, Exception):
                classes.append(thing)
                for title, member in members_of(thing):
                    targets.append((f"{thing.__module__}.{thing.__qualname__}.{title}", thing, member))
            elif callable(thing) and not isinstance(thing, type) and getattr(thing, "__module__", None) != "builtins":
                targets.append((f"{module_name}.{name}", None, thing))
    dead = {cls: unmade(cls) for cls in classes}
    by_class = {cls: [thing for thing in live if isinstance(thing, cls)] for cls in classes}
    # The destructors of things that were never made run, too.
    for cls in classes:
        unmade(cls)
    for title, cls, member in targets:
        for self in [None, 3, object()] + ([dead[cls], *by_class[cls]] if cls is not None else []):
            for arguments in ((), (None,), (None, None), (dead.get(cls), 0, 0)):
                call(title, member, (self, *arguments))
    for _ in range(CALLS):
        title, cls, member = random.choice(targets)
        if cls is None:
            selves = ()
        else:
            selves = (random.choice(by_class[cls]) if by_class[cls] and random.random() < 0.9 else random.choice([None, 3, *dead.values()]),)
        # Half of the time what gets past the first checks: indices, points, rotations, configurations.
        pool = values if random.random() < 0.5 else likely
        call(title, member, (*selves, *(random.choice(pool) for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 4, 6))))))
    for cls in classes:
        for _ in range(30):
            call(f"{cls.__qualname__}()", cls, [random.choice(values) for _ in range(random.randrange(5))])
    # What is left still works.
    signal.setitimer(signal.ITIMER_REAL, 0)
    check = mortise.Simulation(mortise.load_world(WORLD))
    check.advance(0.01)
    print(f"{len(classes)} classes, {len(targets)} members, {made} calls went through, {refused} were refused")
    print("foreign:", *sorted(set(foreign))[:20], sep="\n  ") if foreign else None
    print("without a word:", silent) if silent else None
    print("done" if not foreign and not silent else "failed")
