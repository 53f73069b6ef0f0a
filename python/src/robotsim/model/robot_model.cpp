#include "robotsim/model/robot_model.h"

#include <stdexcept>

#include "mortise/base/error.h"
#include "mortise/component/role.h"
#include "mortise/model/world.h"
#include "mortise/modeling/link_visuals.h"
#include "robotsim/model/sensor.h"

namespace mortise::robotsim {

namespace {

/// Sensors of a robot that names none: of its positions and velocities, as in Klamp't.
Value standardSensors() {
  Value list = Value::list();
  for (const auto& [name, role] :
       {std::pair("q", role::kDefaultPositions), std::pair("dq", role::kDefaultVelocities)}) {
    Value sensor = Value::map();
    sensor.set("type", sensorTypeInRole(role));
    sensor.set("name", name);
    list.push_back(std::move(sensor));
  }
  return list;
}

}  // namespace

RobotModel::RobotModel(RobotDescription description, const std::string& robotName)
    : name(robotName), file(description.file) {
  description_ = std::move(description);
  rebuild(false);
}

RobotModel::RobotModel(const WorldRobot& robot) : name(robot.name), file(robot.file), display(robot.display) {
  description_ = robot.robot->description();
  rebuild(false);
  if (robot.q.size() == numLinks()) q_ = robot.q;
  if (robot.dq.size() == numLinks()) dq_ = robot.dq;
  setConfiguration(q_);
}

void RobotModel::rebuild(bool keepConfiguration) {
  const auto n = static_cast<Eigen::Index>(numLinks());
  const VectorXd before = q_, rates = dq_;
  q_ = VectorXd::Zero(n);
  dq_ = VectorXd::Zero(n);
  for (Eigen::Index i = 0; i < n; ++i) q_[i] = description_.links[static_cast<std::size_t>(i)].q;
  if (keepConfiguration) {
    const Eigen::Index common = std::min(n, before.size());
    q_.head(common) = before.head(common);
    dq_.head(common) = rates.head(common);
  }
  if (!keepConfiguration) shapes_.clear();
  shapes_.resize(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (!shapes_[i]) {
      shapes_[i] = std::make_shared<Shape>();
      shapes_[i]->set(description_.links[i].geometry);
    }
  X_WL_.resize(static_cast<std::size_t>(n));
  robot_.reset();
  if (!keepConfiguration) {
    sensors = sensorsOf(description_.sensors);
    if (sensors.empty() && n > 0) sensors = sensorsOf(standardSensors());
    setConfiguration(q_);
  }
}

void RobotModel::edit(const std::function<void(RobotDescription&)>& change) {
  RobotDescription changed = description_;
  change(changed);
  const std::size_t before = description_.links.size();
  description_ = std::move(changed);
  robot_.reset();
  dynamicsCurrent_ = false;
  if (description_.links.size() != before) {
    rebuild(true);
    setConfiguration(q_);
  }
}

void RobotModel::replace(RobotDescription description) {
  file = description.file;
  description_ = std::move(description);
  rebuild(false);
}

RobotDescription RobotModel::complete() const {
  RobotDescription full = description_;
  full.name = name;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    Link& link = full.links[i];
    if (shapes_[i]->geometry() == link.geometry) continue;
    link.geometry = shapes_[i]->empty() ? nullptr : shapes_[i]->geometry();
    link.geometryFile = link.geometry ? link.geometry->file() : std::string();
    link.geometryScale = 1;
    link.geometryTransform = AffineMap();
    setLinkVisuals(full, link.name, {});  // It looks like its new shape.
  }
  full.sensors = sensorList(sensors);
  // They go without saying: a simulation gives them to a robot that names none.
  if (full.sensors == standardSensors()) full.sensors = Value();
  return full;
}

const RobotPtr& RobotModel::robot() {
  if (!robot_) {
    robot_ = Robot::compile(description_);
    space_.emplace(robot_);
    state_.emplace(*robot_);
    dynamics_ = std::make_unique<RobotDynamics>(robot_);
    dynamicsCurrent_ = false;
  }
  return robot_;
}

RobotPtr RobotModel::completeRobot() {
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (shapes_[i]->geometry() != description_.links[i].geometry) return Robot::compile(complete());
  return robot();
}

const ConfigurationSpace& RobotModel::space() {
  robot();
  return *space_;
}

void RobotModel::setConfiguration(const VectorXd& q) {
  if (numLinks() == 0) return;
  robot();
  if (q.size() != numLinks())
    throw std::runtime_error("a configuration of '" + name + "' has " + std::to_string(numLinks()) + " numbers, not " +
                             std::to_string(q.size()));
  q_ = q;
  state_->q = q;
  updateFrames(*robot_, *state_);
  for (std::size_t i = 0; i < X_WL_.size(); ++i) {
    X_WL_[i] = state_->X_WL[i];
    shapes_[i]->X = X_WL_[i];
  }
  dynamicsCurrent_ = false;
}

void RobotModel::setPositions(const VectorXd& q) {
  q_ = q;
  dynamicsCurrent_ = false;
}

void RobotModel::setVelocity(const VectorXd& dq) {
  if (dq.size() != numLinks())
    throw std::runtime_error("velocities of '" + name + "' are " + std::to_string(numLinks()) + " numbers, not " +
                             std::to_string(dq.size()));
  dq_ = dq;
  dynamicsCurrent_ = false;
}

int RobotModel::requireLink(int link) const {
  if (link < 0 || link >= numLinks())
    throw std::runtime_error("robot '" + name + "' has no link " + std::to_string(link) + ": it has " +
                             std::to_string(numLinks()));
  return link;
}

void RobotModel::setTransform(int link, const RigidTransform& X) {
  X_WL_[static_cast<std::size_t>(requireLink(link))] = X;
  shapes_[static_cast<std::size_t>(link)]->X = X;
}

RobotDynamics& RobotModel::dynamics() {
  robot();
  if (!dynamicsCurrent_) dynamics_->setState(q_, dq_);
  dynamicsCurrent_ = true;
  return *dynamics_;
}

bool RobotModel::selfCollides() {
  static thread_local QueryWorkspace workspace;
  for (const auto& [a, b] : description_.selfCollisionPairs) {
    const Shape &first = *shapes_[static_cast<std::size_t>(a)], &second = *shapes_[static_cast<std::size_t>(b)];
    if (first.empty() || second.empty()) continue;
    if (collide(first.collider(), first.X, second.collider(), second.X, workspace)) return true;
  }
  return false;
}

}  // namespace mortise::robotsim
