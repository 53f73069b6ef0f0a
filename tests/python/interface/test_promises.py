"""What holds whatever a program does: views stay valid, wrong calls raise, values survive other processes, nothing leaks.

MORTISE_VIEW_ORDERS and MORTISE_FUZZ_CALLS ask for more of the same, for runs under a sanitizer or over night.
"""

import copy
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time

import mortise
import numpy as np
import pytest

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)

VIEWS = '''
import gc, random, sys
import mortise
import numpy as np

random.seed(int(sys.argv[2]))
world = mortise.load_world(sys.argv[1])
robot = world.robots[0].robot
cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
makers = [lambda: mortise.RobotState(robot), lambda: mortise.Geometry.mesh(cube, [[0, 1, 2], [1, 3, 2]]),
          lambda: mortise.Geometry.point_cloud(cube, {"rgb": np.arange(8.0)}), lambda: mortise.Geometry.convex_hull(cube),
          lambda: mortise.Geometry.heightmap([[0, 1, 2], [3, 4, 5]], [2, 1]),
          lambda: mortise.Geometry.occupancy_grid(np.arange(24.0).reshape(2, 3, 4), [0, 0, 0], [2, 3, 4]),
          lambda: mortise.RobotDynamics(robot), lambda: mortise.Trajectory([0, 1, 2], np.arange(6.0).reshape(3, 2)),
          lambda: mortise.Simulation(world) if random.random() < 0.02 else mortise.RobotState(robot)]
shows = ("q", "dq", "positions", "rotations", "vertices", "triangles", "points", "properties", "values", "heights", "times",
         "configurations", "parameters")
alive, total = [], 0.0


def look(thing):
    """All arrays that a thing shows."""
    found = []
    if isinstance(thing, mortise.Simulation):
        thing.step()
        return [sensor.values for sensor in thing.sensors()]
    for name in shows:
        try:
            value = getattr(thing, name)
        except (AttributeError, mortise.Error):
            continue
        found += [v for v in (value.values() if isinstance(value, dict) else [value]) if isinstance(v, np.ndarray)]
    return found


for _ in range(int(sys.argv[3])):
    kind = random.randrange(5)
    if kind == 0 or not alive:
        alive.append(random.choice(makers)())
    elif kind == 1:
        thing = random.choice(alive)
        views = look(thing) if not isinstance(thing, np.ndarray) else [thing[::2], thing.T]
        alive += random.sample(views, min(1, len(views)))
    elif kind == 2 or len(alive) > 200:
        alive.pop(random.randrange(len(alive)))
    elif kind == 3:
        thing = random.choice(alive)
        if isinstance(thing, np.ndarray):
            total += float(np.asarray(thing, dtype=float).sum()) if thing.size else 0.0
            if thing.flags.writeable:
                thing[...] = 0.5
        elif isinstance(thing, mortise.RobotState):
            thing.update()
    elif random.random() < 0.01:
        gc.collect()
print("done", total == total)
'''


def program(tmp_path, text, *arguments, timeout=280, **options):
    file = tmp_path / "program.py"
    file.write_text(text)
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-W", "ignore", str(file), *map(str, arguments)], cwd=tmp_path,
                          capture_output=True, text=True, timeout=timeout, **options)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1].startswith("done"), done.stdout[-2000:]


