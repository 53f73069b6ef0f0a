#include "mortise/rigid_body/implicit_joint_drives.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::rigid {

namespace {

constexpr double kHardness = 1e6;
constexpr int kMaxDrivePasses = 30;

}  // namespace

ImplicitJointDrives::ImplicitJointDrives(const std::vector<int>& parents, int firstJoint)
    : inertia_(parents), factor_(parents), joints_(parents.size() - firstJoint), first_(firstJoint) {}

void ImplicitJointDrives::prepare(double h, std::span<const JointDrive> drives, std::span<const double> q,
                                  std::span<const Stops> stops) {
  h_ = h;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointDrive& drive = drives[i];
    Joint& joint = joints_[i];
    joint.slope = h * (h * drive.stiffness + drive.damping);
    joint.offset =
        h * (drive.stiffness * (drive.target - q[i]) + drive.damping * drive.targetVelocity + drive.feedforward);
    joint.low = h * drive.minEffort;
    joint.high = h * drive.maxEffort;
    joint.viscous = h * drive.viscousFriction;
    joint.dry = h * drive.dryFriction;
    const double hard = kHardness * inertia_.row(first_ + static_cast<int>(i))[0];
    joint.stickSlope = joint.dry > 0 ? hard : 0;
    joint.stops = stops[i];
    joint.stopSlope = hard;
  }
}

ImplicitJointDrives::Piece ImplicitJointDrives::drivePiece(const Joint& joint, double v) {
  const double impulse = joint.offset - joint.slope * v;
  return impulse > joint.high ? Piece::high : impulse < joint.low ? Piece::low : Piece::linear;
}

ImplicitJointDrives::Piece ImplicitJointDrives::frictionPiece(const Joint& joint, double v) {
  const double impulse = joint.stickSlope * v;
  return impulse > joint.dry ? Piece::high : impulse < -joint.dry ? Piece::low : Piece::linear;
}

ImplicitJointDrives::Piece ImplicitJointDrives::stopPiece(const Joint& joint, double v) {
  return v > joint.stops.high ? Piece::high : v < joint.stops.low ? Piece::low : Piece::linear;
}

double ImplicitJointDrives::slope(const Joint& joint) const {
  return joint.viscous + (joint.drive == Piece::linear ? joint.slope : 0) +
         (joint.friction == Piece::linear ? joint.stickSlope : 0) + (joint.stop != Piece::linear ? joint.stopSlope : 0);
}

double ImplicitJointDrives::constant(const Joint& joint) const {
  const double drive = joint.drive == Piece::linear ? joint.offset
                       : joint.drive == Piece::high ? joint.high
                                                    : joint.low;
  const double stop = joint.stop == Piece::linear
                          ? 0
                          : joint.stopSlope * (joint.stop == Piece::high ? joint.stops.high : joint.stops.low);
  return drive - static_cast<int>(joint.friction) * joint.dry + stop;
}

void ImplicitJointDrives::refactor() {
  factored_ = false;
  factor_ = inertia_;
  for (std::size_t i = 0; i < joints_.size(); ++i) factor_.row(first_ + static_cast<int>(i))[0] += slope(joints_[i]);
  if (!factor_.factor()) throw Error("the inertia of an articulated body is not positive definite");
}

void ImplicitJointDrives::sum(const double* p, const double* g, double* v) const {
  for (int i = 0; i < inertia_.size(); ++i) v[i] = g != nullptr ? p[i] + g[i] : p[i];
  for (std::size_t i = 0; i < joints_.size(); ++i) v[first_ + i] += constant(joints_[i]);
}

void ImplicitJointDrives::linearized(const double* p, double* v) const {
  sum(p, nullptr, v);
  factor_.solve(v);
}

/// From one extreme piece only to the middle one: a jump to the other extreme may return at once.
void ImplicitJointDrives::move(Piece& from, Piece to, bool& changed) {
  if (to == from) return;
  changed = true;
  from = from != Piece::linear && to != Piece::linear ? Piece::linear : to;
}

void ImplicitJointDrives::solve(const double* p, const double* g, double* v) {
  for (int pass = 0; pass < kMaxDrivePasses; ++pass) {
    refactor();
    sum(p, g, v);
    factor_.solve(v);
    bool changed = false;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      Joint& joint = joints_[i];
      const double velocity = v[first_ + i];
      move(joint.drive, drivePiece(joint, velocity), changed);
      move(joint.friction, frictionPiece(joint, velocity), changed);
      move(joint.stop, stopPiece(joint, velocity), changed);
    }
    if (!changed) return;
  }
  refactor();
  sum(p, g, v);
  factor_.solve(v);
}

