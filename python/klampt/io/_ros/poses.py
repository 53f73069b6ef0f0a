"""Points, rotations and poses."""

from ...math import se3, so3
from .rospy_module import rospy, stamp_of  # First: it says what is missing.

from geometry_msgs.msg import (  # isort: skip
    Point, Pose, PoseStamped, Quaternion, Transform, Vector3)

__all__ = ["from_Vector3", "to_Vector3", "from_Point", "to_Point", "from_Quaternion", "to_Quaternion",
           "from_Pose", "to_Pose", "from_Transform", "to_Transform", "from_PoseStamped",
           "to_PoseStamped", "from_Path", "to_Path"]


def from_Vector3(ros_v):
    """The point of a Vector3."""
    return [ros_v.x, ros_v.y, ros_v.z]


def to_Vector3(klampt_pt):
    """A Vector3 of a point."""
    return Vector3(*klampt_pt)


def from_Point(ros_pt):
    """The point of a Point."""
    return [ros_pt.x, ros_pt.y, ros_pt.z]


def to_Point(klampt_pt):
    """A Point of a point."""
    return Point(*klampt_pt)


def from_Quaternion(ros_q):
    """The rotation of a Quaternion, which may have any length but 0."""
    q = [ros_q.w, ros_q.x, ros_q.y, ros_q.z]
    length = sum(v * v for v in q) ** 0.5
    if not length > 0:
        raise ValueError("a quaternion of zeros is no rotation")
    return so3.from_quaternion([v / length for v in q])


def to_Quaternion(klampt_so3):
    """A Quaternion of a rotation."""
    w, x, y, z = so3.quaternion(klampt_so3)
    return Quaternion(x, y, z, w)


def from_Pose(ros_pose):
    """The transform of a Pose."""
    return (from_Quaternion(ros_pose.orientation), from_Point(ros_pose.position))


def to_Pose(klampt_se3):
    """A Pose of a transform."""
    return Pose(to_Point(klampt_se3[1]), to_Quaternion(klampt_se3[0]))


def from_Transform(ros_transform):
    """The transform of a Transform."""
    return (from_Quaternion(ros_transform.rotation), from_Vector3(ros_transform.translation))


def to_Transform(klampt_se3):
    """A Transform of a transform."""
    return Transform(to_Vector3(klampt_se3[1]), to_Quaternion(klampt_se3[0]))


def from_PoseStamped(ros_pose):
    """The transform of a PoseStamped; its header is left out."""
    return from_Pose(ros_pose.pose)


def to_PoseStamped(klampt_se3, stamp="now"):
    """A PoseStamped of a transform."""
    message = PoseStamped()
    message.header.stamp = stamp_of(stamp)
    message.pose = to_Pose(klampt_se3)
    return message


def from_Path(ros_path):
    """An SE3Trajectory of a Path, with times from the path's stamp on."""
    from ...model.trajectory import SE3Trajectory
    start = ros_path.header.stamp
    times = [(pose.header.stamp - start).to_sec() for pose in ros_path.poses]
    return SE3Trajectory(times, [from_Pose(pose.pose) for pose in ros_path.poses])


def _poses(path):
    """Transforms of the milestones: poses, rotations, or points in the plane or in space."""
    from ...model.trajectory import SE3Trajectory, SO3Trajectory
    if isinstance(path, SE3Trajectory):
        return [path.to_se3(x) for x in path.milestones]
    if isinstance(path, SO3Trajectory):
        return [(x, [0.0, 0.0, 0.0]) for x in path.milestones]
    for x in path.milestones:
        if len(x) not in (2, 3):
            raise ValueError("a path in space has milestones of 2 or 3 numbers, or is an SE3Trajectory or SO3Trajectory")
    return [(so3.identity(), [*x, 0.0][:3]) for x in path.milestones]


def to_Path(klampt_path, start_time="now", frame="1"):
    """A Path of a trajectory of poses, rotations or points; start_time is "now", seconds or a rospy.Time."""
    from nav_msgs.msg import Path
    message = Path()
    start = stamp_of(start_time)
    message.header.stamp, message.header.frame_id = start, frame
    for i, (time, T) in enumerate(zip(klampt_path.times, _poses(klampt_path))):
        pose = PoseStamped(pose=to_Pose(T))
        pose.header.seq, pose.header.frame_id = i, frame
        pose.header.stamp = start + rospy.Duration.from_sec(time)
        message.poses.append(pose)
    return message


def parent_transform(link):
    """The pose of a link in its parent, or in the world where it has none, and the parent's index."""
    parent = link.getParent()
    T = link.getTransform()
    index = parent if isinstance(parent, int) else -1 if parent is None else parent.getIndex()
    if index < 0:
        return T, -1
    return se3.mul(se3.inv(link.robot().link(index).getTransform()), T), index
