"""States and motions of joints."""

import warnings

from .rospy_module import rospy  # First: it says what is missing.

from sensor_msgs.msg import JointState  # isort: skip
from std_msgs.msg import Float32MultiArray  # isort: skip
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint  # isort: skip

__all__ = ["from_JointState", "to_JointState", "from_Float32MultiArray", "to_Float32MultiArray",
           "from_JointTrajectory", "to_JointTrajectory"]


def _link_names(robot):
    return [robot.link(i).getName() for i in range(robot.numLinks())]


def _places(names, robot, joint_link_indices):
    """(index in the message, link) of the joints that the robot has; others are left out, as ROS does."""
    if joint_link_indices is None:
        joint_link_indices = {name: i for i, name in enumerate(_link_names(robot))}
    foreign = [name for name in names if name not in joint_link_indices]
    if foreign:
        warnings.warn(f"joints that the robot does not have are left out: {', '.join(foreign)}", stacklevel=3)
    return [(i, joint_link_indices[name]) for i, name in enumerate(names) if name in joint_link_indices]


def from_JointState(ros_js, robot, joint_link_indices=None):
    """(configuration, velocity, effort) of the robot, one number a link.

    What the message does not have is None; joints that it does not name keep the robot's present values (efforts
    are 0). joint_link_indices maps the message's names to links; by default they are the links' own names.
    """
    places = _places(ros_js.name, robot, joint_link_indices)

    def apply(values, start):
        if len(values) == 0:
            return None
        result = list(start)
        for i, link in places:
            result[link] = values[i]
        return result

    return (apply(ros_js.position, robot.getConfig()), apply(ros_js.velocity, robot.getVelocity()),
            apply(ros_js.effort, [0.0] * robot.numLinks()))


def _link_efforts(robot, effort):
    """Efforts of links from those of drivers."""
    if len(effort) == robot.numLinks():
        return list(effort)
    if len(effort) != robot.numDrivers():
        raise ValueError(f"efforts are one a link ({robot.numLinks()}) or one a driver ({robot.numDrivers()}), "
                         f"not {len(effort)}")
    links = [0.0] * robot.numLinks()
    for i, value in enumerate(effort):
        driver = robot.driver(i)
        scales = driver.getAffineCoeffs()[0] if driver.getType() == "affine" else None
        for j, link in enumerate(driver.getAffectedLinks()):
            links[link] += value if scales is None else scales[j] * value
    return links


_READERS = {
    "commanded": ("getCommandedConfig", "getCommandedVelocity", "getCommandedTorque"),
    "sensed": ("getSensedConfig", "getSensedVelocity", "getSensedTorque"),
}


def _read(robot, which, kind):
    """The vector that a word names, or the vector itself."""
    if which is None or not isinstance(which, str):
        return which
    simulated = hasattr(robot, "getSensedConfig")
    if which == "current":
        which = "sensed" if simulated else "model"
    if which == "model":
        return (robot.getConfig, robot.getVelocity)[kind]()
    if not simulated:
        raise ValueError(f"{which!r} is known of a SimRobotController only, not of a {type(robot).__name__}")
    if which == "actual":
        read = (robot.sim.getActualConfig, robot.sim.getActualVelocity, robot.sim.getActualTorque)[kind]
        return read(robot.index)
    if which not in _READERS:
        raise ValueError(f"expected 'current', 'commanded', 'sensed' or 'actual', not {which!r}")
    return getattr(robot, _READERS[which][kind])()


def to_JointState(robot, q="current", dq="current", effort=None, indices="auto", link_joint_names=None):
    """A JointState of a RobotModel or SimRobotController.

    q, dq and effort are "current", "commanded", "sensed" or "actual" (of simulated robots), vectors, or None to
    leave them out; effort has one number a driver or a link. indices are the links that are sent, all by default;
    link_joint_names gives the names of all links' joints.
    """
    vectors = [_read(robot, which, kind) for kind, which in enumerate((q, dq, effort))]
    model = robot.model() if hasattr(robot, "getSensedConfig") else robot
    if vectors[2] is not None:
        vectors[2] = _link_efforts(model, vectors[2])
    for vector in vectors[:2]:
        if vector is not None and len(vector) != model.numLinks():
            raise ValueError(f"q and dq have {model.numLinks()} numbers, one a link, not {len(vector)}")
    names = link_joint_names or _link_names(model)
    links = range(model.numLinks()) if isinstance(indices, str) else indices
    message = JointState(name=[names[link] for link in links])
    for field, vector in zip(("position", "velocity", "effort"), vectors):
        if vector is not None:
            setattr(message, field, [vector[link] for link in links])
    return message


def from_Float32MultiArray(ros_msg):
    """The numbers of a Float32MultiArray."""
    return list(ros_msg.data)


def to_Float32MultiArray(klampt_config):
    """A Float32MultiArray of numbers."""
    return Float32MultiArray(data=[float(v) for v in klampt_config])


def from_JointTrajectory(ros_traj, robot=None, joint_link_indices=None):
    """A Trajectory of a JointTrajectory, or with a robot a RobotTrajectory of all its links.

    Joints that the message does not name keep the robot's present values. joint_link_indices maps the message's
    names to links; by default they are the links' own names.
    """
    from ...model.trajectory import RobotTrajectory, Trajectory
    times = [point.time_from_start.to_sec() for point in ros_traj.points]
    if any(len(point.positions) != len(ros_traj.joint_names) for point in ros_traj.points):
        raise ValueError(f"each point has {len(ros_traj.joint_names)} positions, one a joint")
    if robot is None:
        return Trajectory(times, [list(point.positions) for point in ros_traj.points])
    places = _places(ros_traj.joint_names, robot, joint_link_indices)
    milestones = []
    for point in ros_traj.points:
        q = list(robot.getConfig())
        for i, link in places:
            q[link] = point.positions[i]
        milestones.append(q)
    return RobotTrajectory(robot, times, milestones)


def to_JointTrajectory(klampt_traj, indices="auto", link_joint_names=None):
    """A JointTrajectory of a Trajectory, whose joints are called "0", "1", ..., or of a RobotTrajectory.

    Of a HermiteTrajectory, velocities are sent as well. indices are the coordinates that are sent, all by default;
    link_joint_names gives the names of all of them.
    """
    from ...model.trajectory import HermiteTrajectory
    message = JointTrajectory()
    if not klampt_traj.milestones:
        return message
    hermite = isinstance(klampt_traj, HermiteTrajectory)
    size = len(klampt_traj.milestones[0]) // (2 if hermite else 1)
    names = link_joint_names
    if names is None:
        robot = getattr(klampt_traj, "robot", None)
        names = _link_names(robot) if robot is not None else [chr(ord("0") + i) for i in range(size)]
    if len(names) != size:
        raise ValueError(f"there are {len(names)} names for {size} coordinates")
    links = range(size) if isinstance(indices, str) else indices
    message.joint_names = [names[i] for i in links]
    for time, x in zip(klampt_traj.times, klampt_traj.milestones):
        point = JointTrajectoryPoint(positions=[x[i] for i in links], time_from_start=rospy.Duration.from_sec(time))
        if hermite:
            point.velocities = [x[size + i] for i in links]
        message.points.append(point)
    return message
