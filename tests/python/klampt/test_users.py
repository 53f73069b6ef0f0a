"""What programs of Klamp't's users do, beyond its examples."""

import random

import pytest

from conftest import ROOT, needs_robotsim

pytestmark = needs_robotsim
DATA = ROOT / "data"


@pytest.fixture()
def world():
    from klampt import WorldModel
    w = WorldModel()
    assert w.readFile(str(DATA / "worlds" / "blocks.xml"))
    return w


@pytest.fixture()
def arm():
    from klampt import WorldModel
    w = WorldModel()
    w.loadRobot(str(DATA / "robots" / "bench_arm.urdf"))
    return w


def test_simulations_in_batches(arm, tmp_path):
    from klampt.sim import batch
    targets = []

    def start(sim, target):
        targets.append(target)
        n = sim.world.robot(0).numDrivers()
        sim.controller(0).setPIDCommand([target] * n, [0.0] * n)
    before = arm.robot(0).getConfig()
    samplers = {"robots[0].config[1]": lambda: random.uniform(-0.2, 0.2), "args": lambda: (random.uniform(-0.5, 0.5),)}
    runs = batch.monteCarloSim(arm, 0.1, samplers, 3, ["robots[0].config", "time"], simInit=start)
    assert [condition["args"][0] for condition, _ in runs] == targets
    assert all(len(result["robots[0].config"]) == arm.robot(0).numLinks() for _, result in runs)
    assert arm.robot(0).getConfig() == before
    trace = batch.doSim(arm, 0.05, {}, ["robots[0].actualConfig"], trace=True)
    assert len(trace["robots[0].actualConfig"]) == 6 and trace["wall_clock_time"] > 0
    batch.saveStateTrajectoryCSV(trace, str(tmp_path / "trace.csv"))
    assert len((tmp_path / "trace.csv").read_text().splitlines()) == 7
    assert batch.batchSim(arm, 0.02, {"robots[0].config[0]": [0.0, 0.1]}, ["nothing[0]"]) == ["error", "error"]


def test_parts_of_simulators_by_name(world):
    from klampt import Simulator
    from klampt.model import access, map
    sim = Simulator(world)
    sim.simulate(0.01)
    assert access.get_item(sim, "time") == pytest.approx(0.01)
    assert access.get_item(sim, "rigidObjects[0].transform") == sim.body(world.rigidObject(0)).getObjectTransform()
    assert list(map.map(sim).gravity) == pytest.approx([0, 0, -9.8], abs=0.02)


def test_blocks_that_are_connected():
    from klampt.control.blocks import core, filters, state_machine
    source = core.ValueSource(0.0)
    mean = filters.FIRFilter([0.5, 0.5])
    mean.input = source.output[0]
    least = core.Min()(mean.output, source.output)
    both = core.SuperBlock(source)
    assert len(both.blocks) == 3 and not both.free_inputs
    for value, wanted in ((2.0, 1.0), (4.0, 3.0), (0.0, 0.0)):
        source.write(value)
        assert both.advance() == [wanted]
    assert least.output.read() == 0.0
    machine = state_machine.TimedSequenceBlock([core.ValueSource(0), core.ValueSource(1)], [1, 2])
    assert [machine.advance(t) for t in (0, 1, 1.5, 2, 3)] == [0, 1, 1, -1, -1]


def test_a_part_of_a_robot_solves(arm):
    from klampt.model import ik
    from klampt.model.subrobot import SubRobotModel
    robot = arm.robot(0)
    part = SubRobotModel(robot, list(range(2, robot.numLinks())))
    tip = part.link(part.numLinks() - 1)
    part.setConfig([0.3] * part.numLinks())
    goal = ik.objective(tip, local=[0, 0, 0], world=tip.getWorldPosition([0, 0, 0]))
    part.setConfig([0.2] * part.numLinks())
    first = robot.getConfig()[:2]
    assert ik.solve(goal)
    assert robot.getConfig()[:2] == first
    assert ik.solve_nearby(goal, 0.5)
    assert ik.solver(goal).getJacobian().shape == (3, part.numLinks())


def test_earlier_names(arm):
    from klampt import PointCloud, Simulator, ik
    assert ik.__name__ == "klampt.model.ik"
    sim = Simulator(arm)
    assert sim.getController(0).model().getLink(2).getName() == sim.getWorld().robotlink(0, 2).getName()
    assert len(sim.getActualTorques(0)) == arm.robot(0).numDrivers()
    assert PointCloud().numPoints() == 0


def test_names_of_programs_for_earlier_versions(arm):
    import importlib.metadata
    from klampt.io import loader, resource
    from klampt.model import floatingbase, ik
    from klampt.model.trajectory import HermiteTrajectory, Trajectory
    names = {}
    exec("from klampt.vis.glrobotprogram import *\nfrom klampt.vis.glcommon import *", names)
    assert {"GLSimulationProgram", "GLRealtimeProgram", "GLPluginInterface", "GLViewport"} <= set(names)
    assert importlib.metadata.version("klampt").startswith("0.10")
    goal = ik.objective(arm.robot(0).link(3), local=[0, 0, 0], world=[0.1, 0.2, 0.3])
    assert loader.fromJson(loader.toJson(goal)).getPosition() == goal.getPosition()
    assert resource.getDirectory() == resource.get_directory() and callable(floatingbase.make)
    curve = HermiteTrajectory()
    curve.makeSpline(Trajectory([0, 1, 2], [[0.0, 0.0], [1.0, 2.0], [0.0, 1.0]]))
    assert curve.configTrajectory().milestones[1] == [1.0, 2.0]


