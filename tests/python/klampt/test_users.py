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
