"""Klamp't's objects as ROS 1 messages, on topics, and as frames of tf.

toMsg() and fromMsg() convert whatever has a message; functions of a message's name (to_JointState, ...) have options.
publisher(), object_publisher(), subscriber() and object_subscriber() convert what goes over a topic.

It needs rospy (Debian's python3-rospy), which has to be started by `rospy.init_node`. For simulations, the relay and
the recorder of ROS (`ros1_relay`, `ros1_recorder`) do this without a Python program.
"""

import numpy as np

from ._ros.rospy_module import rospy  # First: it says what is missing.
from ._ros.frames import *  # noqa: F403
from ._ros.joints import *  # noqa: F403
from ._ros.poses import *  # noqa: F403
from ._ros.sensors import *  # noqa: F403
from ._ros.shapes import *  # noqa: F403
from ._ros.sensors import to_SensorMsg
from ..model import types
from ..robotsim import Geometry3D, SensorModel

ROSPY_AVAILABLE = True

SUPPORTED_KLAMPT_TYPES = {
    "Vector3": "Vector3", "Point": "Point", "Matrix3": "Quaternion", "Rotation": "Quaternion",
    "Config": "Float32MultiArray", "RigidTransform": "Pose", "RobotModel": "JointState",
    "SimRobotController": "JointState", "Trajectory": "JointTrajectory", "RobotTrajectory": "JointTrajectory",
    "PointCloud": "PointCloud2", "TriangleMesh": "Mesh", "Geometry3D": "ShapeMsg", "SensorModel": "SensorMsg",
    "Viewport": "CameraInfo", "GLViewport": "CameraInfo",
}

_PACKAGES = {
    "std_msgs": ["Float32MultiArray"], "nav_msgs": ["Path"], "shape_msgs": ["Mesh"],
    "trajectory_msgs": ["JointTrajectory"],
    "geometry_msgs": ["Vector3", "Point", "Quaternion", "Pose", "Transform", "PoseStamped", "WrenchStamped"],
    "sensor_msgs": ["JointState", "PointCloud2", "Image", "CameraInfo", "LaserScan"],
}


def _message_class(name):
    """A message's class by its name."""
    import importlib
    for package, names in _PACKAGES.items():
        if name in names:
            return getattr(importlib.import_module(package + ".msg"), name)
    raise ValueError(f"there is no message {name} here")


def _converter(way, ros_type):
    found = globals().get(f"{way}_{ros_type}")
    if found is None:
        raise ValueError(f"there is no conversion {way}_{ros_type}")
    return found


def _klampt_type(obj):
    """The type among SUPPORTED_KLAMPT_TYPES that an object has."""
    for cls in type(obj).__mro__:
        if cls.__name__ in SUPPORTED_KLAMPT_TYPES:
            return cls.__name__
    kind = types.object_to_type(obj, SUPPORTED_KLAMPT_TYPES)
    if kind not in SUPPORTED_KLAMPT_TYPES:
        raise ValueError(f"ROS has no message for a {type(obj).__name__}")
    return kind


def fromMsg(ros_obj, *args, **kwargs):
    """The object of a message; arguments go to from_NAME, such as the robot to from_JointState."""
    name = type(ros_obj).__name__.split("__")[-1].lstrip("_")  # rospy's own classes: _std_msgs__String.
    return _converter("from", name)(ros_obj, *args, **kwargs)


def toMsg(klampt_obj, *args, **kwargs):
    """The message of an object; arguments go to to_NAME."""
    return _converter("to", SUPPORTED_KLAMPT_TYPES[_klampt_type(klampt_obj)])(klampt_obj, *args, **kwargs)


class KlamptROSPublisher(rospy.Publisher):
    """Publishes objects as messages; publisher() makes it."""

    def __init__(self, converter, *args, **kwargs):
        self.converter = converter
        self.seq_no = 0
        kwargs.setdefault("queue_size", 10)
        rospy.Publisher.__init__(self, *args, **kwargs)

    def publish(self, klampt_obj, header=None):
        """Publishes an object; header takes the place of one with the present time."""
        self.seq_no += 1
        message = self.converter(klampt_obj)
        if hasattr(message, "header"):
            if header is not None:
                message.header = header
            else:
                message.header.seq = self.seq_no
                if message.header.stamp.is_zero():
                    message.header.stamp = rospy.Time.now()
                if not message.header.frame_id:
                    message.header.frame_id = "0"
        rospy.Publisher.publish(self, message)


class KlamptROSCameraPublisher:
    """Publishes what a camera sees; object_publisher() makes it.

    Topics: TOPIC/rgb/camera_info, TOPIC/rgb/image_rect_color, TOPIC/depth_registered/camera_info,
    TOPIC/depth_registered/image_rect.
    """

    def __init__(self, topic, frame_id=None, frame_prefix="klampt", *args, **kwargs):
        kwargs.setdefault("queue_size", 10)
        self.topic, self.frame_id, self.frame_prefix = topic, frame_id, frame_prefix
        self.num_msgs = 0
        self._make = lambda name, cls: rospy.Publisher(f"{topic}/{name}", cls, *args, **kwargs)
        self._publishers = {}

    def _publish(self, folder, image_name, info, image):
        for name, message in (("camera_info", info), (image_name, image)):
            key = f"{folder}/{name}"
            if key not in self._publishers:
                self._publishers[key] = self._make(key, type(message))
            self._publishers[key].publish(message)

    def publish(self, camera):
        """Publishes the last measurement of a camera; nothing where it has not measured yet."""
        info, *images = to_SensorMsg(camera, self.frame_id, self.frame_prefix)
        if not images:
            return
        self.num_msgs += 1
        for message in (info, *images):
            message.header.seq = self.num_msgs
        for image in images:
            if image.encoding == "rgb8":
                self._publish("rgb", "image_rect_color", info, image)
            else:
                self._publish("depth_registered", "image_rect", info, image)


