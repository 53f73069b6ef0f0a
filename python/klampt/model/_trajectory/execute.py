"""Paths and trajectories sent to a controller."""

from ...math import vectorops
from .base import Trajectory
from .hermite import HermiteTrajectory


def _commanded(controller):
    """Robot model, commanded configuration, and whether this is a simulated controller."""
    from ...control.robotinterface import RobotInterfaceBase
    from ...robotsim import SimRobotController
    if isinstance(controller, SimRobotController):
        return controller.model(), controller.getCommandedConfig(), True
    if isinstance(controller, RobotInterfaceBase):
        q = controller.commandedPosition()
        if q is None or q[0] is None:
            q = controller.sensedPosition()
        return controller.klamptModel(), controller.configToKlampt(q), False
    raise ValueError("a SimRobotController or RobotInterfaceBase is wanted, got "
                     f"{type(controller).__name__}")


def _lifted(robot, q0, dofs, milestones):
    """Whole configurations with the given dofs taken from milestones."""
    indices = [robot.link(d).getIndex() for d in dofs]
    result = []
    for m in milestones:
        assert len(m) == len(indices), f"milestones want {len(indices)} entries, one a dof"
        q = list(q0)
        for i, v in zip(indices, m):
            q[i] = v
        result.append(q)
    return result


def _timed(path, q0, dt):
    """Times every dt from 0 for the commanded configuration and then the path."""
    points = list(path) if list(path[0]) == list(q0) else [q0] + list(path)
    return [i * dt for i in range(len(points))], points


def _simulated_path(path, controller, speed, smoothing):
    dt, zero = 1.0 / speed, [0.0] * len(path[0])
    if smoothing in (None, "ramp"):
        if speed != 1.0:
            raise ValueError("speed wants a smoothing of linear, cubic or spline")
        controller.setMilestone(path[0])
        for q in path[1:]:
            controller.addMilestoneLinear(q) if smoothing is None else controller.addMilestone(q)
    elif smoothing == "linear":
        controller.setLinear(path[0], dt)
        for q in path[1:]:
            controller.addLinear(q, dt)
    else:
        controller.setCubic(path[0], zero, dt)
        for q in path[1:]:
            controller.addCubic(q, zero, dt)


def _min_time(robot, controller, path, q0, speed, ramp):
    vmax = vectorops.mul(robot.getVelocityLimits(), speed)
    amax = vectorops.mul(robot.getAccelerationLimits(), speed**2)
    points = list(path) if list(path[0]) == list(q0) else [q0] + list(path)
    curve = HermiteTrajectory()
    if not ramp:
        curve.makeMinTimeSpline(points, vmax=vmax, amax=amax)
        return curve
    v = controller.commandedVelocity()
    if v is None or v[0] is None:
        v = controller.sensedVelocity()
    xmin, xmax = robot.getJointLimits()
    slopes = [controller.velocityToKlampt(v)] + [[0.0] * len(q0)] * (len(points) - 1)
    curve.makeMinTimeSpline(points, slopes, xmin=xmin, xmax=xmax, vmax=vmax, amax=amax)
    return curve


def execute_path(path, controller, speed=1.0, smoothing=None, activeDofs=None):
    """Sends milestones to a SimRobotController or RobotInterfaceBase.

    smoothing: None (straight lines that stop at each), 'linear' or 'cubic' (a milestone
    each 1/speed seconds), 'spline' (smooth through them), 'ramp' (fastest, curved).
    activeDofs: the dofs that milestones hold, as indices or names.
    """
    if len(path) == 0:
        return
    if speed <= 0:
        raise ValueError(f"speed must be positive, got {speed}")
    if smoothing not in (None, "linear", "cubic", "spline", "ramp"):
        raise ValueError(f"smoothing '{smoothing}' is not known; use None, 'linear', 'cubic', "
                         "'spline' or 'ramp'")
    robot, q0, simulated = _commanded(controller)
    if activeDofs is not None:
        path = _lifted(robot, q0, activeDofs, path)
    if smoothing == "spline":
        curve = HermiteTrajectory()
        curve.makeSpline(Trajectory(*_timed(path, q0, 1.0 / speed)))
        execute_trajectory(curve, controller)
    elif simulated:
        _simulated_path(path, controller, speed, smoothing)
    elif smoothing in (None, "ramp"):
        execute_trajectory(_min_time(robot, controller, path, q0, speed, smoothing == "ramp"),
                           controller)
    else:
        times, points = _timed(path, q0, 1.0 / speed)
        if smoothing == "linear":
            execute_trajectory(Trajectory(times, points), controller)
        else:
            zero = [0.0] * len(q0)
            execute_trajectory(HermiteTrajectory(times, points, [zero] * len(points)), controller)


