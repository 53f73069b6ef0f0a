#include "mortise/ik/ik_world.h"

#include <numeric>
#include <string>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/ik/equations/clearance_goal.h"
#include "mortise/model/robot_state.h"
#include "mortise/modeling/robot_merge.h"

namespace mortise {

namespace {

constexpr int kObjectLinks = 6;

/// The center of mass of one robot among others, whose configuration begins at `first`.
class CenterOfMassFunction final : public ConstraintFunction {
 public:
  CenterOfMassFunction(const RobotPtr& robot, int first, int dimension, CenterOfMassGoal goal)
      : dynamics_(robot), first_(first), dimension_(dimension), goal_(std::move(goal)), J_(3, robot->numLinks()) {}

  int dimension() const override { return dimension_; }
  int size() const override { return int{goal_.along[0]} + int{goal_.along[1]} + int{goal_.along[2]}; }

  double residual(const double* q, double* r) override {
    own_ = Eigen::Map<const VectorXd>(q + first_, J_.cols());
    dynamics_.setPosition(own_);
    const Vector3d error = dynamics_.centerOfMass() - goal_.p_W;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      if (!goal_.along[static_cast<std::size_t>(k)]) continue;
      *r = goal_.axes_W.col(k).dot(error);
      sum += *r * *r;
      ++r;
    }
    return sum;
  }

  void jacobian(double* J) override {
    Eigen::Map<Eigen::MatrixXd> columns(J, size(), dimension_);
    columns.setZero();
    dynamics_.centerOfMassJacobian(J_);
    Eigen::Index row = 0;
    for (int k = 0; k < 3; ++k) {
      if (!goal_.along[static_cast<std::size_t>(k)]) continue;
      columns.row(row).segment(first_, J_.cols()) = goal_.axes_W.col(k).transpose() * J_;
      ++row;
    }
  }

 private:
  RobotDynamics dynamics_;
  Eigen::Index first_;
  int dimension_;
  CenterOfMassGoal goal_;
  Matrix3X J_;
  VectorXd own_;
};

std::vector<int> rangeOfLinks(int first, int count) {
  std::vector<int> links(static_cast<std::size_t>(count));
  std::iota(links.begin(), links.end(), first);
  return links;
}

RigidTransform poseFromFloatingBase(const Robot& robot, int first, const VectorXd& q) {
  RigidTransform X;
  for (int l = first; l < first + kObjectLinks; ++l) {
    const Link& link = robot.link(l);
    X = X * link.X_PL0 * linkMotion(link, q[l]);
  }
  return X;
}

}  // namespace

IKWorld::IKWorld(std::shared_ptr<const World> world) : world_(std::move(world)) {
  robot_ = Robot::compile(mergedRobot(*world_, "world"));
  start_ = robot_->initialConfiguration();
  int next = 0;
  for (const WorldRobot& robot : world_->robots) {
    firstOfRobot_.push_back(next);
    start_.segment(next, robot.robot->numLinks()) = robot.q;
    next += robot.robot->numLinks();
  }
  for (std::size_t i = 0; i < world_->objects.size(); ++i) {
    firstOfObject_.push_back(next);
    next += kObjectLinks;
  }
}

std::vector<int> IKWorld::linksOfRobot(int robot) const {
  return rangeOfLinks(link(robot, 0), world_->robots[static_cast<std::size_t>(robot)].robot->numLinks());
}

std::vector<int> IKWorld::linksOfObject(int object) const {
  return rangeOfLinks(objectLink(object) - kObjectLinks + 1, kObjectLinks);
}

VectorXd IKWorld::configuration(int robot, const VectorXd& q) const {
  return q.segment(link(robot, 0), world_->robots[static_cast<std::size_t>(robot)].robot->numLinks());
}

void IKWorld::setConfiguration(int robot, const VectorXd& own, VectorXd& q) const {
  q.segment(link(robot, 0), own.size()) = own;
}

RigidTransform IKWorld::pose(int object, const VectorXd& q) const {
  return poseFromFloatingBase(*robot_, objectLink(object) - kObjectLinks + 1, q);
}

FunctionGoal IKWorld::centerOfMass(int robot, const CenterOfMassGoal& goal) const {
  const WorldRobot& own = world_->robots.at(static_cast<std::size_t>(robot));
  if (!(own.robot->totalMass() > 0))
    throw Error("robot '" + own.name + "' has no mass, so that its center of mass is nowhere", {},
                "give its links masses in the robot file");
  FunctionGoal function;
  function.links = linksOfRobot(robot);
  function.make = [part = own.robot, first = link(robot, 0), n = robot_->numLinks(), goal] {
    return std::make_unique<CenterOfMassFunction>(part, first, n, goal);
  };
  return function;
}

FunctionGoal IKWorld::clearance(std::shared_ptr<const WorldCollider> collider, const std::vector<int>& links,
                                double margin) const {
  ClearanceBodies bodies;
  bodies.robot = robot_;
  const auto add = [&](int id, int link) {
    if (collider->shape(id) != nullptr) bodies.bodies.push_back({id, link});
  };
  for (const int l : links) {
    for (std::size_t r = 0; r < firstOfRobot_.size(); ++r) {
      const int own = l - firstOfRobot_[r];
      if (own >= 0 && own < world_->robots[r].robot->numLinks()) add(world_->linkId(static_cast<int>(r), own), l);
    }
    for (std::size_t i = 0; i < firstOfObject_.size(); ++i)
      if (l == objectLink(static_cast<int>(i))) add(world_->objectId(static_cast<int>(i)), l);
  }
  bodies.place = [world = *this](const VectorXd& q, WorldCollisionState& state) {
    for (std::size_t r = 0; r < world.firstOfRobot_.size(); ++r)
      state.setConfiguration(static_cast<int>(r), world.configuration(static_cast<int>(r), q));
    for (std::size_t i = 0; i < world.firstOfObject_.size(); ++i)
      state.setPose(world.world_->objectId(static_cast<int>(i)), world.pose(static_cast<int>(i), q));
  };
  FunctionGoal goal = clearanceGoal(std::move(collider), std::move(bodies), margin);
  goal.links = links;
  return goal;
}

}  // namespace mortise
