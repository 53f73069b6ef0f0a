#include "mortise/planning/real_time/motion_audit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mortise/base/value_text.h"

namespace mortise {

namespace {

/// Errors of rounding: of a position (rad or m), of a velocity, and as a fraction of a bound.
constexpr double kPositionRounding = 1e-9, kVelocityRounding = 1e-9, kBoundRounding = 1e-6;

}  // namespace

MotionAudit::MotionAudit(const MotionSpace& space, std::shared_ptr<const WorldCollider> collider,
                         std::vector<CoordinateLimits> limits, std::vector<KnownMotion> motions)
    : space_(space),
      collider_(std::move(collider)),
      limits_(std::move(limits)),
      motions_(std::move(motions)),
      state_(collider_) {}

void MotionAudit::note(std::int64_t& count, double t, const std::string& what) {
  ++count;
  if (findings_.first.empty()) findings_.first = what + " at " + formatReal(t) + " s";
}

/// With the place before.
void MotionAudit::compare(double t, const VectorXd& q, const VectorXd& dq) {
  const double dt = t - t_;
  for (Eigen::Index c = 0; c < q.size(); ++c) {
    const CoordinateLimits& limits = limits_[static_cast<std::size_t>(c)];
    const std::string name = "'" + space_.coordinateName(static_cast<int>(c)) + "' ";
    // Between two velocities, a position changes by their mean times the time, give or take what an acceleration within
    // its bound can do in between.
    const double expected = 0.5 * (dq[c] + dq_[c]) * dt, slack = 0.25 * limits.aMax * dt * dt + kPositionRounding;
    if (!(std::abs(q[c] - q_[c] - expected) <= slack)) note(findings_.jumps, t, name + "jumps");
    const double fastest = dq[c] > 0 ? limits.vMax : -limits.vMin;
    if (dq[c] != 0) findings_.peakVelocity = std::max(findings_.peakVelocity, std::abs(dq[c]) / fastest);
    if (!(std::abs(dq[c]) <= fastest * (1 + kBoundRounding) + kVelocityRounding))
      note(findings_.beyondLimits, t, name + "is too fast");
    const double change = std::max(std::abs(dq[c] - dq_[c]) - kVelocityRounding, 0.0);
    if (change > 0 && dt > 0)
      findings_.peakAcceleration = std::max(findings_.peakAcceleration, change / dt / limits.aMax);
    if (!(change <= limits.aMax * dt * (1 + kBoundRounding)))
      note(findings_.beyondLimits, t, name + "changes its velocity too fast");
  }
}

void MotionAudit::observe(double t, const VectorXd& q, const VectorXd& dq) {
  if (findings_.places > 0) compare(t, q, dq);
  for (Eigen::Index c = 0; c < q.size(); ++c) {
    const CoordinateLimits& limits = limits_[static_cast<std::size_t>(c)];
    if (!limits.circular && !(q[c] >= limits.xMin - kPositionRounding && q[c] <= limits.xMax + kPositionRounding))
      note(findings_.beyondLimits, t, "'" + space_.coordinateName(static_cast<int>(c)) + "' is out of its bounds");
  }
  ++findings_.places;
  q_ = q;
  dq_ = dq;
  t_ = t;
  space_.lift(q, full_);
  for (const Mover& mover : space_.movers())
    if (mover.kind == Mover::Kind::robot) {
      const VectorXd part = full_.segment(mover.first, mover.size);
      state_.setConfiguration(mover.index, part);
    }
  for (const KnownMotion& motion : motions_) state_.setPose(motion.id(), motion.poseAt(t));
  IdPair found;
  for (const Mover& mover : space_.movers())
    if (mover.kind == Mover::Kind::robot && state_.robotCollision(mover.index, &found))
      note(findings_.collisions, t,
           "'" + collider_->world().nameOf(found.a) + "' collides with '" + collider_->world().nameOf(found.b) + "'");
}

}  // namespace mortise
