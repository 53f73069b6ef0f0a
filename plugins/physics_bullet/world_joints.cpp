#include "world_joints.h"

#include <algorithm>
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

WorldJoints::WorldJoints(const SceneDescription& description, std::span<const RowEnd> ends)
    : numConstraints_(static_cast<int>(description.constraints.size())) {
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
    joint.drive.dryFriction = constraint.friction;
  }
}

void WorldJoints::addRobotJoints(const SceneDescription& description, std::span<const RowEnd> ends,
                                 std::span<const MassFrame> frames) {
  for (const SceneJoint& from : description.joints) {
    if (!(from.lower <= from.upper)) throw Error("joint '" + from.name + "' has its lower stop above its upper one");
    Joint& joint = joints_.emplace_back();
    joint.type = from.type == SceneJoint::Type::revolute ? SceneConstraint::Type::hinge : SceneConstraint::Type::slider;
    joint.a = &ends[from.child];
    joint.b = from.parent < 0 ? &world_ : &ends[from.parent];
    const RigidTransform X_CJ = jointFrame(Vector3d::Zero(), from.axis);
    const RigidTransform X_PC0{orthonormalized(from.X_PC0.R), from.X_PC0.p};
    joint.X_AJ = frames[from.child].X_BC.inverse() * X_CJ;
    joint.X_BJ = (from.parent < 0 ? RigidTransform() : frames[from.parent].X_BC.inverse()) * X_PC0 * X_CJ;
    joint.lower = from.lower;
    joint.upper = from.upper;
    joint.state.position = from.position;
    place(joint, from.position, from.velocity);
  }
}

/// Moves A to where the position puts it against B, with B's velocity and the joint's.
void WorldJoints::place(const Joint& joint, double position, double velocity) {
  const bool hinge = joint.type == SceneConstraint::Type::hinge;
  const RigidTransform X_WJb = pose(*joint.b) * joint.X_BJ;
  const RigidTransform motion =
      hinge ? RigidTransform::rotation(Eigen::AngleAxisd(position, Vector3d::UnitX()).toRotationMatrix())
            : RigidTransform::translation({position, 0, 0});
  const RigidTransform X_WJa = X_WJb * motion;
  const RigidTransform X_WA = X_WJa * joint.X_AJ.inverse();
  const Vector3d axis = X_WJb.R.col(0);
  Vector3d v = RowSolver::velocity(*joint.b, X_WA.p), w = RowSolver::spin(*joint.b);
  if (hinge) {
    w += velocity * axis;
    v += velocity * axis.cross(X_WA.p - X_WJa.p);
  } else {
    v += velocity * axis;
  }
  joint.a->rigid->setCenterOfMassTransform(toBullet(X_WA));
  joint.a->rigid->setLinearVelocity(toBullet(v));
  joint.a->rigid->setAngularVelocity(toBullet(w));
}

std::vector<JointState> WorldJoints::robotStates() const {
  std::vector<JointState> states;
  for (std::size_t i = numConstraints_; i < joints_.size(); ++i) states.push_back(stateOf(joints_[i]));
  return states;
}

/// Places all that hangs on a body that has been moved, by the joints' states.
void WorldJoints::placeAfter(const RowEnd& first, std::span<const JointState> states) {
  std::vector<const RowEnd*> moved = {&first};
  for (std::size_t i = 0; i < states.size(); ++i) {  // Parents first.
    Joint& joint = at(static_cast<int>(i));
    if (std::find(moved.begin(), moved.end(), joint.b) == moved.end()) continue;
    place(joint, states[i].position, states[i].velocity);
    moved.push_back(joint.a);
  }
}

void WorldJoints::setState(int robotJoint, double position, double velocity) {
  const std::vector<JointState> states = robotStates();
  Joint& joint = at(robotJoint);
  joint.state.position = position;
  place(joint, position, velocity);
  placeAfter(*joint.a, states);
}

void WorldJoints::setBase(const RowEnd& base, const RigidTransform& X_WC, const Vector3d& v_WC, const Vector3d& w_WC) {
  const std::vector<JointState> states = robotStates();
  base.rigid->setCenterOfMassTransform(toBullet(X_WC));
  base.rigid->setLinearVelocity(toBullet(v_WC));
  base.rigid->setAngularVelocity(toBullet(w_WC));
  placeAfter(base, states);
}

