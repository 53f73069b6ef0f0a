"""klampt.control.OperationalSpaceController: velocities of tasks by priority, within limits."""

import numpy as np
import pytest

from conftest import needs_robotsim

pytestmark = needs_robotsim
Q = [0.3, -0.5, 0.9, 0.2, 0.4, -0.1]


@pytest.fixture()
def robot(data):
    from klampt import WorldModel
    world = WorldModel()
    assert world.readFile(str(data / "robots" / "reacher.rob"))
    robot = world.robot(0)
    robot.setVelocityLimits([100.0] * 6)
    robot.setAccelerationLimits([1e9] * 6)
    robot.setConfig(Q)
    return robot


def osc():
    from klampt.control import OperationalSpaceController
    return OperationalSpaceController


def numeric(task, q, step=1e-6):
    """The derivative of a task, by differences."""
    q = np.array(q)
    columns = [np.array(task.taskDifference(task.getSensedValue((q + d).tolist()), task.getSensedValue((q - d).tolist()))) / (2 * step)
               for d in step * np.eye(len(q))]
    return np.column_stack(columns)


def test_jacobians_are_derivatives(robot):
    m = osc()
    tasks = [m.JointTask(robot, [4, 1]), m.COMTask(robot), m.COMTask(robot, 2)]
    for kind in ("po", "position", "orientation"):
        for base in (-1, 1, 3):
            tasks.append(m.LinkTask(robot, 5, kind, base))
            tasks[-1].localPosition = [0.1, -0.05, 0.2]
    for task in tasks:
        assert task.getJacobian(Q) == pytest.approx(numeric(task, Q), abs=1e-6), task.name
    tasks[3].activeDofs = [0, 2]
    J = tasks[3].getJacobian(Q)
    assert not J[:, [1, 3, 4, 5]].any() and J[:, [0, 2]].any()


def test_errors_of_joints_decay_as_gains_say(robot):
    """e' = -k e in steps of dt: (1 - k dt)^n; with a derivative and a moving target the target's velocity is followed."""
    m = osc()
    controller = m.OperationalSpaceController(robot)
    task = controller.addTask(m.JointTask(robot, range(6)), gains=(-4, 0, 0))
    assert task.getSensedError(Q) == [0] * 6 and task.dxdes == [0] * 6
    target = np.add(Q, [0.1, -0.2, 0.3, 0, 0.1, 0.2])
    task.setDesiredValue(target.tolist())
    q, dq, dt = Q, [0.0] * 6, 0.01
    for n in range(1, 50):
        q, dq = controller.solve(q, dq, dt)
        controller.advance(q, dq, dt)
        assert np.subtract(q, target) == pytest.approx((1 - 4 * dt) ** n * np.subtract(Q, target), abs=1e-12)


def test_integral_and_derivative_terms(robot):
    m = osc()
    task = m.JointTask(robot, [2])
    task.setGains(-2, -0.5, -3)
    task.setDesiredValue([1.0])
    task.setDesiredVelocity([0.25])
    q0, q1, dt = [0, 0, 0.5, 0, 0, 0], [0, 0, 0.52, 0, 0, 0], 0.1
    assert task.getCommandVelocity(q0, None, dt) == pytest.approx([1.0])
    task.advance(q0, None, dt)
    assert task.getCommandVelocity(q1, None, dt) == pytest.approx([-2 * -0.48 - 0.5 * (0.2 - 0.25) - 3 * -0.05])
    task.vcmdmax = 0.5
    assert task.getCommandVelocity(q1, None, dt) == pytest.approx([0.5])
    task.vcmdmax, task.dvcmdmax = 10, 1
    assert task.getCommandVelocity(q1, None, dt) == pytest.approx([0.2 + 1 * dt])
    task.eImax = 0.01
    task.advance(q1, None, dt)
    assert np.linalg.norm(task.eI) == pytest.approx(0.01)
    task.resetITerm()
    assert task.eI is None
    A = np.array([[0, 1.0], [2, 0]])
    task.setGainsTaskFrame(A, np.linalg.inv(A), [-1, -2], 0, 0)
    assert A @ task.hP @ np.linalg.inv(A) == pytest.approx(np.diag([-1, -2])) and task.hD == 0


