#include "world_joints.h"

#include <cmath>
#include <numbers>

#include "mortise/base/error.h"

namespace mortise::bullet {

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

RigidTransform WorldJoints::pose(const RowEnd& end) {
  if (end.articulation != nullptr) return end.articulation->pose(end.link);
  return end.rigid == nullptr ? RigidTransform() : fromBullet(end.rigid->getCenterOfMassTransform());
}

WorldJoints::WorldJoints(const SceneDescription& description, std::span<const RowEnd> ends) {
  joints_.reserve(description.constraints.size());
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

bool WorldJoints::limited(const Joint& joint) const {
  return joint.type != SceneConstraint::Type::fixed &&
         (std::isfinite(joint.lower) || std::isfinite(joint.upper) || joint.friction > 0);
}

void WorldJoints::addTo(RowSolver& solver, double h, double erp, double maxCorrectionSpeed) {
  int numBlocks = 0, numAxes = 0;
  for (Joint& joint : joints_) {
    const RigidTransform X_WJa = pose(*joint.a) * joint.X_AJ, X_WJb = pose(*joint.b) * joint.X_BJ;
    const bool hinge = joint.type == SceneConstraint::Type::hinge, slider = joint.type == SceneConstraint::Type::slider;
    const Vector3d axis = X_WJb.R.col(0), away = X_WJa.p - X_WJb.p;
    joint.direction = axis;
    // A slider's frame moves along with B, so forces act where A is.
    joint.point = slider ? X_WJa.p : Vector3d(0.5 * (X_WJa.p + X_WJb.p));
    if (hinge) {
      const Vector3d y = X_WJa.R.col(1);
      const double angle = std::atan2(y.dot(X_WJb.R.col(2)), y.dot(X_WJb.R.col(1)));
      const double turns = std::round((joint.state.position - angle) / (2 * std::numbers::pi));
      joint.state.position = angle + turns * 2 * std::numbers::pi;
    } else if (slider) {
      joint.state.position = away.dot(axis);
    }
    joint.block = joint.axis = -1;
    if (joint.a->mover < 0 && joint.b->mover < 0) continue;

    RowSolver::Joint block;
    block.point = joint.point;
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
    solver.addJoint(*joint.a, *joint.b, block);
    joint.block = numBlocks++;

    if (!limited(joint)) continue;
    RowSolver::Axis free;
    free.point = joint.point;
    (hinge ? free.row.moment : free.row.force) = axis;
    free.friction = h * joint.friction;
    const auto toStop = [&](double distance) {
      return distance > 0 ? distance / h : -std::min(-distance * erp / h, maxCorrectionSpeed);
    };
    free.low = -toStop(joint.state.position - joint.lower);
    free.high = toStop(joint.upper - joint.state.position);
    free.startFriction = h * joint.state.friction;
    free.startStop = h * joint.state.stop;
    solver.addAxis(*joint.a, *joint.b, free);
    joint.axis = numAxes++;
  }
}

void WorldJoints::finish(const RowSolver& solver, double h) {
  for (Joint& joint : joints_) {
    State& state = joint.state;
    if (joint.block >= 0) {
      const std::span<const double> impulse = solver.jointImpulse(joint.block);
      for (int i = 0; i < 6; ++i) state.forces[i] = impulse[i] / h;
    }
    if (joint.axis >= 0) {
      state.friction = solver.frictionImpulse(joint.axis) / h;
      state.stop = solver.stopImpulse(joint.axis) / h;
    }
  }
}

void WorldJoints::read(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Joint& joint = joints_[i];
    out[i] = {};
    if (joint.type == SceneConstraint::Type::fixed) continue;
    const RigidTransform X_WJa = pose(*joint.a) * joint.X_AJ, X_WJb = pose(*joint.b) * joint.X_BJ;
    const Vector3d axis = X_WJb.R.col(0);
    if (joint.type == SceneConstraint::Type::hinge) {
      const Vector3d y = X_WJa.R.col(1);
      const double angle = std::atan2(y.dot(X_WJb.R.col(2)), y.dot(X_WJb.R.col(1)));
      const double turns = std::round((joint.state.position - angle) / (2 * std::numbers::pi));
      out[i].position = angle + turns * 2 * std::numbers::pi;
      const auto spin = [](const RowEnd& end) {
        if (end.articulation != nullptr) return end.articulation->angularVelocity(end.link);
        return end.rigid == nullptr ? Vector3d(Vector3d::Zero()) : fromBullet(end.rigid->getAngularVelocity());
      };
      out[i].velocity = axis.dot(spin(*joint.a) - spin(*joint.b));
    } else {
      out[i].position = (X_WJa.p - X_WJb.p).dot(axis);
      out[i].velocity = axis.dot(RowSolver::velocity(*joint.a, X_WJa.p) - RowSolver::velocity(*joint.b, X_WJa.p));
    }
    out[i].effort = joint.state.friction;
    out[i].stop = joint.state.stop;
  }
}

void WorldJoints::save(ByteWriter& out) const {
  static_assert(sizeof(State) == 9 * sizeof(double), "no padding");
  for (const Joint& joint : joints_) out.put(joint.state);
}

void WorldJoints::restore(ByteReader& in) {
  for (Joint& joint : joints_) in.get(joint.state);
}

}  // namespace mortise::bullet
