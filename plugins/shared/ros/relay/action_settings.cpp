#include "ros/relay/action_settings.h"

namespace mortise::ros {

void ActionSettings::bind(SettingBinder& b) {
  b.add("action", action, "Serve the action control_msgs/FollowJointTrajectory (ROS 1).");
  b.add("action_topic", actionTopic,
        "Name of the action. When absent: /ROBOT/follow_joint_trajectory, and with naming: ros_control "
        "/ROBOT/joint_trajectory_controller/follow_joint_trajectory.",
        {.aliases = {"actionTopic"}});
  b.add("feedback_rate", feedbackRate, "Feedback of a goal a simulated second; 0: none.",
        {.min = 0, .max = 1e6, .unit = "Hz", .aliases = {"feedbackRate"}});
  b.add("status_rate", statusRate, "Lists of goals a simulated second, beside one at every change; 0: those alone.",
        {.min = 0, .max = 1e6, .unit = "Hz", .aliases = {"statusRate"}});
  b.add("path_tolerance", pathTolerance,
        "Farther from where it is told to be (rad or m), a joint aborts a goal that does not say itself; 0: never.",
        {.min = 0, .max = 1e9, .aliases = {"pathTolerance"}});
  b.add("goal_tolerance", goalTolerance,
        "As near (rad or m) joints must be at the end of a goal that does not say itself; 0: anywhere.",
        {.min = 0, .max = 1e9, .aliases = {"goalTolerance"}});
  b.add("stopped_velocity_tolerance", stoppedVelocityTolerance,
        "As slow (rad/s or m/s) joints must be at the end of a goal that does not say itself; 0: at any velocity.",
        {.min = 0, .max = 1e9, .aliases = {"stoppedVelocityTolerance"}});
  b.add("goal_time", goalTime,
        "How long behind its end a goal that does not say itself waits for joints to come within its tolerances.",
        {.min = 0, .max = 1e9, .unit = "s", .aliases = {"goalTime"}});
}

}  // namespace mortise::ros
