#include "mortise/ik/clearance_goal.h"

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"

namespace mortise {

namespace {

class ClearanceFunction final : public ConstraintFunction {
 public:
  ClearanceFunction(std::shared_ptr<const WorldCollider> collider, int robot, double margin)
      : collider_(std::move(collider)),
        state_(collider_),
        dynamics_(collider_->world().robots[static_cast<std::size_t>(robot)].robot),
        robot_(robot),
        margin_(margin),
        J_(6, dynamics_.robot().numLinks()) {
    const World& world = collider_->world();
    for (int id = 0; id < collider_->numIds(); ++id) {
      if (collider_->shape(id) == nullptr || collider_->kind(id) != World::Kind::link ||
          collider_->robotOf(id) != robot)
        continue;
      links_.push_back({id, id - world.linkId(robot, 0), IdFilter::of({id})});
    }
  }

  int dimension() const override { return dynamics_.robot().numLinks(); }
  int size() const override { return static_cast<int>(links_.size()); }

  void evaluate(const VectorXd& q, VectorXd& r, Eigen::MatrixXd* J) override {
    state_.setConfiguration(robot_, q);
    if (J != nullptr) {
      dynamics_.setPosition(q);
      J->setZero();
    }
    DistanceOptions options;
    options.upperBound = margin_;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Eigen::Index row = static_cast<Eigen::Index>(i);
      const WorldDistance nearest = state_.nearest(links_[i].filter, IdFilter::everything(), options);
      const bool near = nearest.result.found && nearest.result.distance < margin_;
      r[row] = near ? nearest.result.distance - margin_ : 0;
      if (!near || J == nullptr) continue;
      // The distance grows as the second point moves along the normal, and shrinks as the first does.
      addPoint(nearest.ids.a, nearest.result.p_WA, -nearest.result.normal_W, row, *J);
      addPoint(nearest.ids.b, nearest.result.p_WB, nearest.result.normal_W, row, *J);
    }
  }

 private:
  struct CheckedLink {
    int id, link;
    IdFilter filter;
  };

  void addPoint(int id, const Vector3d& p_W, const Vector3d& direction, Eigen::Index row, Eigen::MatrixXd& J) {
    for (const CheckedLink& checked : links_) {
      if (checked.id != id) continue;
      const RigidTransform X = dynamics_.X_WL(checked.link);
      dynamics_.jacobian(checked.link, X.R.transpose() * (p_W - X.p), J_);
      J.row(row) += direction.transpose() * J_.bottomRows<3>();
      return;
    }
  }

  std::shared_ptr<const WorldCollider> collider_;
  WorldCollisionState state_;
  RobotDynamics dynamics_;
  int robot_;
  double margin_;
  std::vector<CheckedLink> links_;
  Matrix6X J_;
};

}  // namespace

FunctionGoal clearanceGoal(std::shared_ptr<const WorldCollider> collider, int robot, double margin) {
  const int robots = static_cast<int>(collider->world().robots.size());
  if (robot < 0 || robot >= robots)
    throw Error("a clearance is asked for of robot " + std::to_string(robot) + " of " + std::to_string(robots));
  FunctionGoal goal;
  goal.make = [collider = std::move(collider), robot, margin] {
    return std::make_unique<ClearanceFunction>(collider, robot, margin);
  };
  return goal;
}

}  // namespace mortise
