"""ROS's own Python, or an error that says how to get it."""

try:
    import rospy
    import sensor_msgs.msg
    import trajectory_msgs.msg  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"this module needs rospy and ROS's messages, and {error.name or error} was not found: install "
        "python3-rospy, python3-sensor-msgs and python3-trajectory-msgs, and use the Python that they belong to "
        "(Debian's /usr/bin/python3)", name=error.name) from error

__all__ = ["rospy", "stamp_of"]


def stamp_of(stamp):
    """A time of ROS: "now", seconds, or one already."""
    if isinstance(stamp, str):
        if stamp != "now":
            raise ValueError(f"a stamp is 'now', seconds or a rospy.Time, not {stamp!r}")
        return rospy.Time.now()
    return rospy.Time.from_sec(stamp) if isinstance(stamp, (int, float)) else stamp
