"""What holds whatever a program does: wrong calls raise, nothing leaks, values survive copying and pickling."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import weakref

import pytest

from conftest import ROOT, needs_robotsim

pytestmark = needs_robotsim
DATA = ROOT / "data"

FUZZ = '''
import inspect, random, sys
import numpy as np
from klampt import *
from klampt import robotsim

random.seed(int(sys.argv[2]))
world = WorldModel(sys.argv[1])
removed = WorldModel(sys.argv[1])
dead = removed.rigidObject(1)
removed.remove(dead)
robot, sim = world.robot(0), Simulator(world)
mesh = Geometry3D(); mesh.loadFile(sys.argv[3])
values = [None, 0, 1, -1, 2.5, float("nan"), float("inf"), 10**30, "", "link", b"x", [], [1], [0, 0, 1], [1.0] * 9,
          [float("nan")] * 3, ["a"], [[0, 0, 1]] * 2, (1, 2, 3), {}, np.zeros(3), np.zeros((2, 3)), np.zeros(3, "f4"),
          np.arange(9)[::-1], np.zeros(3, ">f8"), np.array(None), np.zeros((0, 3)), robot.getConfig(), object(), lambda *a: 0,
          True, robot, robot.link(2), world.rigidObject(0), mesh, dead, GeometricPrimitive(), PointCloud(), Mass()]
things = [world, robot, robot.link(1), robot.link("nothing"), robot.driver(0), world.rigidObject(0), world.terrain(0), dead,
          TerrainModel(), mesh, Geometry3D(), mesh.getTriangleMesh(), TriangleMesh(), PointCloud(), ConvexHull(),
          ImplicitSurface(), OccupancyGrid(), Heightmap(), GeometricPrimitive(), Mass(), ContactParameters(), Appearance(),
          IKObjective(), IKSolver(robot), sim, sim.controller(0), sim.body(robot.link(2)), sim.body(world.rigidObject(0)),
          SimJoint(), Viewport(), PointPoser(), TransformPoser(), RobotPoser(robot), robotsim]
never = {"free", "simulate", "fakeSimulate", "destroy", "settle", "saveFile", "threejs_get_scene", "wait_for_stream",
         "subscribe_to_stream", "convert", "resize", "save", "set_log_level"}
accepted = refused = 0
while accepted + refused < int(sys.argv[4]):
    thing = random.choice(things)
    names = [n for n in dir(thing) if not n.startswith("_") and n not in never and "aveFile" not in n
             and callable(getattr(type(thing) if thing is not robotsim else thing, n, None))]
    if not names:
        continue
    arguments = [random.choice(values) for _ in range(random.randrange(5))]
    try:
        getattr(thing, random.choice(names))(*arguments)
        accepted += 1
    except (TypeError, ValueError, RuntimeError, KeyError, IndexError, AttributeError, NotImplementedError, OverflowError,
            AssertionError, ZeroDivisionError, MemoryError):
        refused += 1
Simulator(WorldModel(sys.argv[1])).simulate(0.01)  # The other one has whatever settings it was given.
print("done", accepted, refused)
'''


@pytest.mark.parametrize("seed", [1, 2])
def test_wrong_calls_raise(tmp_path, seed):
    program = tmp_path / "fuzz.py"
    program.write_text(FUZZ)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-W", "ignore", str(program), str(DATA / "worlds" / "blocks.xml"), str(seed),
         str(DATA / "objects" / "cup.off"), os.environ.get("MORTISE_FUZZ_CALLS", "3000")],
        cwd=tmp_path, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1].startswith("done")


def test_simulators_with_callbacks_are_collected():
    from klampt import Simulator, WorldModel
    from klampt.sim import SimpleSimulator
    world = WorldModel()
    world.loadRobot(str(DATA / "robots" / "pole.rob"))
    left = []
    for i in range(200):
        sim = SimpleSimulator(world) if i % 2 else Simulator(world)
        sim.callback = lambda s=sim: s.getTime()  # A cycle through the program's own function.
        if i % 2:
            sim.hooks.append(sim.callback)
        left.append(weakref.ref(sim))
    del sim
    gc.collect()
    assert sum(ref() is not None for ref in left) == 0


def test_plans_need_no_close():
    from klampt.plan.cspace import CSpace, MotionPlan

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def make(count):
        for _ in range(count):
            space = CSpace()
            space.bound = [(0.0, 1.0)] * 2
            space.addFeasibilityTest(lambda q, s=space: s is not None, "all")
            plan = MotionPlan(space, type="prm")
            plan.setEndpoints([0.1, 0.1], [0.9, 0.9])
        gc.collect()
    make(300)
    before = resident()
    make(1000)
    assert resident() - before < 3 << 20


def test_values_are_copied_and_pickled():
    import numpy as np
    from klampt import (Geometry3D, GeometricPrimitive, IKObjective, PointCloud, TriangleMesh)
    mesh = TriangleMesh()
    mesh.setVertices(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.1]]))
    mesh.setIndices(np.array([[0, 1, 2]], dtype=np.int32))
    cloud = PointCloud()
    cloud.setPoints(np.random.default_rng(0).random((5, 3)))
    cloud.addProperty("r", np.arange(5.0))
    primitive = GeometricPrimitive()
    primitive.setSphere([0, 0, 1], 0.1)
    goal = IKObjective()
    goal.setFixedPoint(2, [0, 0, 0.1], [1, 2, 1 / 3])
    for copied in (lambda v: pickle.loads(pickle.dumps(v)), copy.deepcopy, lambda v: v.copy()):
        assert np.array_equal(copied(mesh).vertices, mesh.vertices) and np.array_equal(copied(mesh).indices, mesh.indices)
        assert np.array_equal(copied(cloud).points, cloud.points) and copied(cloud).getProperty(3, "r") == 3.0
        assert copied(primitive).saveString() == primitive.saveString()
        assert copied(goal).saveString() == goal.saveString()
        geometry = Geometry3D(mesh)
        geometry.setCurrentTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 2, 3])
        assert copied(geometry).getBB() == geometry.getBB()
