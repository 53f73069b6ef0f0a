"""Robots and worlds of klampt.robotsim against what real Klamp't computes."""

import gc
import json

import numpy as np
import pytest

robotsim = pytest.importorskip("klampt.robotsim")
from klampt.robotsim import IKObjective, IKSolver, RobotModelLink, WorldModel  # noqa: E402


@pytest.fixture(scope="module")
def robots(reference):
    return reference / "klampt-data" / "robots"


def load(path):
    world = WorldModel()
    assert world.readFile(str(path))
    return world, world.robot(0)


@pytest.mark.parametrize("name", ["planar3R", "tx90l", "puma760", "ur5"])
def test_kinematics_and_dynamics(reference, robots, name):
    oracle = json.loads((reference / "reference" / "klampt-oracle" / (name + ".json")).read_text())
    _, robot = load(reference / "klampt-data" / oracle.get("file", "robots/%s.rob" % name))
    for sample in oracle["samples"]:
        robot.setConfig(sample["q"])
        robot.setVelocity(sample["dq"])
        for i, expected in enumerate(sample["link_T"]):
            R, t = robot.link(i).getTransform()
            assert np.reshape(R, (3, 3)).T.ravel().tolist() + t == pytest.approx(expected, abs=1e-9)
        assert robot.getCom() == pytest.approx(sample["com"], abs=1e-9)
        J = robot.link(robot.numLinks() - 1).getJacobian([0, 0, 0])
        assert J == pytest.approx(np.array(sample["jacobian_last"]), abs=1e-9)
        assert robot.getMassMatrix() == pytest.approx(np.array(sample["B"]), abs=1e-8)
        assert robot.getGravityForces([0, 0, -9.8]) == pytest.approx(sample["G"], abs=1e-8)
        C = robot.getCoriolisForces()
        assert C == pytest.approx(sample["C_newton_euler"], abs=1e-7)
        assert robot.getCoriolisForceMatrix() @ sample["dq"] == pytest.approx(C, abs=1e-5)


def test_recorded_planar_arm(robots):
    """Numbers of Klamp't's manual; where it shows a point, its robot turns the other way, so that z is mirrored."""
    _, robot = load(robots / "planar3R.rob")
    assert robot.numLinks() == 3
    robot.setConfig([0, np.pi / 4, np.pi / 4])
    link = robot.link(2)
    assert link.getWorldPosition([1, 0, 0]) == pytest.approx([1.7071067811865477, 0, -1.7071067811865475], abs=1e-12)
    robot.setConfig([0, 0, 0])
    objective = IKObjective()
    objective.setFixedPoint(2, [1, 0, 0], [1.5, 0, 1])
    solver = IKSolver(robot)
    solver.add(objective)
    assert not solver.solve()
    robot.setConfig([0, 0, 0])
    solver.setJointLimits([], [])
    assert solver.solve()
    assert link.getWorldPosition([1, 0, 0]) == pytest.approx([1.5, 0, 1], abs=1e-3)
    assert all(0 <= v <= 2 * np.pi for v in robot.getConfig())


def test_configurations(robots):
    world, robot = load(robots / "tx90pr2.rob")
    q = robot.getConfig()
    q.append(1)
    assert len(robot.getConfig()) == robot.numLinks()
    with pytest.raises(RuntimeError):
        robot.setConfig(q)
    with pytest.raises(RuntimeError):
        robot.link(1000)
    assert robot.link("no such link").index == -1
    with pytest.raises(RuntimeError):
        world.robot("no such robot")
    with pytest.raises(KeyError):
        robot.sensor("no such sensor")
    drivers = robot.configToDrivers(robot.getConfig())
    assert len(drivers) == robot.numDrivers() < robot.numLinks()
    assert robot.configToDrivers(robot.configFromDrivers(drivers)) == pytest.approx(drivers)
    robotsim.set_random_seed(3)
    robot.randomizeConfig()
    first = robot.getConfig()
    robotsim.set_random_seed(3)
    robot.randomizeConfig()
    assert robot.getConfig() == first
    low, high = robot.getJointLimits()
    assert all(a <= v <= b for a, v, b in zip(low, first, high))
    assert robot.distance(first, robot.interpolate(first, first, 0.5)) == pytest.approx(0)


def test_link_pose_lasts_until_the_next_configuration(robots):
    _, robot = load(robots / "puma760.rob")
    link = robot.link(3)
    before = link.getTransform()
    link.setTransform(before[0], [9, 9, 9])
    assert link.geometry().getCurrentTransform()[1] == [9, 9, 9]
    robot.setConfig(robot.getConfig())
    assert link.getTransform() == before


