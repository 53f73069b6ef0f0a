#include "robotsim/simulation/controller.h"

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/configuration/drivers.h"
#include "mortise/plugin/plugin.h"
#include "mortise/timing/robot_limits.h"

MORTISE_PLUGIN_AS(mortise_klampt_controllers, __attribute__((visibility("hidden"))), "mortise_klampt", "0.1.0") {
  using namespace mortise::robotsim;
  plugin.controller<ProgramController>(ProgramController::kName)
      .summary("Motions and commands that a program in Python gives, as Klamp't's SimRobotController takes them.")
      .settings(mortise::FeedforwardSettings{std::nullopt, false, false, {}})
      .settings<mortise::ScaleSettings>()
      .attribute("estimator", "IntegratedStateEstimator");
}

namespace mortise::robotsim {

void ProgramController::addTo(Registry& registry) {
  registry.addBuiltIn(mortise_klampt_controllers);
  registry.discover();
}

Value ProgramController::settingsOf(const Value& given) {
  FeedforwardSettings feedforward{std::nullopt, false, false, {}};
  ScaleSettings scales;
  SettingBinder known;
  feedforward.bind(known);
  scales.bind(known);
  Value own = Value::map();
  if (!given.isMap()) return own;
  for (const Value::Entry& entry : given.entries())
    if (known.find(entry.key) != nullptr) own.set(entry.key, entry.value);
  return own;
}

ProgramController::ProgramController(const ComponentContext& context)
    : host_(context.host),
      feedforwardSettings_(context.settings, FeedforwardSettings{std::nullopt, false, false, {}}),
      scales_(context.settings) {}

void ProgramController::start(const ControllerSetup& setup) {
  robot_ = &setup.robot;
  const Eigen::Index links = robot_->numLinks(), drivers = robot_->numDrivers();
  mode_ = Mode::queue;
  clock_ = offset_ = 0;
  feedforwardSettings_.reset();
  scales_.reset();
  gravityOfWorld_ = setup.gravity;
  feedforwardSettings_.edit().resolve(*robot_, gravityOfWorld_);
  feedforward_.start(*robot_, *feedforwardSettings_);
  queue_.reset(setup.q, scaledLimits());
  q_ = setup.q;
  dq_ = ddq_ = VectorXd::Zero(links);
  qDriver_ = dqDriver_ = torqueDriver_ = torques_ = VectorXd::Zero(drivers);
  kP_ = kI_ = kD_ = VectorXd::Zero(drivers);
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    kP_[i] = robot_->driver(i).servoP;
    kI_[i] = robot_->driver(i).servoI;
    kD_[i] = robot_->driver(i).servoD;
  }
  warned_.assign(static_cast<std::size_t>(links), 0);
}

std::vector<CoordinateLimits> ProgramController::scaledLimits() const {
  return coordinateLimits(*robot_, scales_->velocity, scales_->acceleration);
}

Value ProgramController::settings() const {
  Value settings = feedforwardSettings_.values();
  const Value scales = scales_.values();
  for (const Value::Entry& entry : scales.entries()) settings.set(entry.key, entry.value);
  return settings;
}

bool ProgramController::hasSetting(std::string_view name) const {
  return feedforwardSettings_.has(name) || scales_.has(name);
}

bool ProgramController::changeSetting(std::string_view name, const Value& value) {
  if (feedforwardSettings_.change(name, value)) {
    feedforwardSettings_.edit().resolve(*robot_, gravityOfWorld_);
    return true;
  }
  if (!scales_.change(name, value)) return false;
  queue_.setLimits(scaledLimits());
  return true;
}

void ProgramController::leaveManual() {
  if (mode_ == Mode::queue) return;
  if (mode_ == Mode::pid) setDriverValues(*robot_, qDriver_, q_);
  queue_.reset(q_, queue_.limits(), clock_);
  mode_ = Mode::queue;
}

MotionQueue& ProgramController::queue() {
  leaveManual();
  queue_.continueFrom(clock_);
  return queue_;
}

void ProgramController::keepUndriven(VectorXd& q, VectorXd& dq) {
  VectorXd positions(robot_->numDrivers()), velocities(robot_->numDrivers());
  driverValues(*robot_, q, positions);
  driverVelocities(*robot_, dq, velocities);
  q = queue().endConfiguration();
  dq.setZero(q.size());
  setDriverValues(*robot_, positions, q);
  setDriverVelocities(*robot_, velocities, dq);
}

void ProgramController::warnOnce(int link, const char* what, double value, double limit) {
  char& warned = warned_[static_cast<std::size_t>(link)];
  if (!warned)
    host_.log(LogLevel::warning, "milestones: " + std::string(what) + formatReal(value) + " is beyond the limit of '" +
                                     robot_->link(link).name + "', " + formatReal(limit) + ", and becomes that");
  warned = 1;
}

