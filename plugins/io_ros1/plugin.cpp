#include "mortise/plugin/plugin.h"

#include "documentation.h"
#include "ros/recording/broadcast_recorder.h"
#include "ros/relay/relay_controller.h"
#include "ros1_settings.h"

namespace mortise::io_ros1 {

namespace {

class Ros1Relay final : public ros::RelayController {
 public:
  explicit Ros1Relay(const ComponentContext& context)
      : Ros1Relay(context, settingsFrom<Ros1RelaySettings>(context.settings)) {}

 private:
  Ros1Relay(const ComponentContext& context, const Ros1RelaySettings& settings)
      : RelayController(context, settings.relay, settings.action,
                        [carrier = settings.carrier] { return openRos1(carrier); }) {
    checkSettings(settings, context.settings);
  }
};

class Ros1Recorder final : public ros::BroadcastRecorder {
 public:
  explicit Ros1Recorder(const ComponentContext& context)
      : Ros1Recorder(context, settingsFrom<Ros1RecorderSettings>(context.settings)) {}

 private:
  Ros1Recorder(const ComponentContext& context, const Ros1RecorderSettings& settings)
      : BroadcastRecorder(context.host, settings.broadcast,
                          [carrier = settings.carrier](const RecorderSetup&) { return openRos1(carrier); }) {
    checkSettings(settings, context.settings);
  }
};

}  // namespace

}  // namespace mortise::io_ros1

MORTISE_PLUGIN("mortise_io_ros1", "0.1.0") {
  using namespace mortise::io_ros1;
  plugin.controller<Ros1Relay>("mortise.Ros1Relay")
      .alias("ros1_relay")
      .summary(
          "Does what trajectories on a topic of ROS 1 and goals of an action say, and publishes the joints' states and "
          "the "
          "clock.")
      .documentation(documentation::ros1_relay)
      .settings<Ros1RelaySettings>();
  plugin.recorder<Ros1Recorder>("mortise.Ros1Recorder")
      .alias("ros1")
      .summary("Broadcasts a run on topics of ROS 1: joints, commands, sensors, frames, the clock.")
      .documentation(documentation::ros1_recorder)
      .attribute("records", "messages of ROS 1")
      .settings<Ros1RecorderSettings>();
}
