"""Controllers that do what ROS says: trajectories come on a topic, states of joints go out.

make(robot) gives the controller that follows '/ROBOT/joint_trajectory', publishes '/ROBOT/joint_states' and the time
on '/clock'. It needs rospy. Worlds and pipelines have the same without Python: the controller `ros1_relay`.
"""

from collections import deque

from ...io._ros.rospy_module import rospy  # First: it says what is missing.
from ..blocks.core import Block
from ..blocks.robotcontroller import RobotControllerBlock
from ._joint_plans import JointPlans

from rosgraph_msgs.msg import Clock  # isort: skip
from sensor_msgs.msg import JointState  # isort: skip
from trajectory_msgs.msg import JointTrajectory  # isort: skip

__all__ = ["RosRobotBlock", "RosTimeBlock", "make"]

ros_initialized = False


class RosRobotBlock(RobotControllerBlock):
    """Follows JointTrajectory messages of one topic, and publishes a JointState to another at each step.

    A trajectory starts at the simulation's time in its stamp (0: at once). Positions with velocities are followed by
    cubics, positions alone linearly, velocities alone as velocities; efforts are fed forward. A message may name some
    joints; the others go on. Names that the robot does not have are left out.
    """

    def __init__(self, joint_trajectory_sub_topic, joint_state_pub_topic, link_list):
        RobotControllerBlock.__init__(self)
        self.state = JointState(name=list(link_list))
        self.nameToIndex = {name: i for i, name in enumerate(self.state.name)}
        self.plans = JointPlans(len(self.state.name))
        self.jointTrajectoryRosMsgQueue = deque(maxlen=1000)
        self.pub = rospy.Publisher(joint_state_pub_topic, JointState, queue_size=10)
        self.sub = rospy.Subscriber(joint_trajectory_sub_topic, JointTrajectory, self.jointTrajectoryCallback)

    def jointTrajectoryCallback(self, msg):
        """Keeps a message for the next step; called on a thread of rospy."""
        self.jointTrajectoryRosMsgQueue.append(msg)

    def set_index(self, name, index):
        """Lets messages call a link by another name."""
        self.nameToIndex[name] = index

    def advance(self, **inputs):
        """Commands of this step: none until there is a trajectory."""
        start = inputs.get("qcmd")
        start = inputs.get("q") if start is None else start
        while self.jointTrajectoryRosMsgQueue:
            message = self.jointTrajectoryRosMsgQueue.popleft()
            try:
                self.plans.accept(message, self.nameToIndex, inputs["t"], start)
            except ValueError as error:
                rospy.logwarn("a trajectory is refused: %s", error)
        self._publish(inputs)
        return self.plans.commands(inputs["t"], start)

    def _publish(self, inputs):
        self.state.header.stamp = rospy.Time.from_sec(inputs["t"])
        self.state.header.seq += 1
        for field, name in (("position", "q"), ("velocity", "dq"), ("effort", "torque")):
            if inputs.get(name) is not None and len(inputs[name]) == len(self.state.name):
                setattr(self.state, field, list(inputs[name]))
        self.pub.publish(self.state)


class RosTimeBlock(Block):
    """Publishes the simulation's time."""

    def __init__(self):
        Block.__init__(self, ["t"], 0)
        self.clockpub = rospy.Publisher("/clock", Clock, queue_size=10)

    def advance(self, t):
        """Publishes t."""
        self.clockpub.publish(Clock(rospy.Time.from_sec(t)))


def make(klampt_robot_model):
    """The controller of a robot; the first of a program also starts ROS's node and publishes the time."""
    global ros_initialized
    name = klampt_robot_model.getName()
    links = [klampt_robot_model.link(i).getName() for i in range(klampt_robot_model.numLinks())]
    first = not ros_initialized
    if first:
        if not rospy.core.is_initialized():
            rospy.init_node("klampt_sim", anonymous=True, disable_signals=True)
        ros_initialized = True
    robot = RosRobotBlock(f"/{name}/joint_trajectory", f"/{name}/joint_states", links)
    if not first:
        return robot
    return _WithClock(robot)


class _WithClock(RobotControllerBlock):
    """A robot's controller and the time."""

    def __init__(self, robot):
        RobotControllerBlock.__init__(self)
        self.robot, self.time = robot, RosTimeBlock()

    def advance(self, **inputs):
        """Publishes the time and returns the robot's commands."""
        self.time.advance(inputs["t"])
        return self.robot.advance(**inputs)