def publisher_SensorModel(topic, klampt_sensor, convert_kwargs=None, **kwargs):
    """A publisher of a sensor's measurements: of a camera, to several topics below this one."""
    convert = dict(convert_kwargs or {})
    kind = klampt_sensor.getType()
    if kind == "CameraSensor":
        return KlamptROSCameraPublisher(topic, convert.get("frame"), convert.get("frame_prefix", "klampt"), **kwargs)
    ros_type = {"ForceTorqueSensor": "WrenchStamped", "LaserRangeSensor": "LaserScan"}.get(kind, "Float32MultiArray")
    return KlamptROSPublisher(lambda sensor: to_SensorMsg(sensor, **convert), topic, _message_class(ros_type), **kwargs)


def publisher(topic, klampt_type, convert_kwargs=None, ros_type=None, **kwargs):
    """A publisher whose publish(object) converts the object first.

    klampt_type is a name of SUPPORTED_KLAMPT_TYPES, or an object; convert_kwargs go to the conversion, further
    arguments to rospy.Publisher.
    """
    if not isinstance(klampt_type, str):
        klampt_type = _klampt_type(klampt_type)
    if ros_type is None:
        if klampt_type not in SUPPORTED_KLAMPT_TYPES:
            raise ValueError(f"'{klampt_type}' has no message; there are {', '.join(SUPPORTED_KLAMPT_TYPES)}")
        ros_type = SUPPORTED_KLAMPT_TYPES[klampt_type]
    if ros_type in ("SensorMsg", "ShapeMsg"):
        raise ValueError(f"a {klampt_type} may become several messages: name one in ros_type, or use object_publisher()")
    convert, options = _converter("to", ros_type), dict(convert_kwargs or {})
    return KlamptROSPublisher(lambda obj: convert(obj, **options), topic, _message_class(ros_type), **kwargs)


def object_publisher(topic, klampt_object, convert_kwargs=None, **kwargs):
    """A publisher for objects like this one; of a camera, to several topics below this one."""
    if isinstance(klampt_object, SensorModel):
        return publisher_SensorModel(topic, klampt_object, convert_kwargs, **kwargs)
    ros_type = None
    if isinstance(klampt_object, Geometry3D):
        ros_type = {"PointCloud": "PointCloud2", "TriangleMesh": "Mesh"}.get(klampt_object.type())
        if ros_type is None:
            raise ValueError(f"ROS has no message for a geometry of type {klampt_object.type()}")
    return publisher(topic, _klampt_type(klampt_object), convert_kwargs, ros_type, **kwargs)


def subscriber(topic, klampt_type, callback, convert_kwargs=None, **kwargs):
    """A rospy.Subscriber that calls callback(object) with what messages become."""
    if klampt_type not in SUPPORTED_KLAMPT_TYPES:
        raise ValueError(f"'{klampt_type}' has no message; there are {', '.join(SUPPORTED_KLAMPT_TYPES)}")
    ros_type = SUPPORTED_KLAMPT_TYPES[klampt_type]
    convert, options = _converter("from", ros_type), dict(convert_kwargs or {})
    return rospy.Subscriber(topic, _message_class(ros_type), callback=lambda message: callback(
        convert(message, **options)), **kwargs)


def _follow(controller, state):
    """Tells a simulated robot what a JointState says."""
    q, dq, effort = state
    if q is None:
        if effort is not None:
            controller.setTorque(effort)
        return
    arguments = [q, dq if dq is not None else np.zeros(len(q)).tolist()]
    controller.setPIDCommand(*arguments, *([] if effort is None else [effort]))


def object_subscriber(topic, klampt_obj, convert_kwargs=None, **kwargs):
    """A rospy.Subscriber that updates an object whenever a message comes.

    Lists (points, rotations, configurations) are filled in place; a RobotModel gets the configuration of a JointState,
    a SimRobotController follows it; a Trajectory gets times and milestones of a JointTrajectory.
    """
    options = dict(convert_kwargs or {})
    kind = _klampt_type(klampt_obj)
    if kind == "RobotModel":
        options.setdefault("robot", klampt_obj)

        def update(state):
            if state[0] is not None:
                klampt_obj.setConfig(state[0])
    elif kind == "SimRobotController":
        options.setdefault("robot", klampt_obj.model())

        def update(state):
            _follow(klampt_obj, state)
    elif kind in ("Trajectory", "RobotTrajectory"):
        def update(motion):
            klampt_obj.times, klampt_obj.milestones = motion.times, motion.milestones
    elif isinstance(klampt_obj, list) and kind != "RigidTransform":
        def update(values):
            if len(values) != len(klampt_obj):
                raise ValueError(f"the list has {len(klampt_obj)} numbers, the message {len(values)}")
            klampt_obj[:] = values
    else:
        raise ValueError(f"an object of type {kind} cannot be updated; use subscriber()")
    return subscriber(topic, kind, update, options, **kwargs)