def test_priorities_do_not_disturb_what_comes_first(robot):
    """The first level gets its velocity, the second the nearest that is left: the solution of the equations of Lagrange."""
    m = osc()
    rng = np.random.default_rng(5)
    for _ in range(20):
        controller = m.OperationalSpaceController(robot)
        first = controller.addTask(m.LinkTask(robot, 5, "position"), priority=1, name="hand")
        posture = controller.addTask(m.JointTask(robot, range(6)), priority=2, weight=rng.uniform(0.5, 2, 6).tolist())
        first.setDesiredValue(np.add(first.xdes, rng.normal(scale=0.1, size=3)).tolist())
        posture.setDesiredValue(np.add(Q, rng.normal(scale=0.1, size=6)).tolist())
        _, u = controller.solve(Q, [0.0] * 6, 0.01)
        J, v = first.getJacobian(Q), np.array(first.getCommandVelocity(Q, [0.0] * 6, 0.01))
        assert J @ u == pytest.approx(v, abs=1e-9)
        W = np.diag(posture.weight)
        wanted = np.array(posture.getCommandVelocity(Q, [0.0] * 6, 0.01))
        system = np.block([[W @ W, J.T], [J, np.zeros((3, 3))]])
        best = np.linalg.solve(system, np.concatenate((W @ W @ wanted, v)))[:6]
        assert u == pytest.approx(best, abs=1e-9)
        assert controller.getTaskByName("hand") is first and controller.getTaskByName("foot") is None


def test_velocities_and_accelerations_keep_to_the_limits(robot):
    m = osc()
    robot.setVelocityLimits([0.5] * 6)
    robot.setAccelerationLimits([2.0] * 6)
    low, high = robot.getJointLimits()
    robot.setJointLimits([*low[:3], Q[3], *low[4:]], [*high[:3], Q[3], *high[4:]])
    controller = m.OperationalSpaceController(robot)
    task = controller.addTask(m.LinkTask(robot, 5, "position"), gains=(-3, 0, 0))
    controller.addTask(m.JointTask(robot, range(6)), priority=2)
    goal = np.add(task.xdes, [-0.2, 0.3, -0.1])
    task.setDesiredValue(goal.tolist())
    q, dq, dt, fastest = Q, [0.0] * 6, 0.02, 0.0
    for _ in range(250):
        before = dq
        q, dq = controller.solve(q, dq, dt)
        controller.advance(q, dq, dt)
        assert np.max(np.abs(dq)) <= 0.5 + 1e-9 and np.max(np.abs(np.subtract(dq, before))) <= 2.0 * dt + 1e-9
        assert dq[3] == 0
        fastest = max(fastest, np.max(np.abs(dq)))
    assert fastest == pytest.approx(0.5) and task.getSensedValue(q) == pytest.approx(goal, abs=1e-3)
    controller.activeDofs = [0, 1]
    controller.ulast = None
    task.setDesiredValue([5.0, 5.0, 5.0])
    _, dq = controller.solve(q, [0.0] * 6, dt)
    assert not np.any(dq[2:]) and np.any(dq[:2])


def test_joints_brake_before_their_limits(robot):
    m = osc()
    robot.setAccelerationLimits([4.0] * 6)
    robot.setVelocityLimits([3.0] * 6)
    task = m.JointLimitTask(robot)
    high = robot.getJointLimits()[1][1]
    q, dq = list(Q), [0.0] * 6
    task.updateState(q, dq, 0.01)
    assert task.jointIndices == [] and task.weight == 0
    q[1], dq[1] = high - 0.3, 1.5  # It would stop after 0.28 m at full, and 0.56 m at half the acceleration.
    task.updateState(q, dq, 0.01)
    needed = 1.5 ** 2 / (2 * 0.3)
    assert task.jointIndices == [1] and task.dxdes == pytest.approx([1.5 - needed * 0.01])
    assert task.weight == pytest.approx([0.1 * (needed - 2) / (4 - needed)])
    q[1] = high + 0.01
    task.updateState(q, dq, 0.01)
    assert task.weight == [task.maxw] and task.xdes == [high] and task.dxdes == pytest.approx([1.5 - 4 * 0.01])


