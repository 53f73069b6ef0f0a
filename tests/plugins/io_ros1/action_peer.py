"""A client of actionlib at the other end of a relay's action: goals that succeed, are replaced, canceled, aborted and rejected.

Prints a line of JSON: of each goal the status and the error code. Arguments: the action, joints of the robot.
Debian has no package of control_msgs, so its definitions stand here as ROS has them.
"""

import json
import sys
import time

import actionlib
import genpy.dynamic
import rospy
from actionlib_msgs.msg import GoalStatus

PATIENCE = 60  # s
BAR = "\n" + "=" * 80 + "\n"
POINT = "float64[] positions\nfloat64[] velocities\nfloat64[] accelerations\nfloat64[] effort\nduration time_from_start\n"
STATUS = (
    "GoalID goal_id\nuint8 status\n"
    "uint8 PENDING         = 0\nuint8 ACTIVE          = 1\nuint8 PREEMPTED       = 2\nuint8 SUCCEEDED       = 3\n"
    "uint8 ABORTED         = 4\nuint8 REJECTED        = 5\nuint8 PREEMPTING      = 6\nuint8 RECALLING       = 7\n"
    "uint8 RECALLED        = 8\nuint8 LOST            = 9\nstring text\n"
)
PARTS = {
    "control_msgs/FollowJointTrajectoryActionGoal": ("Header header\nactionlib_msgs/GoalID goal_id\nFollowJointTrajectoryGoal goal\n"),
    "control_msgs/FollowJointTrajectoryActionResult": ("Header header\nactionlib_msgs/GoalStatus status\nFollowJointTrajectoryResult result\n"),
    "control_msgs/FollowJointTrajectoryActionFeedback": ("Header header\nactionlib_msgs/GoalStatus status\nFollowJointTrajectoryFeedback feedback\n"),
    "control_msgs/FollowJointTrajectoryGoal": (
        "trajectory_msgs/JointTrajectory trajectory\nJointTolerance[] path_tolerance\nJointTolerance[] goal_tolerance\nduration goal_time_tolerance\n"
    ),
    "control_msgs/FollowJointTrajectoryResult": (
        "int32 error_code\nint32 SUCCESSFUL = 0\nint32 INVALID_GOAL = -1\nint32 INVALID_JOINTS = -2\n"
        "int32 OLD_HEADER_TIMESTAMP = -3\nint32 PATH_TOLERANCE_VIOLATED = -4\n"
        "int32 GOAL_TOLERANCE_VIOLATED = -5\nstring error_string\n"
    ),
    "control_msgs/FollowJointTrajectoryFeedback": (
        "Header header\nstring[] joint_names\ntrajectory_msgs/JointTrajectoryPoint desired\n"
        "trajectory_msgs/JointTrajectoryPoint actual\ntrajectory_msgs/JointTrajectoryPoint error\n"
    ),
    "control_msgs/JointTolerance": "string name\nfloat64 position\nfloat64 velocity\nfloat64 acceleration\n",
    "trajectory_msgs/JointTrajectory": "Header header\nstring[] joint_names\nJointTrajectoryPoint[] points\n",
    "trajectory_msgs/JointTrajectoryPoint": POINT,
    "actionlib_msgs/GoalID": "time stamp\nstring id\n",
    "actionlib_msgs/GoalStatus": STATUS,
    "std_msgs/Header": "uint32 seq\ntime stamp\nstring frame_id\n",
}
ACTION = (
    "FollowJointTrajectoryActionGoal action_goal\nFollowJointTrajectoryActionResult action_result\n"
    "FollowJointTrajectoryActionFeedback action_feedback\n"
)
TYPES = genpy.dynamic.generate_dynamic(
    "control_msgs/FollowJointTrajectoryAction",
    ACTION + "".join(f"{BAR}MSG: {name}\n{text}" for name, text in PARTS.items()),
)


def goal_to(joints, positions, seconds, path_tolerance=0.0):
    goal = TYPES["control_msgs/FollowJointTrajectoryGoal"]()
    goal.trajectory.joint_names = list(joints)
    point = TYPES["trajectory_msgs/JointTrajectoryPoint"]()
    point.positions = list(positions)
    point.time_from_start = rospy.Duration(seconds)
    goal.trajectory.points = [point]
    for name in joints if path_tolerance else []:
        tolerance = TYPES["control_msgs/JointTolerance"]()
        tolerance.name, tolerance.position = name, path_tolerance
        goal.path_tolerance.append(tolerance)
    return goal


def main():
    action, joints = sys.argv[1], sys.argv[2:]
    rospy.init_node("client", disable_signals=True)
    client = actionlib.ActionClient(action, TYPES["control_msgs/FollowJointTrajectoryAction"])
    end = time.monotonic() + PATIENCE
    feedback = []

    def wait(is_so):
        while not is_so() and time.monotonic() < end:
            time.sleep(0.01)
        return is_so()

    def send(*arguments, **keywords):
        return client.send_goal(goal_to(*arguments, **keywords), feedback_cb=lambda _, message: feedback.append(message.error.positions))

    def ended(goal):
        if not wait(lambda: goal.get_comm_state() == actionlib.CommState.DONE):
            return ["not ended", goal.get_comm_state()]
        result = goal.get_result()
        return [GoalStatus.to_string(goal.get_terminal_state()), result.error_code if result else None]

    def active(goal):
        return wait(lambda: goal.get_comm_state() == actionlib.CommState.ACTIVE)

    out = {"server": bool(client.wait_for_server(rospy.Duration(PATIENCE)))}
    if out["server"]:
        rest = [0.0] * len(joints)
        out["reached"] = ended(send(joints, [0.3] * len(joints), 0.5))
        out["feedback"] = len(feedback)
        replaced = send(joints, rest, 500.0)
        out["active"] = active(replaced)
        canceled = send(joints, rest, 500.0)
        out["replaced"] = ended(replaced)
        active(canceled)
        canceled.cancel()
        out["canceled"] = ended(canceled)
        out["aborted"] = ended(send(joints, [-2.0] * len(joints), 0.02, path_tolerance=0.05))
        out["rejected"] = ended(send(["wing"], [0.0], 1.0))
    print(json.dumps(out))
    rospy.signal_shutdown("done")


main()
