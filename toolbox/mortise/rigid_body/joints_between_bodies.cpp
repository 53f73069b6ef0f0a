#include "mortise/rigid_body/joints_between_bodies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"

namespace mortise::rigid {

namespace {

/// A frame at `point` whose x axis is `axis`.
RigidTransform jointFrame(const Vector3d& point, const Vector3d& axis) {
  RigidTransform X;
  X.p = point;
  X.R.col(0) = axis.normalized();
  X.R.col(1) = X.R.col(0).unitOrthogonal();
  X.R.col(2) = X.R.col(0).cross(X.R.col(1));
  return X;
}

/// The turn that takes frame b to frame a, as axis times angle.
Vector3d turn(const Matrix3d& R_a, const Matrix3d& R_b) {
  const Eigen::AngleAxisd angle(Matrix3d(R_a * R_b.transpose()));
  return angle.angle() * angle.axis();
}

}  // namespace

RigidTransform JointsBetweenBodies::pose(const SolverBody& end) {
  if (end.articulation != nullptr) return end.articulation->pose(end.link);
  return end.rigid == nullptr ? RigidTransform() : end.rigid->X_WC;
}

JointsBetweenBodies::JointsBetweenBodies(const SceneDescription& description, std::span<const SolverBody> ends) {
  for (const SceneConstraint& constraint : description.constraints) {
    const bool fixed = constraint.type == SceneConstraint::Type::fixed;
    if (!fixed && !(constraint.axis.norm() > 0))
      throw Error("a joint between bodies has an axis of length 0", {}, "give it a unit axis");
    if (!(constraint.lower <= constraint.upper))
      throw Error("a joint between bodies has its lower limit above its upper one");
    Joint& joint = joints_.emplace_back();
    joint.type = constraint.type;
    joint.a = constraint.a < 0 ? &world_ : &ends[constraint.a];
    joint.b = constraint.b < 0 ? &world_ : &ends[constraint.b];
    const RigidTransform X_WJ =
        fixed ? RigidTransform::translation(constraint.point) : jointFrame(constraint.point, constraint.axis);
    joint.X_AJ = pose(*joint.a).inverse() * X_WJ;
    joint.X_BJ = pose(*joint.b).inverse() * X_WJ;
    joint.lower = constraint.lower;
    joint.upper = constraint.upper;
    joint.friction = constraint.friction;
  }
}

double JointsBetweenBodies::positionOf(const Joint& joint, const RigidTransform& X_WJa, const RigidTransform& X_WJb) {
  if (joint.type == SceneConstraint::Type::fixed) return 0;
  if (joint.type == SceneConstraint::Type::slider) return (X_WJa.p - X_WJb.p).dot(X_WJb.R.col(0));
  const Vector3d y = X_WJa.R.col(1);
  const double angle = std::atan2(y.dot(X_WJb.R.col(2)), y.dot(X_WJb.R.col(1)));
  return angle + std::round((joint.state.position - angle) / (2 * std::numbers::pi)) * 2 * std::numbers::pi;
}

bool JointsBetweenBodies::hasAxis(const Joint& joint) {
  return joint.type != SceneConstraint::Type::fixed &&
         (std::isfinite(joint.lower) || std::isfinite(joint.upper) || joint.friction > 0);
}

void JointsBetweenBodies::addTo(RowSolver& solver, double h, double erp, double maxCorrectionSpeed) {
  for (Joint& joint : joints_) {
    const RigidTransform X_WJa = pose(*joint.a) * joint.X_AJ, X_WJb = pose(*joint.b) * joint.X_BJ;
    const bool hinge = joint.type == SceneConstraint::Type::hinge, slider = joint.type == SceneConstraint::Type::slider;
    const Vector3d axis = X_WJb.R.col(0), away = X_WJa.p - X_WJb.p;
    joint.state.position = positionOf(joint, X_WJa, X_WJb);
    joint.block = joint.axis = -1;
    if (joint.a->mover < 0 && joint.b->mover < 0) continue;

    RowSolver::Joint block;
    // A slider's frame moves along with B, so forces act where A is.
    block.point = slider ? X_WJa.p : Vector3d(0.5 * (X_WJa.p + X_WJb.p));
    const auto add = [&](const Vector3d& force, const Vector3d& moment, double error) {
      const int r = block.numRows++;
      block.rows[r] = {force, moment};
      block.target[r] = -erp * error / h;
      block.start[r] = h * joint.state.forces[r];
    };
    const Vector3d none = Vector3d::Zero();
    for (int i = slider ? 1 : 0; i < 3; ++i) add(X_WJb.R.col(i), none, away.dot(X_WJb.R.col(i)));
    if (hinge) {
      const Vector3d tilt = axis.cross(X_WJa.R.col(0));
      for (int i = 1; i < 3; ++i) add(none, X_WJb.R.col(i), tilt.dot(X_WJb.R.col(i)));
    } else {
      const Vector3d tilt = turn(X_WJa.R, X_WJb.R);
      for (int i = 0; i < 3; ++i) add(none, X_WJb.R.col(i), tilt.dot(X_WJb.R.col(i)));
    }
    joint.block = solver.addJoint(*joint.a, *joint.b, block);

    if (!hasAxis(joint)) continue;
    const double q = joint.state.position;
    RowSolver::Axis free;
    free.point = block.point;
    (hinge ? free.row.moment : free.row.force) = axis;
    free.dry = h * joint.friction;
    const auto toStop = [&](double distance) {
      return distance > 0 ? distance / h : -std::min(-distance * erp / h, maxCorrectionSpeed);
    };
    free.low = -toStop(q - joint.lower);
    free.high = toStop(joint.upper - q);
    free.start = h * joint.state.all;
    joint.axis = solver.addAxis(*joint.a, *joint.b, free);
  }
}

void JointsBetweenBodies::finish(const RowSolver& solver, double h) {
  for (Joint& joint : joints_) {
    State& state = joint.state;
    if (joint.block >= 0) {
      const std::span<const double> impulse = solver.jointImpulse(joint.block);
      for (int i = 0; i < 6; ++i) state.forces[i] = impulse[i] / h;
    }
    RowSolver::AxisImpulse given;
    if (joint.axis >= 0) given = solver.axisImpulse(joint.axis);
    state.all = given.all / h;
    state.dry = given.dry / h;
    state.stop = given.stop / h;
  }
}

JointState JointsBetweenBodies::stateOf(const Joint& joint) {
  JointState out;
  if (joint.type == SceneConstraint::Type::fixed) return out;
  const RigidTransform X_WJa = pose(*joint.a) * joint.X_AJ, X_WJb = pose(*joint.b) * joint.X_BJ;
  const Vector3d axis = X_WJb.R.col(0);
  out.position = positionOf(joint, X_WJa, X_WJb);
  if (joint.type == SceneConstraint::Type::hinge)
    out.velocity = axis.dot(RowSolver::spin(*joint.a) - RowSolver::spin(*joint.b));
  else
    out.velocity = axis.dot(RowSolver::velocity(*joint.a, X_WJa.p) - RowSolver::velocity(*joint.b, X_WJa.p));
  out.effort = joint.state.dry;
  out.stop = joint.state.stop;
  return out;
}

void JointsBetweenBodies::read(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stateOf(joints_[i]);
}

void JointsBetweenBodies::save(ByteWriter& out) const {
  static_assert(sizeof(State) == 10 * sizeof(double), "no padding");
  for (const Joint& joint : joints_) out.put(joint.state);
}

void JointsBetweenBodies::restore(ByteReader& in) {
  for (Joint& joint : joints_) in.get(joint.state);
}

}  // namespace mortise::rigid
