#include "ros/relay/relay_settings.h"

namespace mortise::ros {

void RelaySettings::bind(SettingBinder& b) {
  b.add("trajectory_topic", trajectoryTopic, "Where trajectories come from. When absent: /ROBOT/joint_trajectory.",
        {.aliases = {"trajectoryTopic"}});
  b.add("state_topic", stateTopic, "Where the joints' states go to. When absent: /ROBOT/joint_states.",
        {.aliases = {"stateTopic"}});
  b.add("clock_topic", clockTopic, "Where the time of the simulation goes to.", {.aliases = {"clockTopic"}});
  b.add("clock", clock, "Publish the time; one relay or recorder of a run should.");
  b.choice("naming", naming, {{"klampt", Naming::klampt}, {"ros_control", Naming::rosControl}},
           "What joints are called in joint_states: klampt: every link by its name; ros_control: joints that move, by "
           "the names of their joints. Trajectories may use either.");
  b.add("state_rate", stateRate, "Messages of joint_states and clock a simulated second; 0: one every update.",
        {.min = 0, .max = 1e6, .unit = "Hz", .aliases = {"stateRate"}});
  b.add("ignore_stamps", ignoreStamps, "Start trajectories when they come, whatever their stamps say.",
        {.aliases = {"ignoreStamps"}});
  b.add("max_lead", maxLead, "A trajectory that starts later than this from now is refused.",
        {.min = 0, .max = 1e9, .unit = "s", .aliases = {"maxLead"}});
  b.add("max_delay", maxDelay, "A trajectory that ended longer ago than this is refused.",
        {.min = 0, .max = 1e9, .unit = "s", .aliases = {"maxDelay"}});
  b.add("required", required, "That ROS cannot be reached is an error; else a warning, and the robot rests.");
  b.add("log", log,
        "File of all messages that came, with their ticks, for `replay`. When absent: ros_messages.log in the run's "
        "folder, and none where there is no such folder. Numbered when there is such a file already.");
  b.add("replay", replay, "Log to repeat; no ROS is needed then, and nothing is published.");
}

}  // namespace mortise::ros