def test_a_model_of_how_the_robot_follows(robot):
    """Where half of each velocity arrives, twice as much is asked for."""
    m = osc()

    class Half:
        def linearization(self, q, dq):
            return 0.5 * np.eye(6), np.full(6, 0.01)
    controller = m.OpSpaceController(robot)
    controller.setMotionModel(Half())
    controller.opController.taskList[0].setDesiredValue(np.add(Q, 0.1).tolist())
    out = controller.output_and_advance(q=Q, dq=[0.0] * 6, dt=0.01)
    assert 0.5 * np.array(out["dqcmd"]) + 0.01 == pytest.approx([0.1] * 6)
    assert out["qcmd"] == pytest.approx(np.add(Q, 0.01 * np.array(out["dqcmd"])))
    with pytest.raises(KeyError, match="dq and dt"):
        controller.output_and_advance(q=Q)
    with pytest.raises(TypeError, match="gain"):
        controller.opController.addTask(m.COMTask(robot), gain=3)
    with pytest.raises(ValueError, match="taskType"):
        m.LinkTask(robot, 1, "pose")
    robot.setConfig([0.0] * 6)
    controller.signal("enter", q=[0.1] * 6)
    assert controller.opController.taskList[0].xdes == [0.1] * 6


PROGRAM = """
from control.OperationalSpaceController import LinkTask, OpSpaceController


class Reach(OpSpaceController):
    def setupTasks(self, opSpaceController):
        self.hand = opSpaceController.addTask(LinkTask(self.robot, 5, "position"), gains=(-6, 0, 0))
        x, y, z = self.hand.xdes
        self.hand.setDesiredValue([x, y + 0.1, z + 0.05])


def make(robot):
    return Reach(robot)
"""


@pytest.mark.parametrize("dt", [0, -1, float("nan"), float("inf")])
def test_wrong_steps_are_refused(robot, dt):
    controller = osc().OperationalSpaceController(robot)
    with pytest.raises(ValueError, match="dt above 0"):
        controller.solve(Q, [0.0] * 6, dt)


def test_desired_values_that_are_no_numbers_are_refused(robot):
    m = osc()
    controller = m.OperationalSpaceController(robot)
    controller.addTask(m.JointTask(robot, range(6)), gains=(-4, 0, 0)).setDesiredValue([float("nan")] * 6)
    with pytest.raises(ValueError, match="no number"):
        controller.solve(Q, [0.0] * 6, 0.01)


def test_a_simulated_hand_arrives(data, tmp_path):
    """The file is a controller of mortise as well. Without gravity: velocities are added to what is sensed, so a load would leave an
    error."""
    import mortise
    from klampt import WorldModel
    (tmp_path / "reach.py").write_text(PROGRAM)
    world = mortise.load_world(str(data / "robots" / "reacher.rob"))
    simulation = mortise.Simulation(world, controllers={0: str(tmp_path / "reach.py")})
    simulation.set_gravity([0, 0, 0])
    model = WorldModel()
    assert model.readFile(str(data / "robots" / "reacher.rob"))
    hand = model.robot(0).link(5)
    model.robot(0).setConfig(simulation.configuration(0).tolist())
    start = hand.getTransform()[1]
    simulation.advance(3)
    model.robot(0).setConfig(simulation.configuration(0).tolist())
    assert hand.getTransform()[1] == pytest.approx(np.add(start, [0, 0.1, 0.05]), abs=5e-3)
