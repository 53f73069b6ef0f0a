#include "mortise/pipeline/stages/mechanics_stages.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/contact_file.h"
#include "mortise/mechanics/torque_report.h"
#include "mortise/mechanics/world_touch.h"
#include "mortise/pipeline/context/plan_context.h"
#include "mortise/planning/settings/plan_parsing.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// A robot at a configuration, with its contacts.
struct PosedRobot {
  int index = 0;
  const WorldRobot* robot = nullptr;
  VectorXd q;
  std::vector<LinkContact> contacts;
};

SourcePosition placeOf(const PosedRobotSettings& settings) {
  return settings.config.position().known() ? settings.config.position() : settings.robot.position();
}

VectorXd numbersOf(StageContext& context, const Robot& robot, const Value& given, const VectorXd& otherwise,
                   ConfigurationReader::Quantity quantity, Diagnostics& diagnostics) {
  if (given.isNull()) return otherwise;
  return ConfigurationReader(robot, quantity).read(given, otherwise, [&](const std::string& name) {
    if (const Trajectory* saved = context.findTrajectory(name)) return ConfigurationFile{saved->configurations, true};
    return readConfigurationFile(context.loader(), name, context.pipeline().string("file", ""), diagnostics);
  });
}

PosedRobot posedRobot(StageContext& context, const PosedRobotSettings& settings, Diagnostics& diagnostics) {
  PosedRobot posed;
  posed.index = stageRobot(context.world(), settings.robot, placeOf(settings));
  posed.robot = &context.world().robots[static_cast<std::size_t>(posed.index)];
  const RobotPtr& robot = posed.robot->robot;
  posed.q =
      numbersOf(context, *robot, settings.config, posed.robot->q, ConfigurationReader::Quantity::position, diagnostics);
  const ContactSourceSettings& source = settings.source;
  if (source.inFile(placeOf(settings))) {
    RobotDynamics dynamics(robot);
    dynamics.setPosition(posed.q);
    posed.contacts =
        source.read(context.loader(), dynamics, diagnostics, context.pipeline().string("file", "")).contacts;
  } else {
    posed.contacts = RobotInWorld(worldOf(context), posed.index, source.inWorld()).contacts(posed.q);
  }
  return posed;
}

/// Checks what can be found wrong before the run; a configuration that an earlier stage will save is not there yet.
void checkPosed(StageContext& context, const PosedRobotSettings& settings, Diagnostics& diagnostics) {
  try {
    (void)stageRobot(context.world(), settings.robot, placeOf(settings));
    const Value& config = settings.config;
    if (config.isString() &&
        requireResultOrFile(context, splitIndex(config.asString()).first, ResultKind::motion, config.position()))
      return;
    (void)posedRobot(context, settings, diagnostics);
  } catch (const Error& error) {
    diagnostics.error(error);
  }
}

}  // namespace

void PosedRobotSettings::bind(SettingBinder& b) {
  b.add("robot", robot, "Name or id of the robot; may be left out where the world has one.");
  b.add("config", config,
        "Its configuration: [0, 90 deg], {elbow: 90 deg}, a .config file, or the end of a saved motion; by default "
        "that of the world.",
        {.aliases = {"q"}});
  source.bind(b);
  b.add("save", save, "Name of the result; by default the stage's.");
}

void TorquesStageSettings::bind(SettingBinder& b) {
  posed.bind(b);
  b.add("dq", dq, "Velocities, written like `config`; by default the robot rests.");
  b.add("ddq", ddq, "Accelerations, written alike.");
  b.add("within_limits", withinLimits,
        "Whether the stage fails where torques exceed their limits, or nothing balances.");
  ContactTorqueSettings::bind(b);
}

TorquesStage::TorquesStage(const ComponentContext& context)
    : settings_(context.settings), resultName_(settings_->posed.save.value_or(std::string(context.host.name()))) {}

void TorquesStage::declare(PluginBuilder& plugin) {
  plugin.stage<TorquesStage>("mortise.Torques")
      .alias("torques")
      .summary("Computes joint torques of a robot on its contacts, with the best contact forces.")
      .settings<TorquesStageSettings>()
      .saves({ResultKind::report});
}

void TorquesStage::check(StageContext& context, Diagnostics& diagnostics) {
  checkPosed(context, settings_->posed, diagnostics);
}

