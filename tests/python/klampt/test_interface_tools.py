"""Tools around robot interfaces: steps that may fail, filters, frames of tools, queues by another name."""

import numpy as np
import pytest

from conftest import ROOT, needs_robotsim

pytestmark = needs_robotsim


@pytest.fixture()
def simulated():
    from klampt import Simulator, WorldModel
    from klampt.control import RobotInterfaceCompleter
    from klampt.control.simrobotinterface import SimPositionControlInterface
    world = WorldModel()
    world.loadRobot(str(ROOT / "data" / "robots" / "bench_arm.urdf"))
    sim = Simulator(world)
    interface = RobotInterfaceCompleter(SimPositionControlInterface(sim.controller(0), sim))
    interface.initialize()
    interface.world = world
    return interface


def test_steps_that_fail(simulated, capsys):
    from klampt.control import StepContext
    context = StepContext(interface=simulated, ignore=True, silent=False)
    for _ in range(3):
        with context as c:
            assert c is context
            simulated.setPosition([0.0])
    assert context.numExceptions == 3 and "are wanted" in capsys.readouterr().err
    with StepContext(simulated, ignore=True, silent=True):
        raise ValueError("quiet")
    assert capsys.readouterr().err == ""
    with pytest.raises(KeyError):
        with StepContext(simulated, ignore=ValueError):
            raise KeyError("loud")
    with pytest.raises(ValueError):
        with StepContext(simulated):
            raise ValueError("loud")


def test_filters():
    from klampt.control.blocks.utils import BlockSignal
    from klampt.control.robotinterfaceutils import (BrakeLimitFilter, CartesianLimitFilter, DifferenceFilter, LimitFilter)
    from klampt.math import so3
    assert LimitFilter("clamp", [0, 0], [1, 1])([2, 0.5]) == [1, 0.5]
    for op, kind in (("warn", "warn"), ("stop", "softStop")):
        with pytest.raises(BlockSignal) as caught:
            LimitFilter(op=op, qmin=[0], qmax=[1])([2])
        assert caught.value.signal == kind
    with pytest.raises(ValueError, match="clamp, stop, warn"):
        LimitFilter("ignore", [0], [1])
    brake = BrakeLimitFilter("clamp", [-1, -1], [1, 1], [-2, -2], [2, 2])
    q, dq = brake([0.75, -0.75], [5.0, -5.0])
    assert q == [0.75, -0.75] and dq == pytest.approx([1.0, -1.0])
    assert brake([0.0, 0.0], [1.0, -1.0]) == ([0.0, 0.0], [1.0, -1.0])
    assert brake([1.5, 0.0], [1.0, 0.0]) == ([1, 0.0], [0.0, 0.0])
    box = CartesianLimitFilter("clamp", so3.identity(), [-0.1] * 3, [0.1] * 3, [0, 0, 0], [1, 1, 1])
    R, t = box((so3.rotation([0, 0, 1], 0.5), [2, 0.5, -1]))
    assert t == [1, 0.5, 0] and so3.rotation([0, 0, 1], 0.1) == pytest.approx(R)
    DifferenceFilter("stop", 1.0)([0, 0], [1, 1])
    with pytest.raises(BlockSignal):
        DifferenceFilter("stop", 1.0, 2)([0, 0], [1, 1])


def test_filters_of_an_interface(simulated, capsys, tmp_path):
    from klampt.control import StepContext
    from klampt.control.robotinterfaceutils import LimitFilter, LoggingFilter
    n = simulated.numJoints()
    simulated.setFilter("limits", LimitFilter("clamp", [-0.1] * n, [0.1] * n))
    with StepContext(simulated):
        simulated.setPosition([0.5] * n)
    with StepContext(simulated):
        assert simulated.commandedPosition() == pytest.approx([0.1] * n)
    simulated.setFilter("limits", LimitFilter("stop", [-0.1] * n, [0.1] * n))
    with StepContext(simulated):
        simulated.setPosition([0.5] * n)
    assert "limit reached" in simulated.status()
    log = LoggingFilter(str(tmp_path / "log.csv"), ["t", "q"])
    log.advance(0.5, [1, 2])
    assert (tmp_path / "log.csv").read_text() == "t,q[0],q[1]\n0.5,1,2\n"


