#include "tracking_controller.h"

#include <algorithm>
#include <cmath>

#include "command_arguments.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/timing/robot_limits.h"

namespace mortise {

namespace {

constexpr const char* kGravity = "enableGravityCompensation";
constexpr const char* kAcceleration = "enableFeedforwardAcceleration";
constexpr const char* kFriction = "enableFrictionCompensation";

bool isNull(const Value& settings, const char* name) {
  const Value* value = settings.find(name);
  return value == nullptr || value->isNull();
}

Feedforward feedforwardFrom(const Value& settings) {
  Feedforward feedforward;
  feedforward.gravityCompensation = isNull(settings, kGravity) || settings.at(kGravity).asBool();
  feedforward.acceleration = settings.boolean(kAcceleration, false);
  feedforward.friction = settings.boolean(kFriction, false);
  return feedforward;
}

std::optional<Vector3d> gravityFrom(const Value& settings) {
  if (isNull(settings, "gravity")) return std::nullopt;
  return vectorSetting("gravity", settings.at("gravity"));
}

bool sizesMatch(const SensorReading* reading, const VectorXd& v) {
  return reading != nullptr && static_cast<Eigen::Index>(reading->values.size()) == v.size();
}

}  // namespace

void TrackingController::declare(ComponentBuilder component, bool gravityCompensation) {
  if (gravityCompensation)
    component.parameter(kGravity, ParameterType::boolean,
                        "Add the torques that hold the robot against gravity at the sensed configuration. When absent: "
                        "on, unless joint 0 floats.");
  else
    component.parameter(kGravity, false,
                        "Add the torques that hold the robot against gravity at the sensed configuration.");
  component
      .parameter(kAcceleration, false,
                 "Add the torques of the reference's accelerations, and Coriolis forces at the sensed state.")
      .parameter(kFriction, false,
                 "Add the drivers' own friction (dryFriction, viscousFriction) at the velocities of the reference.")
      .parameter("gravity", ParameterType::realList, "Gravity to compensate, world frame; when absent, the world's.",
                 {.unit = "m/s^2", .size = 3})
      .parameter("velocityScale", 1.0, "Share of the robot's velocity limits that motions may use.",
                 {.min = 1e-6, .max = 1})
      .parameter("accelerationScale", 1.0, "Share of the robot's acceleration limits that motions may use.",
                 {.min = 1e-6, .max = 1})
      .attribute("estimator", "IntegratedStateEstimator");
}

TrackingController::TrackingController(const ComponentContext& context)
    : host_(context.host),
      automaticGravity_(isNull(context.settings, kGravity)),
      initial_(feedforwardFrom(context.settings)),
      gravity_(gravityFrom(context.settings)),
      initialVelocityScale_(context.settings.real("velocityScale", 1)),
      initialAccelerationScale_(context.settings.real("accelerationScale", 1)) {}

void TrackingController::start(const ControllerSetup& setup) {
  // Who is started again for the same robot allocates nothing.
  if (robot_ != &setup.robot) {
    robot_ = &setup.robot;
    names_ = linkNames(*robot_);
    limits_.clear();
  }
  warned_.assign(names_.size(), 0);
  setScales(initialVelocityScale_, initialAccelerationScale_);
  feedforward_.gravityCompensation = initial_.gravityCompensation;
  // A floating base takes no torque, so holding its limbs against gravity one by one would be wrong.
  const auto& joints = robot_->joints();
  if (automaticGravity_ && !joints.empty() && joints[0].type == JointType::floating)
    feedforward_.gravityCompensation = false;
  feedforward_.acceleration = initial_.acceleration;
  feedforward_.friction = initial_.friction;
  feedforward_.gravity = gravity_.value_or(setup.gravity);
  feedforward_.start(*robot_);
  q_ = qSensed_ = setup.q;
  dq_ = ddq_ = dqSensed_ = VectorXd::Zero(setup.q.size());
  begin(setup);
}

void TrackingController::setScales(double velocity, double acceleration) {
  if (!limits_.empty() && velocity == velocityScale_ && acceleration == accelerationScale_) return;
  velocityScale_ = velocity;
  accelerationScale_ = acceleration;
  limits_ = coordinateLimits(*robot_, velocity, acceleration);
}

void TrackingController::sense(const ControllerInput& input) {
  if (input.estimate != nullptr) {
    qSensed_ = input.estimate->q;
    dqSensed_ = input.estimate->dq;
    return;
  }
  const SensorReading* positions = input.byType("JointPositionSensor");
  if (sizesMatch(positions, qSensed_)) std::copy(positions->values.begin(), positions->values.end(), qSensed_.data());
  const SensorReading* velocities = input.byType("JointVelocitySensor");
  if (sizesMatch(velocities, dqSensed_))
    std::copy(velocities->values.begin(), velocities->values.end(), dqSensed_.data());
}

void TrackingController::update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) {
  sense(input);
  reference(input, q_, dq_, ddq_);
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    ActuatorCommand& command = commands[static_cast<std::size_t>(i)];
    command.mode = ActuatorCommand::Mode::pid;
    command.position = driverValue(*robot_, i, q_);
    command.velocity = driverVelocity(*robot_, i, dq_);
    command.torque = 0;
  }
  if (feedforward_.needed()) feedforward_.add(qSensed_, dqSensed_, ddq_, commands);
}

void TrackingController::warnOnce(int link, const std::string& message) {
  char& warned = warned_[static_cast<std::size_t>(link)];
  if (!warned) host_.log(LogLevel::warning, message);
  warned = 1;
}