def test_structure(robots):
    world, robot = load(robots / "puma760.rob")
    link = robot.link(2)
    mass = link.getMass()
    mass.setMass(2 * mass.getMass())
    link.setMass(mass)
    assert link.getMass().getMass() == mass.getMass()
    assert link.getMass().getInertia() == pytest.approx(mass.getInertia())
    R, t = link.getParentTransform()
    link.setParentTransform(R, [t[0] + 1, t[1], t[2]])
    p = link.getTransform()[1]
    robot.setConfig(robot.getConfig())
    assert np.linalg.norm(np.subtract(link.getTransform()[1], p)) == pytest.approx(1)
    other = WorldModel()
    part = other.add("part", robot)
    n = robot.numLinks()
    robot.mount(n - 1, part, [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 1])
    assert robot.numLinks() == 2 * n and robot.link(n).getName().startswith("part:")
    reduced = world.makeRobot("reduced")
    dofs = reduced.reduce(robot)
    assert len(dofs) == 2 * n and max(dofs) == reduced.numLinks() - 1


def test_handles(robots):
    world, robot = load(robots / "puma760.rob")
    assert isinstance(robot.link(0), RobotModelLink)
    robot.note = "kept"
    assert robot.note == "kept" and world.robot(0) is not robot and world.robot(0) != robot
    link = robot.link(1)
    del world, robot
    gc.collect()
    assert link.robot().numLinks() > 1


def test_worlds(reference):
    world = WorldModel()
    assert not world.readFile("no such file.xml")
    assert world.loadElement("no such file.rob") == -1
    with pytest.raises(RuntimeError):
        WorldModel("no such file.xml")
    oracle = json.loads((reference / "reference" / "klampt-oracle" / "sim_tx90cuptable.json").read_text())
    assert oracle
    world = WorldModel(str(reference / "klampt-data" / "tx90cuptable.xml"))
    names = [world.getName(i) for i in range(world.numIDs())]
    assert len(names) == world.numTerrains() + world.numRigidObjects() + sum(1 + r.numLinks() for r in world.robots)
    for i in range(world.numIDs()):
        assert world.entity(i).getID() == i
    count = world.numRigidObjects()
    last = world.rigidObject(count - 1)
    if count > 1:
        world.remove(world.rigidObject(0))
        assert last.index == count - 2
    twin = world.copy()
    twin.robot(0).randomizeConfig()
    assert twin.robot(0).getConfig() != world.robot(0).getConfig()
    assert not hasattr(twin.terrain("nothing"), "x") and twin.terrain("nothing").index == -1


def test_saved_world_reads_back(reference, tmp_path):
    world = WorldModel(str(reference / "klampt-data" / "tx90cuptable.xml"))
    world.rigidObject(0).setTransform([1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 2, 3])
    path = tmp_path / "folder" / "saved.xml"
    assert world.saveFile(str(path))
    again = WorldModel(str(path))
    assert again.numIDs() == world.numIDs()
    assert again.rigidObject(0).getTransform()[1] == pytest.approx([1, 2, 3])
    assert again.robot(0).getConfig() == pytest.approx(world.robot(0).getConfig())


def test_a_search_that_gets_stuck_at_limits_goes_around(robots):
    """From a straight arm the first steps run into the stops, though there is a solution within them."""
    _, robot = load(robots / "tx90pr2.rob")
    goal, start = [0.8, 0.4, 0.73], robot.getConfig()
    objective = IKObjective()
    objective.setFixedPoint(7, [0.17, 0, 0], goal)
    objective.setLinks(7)
    solver = IKSolver(robot)
    solver.add(objective)
    assert solver.solve() and 0 < solver.lastSolveIters() <= 100
    assert robot.link(7).getWorldPosition([0.17, 0, 0]) == pytest.approx(goal, abs=2e-3)
    low, high = robot.getJointLimits()
    assert all(a <= x <= b for a, x, b in zip(low, robot.getConfig(), high))
    # With no iterations left the search ends where it got stuck.
    robot.setConfig(start)
    solver.setMaxIters(3)
    assert not solver.solve() and solver.lastSolveIters() <= 3


def test_a_bias_leaves_goals_alone(robots):
    """A posture to come near to hinders no arm that has as many joints as goals, and draws one that has more."""
    from klampt.robotsim import set_random_seed
    _, robot = load(robots / "tx90l.rob")
    set_random_seed(3)
    plain = biased = 0
    for _ in range(20):
        robot.randomizeConfig()
        objective = IKObjective()
        objective.setFixedTransform(6, *robot.link(6).getTransform())
        solver = IKSolver(robot)
        solver.add(objective)
        solver.setTolerance(1e-5)
        solver.sampleInitial()
        start = robot.getConfig()
        plain += solver.solve()
        robot.setConfig(start)
        solver.setBiasConfig(start)
        biased += solver.solve()
    assert plain >= 12 and biased >= plain - 3
    world, arm = load(robots / "planar3R.rob")
    ends = []
    for bias in ([1.0, 1.0, 1.0], [2.0, 0.2, 0.5]):
        arm.setConfig([1.2, 0.9, 0.8])
        objective = IKObjective()
        objective.setFixedPoint(2, [1, 0, 0], [0.5, 0, 1.2])
        solver = IKSolver(arm)
        solver.add(objective)
        solver.setTolerance(1e-6)
        solver.setBiasConfig(bias)
        if solver.solve():
            ends.append(arm.getConfig())
    assert len(ends) == 2 and np.linalg.norm(np.subtract(*ends)) > 1e-2