def test_settings_of_simulated_sensors_are_taken_over():
    from klampt import Simulator, WorldModel
    from klampt.math import so3
    from klampt.model import sensing
    world = WorldModel()
    assert world.readFile(str(DATA / "worlds" / "watched_blocks.xml"))
    cameras = [(r, s) for r in range(world.numRobots()) for s in world.robot(r).sensors if s.type == "CameraSensor"]
    if not cameras:
        pytest.skip("the world has no camera")
    sim = Simulator(world)
    camera = sim.controller(cameras[0][0]).sensor(cameras[0][1].name)
    for _ in range(20):
        sim.simulate(0.05)
    before = sim.getTime()
    camera.setSetting("xres", "40")
    camera.setSetting("yres", 30)
    assert (camera.getSetting("xres"), camera.getSetting("yres")) == ("40", "30")
    T = (so3.rotation([1, 0, 0], 3.0), [0.1, 0.2, 1.5])
    sensing.set_sensor_xform(camera, T, link=-1)
    assert sensing.get_sensor_xform(camera)[1] == pytest.approx(T[1])
    for _ in range(20):
        sim.simulate(0.05)
    assert sim.getTime() == pytest.approx(before + 1.0)
    images = sensing.camera_to_images(camera)
    images = images if isinstance(images, tuple) else (images,)
    assert all(image.shape[:2] == (30, 40) for image in images)


def test_dynamics_of_a_part(arm):
    import numpy as np
    from klampt.model.subrobot import SubRobotModel
    robot = arm.robot(0)
    n = robot.numLinks()
    whole, part = SubRobotModel(robot, list(range(n))), SubRobotModel(robot, list(range(2, n)))
    q = [0.1 * i for i in range(n)]
    robot.setConfig(q)
    robot.setVelocity([0.3 - 0.1 * i for i in range(n)])
    assert whole.getCom() == pytest.approx(list(robot.getCom()))
    assert whole.getComJacobian() == pytest.approx(np.asarray(robot.getComJacobian()))
    assert whole.getTotalInertia() == pytest.approx(np.asarray(robot.getTotalInertia()), abs=1e-9)
    ddq = [0.2] * n
    assert whole.torquesFromAccel(ddq) == pytest.approx(list(robot.torquesFromAccel(ddq)), abs=1e-9)
    assert whole.accelFromTorques(whole.torquesFromAccel(ddq)) == pytest.approx(ddq)
    robot.setVelocity([0.0, 0.0] + robot.getVelocity()[2:])
    still = [0.0, 0.0] + [0.2] * (n - 2)
    assert part.torquesFromAccel(still[2:]) == pytest.approx(list(robot.torquesFromAccel(still))[2:], abs=1e-9)
    assert part.getMassMatrixInv() @ part.getMassMatrix() == pytest.approx(np.eye(n - 2), abs=1e-9)


@pytest.mark.parametrize("kind", ["fmm", "fmm*", "ompl:fmt", "ompl:bfmt"])
def test_planners_of_whole_trees_and_grids(kind):
    """Spaces that set nothing but `bound` and feasible(), as in Klamp't's exercises."""
    from klampt.math import vectorops
    from klampt.plan.cspace import CSpace, MotionPlan
    from klampt.robotsim import set_random_seed

    class Disk(CSpace):
        def __init__(self):
            CSpace.__init__(self)
            self.bound = [(0.0, 1.0), (0.0, 1.0)]
            self.eps = 1e-2

        def feasible(self, q):
            return CSpace.feasible(self, q) and vectorops.distance(q, (0.5, 0.5)) > 0.36
    set_random_seed(4)
    try:
        plan = MotionPlan(Disk(), type=kind)
    except RuntimeError:
        pytest.skip("OMPL's planners are not built")
    plan.setEndpoints((0.06, 0.5), (0.94, 0.5))
    for _ in range(30):
        plan.planMore(50)
        if plan.getPath():
            break
    path = plan.getPath()
    assert path[0] == pytest.approx([0.06, 0.5]) and path[-1] == pytest.approx([0.94, 0.5])
    assert sum(vectorops.distance(a, b) for a, b in zip(path, path[1:])) < 1.6


@pytest.mark.parametrize("module, names", [
    ("klampt.model.trajectory", "math time vectorops so3 se3 RobotModel"),
    ("klampt.model.collide", "se3 WorldModel Geometry3D RobotModelLink CollidableType"),
    ("klampt.model.ik", "IKObjective WorldModel so3 se3 vectorops"),
    ("klampt.model.sensing", "math time so3 WorldModel RobotModel np"),
    ("klampt.model.robotinfo", "RobotModel se3 vectorops RobotInfo"),
    ("klampt.math.vectorops", "math add"),
    ("klampt.sim.simulation", "SimpleSimulator Simulator WorldModel"),
    ("klampt.control.simrobotinterface", "RobotInterfaceBase RobotModel"),
    ("klampt.vis", "math time so3 se3 vectorops add WorldModel"),
    ("klampt.vis.glrobotprogram", "collide GLSimulationPlugin SimpleSimulator"),
])
def test_star_imports_give_what_programs_use(module, names):
    given = {}
    exec(f"from {module} import *", given)
    assert not set(names.split()) - set(given)


@pytest.mark.parametrize("line", ["from klampt.math import symbolic", "import klampt.math.symbolic", "from klampt.plan import kinetrajopt",
                                  "import klampt.apps.klampt_browser", "from klampt.apps import klampt_browser"])
def test_what_is_not_offered_says_what_to_use(line):
    with pytest.raises(ImportError, match="is not offered by Mortise's klampt: use"):
        exec(line, {})