void TrackingController::clampToLimits(std::string_view command, VectorXd& q) {
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const CoordinateLimits& c = limits_[static_cast<std::size_t>(i)];
    if (q[i] >= c.xMin && q[i] <= c.xMax) continue;
    const double limit = q[i] < c.xMin ? c.xMin : c.xMax;
    warnOnce(static_cast<int>(i), std::string(command) + ": " + formatReal(q[i]) + " is beyond the limit of '" +
                                      names_[static_cast<std::size_t>(i)] + "', " + formatReal(limit) +
                                      ", and becomes that");
    q[i] = limit;
  }
}

bool TrackingController::command(std::string_view name, const Value& arguments) {
  if (name == "zero_ext_forces") {
    requireNoArguments(name, arguments);
    feedforward_.clearForces();
    return true;
  }
  if (name != "add_ext_force") return false;
  int link = 0;
  Vector3d force, point;
  const auto three = [&](const Value& value) { return vectorSetting("add_ext_force", value); };
  if (arguments.isMap()) {
    link = linkFromSetting(*robot_, arguments.at("link"));
    force = three(arguments.at("force"));
    point = three(arguments.at("point"));
  } else if (arguments.isList() && arguments.size() == 3 && !arguments[1].isNumber()) {
    link = linkFromSetting(*robot_, arguments[0]);
    force = three(arguments[1]);
    point = three(arguments[2]);
  } else if (arguments.isList() && arguments.size() == 7 && arguments[0].isString() &&
             !Value::fromText(arguments[0].asString()).isNumber()) {
    // A link by its name, as the command line has it.
    Value rest = Value::list();
    for (std::size_t i = 1; i < 7; ++i) rest.push_back(arguments[i]);
    const std::vector<double> numbers = numbersFrom(name, rest);
    if (numbers.size() != 6) throw Error("add_ext_force takes six numbers after the link", arguments.position());
    link = linkFromSetting(*robot_, arguments[0]);
    force = Vector3d(numbers[0], numbers[1], numbers[2]);
    point = Vector3d(numbers[3], numbers[4], numbers[5]);
  } else {
    const std::vector<double> numbers = numbersFrom(name, arguments);
    if (numbers.size() != 7)
      throw Error("add_ext_force takes a link, a force and a point in the world: 7 numbers, not " +
                      std::to_string(numbers.size()),
                  arguments.position(), "a map does as well: {link: NAME, force: [x, y, z], point: [x, y, z]}");
    Value index(numbers[0]);
    index.setPosition(arguments.position());
    link = linkFromSetting(*robot_, index);
    force = Vector3d(numbers[1], numbers[2], numbers[3]);
    point = Vector3d(numbers[4], numbers[5], numbers[6]);
  }
  feedforward_.addForce(link, force, point, qSensed_);
  return true;
}

std::vector<std::pair<std::string, std::string>> TrackingController::commands() const {
  return {{"add_ext_force",
           "link, force (N) and point (m), world frame, as 7 numbers or {link, force, point}: a force that acts on the "
           "robot from now on and that the motors shall hold"},
          {"zero_ext_forces", "no arguments: forget all forces"}};
}

Value TrackingController::settings() const {
  Value settings = Value::map();
  settings.set(kGravity, feedforward_.gravityCompensation);
  settings.set(kAcceleration, feedforward_.acceleration);
  settings.set(kFriction, feedforward_.friction);
  const Vector3d& g = feedforward_.gravity;
  settings.set("gravity", std::vector<double>{g.x(), g.y(), g.z()});
  settings.set("velocityScale", velocityScale_);
  settings.set("accelerationScale", accelerationScale_);
  return settings;
}

bool TrackingController::changeSetting(std::string_view name, const Value& value) {
  if (name == kGravity)
    feedforward_.gravityCompensation = booleanSetting(name, value);
  else if (name == kAcceleration)
    feedforward_.acceleration = booleanSetting(name, value);
  else if (name == kFriction)
    feedforward_.friction = booleanSetting(name, value);
  else if (name == "gravity")
    feedforward_.gravity = vectorSetting(name, value);
  else if (name == "velocityScale")
    setScales(numberSetting(name, value, 1e-6, 1), accelerationScale_);
  else if (name == "accelerationScale")
    setScales(velocityScale_, numberSetting(name, value, 1e-6, 1));
  else
    return false;
  return true;
}

void TrackingController::save(ByteWriter& out) const {
  feedforward_.save(out);
  out.put(velocityScale_);
  out.put(accelerationScale_);
  for (const VectorXd* v : {&q_, &dq_, &ddq_, &qSensed_, &dqSensed_})
    out.put(std::span<const double>(v->data(), static_cast<std::size_t>(v->size())));
}

void TrackingController::restore(ByteReader& in) {
  feedforward_.restore(in);
  double scales[2];
  for (double& scale : scales) {
    scale = in.get<double>();
    if (!(scale >= 1e-6 && scale <= 1)) throw Error("the saved controller has a scale that is not between 0 and 1");
  }
  setScales(scales[0], scales[1]);
  for (VectorXd* v : {&q_, &dq_, &ddq_, &qSensed_, &dqSensed_}) {
    in.get(std::span<double>(v->data(), static_cast<std::size_t>(v->size())));
    if (!v->allFinite()) throw Error("the saved controller has a number that is not finite");
  }
}

}  // namespace mortise
