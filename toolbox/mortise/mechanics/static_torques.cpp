#include "mortise/mechanics/static_torques.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/mechanics/forces/contact_program.h"

namespace mortise {

StaticTorques::StaticTorques(RobotPtr robot, std::span<const LinkContact> contacts, const StaticTorqueOptions& options)
    : robot_(std::move(robot)), contacts_(contacts.begin(), contacts.end()), options_(options) {
  requireConeEdges(options.coneEdges);
  if (!options.gravity_W.allFinite()) throw Error("gravity is not finite");
  requireLinkContacts(*robot_, contacts_);
  for (const LinkContact& contact : contacts_) points_.push_back(contact.point);
  const VectorXd limits = torqueLimits(*robot_);
  for (int i = 0; i < robot_->numLinks(); ++i) {
    if (!std::isfinite(limits[i])) continue;
    rows_.push_back(i);
    limit_.push_back(limits[i]);
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
    contactJacobian(dynamics, contact, jacobian);
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
  program.setRightSide(b);
  if (program.solve() != LinearProgramStatus::optimal) return false;
  std::vector<Vector3d> forces;
  if (torques != nullptr || forces_W != nullptr) program.forces(forces);
  for (Vector3d& force : forces) force *= unit_;
  if (torques != nullptr) {
    *torques = gravity;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      contactJacobian(dynamics, contacts_[i], jacobian);
      *torques -= jacobian.transpose() * forces[i];
    }
  }
  if (forces_W != nullptr) *forces_W = std::move(forces);
  return true;
}

}  // namespace mortise
