#include "tracking/tracking_controller.h"

#include <algorithm>
#include <cmath>

#include "common/command_arguments.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/timing/robot_limits.h"

namespace mortise::controllers {

namespace {

bool sizesMatch(const SensorReading* reading, const VectorXd& v) {
  return reading != nullptr && static_cast<Eigen::Index>(reading->values.size()) == v.size();
}

}  // namespace

void TrackingController::declare(ComponentBuilder component, std::optional<bool> gravityCompensation) {
  component.settings(FeedforwardSettings{gravityCompensation, false, false, {}})
      .settings<ScaleSettings>()
      .attribute("estimator", "IntegratedStateEstimator");
}

TrackingController::TrackingController(const ComponentContext& context)
    : host_(context.host), feedforwardSettings_(context.settings), scales_(context.settings) {}

void TrackingController::start(const ControllerSetup& setup) {
  // Starting again for the same robot allocates nothing.
  if (robot_ != &setup.robot) {
    robot_ = &setup.robot;
    names_ = linkNames(*robot_);
    limits_.clear();
  }
  warned_.assign(names_.size(), 0);
  feedforwardSettings_.reset();
  gravityOfWorld_ = setup.gravity;
  feedforwardSettings_.edit().resolve(*robot_, gravityOfWorld_);
  feedforward_.start(*robot_, *feedforwardSettings_);
  scales_.reset();
  updateLimits();
  q_ = qSensed_ = setup.q;
  dq_ = ddq_ = dqSensed_ = VectorXd::Zero(setup.q.size());
  begin(setup);
}

void TrackingController::updateLimits() {
  if (!limits_.empty() && *scales_ == limitScales_) return;
  limitScales_ = *scales_;
  limits_ = coordinateLimits(*robot_, limitScales_.velocity, limitScales_.acceleration);
}

void TrackingController::sense(const ControllerInput& input) {
  if (input.estimate != nullptr) {
    qSensed_ = input.estimate->q;
    dqSensed_ = input.estimate->dq;
    return;
  }
  const SensorReading* positions = input.byRole(role::kJointPositions);
  if (sizesMatch(positions, qSensed_)) std::copy(positions->values.begin(), positions->values.end(), qSensed_.data());
  const SensorReading* velocities = input.byRole(role::kJointVelocities);
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
  Value settings = feedforwardSettings_.values();
  const Value scales = scales_.values();
  for (const Value::Entry& entry : scales.entries()) settings.set(entry.key, entry.value);
  return settings;
}

bool TrackingController::hasSetting(std::string_view name) const {
  return feedforwardSettings_.has(name) || scales_.has(name);
}

bool TrackingController::changeSetting(std::string_view name, const Value& value) {
  if (feedforwardSettings_.change(name, value)) {
    feedforwardSettings_.edit().resolve(*robot_, gravityOfWorld_);
    return true;
  }
  if (!scales_.change(name, value)) return false;
  updateLimits();
  return true;
}

void TrackingController::save(ByteWriter& out) const {
  feedforwardSettings_.save(out);
  feedforward_.save(out);
  scales_.save(out);
  for (const VectorXd* v : {&q_, &dq_, &ddq_, &qSensed_, &dqSensed_})
    out.put(std::span<const double>(v->data(), static_cast<std::size_t>(v->size())));
}

void TrackingController::restore(ByteReader& in) {
  feedforwardSettings_.restore(in);
  feedforward_.restore(in);
  scales_.restore(in);
  updateLimits();
  for (VectorXd* v : {&q_, &dq_, &ddq_, &qSensed_, &dqSensed_}) {
    in.get(std::span<double>(v->data(), static_cast<std::size_t>(v->size())));
    if (!v->allFinite()) throw Error("the saved controller has a number that is not finite");
  }
}

}  // namespace mortise::controllers