void ProgramController::clampToLimits(VectorXd& q, VectorXd& dq) {
  for (int i = 0; i < robot_->numLinks(); ++i) {
    const CoordinateLimits& c = queue_.limits()[static_cast<std::size_t>(i)];
    // A limit that is not a number is none.
    const double allowed = q[i] < c.xMin ? c.xMin : q[i] > c.xMax ? c.xMax : q[i];
    const double slower = dq[i] < c.vMin ? c.vMin : dq[i] > c.vMax ? c.vMax : dq[i];
    if (allowed != q[i]) warnOnce(i, "", q[i], allowed);
    if (slower != dq[i]) warnOnce(i, "velocity ", dq[i], slower);
    q[i] = allowed;
    dq[i] = slower;
  }
}

void ProgramController::setPid(const VectorXd& q, const VectorXd& dq, const VectorXd& torques) {
  mode_ = Mode::pid;
  qDriver_ = q;
  dqDriver_ = dq;
  torqueDriver_ = torques;
  setDriverValues(*robot_, q, q_);
  setDriverVelocities(*robot_, dq, dq_);
  torques_ = torques;
}

void ProgramController::setTorques(const VectorXd& torques) {
  mode_ = Mode::torque;
  torqueDriver_ = torques_ = torques;
}

void ProgramController::setGains(const VectorXd& kP, const VectorXd& kI, const VectorXd& kD) {
  kP_ = kP;
  kI_ = kI;
  kD_ = kD;
}

void ProgramController::takeOver(const ProgramController& other) {
  ByteWriter out;
  other.save(out);
  ByteReader in(out.bytes());
  restore(in);
  offset_ = clock_;
  warned_ = other.warned_;
}

void ProgramController::follow(const RobotState* estimate, std::span<ActuatorCommand> commands) {
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    ActuatorCommand& command = commands[static_cast<std::size_t>(i)];
    command.mode = ActuatorCommand::Mode::pid;
    command.position = driverValue(*robot_, i, q_);
    command.velocity = driverVelocity(*robot_, i, dq_);
    command.torque = 0;
  }
  if (feedforward_.needed())
    feedforward_.add(estimate != nullptr ? estimate->q : q_, estimate != nullptr ? estimate->dq : dq_, ddq_, commands);
  for (int i = 0; i < robot_->numDrivers(); ++i) torques_[i] = commands[static_cast<std::size_t>(i)].torque;
}

void ProgramController::update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) {
  clock_ = offset_ + input.time;
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    ActuatorCommand& command = commands[static_cast<std::size_t>(i)];
    command.kP = kP_[i];
    command.kI = kI_[i];
    command.kD = kD_[i];
    if (mode_ == Mode::queue) continue;
    command.mode = mode_ == Mode::pid ? ActuatorCommand::Mode::pid : ActuatorCommand::Mode::torque;
    command.position = qDriver_[i];
    command.velocity = dqDriver_[i];
    command.torque = torqueDriver_[i];
  }
  if (mode_ != Mode::queue) {
    if (mode_ == Mode::torque && input.estimate != nullptr) {
      q_ = input.estimate->q;  // Where motions begin that follow.
      dq_.setZero();
    }
    return;
  }
  queue_.evaluate(clock_, q_, dq_, ddq_);
  follow(input.estimate, commands);
}

void ProgramController::save(ByteWriter& out) const {
  out.put(static_cast<int>(mode_));
  out.put(clock_);
  out.put(offset_);
  const auto put = [&out](const VectorXd& v) {
    out.put(std::span<const double>(v.data(), static_cast<std::size_t>(v.size())));
  };
  for (const VectorXd* v : {&kP_, &kI_, &kD_, &qDriver_, &dqDriver_, &torqueDriver_, &q_, &dq_, &torques_}) put(*v);
  queue_.save(out);
  feedforwardSettings_.save(out);
  scales_.save(out);
}

void ProgramController::restore(ByteReader& in) {
  mode_ = static_cast<Mode>(in.get<int>());
  clock_ = in.get<double>();
  offset_ = in.get<double>();
  for (VectorXd* v : {&kP_, &kI_, &kD_, &qDriver_, &dqDriver_, &torqueDriver_, &q_, &dq_, &torques_})
    in.get(std::span<double>(v->data(), static_cast<std::size_t>(v->size())));
  queue_.restore(in);
  feedforwardSettings_.restore(in);
  scales_.restore(in);
  queue_.setLimits(scaledLimits());
}

}  // namespace mortise::robotsim
