#include "mortise/ik/equations/clearance_goal.h"

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"

namespace mortise {

namespace {

class ClearanceFunction final : public ConstraintFunction {
 public:
  ClearanceFunction(std::shared_ptr<const WorldCollider> collider, const ClearanceBodies& bodies, double margin)
      : state_(std::move(collider)),
        dynamics_(bodies.robot),
        place_(bodies.place),
        margin_(margin),
        J_(6, dynamics_.robot().numLinks()) {
    for (const auto& [id, link] : bodies.bodies) links_.push_back({id, link, IdFilter::of({id})});
  }

  int dimension() const override { return dynamics_.robot().numLinks(); }
  int size() const override { return static_cast<int>(links_.size()); }

  double residual(const double* q, double* r) override {
    q_ = Eigen::Map<const VectorXd>(q, dimension());
    place_(q_, state_);
    DistanceOptions options;
    options.upperBound = margin_;
    nearest_.resize(links_.size());
    double sum = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      nearest_[i] = state_.nearest(links_[i].filter, IdFilter::everything(), options);
      r[i] = isNear(nearest_[i]) ? nearest_[i].result.distance - margin_ : 0;
      sum += r[i] * r[i];
    }
    return sum;
  }

  void jacobian(double* J) override {
    Eigen::Map<Eigen::MatrixXd> columns(J, size(), dimension());
    columns.setZero();
    dynamics_.setPosition(q_);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Eigen::Index row = static_cast<Eigen::Index>(i);
      const WorldDistance& nearest = nearest_[i];
      if (!isNear(nearest)) continue;
      // The distance grows as the second point moves along the normal, and shrinks as the first does.
      addPoint(nearest.ids.a, nearest.result.p_WA, -nearest.result.normal_W, columns.row(row));
      addPoint(nearest.ids.b, nearest.result.p_WB, nearest.result.normal_W, columns.row(row));
    }
  }

 private:
  struct CheckedLink {
    int id, link;
    IdFilter filter;
  };

  bool isNear(const WorldDistance& nearest) const { return nearest.result.found && nearest.result.distance < margin_; }

  void addPoint(int id, const Vector3d& p_W, const Vector3d& direction, Eigen::Map<Eigen::MatrixXd>::RowXpr row) {
    for (const CheckedLink& checked : links_) {
      if (checked.id != id) continue;
      const RigidTransform X = dynamics_.X_WL(checked.link);
      dynamics_.jacobian(checked.link, X.R.transpose() * (p_W - X.p), J_);
      row += direction.transpose() * J_.bottomRows<3>();
      return;
    }
  }

  WorldCollisionState state_;
  RobotDynamics dynamics_;
  std::function<void(const VectorXd& q, WorldCollisionState& state)> place_;
  double margin_;
  std::vector<CheckedLink> links_;
  std::vector<WorldDistance> nearest_;  ///< By link, where `residual` was called last.
  VectorXd q_;
  Matrix6X J_;
};

}  // namespace

FunctionGoal clearanceGoal(std::shared_ptr<const WorldCollider> collider, int robot, double margin) {
  const int robots = static_cast<int>(collider->world().robots.size());
  if (robot < 0 || robot >= robots)
    throw Error("a clearance is asked for of robot " + std::to_string(robot) + " of " + std::to_string(robots));
  ClearanceBodies bodies;
  bodies.robot = collider->world().robots[static_cast<std::size_t>(robot)].robot;
  bodies.place = [robot](const VectorXd& q, WorldCollisionState& state) { state.setConfiguration(robot, q); };
  for (int l = 0; l < bodies.robot->numLinks(); ++l)
    if (const int id = collider->world().linkId(robot, l); collider->shape(id) != nullptr)
      bodies.bodies.emplace_back(id, l);
  return clearanceGoal(std::move(collider), std::move(bodies), margin);
}

FunctionGoal clearanceGoal(std::shared_ptr<const WorldCollider> collider, ClearanceBodies bodies, double margin) {
  FunctionGoal goal;
  goal.make = [collider = std::move(collider), bodies = std::move(bodies), margin] {
    return std::make_unique<ClearanceFunction>(collider, bodies, margin);
  };
  return goal;
}

}  // namespace mortise