void ImplicitJointDrives::multiply(const double* x, double* y) const {
  inertia_.multiply(x, y);
  for (std::size_t i = 0; i < joints_.size(); ++i) y[first_ + i] += slope(joints_[i]) * x[first_ + i];
}

bool ImplicitJointDrives::consistent(const double* v) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    const double velocity = v[first_ + i];
    if (drivePiece(joint, velocity) != joint.drive || frictionPiece(joint, velocity) != joint.friction ||
        stopPiece(joint, velocity) != joint.stop)
      return false;
  }
  return true;
}

double ImplicitJointDrives::law(const Joint& joint, double v) {
  double impulse = std::clamp(joint.offset - joint.slope * v, joint.low, joint.high) - joint.viscous * v -
                   std::clamp(joint.stickSlope * v, -joint.dry, joint.dry);
  if (v > joint.stops.high) impulse += joint.stopSlope * (joint.stops.high - v);
  if (v < joint.stops.low) impulse += joint.stopSlope * (joint.stops.low - v);
  return impulse;
}

const TreeMatrix& ImplicitJointDrives::factorAllBut(const std::vector<char>& kept, bool anew) {
  if (factored_ && !anew) return factor_;
  factor_ = inertia_;
  for (std::size_t i = 0; i < joints_.size(); ++i) factor_.row(first_ + static_cast<int>(i))[0] += slope(joints_[i]);
  if (!factor_.factorAllBut(kept)) throw Error("the inertia of an articulated body is not positive definite");
  factored_ = true;
  return factor_;
}

void ImplicitJointDrives::addConstants(double* impulse) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) impulse[first_ + i] += constant(joints_[i]);
}

double ImplicitJointDrives::misfit(const Joint& joint, double v, double inertia) const {
  const bool fits = drivePiece(joint, v) == joint.drive && frictionPiece(joint, v) == joint.friction &&
                    stopPiece(joint, v) == joint.stop;
  return fits ? 0 : std::abs(law(joint, v) - constant(joint) + slope(joint) * v) / inertia;
}

double ImplicitJointDrives::misfit(const double* v) const {
  double maximum = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i)
    maximum = std::max(maximum, misfit(joints_[i], v[first_ + i], inertia_.row(first_ + static_cast<int>(i))[0]));
  return maximum;
}

void ImplicitJointDrives::follow(const double* v, double minimum, bool atOnce) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    Joint& joint = joints_[i];
    const double velocity = v[first_ + i];
    const double off = misfit(joint, velocity, inertia_.row(first_ + static_cast<int>(i))[0]);
    if (!(off > 0) || off < minimum) continue;
    factored_ = false;
    if (atOnce) {
      joint.drive = drivePiece(joint, velocity);
      joint.friction = frictionPiece(joint, velocity);
      joint.stop = stopPiece(joint, velocity);
    } else {
      bool changed = false;
      move(joint.drive, drivePiece(joint, velocity), changed);
      move(joint.friction, frictionPiece(joint, velocity), changed);
      move(joint.stop, stopPiece(joint, velocity), changed);
    }
  }
}

double ImplicitJointDrives::slopeAlong(const double* v, const double* d, double fraction) const {
  double sum = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i)
    sum += law(joints_[i], v[first_ + i] + fraction * d[first_ + i]) * d[first_ + i];
  return sum;
}

double ImplicitJointDrives::effort(int joint, double v) const {
  const Joint& j = joints_[joint];
  return std::clamp(j.offset - j.slope * v, j.low, j.high) / h_;
}

double ImplicitJointDrives::stopEffort(int joint, double v) const {
  const Joint& j = joints_[joint];
  if (j.stop == Piece::linear) return 0;
  return j.stopSlope * ((j.stop == Piece::high ? j.stops.high : j.stops.low) - v) / h_;
}

void ImplicitJointDrives::save(ByteWriter& out) const {
  for (const Joint& joint : joints_) {
    out.put(joint.drive);
    out.put(joint.friction);
    out.put(joint.stop);
  }
}

void ImplicitJointDrives::restore(ByteReader& in) {
  for (Joint& joint : joints_) {
    in.get(joint.drive);
    in.get(joint.friction);
    in.get(joint.stop);
  }
}

}  // namespace mortise::rigid
