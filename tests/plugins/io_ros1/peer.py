"""A program of ROS 1 at the other end of a relay: sends the robot a trajectory and reads what it publishes.

Prints a line of JSON with what it saw. Arguments: the robot, its joints' targets.
"""

import json
import sys
import time

import rospy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

PATIENCE = 60  # s


def main():
    robot, targets = sys.argv[1], [float(text) for text in sys.argv[2:]]
    rospy.init_node("peer", disable_signals=True)
    seen = {"states": 0, "clocks": 0, "frames": set(), "backwards": 0}
    last = {}

    def on_state(message):
        seen["states"] += 1
        last["state"] = message

    def on_clock(message):
        if "clock" in last and message.clock < last["clock"]:
            seen["backwards"] += 1
        seen["clocks"] += 1
        last["clock"] = message.clock

    def on_frames(message):
        for transform in message.transforms:
            seen["frames"].add((transform.header.frame_id, transform.child_frame_id))

    keep = [
        rospy.Subscriber(f"/{robot}/joint_states", JointState, on_state),
        rospy.Subscriber("/clock", Clock, on_clock),
        rospy.Subscriber("/tf", TFMessage, on_frames),
    ]
    publisher = rospy.Publisher(f"/{robot}/joint_trajectory", JointTrajectory, queue_size=1)
    end = time.monotonic() + PATIENCE

    def wait(is_so):
        while not is_so() and time.monotonic() < end:
            time.sleep(0.01)
        return is_so()

    ready = wait(lambda: "state" in last and "clock" in last and publisher.get_num_connections() > 0 and seen["frames"])
    result = {"ready": bool(ready), "reached": False}
    if ready:
        message = JointTrajectory(joint_names=list(last["state"].name)[: len(targets)] + ["nobody"])
        message.header.stamp = last["clock"] + rospy.Duration(0.2)
        message.points = [
            JointTrajectoryPoint(
                positions=[*targets, 0.0], velocities=[0.0] * (len(targets) + 1), time_from_start=rospy.Duration(1.0)
            )
        ]
        publisher.publish(message)

        def near():
            return all(abs(q - target) < 0.03 for q, target in zip(last["state"].position, targets))

        result["reached"] = wait(near)
        result["took"] = (last["state"].header.stamp - message.header.stamp).to_sec()
        result["names"] = list(last["state"].name)
        result["velocities"] = len(last["state"].velocity)
    for subscriber in keep:
        subscriber.unregister()
    seen["frames"] = sorted(seen["frames"])
    print(json.dumps({**result, **seen}))
    rospy.signal_shutdown("done")


main()