def _send_cubic(trajectory, controller, q0, speed, simulated):
    n = len(trajectory.milestones[0]) // 2
    if simulated:
        start = trajectory.startTime()
        controller.setMilestone(trajectory.eval(start), vectorops.mul(trajectory.deriv(start), speed))
        for i in range(1, len(trajectory.times)):
            m = trajectory.milestones[i]
            controller.addCubic(m[:n], vectorops.mul(m[n:], speed),
                                (trajectory.times[i] - trajectory.times[i - 1]) / speed)
        return
    v = controller.commandedVelocity()
    if v is None or v[0] is None:
        v = controller.sensedVelocity()
    times, points, slopes = [0.0], [controller.configFromKlampt(q0)], [v]
    for t, m in list(zip(trajectory.times, trajectory.milestones))[trajectory.times[0] == 0:]:
        times.append(t / speed)
        points.append(controller.configFromKlampt(m[:n]))
        slopes.append(controller.velocityFromKlampt(m[n:]))
    controller.setPiecewiseCubic(times, points, slopes)


def _send_linear(trajectory, controller, q0, speed, simulated):
    if simulated:
        controller.setMilestone(trajectory.eval(trajectory.startTime()))
        for i in range(1, len(trajectory.times)):
            controller.addLinear(trajectory.milestones[i],
                                 (trajectory.times[i] - trajectory.times[i - 1]) / speed)
        return
    times, points = [0.0], [controller.configFromKlampt(q0)]
    for t, m in list(zip(trajectory.times, trajectory.milestones))[trajectory.times[0] == 0:]:
        times.append(t / speed)
        points.append(controller.configFromKlampt(m))
    controller.setPiecewiseLinear(times, points)


def execute_trajectory(trajectory, controller, speed=1.0, smoothing=None, activeDofs=None):
    """Sends a trajectory to a SimRobotController or RobotInterfaceBase.

    smoothing: None, 'spline' (smooth through the milestones), 'pause' (stop at each).
    activeDofs: the dofs that milestones hold, as indices or names.
    """
    if len(trajectory.times) == 0:
        return
    if speed <= 0:
        raise ValueError(f"speed must be positive, got {speed}")
    robot, q0, simulated = _commanded(controller)
    hermite = isinstance(trajectory, HermiteTrajectory)
    if activeDofs is not None:
        assert not hermite, "activeDofs wants a trajectory without velocities; extract its points"
        trajectory = trajectory.constructor()(
            trajectory.times, _lifted(robot, q0, activeDofs, trajectory.milestones))
    if hermite:
        assert smoothing is None, "a HermiteTrajectory is smooth already"
        _send_cubic(trajectory, controller, q0, speed, simulated)
    elif smoothing is None:
        _send_linear(trajectory, controller, q0, speed, simulated)
    elif smoothing == "spline":
        curve = HermiteTrajectory()
        curve.makeSpline(trajectory)
        _send_cubic(curve, controller, q0, speed, simulated)
    elif smoothing == "pause":
        zero = [0.0] * len(trajectory.milestones[0])
        _send_cubic(HermiteTrajectory(trajectory.times, trajectory.milestones,
                                      [zero] * len(trajectory.milestones)),
                    controller, q0, speed, simulated)
    else:
        raise ValueError(f"smoothing '{smoothing}' is not known; use None, 'spline' or 'pause'")


def plot_trajectory_mpl(traj, ax=None, dt=None, labels=None):
    """Draws entries over time with matplotlib; returns the axes."""
    import matplotlib.pyplot as plt
    if ax is None:
        ax = plt.figure().add_subplot(111)
    points = [traj.waypoint(m) for m in traj.milestones]
    fine = traj.discretize(dt) if dt is not None else None
    for i in range(len(points[0])):
        label = labels[i] if labels is not None else f"Dim {i}"
        if fine is not None:
            ax.plot(fine.times, [m[i] for m in fine.milestones])
        ax.plot(traj.times, [p[i] for p in points], "o", linestyle="--" if fine is None else "",
                label=label)
    ax.set_xlabel("Time")
    ax.set_ylabel("Value")
    ax.legend()
    return ax
