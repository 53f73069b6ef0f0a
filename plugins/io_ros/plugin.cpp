#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "mortise/base/error.h"
#include "ros/relay/relay_controller.h"

namespace mortise::io_ros {

namespace {

class RosReplay final : public ros::RelayController {
 public:
  explicit RosReplay(const ComponentContext& context)
      : RosReplay(context, settingsFrom<ros::ReplaySettings>(context.settings)) {}

 private:
  RosReplay(const ComponentContext& context, const ros::ReplaySettings& settings)
      : RelayController(context, settings.relay, settings.action, nullptr) {
    if (settings.relay.replay.empty())
      throw Error("ros_replay has no log to repeat", context.settings.position(),
                  "name one that a relay wrote: replay: ros_messages.log");
  }
};

}  // namespace

}  // namespace mortise::io_ros

MORTISE_PLUGIN("mortise_io_ros", "0.1.0") {
  using namespace mortise::io_ros;
  plugin.controller<RosReplay>("mortise.RosReplay")
      .alias("ros_replay")
      .summary("Repeats what came from ROS in an earlier run, from a relay's log, without ROS.")
      .documentation(documentation::ros_replay)
      .settings<mortise::ros::ReplaySettings>();
}
