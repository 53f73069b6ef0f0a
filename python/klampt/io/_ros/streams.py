"""Geometries that follow clouds on topics of ROS: Klamp't's streams."""

import threading
import time

from ...robotsim import Geometry3D
from .rospy_module import rospy
from .shapes import from_PointCloud2

from sensor_msgs.msg import PointCloud2  # isort: skip

_TYPES = ("", "PointCloud", "PointCloud2")


class _Stream:
    """A topic, the geometries that follow it, and its newest message; older ones are not kept."""

    def __init__(self, topic):
        self.geometries = []
        self._came = threading.Event()
        self._lock = threading.Lock()
        self._newest = None
        self._subscriber = rospy.Subscriber(topic, PointCloud2, self._keep, queue_size=1)

    def _keep(self, message):  # On a thread of rospy.
        with self._lock:
            self._newest = message
        self._came.set()

    def wait(self, timeout):
        return self._came.wait(timeout)

    def process(self):
        """Gives the newest message to the geometries; False where there is none."""
        with self._lock:
            message, self._newest = self._newest, None
            self._came.clear()
        if message is None:
            return False
        try:
            cloud = from_PointCloud2(message)
        except ValueError as error:
            rospy.logwarn_once(f"a cloud is left out: {error}")
            return False
        for geometry in self.geometries:
            geometry.setPointCloud(cloud)
        return True

    def end(self):
        self._subscriber.unregister()


_streams: dict[str, _Stream] = {}


def _start_node():
    """Makes this program a node, if it is none. Raises RuntimeError where no master answers."""
    if rospy.core.is_initialized():
        return
    import rosgraph
    if not rosgraph.is_master_online():
        raise RuntimeError(f"no ROS master answers at {rosgraph.get_master_uri()}: start one with `roscore`, or say "
                           "where it is (ROS_MASTER_URI)")
    rospy.init_node("klampt", anonymous=True, disable_signals=True)


def topic_of(name):
    """The topic of a stream: '/' before it where there is none."""
    return "/" + name.lstrip("/")


def split_address(address):
    """(topic, type) of 'ros://TOPIC' and 'ros:PointCloud2//TOPIC'."""
    kind, slashes, name = address[len("ros:"):].partition("//")
    if not slashes or not name.strip("/"):
        raise RuntimeError(f"'{address}' names no topic: write ros://TOPIC or ros:PointCloud2//TOPIC")
    return topic_of(name), kind


def subscribe(geometry, name, kind=""):
    """Lets a geometry follow the clouds of a topic; process() refreshes it."""
    if kind not in _TYPES:
        raise RuntimeError(f"streams of ROS are of the type PointCloud2, not '{kind}'")
    if not isinstance(geometry, Geometry3D):
        raise TypeError(f"a Geometry3D follows a stream, not a {type(geometry).__name__}")
    _start_node()
    topic = topic_of(name)
    for other in _streams.values():  # It follows one topic at a time.
        other.geometries[:] = [g for g in other.geometries if g is not geometry]
    if topic not in _streams:
        _streams[topic] = _Stream(topic)
    _streams[topic].geometries.append(geometry)
    return True


def detach(name):
    """Ends a stream; False where there is none of this name."""
    stream = _streams.pop(topic_of(name), None)
    if stream is not None:
        stream.end()
    return stream is not None


def process():
    """Refreshes what follows topics on which something came; True when something did."""
    return any([stream.process() for stream in list(_streams.values())])


def wait(name, timeout):
    """Waits until something came on a topic that process() has not seen; False when nothing does in time."""
    stream = _streams.get(topic_of(name))
    if stream is None:
        return False
    end = time.monotonic() + timeout
    while not stream.wait(min(0.1, max(0.0, end - time.monotonic()))):
        if time.monotonic() >= end or rospy.is_shutdown():
            return False
    return True
