#pragma once

/// Models of motors, between the command and the torque of a driver. All numbers are those of the driver: its value,
/// its rate and its torque (N*m and rad/s, or N and m/s); gears are part of the model.

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/value.h"
#include "mortise/settings/setting_binder.h"

namespace mortise {

/// The command that a motor gets for the next step.
struct MotorRequest {
  double rate = 0;         ///< Rate of the driver now.
  double dt = 0;           ///< s, of the step.
  double effort = 0;       ///< Commanded at this rate, before any limit.
  double feedforward = 0;  ///< The part of it that does not depend on the driver's state.
  /// Limits of the driver that are in force; infinite where none are.
  double minEffort = -std::numeric_limits<double>::infinity();
  double maxEffort = std::numeric_limits<double>::infinity();
};

/// The efforts that the motor can give in that step, and how they change with the rate v at its end: from minEffort -
/// minSlope (v - rate) to maxEffort - maxSlope (v - rate). The engine solves with these lines, so a motor that weakens
/// with its speed reaches it without overshoot. minEffort > 0 counts as 0, and so does maxEffort < 0: a motor may be
/// unable to push, but it is never forced to. Slopes are not negative.
struct MotorAnswer {
  double minEffort = -std::numeric_limits<double>::infinity();
  double maxEffort = std::numeric_limits<double>::infinity();
  double minSlope = 0, maxSlope = 0;
  double dryFriction = 0, viscousFriction = 0;  ///< On top of the driver's own.
};

/// Called once a physics step for each driver it is set for (`Simulation::setMotorModel`), whatever the command's mode.
class MotorModel {
 public:
  virtual ~MotorModel();

  /// A short name, which snapshots are compared by: "dc".
  virtual std::string_view type() const = 0;
  /// Must not allocate. Numbers that are NaN, or slopes and frictions that are negative or not finite, stop the
  /// simulation.
  virtual MotorAnswer answer(const MotorRequest& request) = 0;

  /// Everything that later answers depend on (a temperature, a charge). The defaults hold nothing.
  virtual void save(ByteWriter& out) const;
  virtual void restore(ByteReader& in);
};

/// A direct-current motor at a fixed voltage behind a gear: at the output, a torque of at most
/// stallTorque (1 - v / noLoadSpeed) in the direction of the speed v, and at most the stall torque against it (its
/// current is limited to that of the stall). Given a steady full command against an inertia J alone, its speed
/// approaches noLoadSpeed exponentially with the time constant J noLoadSpeed / stallTorque.
class DcMotor final : public MotorModel {
 public:
  struct Parameters {
    double stallTorque = 0;      ///< N*m (N), at the output or, with a gear, at the motor's shaft; positive.
    double noLoadSpeed = 0;      ///< rad/s (m/s), alike; positive.
    double gear = 1;             ///< Turns of the motor for one of the output; positive.
    double efficiency = 1;       ///< Efficiency of the gear: fraction of the torque that arrives; 0 < efficiency <= 1.
    double dryFriction = 0;      ///< N*m (N), at the output.
    double viscousFriction = 0;  ///< N*m*s (N*s/m), at the output.
    void bind(SettingBinder& b);
  };
  /// Throws `Error` for parameters out of their ranges.
  explicit DcMotor(const Parameters& parameters);

  std::string_view type() const override { return "dc"; }
  MotorAnswer answer(const MotorRequest& request) override;
  double stallTorque() const { return stall_; }    ///< At the output.
  double noLoadSpeed() const { return fastest_; }  ///< At the output.

 private:
  double stall_, fastest_, dry_, viscous_;
};

/// A motor that a pipeline chooses.
struct MotorOptions {
  int robot = 0;                  ///< Index in the world.
  int driver = 0;                 ///< Index in the robot.
  std::string model = "dc";       ///< One of `motorModelNames`.
  Value settings = Value::map();  ///< Settings of the model; not yet completed.
  SourcePosition position;
};

/// Names of the models that `makeMotorModel` knows.
const std::vector<std::string>& motorModelNames();
/// Throws `Error` with the nearest name for a model that does not exist, or `DiagnosticsError` with all wrong settings.
std::unique_ptr<MotorModel> makeMotorModel(const MotorOptions& options);

}  // namespace mortise
