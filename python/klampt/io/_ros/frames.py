"""Frames of worlds, robots and poses to tf and back."""

from ...math import se3, so3
from .poses import parent_transform
from .rospy_module import rospy, stamp_of

__all__ = ["broadcast_tf", "listen_tf"]

# A scanner's frame has z forward and y up, ROS's x forward and z up.
_SCAN_TO_ROS = so3.from_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


def _send(broadcaster, T, stamp, child, parent):
    w, x, y, z = so3.quaternion(T[0])
    broadcaster.sendTransform(tuple(T[1]), (x, y, z, w), stamp, child, parent)


def _broadcast_robot(broadcaster, robot, prefix, root, stamp):
    for i in range(robot.numLinks()):
        link = robot.link(i)
        T, parent = parent_transform(link)
        above = root if parent < 0 else f"{prefix}/{robot.link(parent).getName()}"
        _send(broadcaster, T, stamp, f"{prefix}/{link.getName()}", above)


def _broadcast_sensor(broadcaster, sensor, prefix, root, stamp):
    R, t = sensor.getTransform()
    if sensor.getType() == "LaserRangeSensor":
        R = so3.mul(R, _SCAN_TO_ROS)
    link = sensor.getLink()
    parent = root if link is None else f"{prefix}/{link.getName()}"
    _send(broadcaster, (R, t), stamp, f"{prefix}/{sensor.getName()}", parent)


def _transform_of(obj):
    if isinstance(obj, (list, tuple)):
        return obj
    for name in ("getTransform", "getCurrentTransform"):
        if hasattr(obj, name):
            return getattr(obj, name)()
    raise ValueError(f"a {type(obj).__name__} has no frame to broadcast")


def broadcast_tf(broadcaster, klampt_obj, frameprefix="klampt", root="world", stamp=0.0):
    """Sends the frames of an object to a tf.TransformBroadcaster.

    Of a WorldModel or Simulator: frameprefix/OBJECT and frameprefix/ROBOT/LINK; of a RobotModel or
    SimRobotController: frameprefix/LINK; of a SensorModel: frameprefix/SENSOR; of anything with a transform, or of a
    transform: frameprefix. Links that another carries have its frame as parent, others root. stamp is "now", seconds
    or a rospy.Time. Models of simulators and controllers are updated.
    """
    from ...robotsim import RobotModel, SensorModel, SimRobotController, Simulator, WorldModel
    stamp = stamp_of(stamp)
    if isinstance(klampt_obj, Simulator):
        klampt_obj.updateWorld()
        klampt_obj = klampt_obj.world
    if isinstance(klampt_obj, WorldModel):
        for i in range(klampt_obj.numRigidObjects()):
            item = klampt_obj.rigidObject(i)
            _send(broadcaster, item.getTransform(), stamp, f"{frameprefix}/{item.getName()}", root)
        for i in range(klampt_obj.numRobots()):
            robot = klampt_obj.robot(i)
            _broadcast_robot(broadcaster, robot, f"{frameprefix}/{robot.getName()}", root, stamp)
        return
    if isinstance(klampt_obj, SimRobotController):
        model = klampt_obj.model()
        model.setConfig(klampt_obj.getSensedConfig())
        klampt_obj = model
    if isinstance(klampt_obj, RobotModel):
        _broadcast_robot(broadcaster, klampt_obj, frameprefix, root, stamp)
    elif isinstance(klampt_obj, SensorModel):
        _broadcast_sensor(broadcaster, klampt_obj, frameprefix, root, stamp)
    else:
        _send(broadcaster, _transform_of(klampt_obj), stamp, frameprefix, root)


def _lookup(listener, parent, frame, onerror):
    """The pose of a frame in its parent; None when tf does not know it."""
    import tf
    try:
        t, (x, y, z, w) = listener.lookupTransform(parent, frame, rospy.Time(0))
    except (tf.LookupException, tf.ConnectivityException, tf.ExtrapolationException):
        if onerror == "raise":
            raise
        if onerror == "print":
            print("listen_tf: tf does not know the frame", frame)
        return None
    return so3.from_quaternion((w, x, y, z)), list(t)


def listen_tf(listener, klampt_obj, frameprefix="klampt", root="world", onerror=None):
    """Moves an object to where a tf.TransformListener says that its frames are; names are broadcast_tf's.

    Of robots, transforms of links are set, not the configuration. With None, the transform is returned. onerror says
    what happens where tf does not know a frame: "raise", "print" or None.
    """
    from ...robotsim import RobotModel, WorldModel
    if isinstance(klampt_obj, WorldModel):
        for i in range(klampt_obj.numRigidObjects()):
            item = klampt_obj.rigidObject(i)
            listen_tf(listener, item, f"{frameprefix}/{item.getName()}", root, onerror)
        for i in range(klampt_obj.numRobots()):
            robot = klampt_obj.robot(i)
            listen_tf(listener, robot, f"{frameprefix}/{robot.getName()}", root, onerror)
        return None
    if isinstance(klampt_obj, RobotModel):
        for i in range(klampt_obj.numLinks()):
            link = klampt_obj.link(i)
            _, parent = parent_transform(link)
            above = root if parent < 0 else f"{frameprefix}/{klampt_obj.link(parent).getName()}"
            T = _lookup(listener, above, f"{frameprefix}/{link.getName()}", onerror)
            if T is not None:
                link.setTransform(*(T if parent < 0 else se3.mul(klampt_obj.link(parent).getTransform(), T)))
        return None
    T = _lookup(listener, root, frameprefix, onerror)
    if klampt_obj is None or T is None:
        return T
    for name in ("setTransform", "setCurrentTransform"):
        if hasattr(klampt_obj, name):
            getattr(klampt_obj, name)(*T)
            return None
    raise ValueError(f"a {type(klampt_obj).__name__} has no frame to move")
