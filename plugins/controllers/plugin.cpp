#include "mortise/plugin/plugin.h"

#include "composite/multi_part_controller.h"
#include "composite/state_machine_controller.h"
#include "composite/timed_sequence_controller.h"
#include "documentation.h"
#include "logging/logging_controller.h"
#include "operational_space/operational_space_controller.h"
#include "real_time/real_time_planning_controller.h"
#include "tabulated/tabulated_controller.h"
#include "tracking/joint_tracking_controller.h"
#include "tracking/polynomial_path_controller.h"

namespace mortise::controllers {

namespace {

/// Gravity compensation that is on unless joint 0 floats.
constexpr std::optional<bool> kAutomatic;

using Names = std::vector<std::string>;

/// With those of all tracking controllers.
Names withForces(Names names) {
  names.insert(names.end(), {"add_ext_force", "zero_ext_forces"});
  return names;
}

void declareJointTracking(PluginBuilder& plugin) {
  std::string text = documentation::joint_tracking_controller;
  text += documentation::feedforward;
  TrackingController::declare(
      plugin.controller<JointTrackingController>("mortise.JointTrackingController")
          .alias("JointTrackingController")
          .summary("Holds the start configuration, or what `set_q` says, with the drivers' servos.")
          .documentation(text)
          .attribute("try_commands", withForces({"set_q"}))
          .attribute("timeless_commands", Names{"set_q"}),
      false);
  TrackingController::declare(plugin.controller<JointTrackingController>("mortise.FeedforwardJointTrackingController")
                                  .alias("FeedforwardJointTrackingController")
                                  .summary("JointTrackingController with gravity compensation on.")
                                  .documentation(text)
                                  .attribute("try_commands", withForces({"set_q"}))
                                  .attribute("timeless_commands", Names{"set_q"}),
                              kAutomatic);
}

void declarePolynomialPath(PluginBuilder& plugin) {
  std::string text = documentation::polynomial_path_controller;
  text += documentation::feedforward;
  TrackingController::declare(
      plugin.controller<PolynomialPathController>("mortise.PolynomialPathController")
          .alias("PolynomialPathController")
          .alias("MilestonePathController")
          .summary("Follows a queue of motions: timed paths, and the fastest that the robot's limits allow.")
          .documentation(text)
          .attribute("try_commands", withForces(PolynomialPathController::commandNames()))
          .attribute("timeless_commands", PolynomialPathController::timelessNames())
          .settings<PathSettings>(),
      false);
  TrackingController::declare(
      plugin.controller<PolynomialPathController>("mortise.FeedforwardPolynomialPathController")
          .alias("FeedforwardPolynomialPathController")
          .alias("FeedforwardMilestonePathController")
          .alias("PathFollowingController")
          .summary("PolynomialPathController with gravity compensation on: what a robot without controller gets.")
          .documentation(text)
          .role(role::kDefaultController)
          .role(role::kMotionFollower, "PathFollowingController")
          .attribute("try_commands", withForces(PolynomialPathController::commandNames()))
          .attribute("timeless_commands", PolynomialPathController::timelessNames())
          .settings<PathSettings>(),
      kAutomatic);
}

void declareRealTimePlanning(PluginBuilder& plugin) {
  std::string text = documentation::real_time_planning_controller;
  text += documentation::feedforward;
  TrackingController::declare(
      plugin.controller<RealTimePlanningController>("mortise.RealTimePlanningController")
          .alias("RealTimePlanningController")
          .summary("Goes to targets around what is in the way, and plans the next motion while it executes one.")
          .documentation(text)
          .attribute("try_commands", withForces({"set_q", "set_joint", "stop"}))
          .settings<RealTimePlanningSettings>(),
      kAutomatic);
}

/// Describes the controllers inside another one to checks: the setting that lists them, how they are numbered, and the
/// keys that are not settings of theirs.
template <typename Entry>
Value childrenIn(const char* list, const char* name) {
  Value children = Value::map();
  children.set("list", list);
  children.set("name", name);
  children.set("own", keysOfParent<Entry>());
  return children;
}

void declareComposites(PluginBuilder& plugin) {
  plugin.controller<MultiPartController>("mortise.MultiPartController")
      .alias("MultiPartController")
      .alias("PartsController")
      .summary("Different controllers on different drivers of one robot.")
      .documentation(documentation::multi_part_controller)
      .attribute("estimator", "IntegratedStateEstimator")
      .attribute("children", childrenIn<PartEntry>("parts", "part"))
      .settings<PartsSettings>();
  plugin.controller<StateMachineController>("mortise.StateMachineController")
      .alias("StateMachineController")
      .summary("One controller per state; goes from state to state by sensors, time and command.")
      .documentation(documentation::state_machine_controller)
      .attribute("estimator", "IntegratedStateEstimator")
      .attribute("children", childrenIn<EnteredEntry>("states", "state"))
      .settings<StateMachineSettings>();
  plugin.controller<TimedSequenceController>("mortise.TimedSequenceController")
      .alias("TimedSequenceController")
      .summary("Controllers one after the other, each for its duration.")
      .documentation(documentation::timed_sequence_controller)
      .attribute("estimator", "IntegratedStateEstimator")
      .attribute("children", childrenIn<StepEntry>("steps", "step"))
      .settings<SequenceSettings>();
}

}  // namespace

}  // namespace mortise::controllers

MORTISE_PLUGIN("mortise_controllers", "0.1.0") {
  using namespace mortise::controllers;
  declareJointTracking(plugin);
  declarePolynomialPath(plugin);
  declareRealTimePlanning(plugin);
  plugin.controller<LoggingController>("mortise.LoggingController")
      .alias("LoggingController")
      .summary("Records the commands of another controller, or replays them.")
      .role(mortise::role::kCommandPlayer)
      .documentation(documentation::logging_controller)
      .attribute("outputs", Names{"file"})
      .attribute("estimator", "IntegratedStateEstimator")
      .settings<LoggingSettings>();
  plugin.controller<OperationalSpaceController>("mortise.OperationalSpaceController")
      .alias("OperationalSpaceController")
      .summary(
          "Torques for joint, link, center-of-mass and torque tasks in strict order of priority, within torque limits; "
          "also for robots that stand on their links.")
      .documentation(documentation::operational_space_controller)
      .attribute("estimator", "IntegratedStateEstimator")
      .attribute("try_commands", Names{"set_target", "set_gains", "enable", "disable"})
      .settings<OperationalSpaceSettings>();
  plugin.controller<TabulatedController>("mortise.TabulatedController")
      .alias("TabulatedController")
      .summary("Torques from a table by positions and velocities, as `mortise Cartpole` finds it.")
      .role(mortise::role::kTablePolicy)
      .documentation(documentation::tabulated_controller)
      .attribute("estimator", "IntegratedStateEstimator")
      .attribute("try_commands", Names{})
      .settings<TabulatedSettings>();
  declareComposites(plugin);
}