void TorquesStage::run(StageContext& context) {
  Diagnostics diagnostics;
  const PosedRobot posed = posedRobot(context, settings_->posed, diagnostics);
  const RobotPtr& robot = posed.robot->robot;
  const VectorXd zero = VectorXd::Zero(robot->numLinks());
  const VectorXd dq =
      numbersOf(context, *robot, settings_->dq, zero, ConfigurationReader::Quantity::velocity, diagnostics);
  const VectorXd ddq =
      numbersOf(context, *robot, settings_->ddq, zero, ConfigurationReader::Quantity::acceleration, diagnostics);
  diagnostics.throwIfErrors();
  RobotDynamics dynamics(robot);
  dynamics.setState(posed.q, dq);
  std::vector<ContactPoint> points;
  for (const LinkContact& contact : posed.contacts) points.push_back(contact.point);
  const ContactTorqueOptions options = settings_->options(*robot, points);
  VectorXd bias(robot->numLinks());
  dynamics.inverseDynamics(ddq, settings_->gravity.vector_W(), bias);
  const ContactTorques torques = solveContactTorques(dynamics, posed.contacts, bias, options);
  Value report = Value::map();
  report.set("stage", "torques");
  report.set("robot", posed.robot->name);
  report.set("contacts", static_cast<std::int64_t>(posed.contacts.size()));
  const Value value = torqueValue(*robot, torques, options.limits);
  for (const Value::Entry& entry : value.entries()) report.entries().push_back(entry);
  context.saveResult(resultName_, std::move(report));
  if (!settings_->withinLimits) return;
  if (!torques.balanced)
    throw Error("no forces at the " + std::to_string(posed.contacts.size()) + " contacts of robot '" +
                    posed.robot->name + "' bear it",
                placeOf(settings_->posed), "give it other contacts, or more friction");
  if (!torques.withinLimits)
    throw Error("joint '" + robot->link(torques.largestLink).name + "' of robot '" + posed.robot->name + "' needs " +
                    formatReal(100 * torques.largestUtilization, 4) + " % of its limit of torque",
                placeOf(settings_->posed), "'torques' and 'limits' of the result list all joints");
}

void GraspStageSettings::bind(SettingBinder& b) {
  posed.bind(b);
  b.add("object", object, "Name or id of the rigid object that is held; its mass and center of mass count.");
  b.add("min_quality", minQuality, "The stage fails below this quality; 0: it never does.",
        {.min = 0, .formerly = {"least_quality"}});
  GraspSettings::bind(b);
}

GraspStage::GraspStage(const ComponentContext& context)
    : settings_(context.settings), resultName_(settings_->posed.save.value_or(std::string(context.host.name()))) {}

void GraspStage::declare(PluginBuilder& plugin) {
  plugin.stage<GraspStage>("mortise.Grasp")
      .alias("grasp")
      .summary("Computes how well contacts hold an object: force closure and quality.")
      .settings<GraspStageSettings>()
      .saves({ResultKind::report});
}

std::optional<GraspedObject> GraspStage::object(const World& world) const {
  const Value& named = settings_->object;
  if (named.isNull()) return settings_->GraspSettings::object(std::nullopt);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < world.objects.size(); ++i) {
    const RigidObject& object = world.objects[i];
    names.push_back(object.name);
    const bool byId = named.isInteger() && named.asInteger() == world.objectId(static_cast<int>(i));
    if (byId || (named.isString() && object.name == named.asString()))
      return settings_->GraspSettings::object(GraspedObject{object.inertia.mass, object.X_WO * object.inertia.com});
  }
  throw Error("the world has no rigid object '" + named.text() + "'", named.position(),
              names.empty() ? "give its 'mass'" : didYouMean(named.text(), names) + " " + listNames(names));
}

void GraspStage::check(StageContext& context, Diagnostics& diagnostics) {
  checkPosed(context, settings_->posed, diagnostics);
  try {
    (void)object(context.world());
  } catch (const Error& error) {
    diagnostics.error(error);
  }
}

void GraspStage::run(StageContext& context) {
  Diagnostics diagnostics;
  const PosedRobot posed = posedRobot(context, settings_->posed, diagnostics);
  diagnostics.throwIfErrors();
  RobotDynamics dynamics(posed.robot->robot);
  dynamics.setPosition(posed.q);
  const GraspReport grasp = graspReport(dynamics, posed.contacts, *settings_, object(context.world()));
  Value report = Value::map();
  report.set("stage", "grasp");
  report.set("robot", posed.robot->name);
  report.set("contacts", static_cast<std::int64_t>(posed.contacts.size()));
  const Value value = graspValue(grasp);
  for (const Value::Entry& entry : value.entries()) report.entries().push_back(entry);
  context.saveResult(resultName_, std::move(report));
  if (grasp.quality.quality < settings_->minQuality)
    throw Error("the grasp has a quality of " + formatReal(grasp.quality.quality, 4) + ", not " +
                    formatReal(settings_->minQuality, 4),
                settings_.position("min_quality"),
                "'weakest' of the result is the disturbance that is hardest to resist");
}

}  // namespace mortise
