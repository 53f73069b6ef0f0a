#include "mortise/mechanics/static_torques.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/mechanics/contact_program.h"

namespace mortise {

StaticTorques::StaticTorques(RobotPtr robot, std::span<const LinkContact> contacts, const StaticTorqueOptions& options)
    : robot_(std::move(robot)), contacts_(contacts.begin(), contacts.end()), options_(options) {
  requireConeEdges(options.coneEdges);
  if (!options.gravity_W.allFinite()) throw Error("gravity is not finite");
  const int n = robot_->numLinks();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    requireContact(contacts_[i].point, i);
    if (contacts_[i].link < 0 || contacts_[i].link >= n)
      throw Error("contact " + std::to_string(i) + " is of link " + std::to_string(contacts_[i].link) +
                      ", which robot '" + robot_->name() + "' does not have",
                  {}, "links run from 0 to " + std::to_string(n - 1));
    points_.push_back(contacts_[i].point);
  }
  for (int i = 0; i < n; ++i) {
    const int joint = robot_->jointOfLink(i);
    const JointType type = joint >= 0 ? robot_->joints()[joint].type : JointType::normal;
    const bool passive =
        (type == JointType::floating || type == JointType::floatingPlanar) && robot_->driverOfLink(i) < 0;
    if (!passive && (type == JointType::weld || !std::isfinite(robot_->link(i).torqueMax))) continue;
    rows_.push_back(i);
    limit_.push_back(passive ? 0 : robot_->link(i).torqueMax);
  }
  unit_ = std::max(1.0, robot_->totalMass() * options_.gravity_W.norm());
}

bool StaticTorques::within(RobotDynamics& dynamics, double scale, VectorXd* torques,
                           std::vector<Vector3d>* forces_W) const {
  MORTISE_REQUIRE(dynamics.robot().numLinks() == robot_->numLinks(), "the dynamics must be those of the same robot");
  const int n = robot_->numLinks(), rows = static_cast<int>(rows_.size());
  VectorXd gravity(n);
  dynamics.gravityForces(options_.gravity_W, gravity);
  Matrix3X jacobian(3, n);
  std::vector<Eigen::MatrixX3d> effect;
  for (const LinkContact& contact : contacts_) {
    const RigidTransform X_WL = dynamics.X_WL(contact.link);
    dynamics.positionJacobian(contact.link, X_WL.R.transpose() * (contact.point.p_WC - X_WL.p), jacobian);
    Eigen::MatrixX3d block(rows, 3);
    for (int r = 0; r < rows; ++r) block.row(r) = jacobian.col(rows_[static_cast<std::size_t>(r)]).transpose();
    effect.push_back(std::move(block));
  }
  ContactProgram program(rows, points_, effect, options_.coneEdges);
  program.setNormalCost(1);
  VectorXd b(rows);
  std::vector<int> columns;
  for (int r = 0; r < rows; ++r) {
    const std::size_t k = static_cast<std::size_t>(r);
    b[r] = gravity[rows_[k]] / unit_;
    const double limit = scale * limit_[k] / unit_;
    columns.push_back(limit > 0 ? program.program().addColumn(VectorXd::Unit(rows, r), -limit, limit) : -1);
  }
  program.program().setRightSide(b);
  if (program.solve() != LinearProgramStatus::optimal) return false;
  std::vector<Vector3d> forces;
  if (torques != nullptr || forces_W != nullptr) program.forces(forces);
  for (Vector3d& force : forces) force *= unit_;
  if (torques != nullptr) {
    *torques = gravity;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const RigidTransform X_WL = dynamics.X_WL(contacts_[i].link);
      dynamics.positionJacobian(contacts_[i].link, X_WL.R.transpose() * (contacts_[i].point.p_WC - X_WL.p), jacobian);
      *torques -= jacobian.transpose() * forces[i];
    }
  }
  if (forces_W != nullptr) *forces_W = std::move(forces);
  return true;
}

}  // namespace mortise
