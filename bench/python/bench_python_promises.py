"""The promises of the Python packages, beside what this machine shows: times, memory, threads, interrupts.

    PYTHONPATH=build/release/python python3 bench/python/bench_python_promises.py [NAME...]

Names are those of the checks below; without one all are made. MORTISE_REFERENCE_DIR, where it is set, has Klamp't's own
Python layer, which the package klampt is compared with.
"""

import gc
import importlib
import json
import math
import os
import pathlib
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import timeit
import types

import numpy as np

import mortise

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
MISSED = []


def tell(what, seen, asked, unit="", most=True):
    """A line: what was asked, what was seen. most: the asked number is an upper bound."""
    good = seen <= asked if most else seen >= asked
    if not good:
        MISSED.append(what)
    print(f"  {what:62}{seen:10.3g} {unit:4}{'at most' if most else 'at least':>9}{asked:8g}{'' if good else '   MISSED'}")


def nanoseconds(statement, rounds=7, **names):
    """Times a statement by the processor: what else the machine does counts little."""
    timer = timeit.Timer(statement, globals=names, timer=time.process_time)
    count, _ = timer.autorange()
    count = max(1, count // 4)
    return min(timer.repeat(rounds, count)) / count * 1e9


def resident():
    """Bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def program(name):
    """A program of the same build; None without it."""
    path = pathlib.Path(mortise.__file__).parents[2] / "bin" / name
    return path if path.exists() else None


def layer(name):
    """A module of Klamp't's own layer, with the modules that it imports; None without it."""
    folder = os.environ.get("MORTISE_REFERENCE_DIR")
    root = pathlib.Path(folder or "/nowhere") / "klampt-python" / "layer" / "Python" / "klampt"
    if not root.exists():
        return None
    if "klampt_layer" not in sys.modules:
        sys.modules["klampt_layer"] = types.ModuleType("klampt_layer")
        sys.modules["klampt_layer"].__path__ = [str(root)]
        for inner in ("math", "model"):
            module = types.ModuleType("klampt_layer." + inner)
            module.__path__ = [str(root / inner)]
            sys.modules[module.__name__] = module
    try:
        return importlib.import_module("klampt_layer." + name)
    except ImportError:
        return None


def compatible_math():
    """Klamp't's functions of lists, ours and its own."""
    from klampt.math import se3, so3, vectorops
    from klampt.model import trajectory
    rng = random.Random(1)
    R, S = (so3.from_rpy([rng.uniform(-3, 3) for _ in range(3)]) for _ in range(2))
    T, p = (R, [1.0, 2.0, 3.0]), [0.1, 0.2, 0.3]
    v, w = ([rng.random() for _ in range(7)] for _ in range(2))
    times, milestones = [0.1 * i for i in range(101)], [[rng.random() for _ in range(7)] for _ in range(101)]
    cases = [("so3", "mul", (R, S), 1500), ("se3", "mul", (T, (S, p)), 2000), ("so3", "apply", (R, p), None), ("so3", "inv", (R,), None),
             ("so3", "rotation", (p, 0.3), None), ("so3", "rotation_vector", (R,), None), ("so3", "error", (R, S), None),
             ("se3", "apply", (T, p), None), ("se3", "inv", (T,), None), ("se3", "error", (T, (S, p)), None),
             ("se3", "interpolate", (T, (S, p), 0.3), None), ("vectorops", "add", (v, w), None), ("vectorops", "sub", (v, w), None),
             ("vectorops", "madd", (v, w, 0.5), None), ("vectorops", "distance", (v, w), None), ("vectorops", "interpolate", (v, w, 0.5), None),
             ("vectorops", "dot", (v, w), None), ("vectorops", "norm", (v,), None)]
    own = {"se3": se3, "so3": so3, "vectorops": vectorops}
    for module, name, arguments, asked in cases:
        ours = nanoseconds("f(*a)", f=getattr(own[module], name), a=arguments)
        if asked:
            tell(f"{module}.{name}", ours / 1000, asked / 1000, "us")
        theirs = layer("math." + module)
        if theirs is not None:
            tell(f"{module}.{name}, to Klamp't's", ours / nanoseconds("f(*a)", f=getattr(theirs, name), a=arguments), 1)
    ours = nanoseconds("f(4.23)", f=trajectory.Trajectory(times, milestones).eval)
    tell("Trajectory.eval", ours / 1000, 1.5, "us")
    theirs = layer("model.trajectory")
    if theirs is not None:
        tell("Trajectory.eval, to Klamp't's", ours / nanoseconds("f(4.23)", f=theirs.Trajectory(times, milestones).eval), 1)


def batches():
    """Many forward kinematics in one call: beside a loop in C++, one object a call, two threads."""
    robot = mortise.load_robot(DATA / "robots" / "bench_arm.urdf")
    n = len(robot)
    many, out = np.random.default_rng(0).uniform(-1, 1, (100000, n)), np.empty((100000, n, 12))
    seconds = {}
    for threads in (1, 2):
        rounds = []
        for _ in range(7):
            begin = time.perf_counter()
            mortise.forward_kinematics(robot, many, out=out, threads=threads)
            rounds.append(time.perf_counter() - begin)
        seconds[threads] = statistics.median(rounds)
    state = mortise.RobotState(robot)
    print(f"  {seconds[1] * 1e4:.0f} ns a configuration; state.set of one {nanoseconds('s.set(q)', s=state, q=many[0]):.0f} ns")
    loop = program("kinematics_loop")
    if loop is not None:
        rounds = []
        for _ in range(5):
            begin = time.process_time()
            mortise.forward_kinematics(robot, many, out=out, threads=1)
            here = time.process_time() - begin
            there = float(subprocess.run([loop, DATA / "robots" / "bench_arm.urdf"], check=True, capture_output=True, text=True).stdout)
            rounds.append(here * 1e4 / there)
        tell("100,000 in one call, to a loop in C++", statistics.median(rounds), 1.3)
    tell("two threads, times as fast", seconds[1] / seconds[2], 1.8, most=False)
    gc.collect()
    before = len(gc.get_objects())
    mortise.forward_kinematics(robot, many, out=out)
    tell("objects left by 100,000 configurations", len(gc.get_objects()) - before, 10)


def zero_copy():
    """Views of a cloud of a gigabyte."""
    points = np.zeros((1 << 30) // 24 * 3).reshape(-1, 3)
    cloud = mortise.Geometry.point_cloud(points)
    del points
    before = resident()
    views = [cloud.points for _ in range(1000)]
    assert all(np.shares_memory(view[:1], views[0][:1]) and not view.flags.owndata for view in views)
    tell("memory of 1,000 views of a cloud of 1 GB", (resident() - before) / 1e6, 1, "MB")


def memory():
    """Worlds made and dropped, and plans of the package klampt that nobody closes."""
    from klampt.plan.cspace import CSpace, MotionPlan

    def world():
        mortise.load_world(DATA / "robots" / "pole.rob")

    def plan():
        space = CSpace()
        space.bound = [(0.0, 1.0)] * 2
        space.addFeasibilityTest(lambda q, s=space: s is not None, "all")
        MotionPlan(space, type="prm").setEndpoints([0.1, 0.1], [0.9, 0.9])

    def own_plan():
        space = mortise.Space([0, 0], [1, 1], lambda q: True)
        space.plan([0.1, 0.1], [0.9, 0.9], iterations=20)

    for name, make in (("worlds", world), ("plans of klampt without close()", plan), ("plans of mortise", own_plan)):
        for _ in range(500):
            make()
        gc.collect()
        before = resident()
        for _ in range(10000):
            make()
        gc.collect()
        tell(f"memory of 10,000 {name}", (resident() - before) / 1e6, 1, "MB")


def threads():
    """Two threads in C++, and what a thread of Python loses beside calls into C++."""
    world = mortise.load_world(DATA / "worlds" / "blocks.xml")

    def work():
        mortise.Simulation(world).advance(2)

    def together(count):
        running = [threading.Thread(target=work) for _ in range(count)]
        begin = time.perf_counter()
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return time.perf_counter() - begin

    ratio = statistics.median(2 * together(1) / together(2) for _ in range(5))
    tell("two threads that simulate, times as fast", ratio, 1.8, most=False)

    shelf = mortise.load_world(DATA / "worlds" / "heron_shelf.xml")
    goal = mortise.load(DATA / "motions" / "heron_shelf_goal.config")

    def load():
        mortise.load_world(DATA / "worlds" / "heron_shelf.xml")

    def simulate():
        mortise.Simulation(world).advance(0.3)

    def plan():
        mortise.plan(shelf, goal, planner="RRTConnect", seed=3, iterations=20000, shortcut={"iterations": 300})

    def ticks(seconds, beside):
        """Ticks a second of a thread that reads the clock every millisecond, while another one works."""
        count, stop = [0], threading.Event()

        def tick():
            while not stop.is_set():
                time.sleep(0.001)
                count[0] += 1

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            beside()
        lasted = time.perf_counter() - begin
        stop.set()
        thread.join()
        return count[0] / lasted

    for name, call in (("load", load), ("plan", plan), ("simulate", simulate)):
        lost = statistics.median(1 - ticks(1, call) / ticks(1, lambda: time.sleep(0.05)) for _ in range(3))
        tell(f"ticks that a thread loses during {name}", 100 * max(lost, 0), 10, "%")


def interrupts():
    """From Ctrl-C to KeyboardInterrupt."""
    world = mortise.load_world(DATA / "worlds" / "blocks.xml")
    robot = mortise.load_robot(DATA / "robots" / "bench_arm.urdf")
    many = np.zeros((100000, len(robot)))
    walled = mortise.Space([0, 0], [1, 1], lambda q: abs(q[0] - 0.5) > 0.01)

    def batch():
        while True:
            mortise.forward_kinematics(robot, many)

    calls = {"simulate": lambda: mortise.Simulation(world).advance(1e6), "plan": lambda: walled.plan([0.1, 0.1], [0.9, 0.9], time_limit=1e3),
             "batch": batch}
    for name, call in calls.items():
        delays = []
        for _ in range(5):
            pressed = []

            def press(pressed=pressed):
                time.sleep(0.2)
                pressed.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)

            thread = threading.Thread(target=press)
            thread.start()
            try:
                call()
            except KeyboardInterrupt:
                delays.append(time.perf_counter() - pressed[0])
            thread.join()
        tell(f"Ctrl-C during {name}", 1000 * max(delays), 100, "ms")


def imports():
    """In processes of their own."""
    def seconds(text):
        rounds = []
        for _ in range(9):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", text], check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            rounds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(rounds)

    tell("import mortise, with numpy", 1000 * (seconds("import mortise") - seconds("pass")), 150, "ms")


CONTROLLER = '''
import mortise
import numpy as np


@mortise.controller("check.Damper")
class Damper(mortise.Controller):
    def start(self, setup):
        self.rest = np.array([setup.q[link.index] for link in setup.robot.links])
        self.torque = np.empty(len(self.rest))

    def update(self, input, commands):
        np.subtract(self.rest, input.q, out=self.torque)
        commands.set_torque(self.torque)


@mortise.controller("check.Plain")
class Plain(mortise.Controller):
    def update(self, input, commands):
        commands.torque[0] = 0.1
'''


def controllers():
    """Times an update of a controller in Python: a run with one each step, and one with one a second."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "check_parts.py"
        file.write_text(CONTROLLER)
        world = mortise.load_world(DATA / "robots" / "bench_arm.urdf")

        def run(controller, rate):
            """Microseconds for each of 10,000 steps."""
            best = math.inf
            for _ in range(7):
                simulation = mortise.Simulation(world, controllers={0: f"{file}:{controller}"}, control_rate=rate, time_step=0.001,
                                                backend="kinematic")
                simulation.advance(0.1)
                begin = time.process_time()
                simulation.advance(10)
                best = min(best, time.process_time() - begin)
            return best / 10000 * 1e6

        for name, text in (("check.Damper", "two operations of numpy"), ("check.Plain", "one number")):
            tell(f"an update in Python, {text}", run(name, 1000) - run(name, 1), 5, "us")


def show_plans(name, seconds, configurations):
    """Medians; returns the seconds of one plan, and of one configuration."""
    plan, count = statistics.median(seconds), statistics.median(configurations)
    each = statistics.median(s / max(c, 1) for s, c in zip(seconds, configurations))
    print(f"  {name + ', until a path':62}{1000 * plan:10.3g} ms, {count:.0f} configurations, {1e6 * each:.3g} us each")
    return plan, each


def plans():
    """Plans as PlanAndSim of Klamp't's notebooks makes them, beside C++ with the same planner and settings."""
    from klampt import WorldModel
    from klampt.model.collide import WorldCollider
    from klampt.plan.cspace import MotionPlan
    from klampt.plan.robotcspace import RobotCSpace
    from klampt.robotsim import set_random_seed

    command = program("mortise")
    if command is None:
        print("  the program mortise is not built")
        return
    file, goal_file = DATA / "worlds" / "heron_shelf.xml", DATA / "motions" / "heron_shelf_goal.config"
    world = WorldModel()
    assert world.readFile(str(file))
    robot = world.robot(0)
    start, goal = robot.getConfig(), list(mortise.load(goal_file))
    MotionPlan.setOptions(type="sbl", connectionThreshold=2, perturbationRadius=2)
    times, checked = ([], []), ([], [])
    seeds = 31
    for seed in range(seeds):
        random.seed(seed)
        set_random_seed(seed)
        space = RobotCSpace(robot, WorldCollider(world))
        space.eps = 1e-2
        planner = MotionPlan(space)
        planner.setEndpoints(start, goal)
        begin, rounds = time.process_time(), 0
        while planner.getPath() is None and rounds < 20000:
            planner.planMore(1)
            rounds += 1
        times[0].append(time.process_time() - begin)
        checked[0].append(planner.getStats()["configurationsChecked"])
        planner.close()
        space.close()
        done = subprocess.run([command, "plan", file, "--goal", goal_file, "--planner", "sbl", "--set", "connectionThreshold=2", "--set",
                               "perturbationRadius=2", "--edges", "resolution", "--resolution", "0.01", "--iterations", "20000", "--seed",
                               str(seed), "--json"], check=True, capture_output=True, text=True)
        report = json.loads(done.stdout)
        times[1].append(report["seconds"])
        checked[1].append(report["configurations"])

    ours = show_plans("a program for Klamp't", times[0], checked[0])
    theirs = show_plans("the command line, samples in balls", times[1], checked[1])
    tell("time for each configuration, to the command line's", ours[1] / theirs[1], 1.5)
    loop = program("plan_loop")
    if loop is None:
        print("  the program plan_loop is not built: ./dev bench builds it")
        return
    done = subprocess.run([loop, file, "sbl", "2", str(seeds), *map(repr, goal)], check=True, capture_output=True, text=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    # Klamp't's spaces draw samples in boxes, and so does the loop.
    same = show_plans("a loop in C++, samples in boxes", [float(seconds) for seconds, _ in lines], [int(count) for _, count in lines])
    tell("time for each configuration, to the loop's in C++", ours[1] / same[1], 1.5)
    tell("time until a path, to the loop's in C++", ours[0] / same[0], 1.5)


def feasibility():
    """Times a test of feasibility in Python beyond its body: the checks of one long edge."""
    def free(q):
        return q[0] < 2

    best, count = math.inf, 0
    for _ in range(5):
        space = mortise.Space([0, 0], [1, 1], free, resolution=1e-5)
        begin = time.process_time()
        found = space.plan([0, 0], [1, 1], planner="RRTConnect", iterations=1)
        best = min(best, time.process_time() - begin)
        count = found.report["configurations"]
    q = np.array([0.1, 0.2])
    body = nanoseconds("f(q)", f=free, q=q)
    tell("feasible(q) beyond its body", best / max(count, 1) * 1e6 - body / 1000, 1.5, "us")


CHECKS = {"compatible_math": compatible_math, "batches": batches, "zero_copy": zero_copy, "memory": memory, "threads": threads,
          "interrupts": interrupts, "imports": imports, "controllers": controllers, "feasibility": feasibility, "plans": plans}


def main():
    chosen = sys.argv[1:] or list(CHECKS)
    for name in chosen:
        if name not in CHECKS:
            sys.exit(f"there is no check '{name}': {', '.join(CHECKS)}")
        print(f"{name}: {CHECKS[name].__doc__.splitlines()[0]}")
        CHECKS[name]()
    print(f"{len(MISSED)} missed" + (": " + ", ".join(MISSED) if MISSED else ""))


if __name__ == "__main__":
    main()
