#include <algorithm>
#include <cmath>

#include "mujoco_scene.h"

// Drives. With B = D + h K the effort of a drive between its limits is c - B v_end, with v_end the velocity at the end
// of the step. MuJoCo's accelerations solve M a = forces, so with h B added to the joint's inertia and c - B v_begin as
// its force, the velocity that comes out is v_end = v_begin + h a of that law: joint damping B, integrated implicitly,
// which the rows of constraints feel as well. At a limit the effort is a constant force, and viscous friction alone is
// implicit. Which drives are at a limit follows from the accelerations, which follow from that; it is found in passes,
// from what the last step had, and no step is taken in which an effort is beyond its limit.

namespace mortise::mujoco {

namespace {

/// Passes in which drives may leave a limit again.
constexpr int kReleasingPasses = 8;
/// Part of a limit below which a drive at it is let go, so that rounding does not toss it to and fro.
constexpr double kWithin = 1e-9;

}  // namespace

/// Effort without limits at an end of step with this velocity, from the position at its beginning.
double MujocoScene::law(const JointDrive& drive, double position, double velocity, double dt) {
  return drive.stiffness * (drive.target - position - dt * velocity) +
         drive.damping * (drive.targetVelocity - velocity) + drive.feedforward;
}

/// Implicit parts of drives and friction, on the pieces in force.
void MujocoScene::setInertias(double dt) {
  mjModel& m = model_.model();
  for (std::size_t j = 0; j < drives_.size(); ++j) {
    const JointDrive& drive = drives_[j];
    const double slope = pieces_[j] == Piece::linear ? drive.damping + dt * drive.stiffness : 0;
    model_.setArmature(static_cast<int>(j), dt * (slope + drive.viscousFriction));
    m.dof_frictionloss[model_.joints()[j].dof] = drive.dryFriction;
  }
}

void MujocoScene::setDrives() {
  mjData* d = data_.get();
  for (std::size_t j = 0; j < drives_.size(); ++j) {
    const JointDrive& drive = drives_[j];
    const JointPlace& place = model_.joints()[j];
    const double velocity = qvelBefore_[place.dof];
    const double effort = pieces_[j] == Piece::low    ? drive.minEffort
                          : pieces_[j] == Piece::high ? drive.maxEffort
                                                      : law(drive, qposBefore_[place.qpos], velocity, dt_);
    d->qfrc_applied[place.dof] = effort - drive.viscousFriction * velocity;
  }
}

/// Efforts at the velocities that the step ends with: those that the accelerations give, or once it was taken those
/// that came out. Puts drives on the pieces that these efforts are on; false when all were there. A drive goes from one
/// limit to the other by way of what is between them.
bool MujocoScene::followDrives(double dt, bool taken, bool release) {
  const mjData* d = data_.get();
  bool changed = false;
  for (std::size_t j = 0; j < drives_.size(); ++j) {
    const JointDrive& drive = drives_[j];
    const JointPlace& place = model_.joints()[j];
    const double velocity = taken ? d->qvel[place.dof] : qvelBefore_[place.dof] + dt * d->qacc[place.dof];
    const double effort = law(drive, qposBefore_[place.qpos], velocity, dt);
    Piece& piece = pieces_[j];
    Piece next = piece;
    if (piece == Piece::linear)
      next = effort > drive.maxEffort ? Piece::high : effort < drive.minEffort ? Piece::low : Piece::linear;
    else if (release && piece == Piece::high && effort < drive.maxEffort - kWithin * (1 + std::abs(drive.maxEffort)))
      next = Piece::linear;
    else if (release && piece == Piece::low && effort > drive.minEffort + kWithin * (1 + std::abs(drive.minEffort)))
      next = Piece::linear;
    if (next == piece) continue;
    piece = next;
    changed = true;
  }
  return changed;
}

/// Drives that a new command has put out of the range of a limit.
void MujocoScene::dropStalePieces() {
  for (std::size_t j = 0; j < drives_.size(); ++j)
    if (!std::isfinite(pieces_[j] == Piece::high ? drives_[j].maxEffort : drives_[j].minEffort))
      pieces_[j] = Piece::linear;
}

/// Accelerations with drives, friction and constraints, and the step that they make.
void MujocoScene::solveStep(double dt) {
  const mjModel& m = model_.model();
  mjData* d = data_.get();
  // The last passes only hold drives to their limits, so there are no more than joints.
  for (std::size_t pass = 0;; ++pass) {
    const bool release = pass < kReleasingPasses;
    setDrives();
    mj_fwdActuation(&m, d);
    mj_fwdAcceleration(&m, d);
    solveConstraints(pass == 0);
    ++counts_.passes;
    bool changed = followDrives(dt, false, release);
    if (!changed) {
      integrate();
      // Only Euler's method has the velocities that accelerations at the beginning of the step give.
      if (m.opt.integrator == mjINT_EULER || !followDrives(dt, true, false)) break;
      rewind();
    }
    if (pass == kReleasingPasses) {
      ++counts_.unsettled;
      bounds_.sweeps = true;
    }
    setInertias(dt);
    factorInertia(&m, d);
    mj_projectConstraint(&m, d);
  }
  collectDriveEfforts(dt);
}

void MujocoScene::collectDriveEfforts(double dt) {
  const mjData* d = data_.get();
  for (std::size_t j = 0; j < drives_.size(); ++j) {
    const JointDrive& drive = drives_[j];
    const JointPlace& place = model_.joints()[j];
    const double effort = law(drive, qposBefore_[place.qpos], d->qvel[place.dof], dt);
    efforts_[j].drive = pieces_[j] == Piece::low    ? drive.minEffort
                        : pieces_[j] == Piece::high ? drive.maxEffort
                                                    : effort;
    if (pieces_[j] != Piece::linear) ++counts_.saturatedDrives;
  }
}

}  // namespace mortise::mujoco