def test_views_in_any_order(tmp_path, data):
    orders = int(os.environ.get("MORTISE_VIEW_ORDERS", "20000"))
    # A million takes long under a sanitizer.
    program(tmp_path, VIEWS, data / "worlds" / "watched_blocks.xml", 3, orders, timeout=max(280, orders // 100))


FUZZ = '''
import inspect, random, sys, threading
import mortise
import numpy as np

random.seed(int(sys.argv[2]))
world = mortise.load_world(sys.argv[1])
robot = world.robots[0].robot
n = len(robot)
simulation = mortise.Simulation(world)
simulation.advance(0.01)
description = mortise.load_world_description(sys.argv[1])
collider = mortise.WorldCollider(world)
state = mortise.RobotState(robot)
plan = mortise.Space([0, 0], [1, 1], lambda q: True)
box = mortise.Geometry.box([1, 1, 1])
motion = mortise.Trajectory([0, 1], np.zeros((2, n)))
things = [world, robot, robot.links[1], robot.drivers[0], world.objects[0], world.terrains[0], world.robots[0], state,
          mortise.RobotDynamics(robot), collider, mortise.WorldCollisionState(collider), mortise.CollisionShape(box), box,
          mortise.Geometry(), mortise.RigidTransform(), mortise.BodyInertia(1, [0, 0, 0], np.eye(3)), motion,
          mortise.HermiteTrajectory([0, 1], np.eye(2), np.eye(2)), plan, plan.plan([0, 0], [1, 1], iterations=5), simulation,
          description, mortise.LinkContact([0, 0, 0], [0, 0, 1], 0.5)] + [mortise] * 6
values = [None, 0, 1, -1, 2.5, float("nan"), float("inf"), 10**30, -10**400, 1j, "", "link", b"x", [], [1], [0, 0, 1], [1.0] * n,
          [float("nan")] * 3, ["a"], [[0, 0, 1]] * 2, (1, 2, 3), {}, {"a": 1}, np.zeros(3), np.zeros(n), np.zeros((2, n)), np.zeros((2, 3)),
          np.zeros(3, "f4"), np.arange(9)[::-1], np.zeros((6, n), order="F")[:, ::2], np.zeros(3, ">f8"), np.zeros(3, complex),
          np.array(None), np.array(["a"] * 3), np.zeros((0, 3)), np.full((3, 3), np.nan), np.zeros((3, 3, 3)), object(),
          lambda *a: 0, True, range(3), np.float32(1), np.bool_(True), robot.links[2].name, *things]
# Files, programs without end, and what changes the process.
never = {"save", "run_pipeline", "add_package", "add_plugin", "add_plugin_folder", "add_resource_folder", "advance", "robotsim",
         "advance_to", "load_robot", "load_world", "show", "view"}
allowed = (TypeError, ValueError, RuntimeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError, BufferError,
           ZeroDivisionError)
accepted = refused = silent = 0
while accepted + refused < int(sys.argv[3]):
    thing = random.choice(things)
    name = random.choice([m for m in dir(thing) if not m.startswith("_") and m not in never and callable(getattr(thing, m, None))] or ["__repr__"])
    function = getattr(thing, name)
    arguments = [random.choice(values) for _ in range(random.randrange(5))]
    if name == "plan":
        arguments = arguments[:2]
    try:
        function(*arguments, **({"iterations": 3} if name == "plan" else {}))
        accepted += 1
    except allowed as error:
        refused += 1
        silent += not str(error)
for name in (m for m in dir(mortise) if isinstance(getattr(mortise, m), type)):
    for _ in range(30):
        try:
            made = getattr(mortise, name)(*[random.choice(values) for _ in range(random.randrange(4))])
            repr(made)
        except allowed as error:
            silent += not str(error)
        except Exception as error:
            assert type(error).__module__.startswith("mortise"), (name, error)
check = mortise.Simulation(world)
check.advance(0.01)
assert silent == 0
print("done", accepted, refused)
'''


@pytest.mark.parametrize("seed", [1, 2])
def test_wrong_calls_raise(tmp_path, data, seed):
    program(tmp_path, FUZZ, data / "worlds" / "blocks.xml", seed, os.environ.get("MORTISE_FUZZ_CALLS", "3000"))


@pytest.fixture(scope="module")
def robot(data):
    return mortise.load_robot(data / "robots" / "heron.urdf")


@pytest.mark.parametrize("call, words", [
    (lambda r: mortise.forward_kinematics(None, np.zeros((4, 9))), ("robot", "Robot", "None")),
    (lambda r: mortise.inverse_dynamics(None, 0, 0, 0), ("robot", "Robot", "None")),
    (lambda r: mortise.World().with_robot(None), ("robot", "Robot", "None")),
    (lambda r: mortise.RobotState(r).set(np.zeros(3)), ("q", "9", "shape (3,)")),
    (lambda r: mortise.RobotState(r).set(np.zeros((9, 1))), ("q", "shape (9, 1)")),
    (lambda r: mortise.RobotState(r).set(None), ("q", "None")),
    (lambda r: mortise.RobotState(r).set(["a"] * 9), ("q",)),
    (lambda r: mortise.RobotDynamics(r).set_position(np.zeros(9, complex)), ("q", "complex")),
    (lambda r: mortise.forward_kinematics(r, np.zeros((4, 2))), ("q", "(n, 9)", "(4, 2)")),
    (lambda r: mortise.forward_kinematics(r, np.zeros((4, 9)), out=np.zeros((4, 9, 12), "f4")), ("out", "float32")),
    (lambda r: mortise.forward_kinematics(r, np.zeros((4, 9)), out=np.zeros((4, 9, 24))[:, :, ::2]), ("out",)),
    (lambda r: mortise.Geometry.mesh(np.zeros((3, 2)), [[0, 1, 2]]), ("vertices", "(3, 2)")),
    (lambda r: mortise.Trajectory([0, 1], np.zeros((3, 2))), ("times", "3")),
])
def test_errors_name_argument_and_shape(robot, call, words):
    with pytest.raises((ValueError, TypeError)) as raised:
        call(robot)
    for word in words:
        assert word in str(raised.value), str(raised.value)


def values_of(data):
    """Of every type that is a value."""
    world = mortise.load_world(data / "worlds" / "watched_blocks.xml")
    robot = mortise.load_robot(data / "robots" / "heron.urdf")
    state = mortise.RobotState(robot)
    state.q[:] = np.linspace(-0.1, 1 / 3, len(robot))  # The frames are those of before.
    ball = mortise.CollisionShape(mortise.Geometry.sphere(1))
    plan = mortise.Space([0, 0], [1, 1], lambda q: True).plan([0.1, 0.1], [0.9, 0.9], planner="PRM", iterations=20)
    contacts = [mortise.LinkContact([x, y, 0], [0, 0, 1], 0.5) for x in (0, 1) for y in (0, 1)]
    return [world, robot, state, world.objects[0], world.terrains[0], world.robots[0], robot.links[2], robot.drivers[1],
            mortise.load_robot(data / "robots" / "pincer.rob"), mortise.load_world(data / "worlds" / "humanoid_beam.xml"),
            mortise.RigidTransform(p=[1, 2, 1 / 3]), mortise.BodyInertia(2, [0, 0, 1], np.eye(3)),
            mortise.Trajectory([0, 1], [[1 / 3, 2], [2, 3]]), mortise.HermiteTrajectory([0, 1], np.eye(2), np.eye(2)),
            mortise.Geometry.mesh(CUBE, [[0, 1, 2]]), mortise.Geometry.point_cloud(CUBE, {"rgb": np.arange(8.0)}),
            ball.ray_cast([0, 0, 5], [0, 0, -1]), ball.distance(mortise.Geometry.sphere(1), pose=mortise.RigidTransform(p=[3, 0, 0])),
            mortise.shortest_ramp(0, 1, velocity_max=1, acceleration_max=2), plan, contacts[0],
            mortise.solve_ik(robot, [{"link": len(robot) - 1, "position": [0.3, 0.1, 0.5]}]), mortise.equilibrium(contacts, [0.5, 0.5, 1]),
            mortise.grasp_quality(contacts)]


def again(payload):
    """In another process: the values that arrived, as they are sent back."""
    return [pickle.dumps(value) for value in pickle.loads(payload)]


def test_values_survive_copies_and_processes(data):
    values = values_of(data)
    before = [pickle.dumps(value) for value in values]
    for value, bits in zip(values, before):
        assert pickle.dumps(pickle.loads(bits)) == bits, repr(value)
        assert pickle.dumps(copy.deepcopy(value)) == bits, repr(value)
        assert type(copy.copy(value)) is type(value)
    assert again(pickle.dumps(values)) == before
    script = ("import pickle, sys\nvalues = pickle.load(sys.stdin.buffer)\n"
              "pickle.dump([pickle.dumps(value) for value in values], sys.stdout.buffer)\n")
    done = subprocess.run([sys.executable, "-c", script], input=pickle.dumps(values), capture_output=True, check=True)
    assert pickle.loads(done.stdout) == before


def test_pools_that_spawn(data):
    values = values_of(data)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.map(repr, values)
        back = pool.map(copy.copy, values)
    assert there == [repr(value) for value in values]
    assert [pickle.dumps(value) for value in back] == [pickle.dumps(value) for value in values]


def test_worlds_from_pickles_move_alike(data):
    world = mortise.load_world(data / "worlds" / "watched_blocks.xml")
    hashes = set()
    for one in (world, pickle.loads(pickle.dumps(world))):
        simulation = mortise.Simulation(one)
        simulation.advance(0.3)
        hashes.add(simulation.state_hash())
    assert len(hashes) == 1


def test_damaged_pickles_raise(robot):
    pieces = robot.__reduce_ex__(2)[2]
    for state in ([], None, 3, pieces[:3], [None] * len(pieces), pieces[:2] + [[[1]]] + pieces[3:]):
        made = mortise.Robot.__new__(mortise.Robot)
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            made.__setstate__(state)


@pytest.mark.parametrize("what", ["forward_kinematics", "colliding", "ray_casts"])
def test_interrupts_end_batches(data, what):
    world = mortise.load_world(data / "worlds" / "blocks.xml")
    robot = world.robots[0].robot
    shape, collider = mortise.CollisionShape(mortise.Geometry.mesh(CUBE, [[0, 1, 2], [1, 3, 2]])), mortise.WorldCollider(world)
    rows = np.zeros((200000, len(robot)))
    rays = np.zeros((2000000, 3))
    call = {"forward_kinematics": lambda: mortise.forward_kinematics(robot, rows),
            "colliding": lambda: collider.colliding(rows, 0), "ray_casts": lambda: shape.ray_casts(rays + 2, rays - 1)}[what]
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    previous = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(InterruptedError("enough")))
    try:
        begin = time.monotonic()
        with pytest.raises(InterruptedError):
            while time.monotonic() - begin < 60:
                call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert mortise.forward_kinematics(robot, rows[:3]).shape == (3, len(robot), 12)


@pytest.mark.parametrize("threads", [1, 2])
def test_hash_seeds_and_threads_change_nothing(data, tmp_path, threads):
    """The hash after 10 s is one."""
    text = ("import sys, threading, mortise\nworld = mortise.load_world(sys.argv[1])\nfound = []\n"
            "def work():\n    s = mortise.Simulation(world)\n    s.advance(10)\n    found.append(s.state_hash())\n"
            "running = [threading.Thread(target=work) for _ in range(int(sys.argv[2]))]\n"
            "[t.start() for t in running]; [t.join() for t in running]\nprint('done', *set(found))\n")
    file = tmp_path / "run.py"
    file.write_text(text)
    found = {subprocess.run([sys.executable, str(file), str(data / "worlds" / "watched_blocks.xml"), str(threads)], text=True, check=True,
                            capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("0", "random")}
    simulation = mortise.Simulation(mortise.load_world(data / "worlds" / "watched_blocks.xml"))
    simulation.advance(10)
    assert found == {f"done {simulation.state_hash()}\n"}


def test_plans_use_no_memory():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def make(count):
        for _ in range(count):
            space = mortise.Space([0, 0], [1, 1], lambda q: True)
            space.plan([0.1, 0.1], [0.9, 0.9], iterations=10)
        gc.collect()

    make(200)
    before = resident()
    make(500)
    assert resident() - before < 2 << 20
