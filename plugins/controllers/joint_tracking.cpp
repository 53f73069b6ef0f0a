#include "joint_tracking.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise {

GravityFeedforward::GravityFeedforward(const Robot& robot, const Vector3d& gravity)
    : robot_(robot), gravity_(gravity), state_(robot), model_(robot), G_(robot.numLinks()) {}

void GravityFeedforward::add(const VectorXd& q, std::span<ActuatorCommand> commands) {
  state_.q = q;
  updateFrames(robot_, state_);
  model_.compute(state_, gravity_, G_);
  for (int i = 0; i < robot_.numDrivers(); ++i) {
    const Driver& driver = robot_.driver(i);
    if (driver.type != DriverType::affine) {
      commands[i].torque += G_[driver.links[0]];
    } else {
      // Torque t puts t * scale on each link: the least-squares t, as Klamp't takes it.
      double along = 0, square = 0;
      for (std::size_t k = 0; k < driver.links.size(); ++k) {
        along += driver.scale[k] * G_[driver.links[k]];
        square += driver.scale[k] * driver.scale[k];
      }
      if (square > 0) commands[i].torque += along / square;
    }
  }
}

JointTrackingController::JointTrackingController(const ComponentContext& context)
    : gravityCompensation_(context.settings.boolean("enableGravityCompensation", false)) {
  if (const Value* gravity = context.settings.find("gravity"); gravity != nullptr && gravity->isList()) {
    const std::vector<double> g = gravity->asReals();
    gravity_ = Vector3d(g[0], g[1], g[2]);
  }
}

void JointTrackingController::start(const ControllerSetup& setup) {
  robot_ = &setup.robot;
  qDesired_ = setup.q;
  qSensed_ = setup.q;
  dqDesired_ = VectorXd::Zero(setup.q.size());
  feedforward_.reset();
  // A floating base takes no torque, so holding its limbs against gravity one by one would be wrong.
  if (gravityCompensation_ && robot_->floatingBaseLink() < 0)
    feedforward_.emplace(*robot_, gravity_.value_or(setup.gravity));
}

void JointTrackingController::desired(const ControllerInput&, VectorXd&, VectorXd&) {}

void JointTrackingController::update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) {
  desired(input, qDesired_, dqDesired_);
  for (int i = 0; i < robot_->numDrivers(); ++i) {
    ActuatorCommand& command = commands[i];
    command.mode = ActuatorCommand::Mode::pid;
    command.position = driverValue(*robot_, i, qDesired_);
    command.velocity = driverVelocity(*robot_, i, dqDesired_);
    command.torque = 0;
  }
  if (!feedforward_) return;
  const SensorReading* positions = input.byType("JointPositionSensor");
  if (positions != nullptr && static_cast<Eigen::Index>(positions->values.size()) == qSensed_.size())
    std::copy(positions->values.begin(), positions->values.end(), qSensed_.data());
  feedforward_->add(qSensed_, commands);
}

bool JointTrackingController::command(std::string_view name, const Value& arguments) {
  if (name != "set_q") return false;
  std::vector<double> q = arguments.asReals();
  if (static_cast<int>(q.size()) != robot_->numLinks())
    throw Error(
        "set_q takes one value a link: " + std::to_string(robot_->numLinks()) + ", not " + std::to_string(q.size()),
        arguments.position());
  qDesired_ = Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
  return true;
}

std::vector<std::pair<std::string, std::string>> JointTrackingController::commands() const {
  return {{"set_q", "configuration to track from now on, one value a link"}};
}

void JointTrackingController::save(ByteWriter& out) const {
  for (const VectorXd* v : {&qDesired_, &dqDesired_, &qSensed_}) out.put(std::span<const double>(v->data(), v->size()));
}

void JointTrackingController::restore(ByteReader& in) {
  for (VectorXd* v : {&qDesired_, &dqDesired_, &qSensed_}) in.get(std::span<double>(v->data(), v->size()));
}

}  // namespace mortise
