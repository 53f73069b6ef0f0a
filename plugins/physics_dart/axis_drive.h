#pragma once

#include <string>

#include "constraints.h"
#include "dart_settings.h"
#include "mortise/component/physics.h"

namespace mortise::dart {

/// A joint of one degree of freedom, and its drive in DART's terms.
class AxisDrive {
 public:
  /// `name` is for messages.
  AxisDrive(std::string name, dyn::Joint* joint, DartSettings::Drives kind);

  /// Throws `Error` for numbers that are not finite, negative gains or frictions, and limits that cross.
  void set(const JointDrive& drive);
  const JointDrive& drive() const { return drive_; }
  dyn::Joint& joint() const { return *joint_; }

  /// Before the step: DART's spring, damper, command and friction for a step of `h` seconds.
  void prepare(double h);
  /// Says whether its effort could reach a limit that DART does not keep by itself.
  bool limited() const;
  /// After the step: puts the drive on the piece of its law that it ended on; false when it was taken to be there. With
  /// `release` it may leave a limit. From one limit to the other it goes by way of what is between them.
  bool follow(double h, bool release);
  bool saturated() const { return piece_ != Piece::linear; }
  /// After the step.
  void finish(double h);

  /// Also for the solver to write to.
  Solver::AxisImpulse impulse;
  JointState state() const;
  double friction() const { return friction_; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  enum class Law { spring, constant, servo };
  enum class Piece : signed char { low = -1, linear = 0, high = 1 };
  /// Returns what the drive's formula gives without its limits, for a speed at the end of the step.
  double effortAt(double velocity, double h) const;
  void servo(double h);
  void command(Law law, double stiffness, double damping, double command);

  std::string name_;
  dyn::Joint* joint_;
  DartSettings::Drives kind_;
  JointDrive drive_;
  Law law_ = Law::spring;
  double constant_ = 0;                          ///< Effort of `Law::constant`.
  double startPosition_ = 0;                     ///< Position at the start of the step.
  Piece piece_ = Piece::linear;                  ///< Piece of the last step, which the next one starts from.
  double effort_ = 0, stop_ = 0, friction_ = 0;  ///< Efforts of the last step.
};

}  // namespace mortise::dart