double WorldJoints::positionOf(const Joint& joint, const RigidTransform& X_WJa, const RigidTransform& X_WJb) {
  if (joint.type == SceneConstraint::Type::fixed) return 0;
  if (joint.type == SceneConstraint::Type::slider) return (X_WJa.p - X_WJb.p).dot(X_WJb.R.col(0));
  const Vector3d y = X_WJa.R.col(1);
  const double angle = std::atan2(y.dot(X_WJb.R.col(2)), y.dot(X_WJb.R.col(1)));
  return angle + std::round((joint.state.position - angle) / (2 * std::numbers::pi)) * 2 * std::numbers::pi;
}

bool WorldJoints::hasAxis(const Joint& joint) {
  const JointDrive& drive = joint.drive;
  return joint.type != SceneConstraint::Type::fixed &&
         (std::isfinite(joint.lower) || std::isfinite(joint.upper) || drive.dryFriction > 0 || drive.stiffness != 0 ||
          drive.damping != 0 || drive.feedforward != 0 || drive.viscousFriction != 0 || drive.minEffort > 0 ||
          drive.maxEffort < 0);
}

void WorldJoints::addTo(RowSolver& solver, double h, double erp, double maxCorrectionSpeed) {
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
    const JointDrive& drive = joint.drive;
    const double q = joint.state.position;
    RowSolver::Axis free;
    free.point = block.point;
    (hinge ? free.row.moment : free.row.force) = axis;
    free.slope = h * (h * drive.stiffness + drive.damping);
    free.offset = h * (drive.stiffness * (drive.target - q) + drive.damping * drive.targetVelocity + drive.feedforward);
    free.least = h * drive.minEffort;
    free.most = h * drive.maxEffort;
    free.viscous = h * drive.viscousFriction;
    free.dry = h * drive.dryFriction;
    const auto toStop = [&](double distance) {
      return distance > 0 ? distance / h : -std::min(-distance * erp / h, maxCorrectionSpeed);
    };
    free.low = -toStop(q - joint.lower);
    free.high = toStop(joint.upper - q);
    free.start = h * joint.state.all;
    joint.axis = solver.addAxis(*joint.a, *joint.b, free);
  }
}

void WorldJoints::finish(const RowSolver& solver, double h) {
  for (Joint& joint : joints_) {
    State& state = joint.state;
    if (joint.block >= 0) {
      const std::span<const double> impulse = solver.jointImpulse(joint.block);
      for (int i = 0; i < 6; ++i) state.forces[i] = impulse[i] / h;
    }
    RowSolver::AxisImpulse given;
    if (joint.axis >= 0) given = solver.axisImpulse(joint.axis);
    state.all = given.all / h;
    state.drive = given.drive / h;
    state.dry = given.dry / h;
    state.stop = given.stop / h;
  }
}

JointState WorldJoints::stateOf(const Joint& joint) {
  JointState out;
  if (joint.type == SceneConstraint::Type::fixed) return out;
  const RigidTransform X_WJa = pose(*joint.a) * joint.X_AJ, X_WJb = pose(*joint.b) * joint.X_BJ;
  const Vector3d axis = X_WJb.R.col(0);
  out.position = positionOf(joint, X_WJa, X_WJb);
  if (joint.type == SceneConstraint::Type::hinge)
    out.velocity = axis.dot(RowSolver::spin(*joint.a) - RowSolver::spin(*joint.b));
  else
    out.velocity = axis.dot(RowSolver::velocity(*joint.a, X_WJa.p) - RowSolver::velocity(*joint.b, X_WJa.p));
  out.effort = joint.state.drive;
  out.stop = joint.state.stop;
  return out;
}

void WorldJoints::read(std::span<JointState> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = stateOf(joints_[i]);
    out[i].effort = joints_[i].state.dry;
  }
}

void WorldJoints::save(ByteWriter& out) const {
  static_assert(sizeof(State) == 11 * sizeof(double) && sizeof(JointDrive) == 9 * sizeof(double), "no padding");
  for (const Joint& joint : joints_) {
    out.put(joint.state);
    out.put(joint.drive);
  }
}

void WorldJoints::restore(ByteReader& in) {
  for (Joint& joint : joints_) {
    in.get(joint.state);
    in.get(joint.drive);
  }
}

}  // namespace mortise::bullet
