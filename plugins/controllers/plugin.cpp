#include "mortise/plugin/plugin.h"

#include "composite_controllers.h"
#include "joint_tracking.h"
#include "path_following.h"

namespace {

using mortise::ComponentBuilder;

void gravityParameters(ComponentBuilder component, bool enabled) {
  component
      .parameter("enableGravityCompensation", enabled,
                 "Add the torques that hold the robot against gravity at the sensed configuration. Has no effect on "
                 "robots with a "
                 "floating base.")
      .parameter("gravity", mortise::ParameterType::realList,
                 "Gravity to compensate, world frame; when absent, the world's.", {.unit = "m/s^2", .size = 3});
}

}  // namespace

MORTISE_PLUGIN("mortise_controllers", "0.1.0") {
  gravityParameters(
      plugin.controller<mortise::JointTrackingController>("mortise.JointTrackingController")
          .alias("JointTrackingController")
          .summary("Holds the start configuration, or tracks what `set_q` says, with the drivers' servo gains."),
      false);
  gravityParameters(
      plugin.controller<mortise::JointTrackingController>("mortise.FeedforwardJointTrackingController")
          .alias("FeedforwardJointTrackingController")
          .summary("JointTrackingController with gravity compensation on: what a robot without controller gets."),
      true);
  gravityParameters(
      plugin.controller<mortise::PathFollowingController>("mortise.PathFollowingController")
          .alias("PathFollowingController")
          .summary("Follows a timed path and holds its end.")
          .parameter("path", "", "Motion file (`.path`), times in seconds; empty: wait for `set_path`.")
          .parameter("ramp", true,
                     "When the path starts later than time 0, move there from the start configuration instead of "
                     "jumping."),
      true);
  mortise::declareCompositeControllers(plugin);
}