def test_frames_of_tools(simulated):
    from klampt.control import robotinterfaceutils as utils
    from klampt.math import se3, so3
    robot, n = simulated.world.robot(0), simulated.numJoints()
    rng = np.random.default_rng(2)
    q, dq, t = (rng.uniform(-0.5, 0.5, n).tolist() for _ in range(3))
    part, tool, link = list(range(2, n)), [0.1, 0.0, 0.05], robot.numLinks() - 1
    world = utils.klamptCartesianPosition(robot, q, part, tool, link, "world")
    base = utils.klamptCartesianPosition(robot, q, part, tool, link, "base", 1)
    assert se3.error(world, se3.mul(robot.link(1).getTransform(), base)) == pytest.approx([0] * 6, abs=1e-12)
    h = 1e-6
    later = utils.klamptCartesianPosition(robot, [a + h * b for a, b in zip(q, dq)], part, tool, link, "world")
    w, v = utils.klamptCartesianVelocity(robot, q, dq, part, tool, link, "world")
    assert np.array(se3.error(later, world)) / h == pytest.approx(list(w) + list(v), abs=1e-4)
    own = utils.klamptCartesianVelocity(robot, q, dq, part, tool, link, "tool")
    R = robot.link(link).getTransform()[0]
    assert so3.apply(R, own[0]) == pytest.approx(w) and so3.apply(R, own[1]) == pytest.approx(v)
    torque, force = utils.klamptCartesianForce(robot, q, t, part, tool, link, "world")
    J = np.asarray(robot.link(link).getJacobian(tool))
    assert J @ robot.velocityFromDrivers(t) == pytest.approx(torque + force)
    with pytest.raises(ValueError, match="end effector"):
        utils.klamptCartesianVelocity(robot, q, dq, part, tool, link, "moon")


def test_milestones_are_appended(simulated):
    from klampt.control import StepContext
    from klampt.control.interop import SimRobotControllerToInterface
    controller = SimRobotControllerToInterface(simulated)
    q = controller.getCommandedConfig()
    first, second = ([v + d for v in q] for d in (0.02, -0.02))
    with StepContext(simulated):
        controller.setLinear(first, 0.2)
        controller.addLinear(second, 0.3)
        controller.addMilestone(first)
    for _ in range(int(2.0 * simulated.controlRate())):
        with StepContext(simulated):
            pass
        if not simulated.isMoving():
            break
    assert controller.getCommandedConfig() == pytest.approx(first, abs=1e-6)
    assert simulated.clock() > 0.5
    with pytest.raises(ValueError, match="homing"):
        controller.sendCommand("homing", "")


def test_a_controller_that_follows_a_file(tmp_path):
    from klampt.control import trajectory_controller
    path = tmp_path / "a.path"
    path.write_text("0 2 0 0\n1 2 1 2\n")
    controller = trajectory_controller.make(None, str(path))
    first = controller.output_and_advance(t=5.0, dt=0.1)
    assert first["qcmd"] == [0, 0]
    later = controller.output(t=5.5)
    assert later["qcmd"] == pytest.approx([0.5, 1.0]) and later["dqcmd"] == pytest.approx([1, 2])
    state = controller.getState()
    controller.signal("reset")
    assert controller.output(t=9.0)["qcmd"] == [0, 0]
    controller.setState(state)
    assert controller.output(t=5.5)["qcmd"] == pytest.approx([0.5, 1.0])
    assert trajectory_controller.TrajectoryController(controller.traj, "q").output(t=0.0) == {"q": [0, 0]}


def test_motions_that_are_asked_for_again(simulated):
    """A program that calls moveToPosition() in every step gets there as soon as one that calls it once."""
    from klampt.control import StepContext
    n = simulated.numJoints()
    target, steps = [0.3] * n, 0
    with StepContext(simulated):
        simulated.moveToPosition(target)
        once = simulated.destinationTime() - simulated.clock()
    fastest = simulated.commandedPosition()
    for _ in range(int(3 * once * simulated.controlRate())):
        with StepContext(simulated):
            simulated.moveToPosition(target)
        before, fastest = fastest, simulated.commandedPosition()
        steps += 1
        if fastest == pytest.approx(target, abs=1e-6):
            break
    assert steps <= 1.2 * once * simulated.controlRate() + 3
    vmax = simulated.limits()[0]
    assert all(abs(a - b) * simulated.controlRate() <= v * 1.01 for a, b, v in zip(before, fastest, vmax))


def test_the_tool_goes_where_it_is_told(simulated):
    from klampt.control import StepContext
    from klampt.math import se3
    with StepContext(simulated):
        start = [0.2, 0.4, -0.6, 0.3, 0.5, 0.1][:simulated.numJoints()]
        start += [0.0] * (simulated.numJoints() - len(start))
        simulated.setPosition(start)
    R, t = simulated.cartesianPosition(start)
    goal = (R, [t[0], t[1] + 0.02, t[2] - 0.02])
    with StepContext(simulated):
        simulated.setCartesianPosition(goal)
    assert se3.error(simulated.cartesianPosition(simulated.commandedPosition()), goal) == pytest.approx([0] * 6, abs=1e-3)


def test_commands_of_subclasses_are_theirs_alone(simulated):
    """As in Klamp't's example of impedance control, whose setPosition() ends the mode that setCartesianPosition() serves."""
    from klampt.control import RobotInterfaceCompleter, StepContext

    class Counting(RobotInterfaceCompleter):
        count = 0

        def setPosition(self, q):
            self.count += 1
            return super().setPosition(q)
    interface = Counting(simulated)
    interface.initialize()
    with StepContext(interface):
        interface.setCartesianPosition(interface.commandedCartesianPosition())
        interface.moveToCartesianPosition(interface.commandedCartesianPosition())
        interface.softStop()
        assert interface.count == 0
        interface.setPosition(interface.commandedPosition())
        assert interface.count == 1
