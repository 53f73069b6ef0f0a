#include "drive_rows.h"

#include <algorithm>
#include <cmath>

namespace mortise::bullet {

namespace {

/// Bullet's numbers for impulses without a limit end here.
constexpr double kUnlimited = 1e30;
/// A drive that yields by so many times more than this is a torque, in N*m*s*s or kg.
constexpr double kMinSlope = 1e-15;

}  // namespace

double DriveRows::set(const JointDrive& drive, double q, double v, double h) {
  const bool limited = std::isfinite(drive.minEffort) || std::isfinite(drive.maxEffort);
  const double atRest = drive.stiffness * (drive.target - q) + drive.damping * drive.targetVelocity + drive.feedforward;
  double slope = h * drive.damping + h * h * drive.stiffness;
  double viscous = std::max(0.0, drive.viscousFriction);
  torque_ = merged_ = 0;
  drive_.clear();
  if (slope > kMinSlope) {
    // Without limits viscous friction is just more damping.
    if (!limited) {
      merged_ = viscous;
      viscous = 0;
      slope += h * merged_;
    }
    drive_.set(h * atRest / slope, 1 / slope, std::max(-kUnlimited, h * drive.minEffort),
               std::min(kUnlimited, h * drive.maxEffort));
  } else {
    torque_ = std::clamp(atRest - slope / h * v, drive.minEffort, std::max(drive.minEffort, drive.maxEffort));
  }
  viscous_.clear();
  if (h * viscous > kMinSlope) viscous_.set(0, 1 / (h * viscous), -kUnlimited, kUnlimited);
  dry_.clear();
  if (drive.dryFriction > 0) dry_.set(0, 0, -h * drive.dryFriction, h * drive.dryFriction);
  return torque_;
}

}  // namespace mortise::bullet
