#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/controller.h"
#include "mortise/component/physics.h"
#include "mortise/model/robot.h"
#include "mortise/simulation/actuation/drive_limits.h"
#include "mortise/simulation/actuation/motor_model.h"
#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {

/// The motors of one robot: turns each driver's command into joint drives at the physics rate, integrating the PID's I
/// term and keeping limits. Allocates nothing after construction.
///
/// With limits of speed or power or a model of its motor, a drive whose step could break them gets another law for that
/// step (`limitDrive`).
///
/// An affine driver moves its links together: torque t acts as t * scale on each. While no link is at its limit, each
/// has the driver's PID gains in its own drive, solved implicitly; along the scales they add up to the driver's own
/// PID, across they hold the links together. Otherwise (a limit is reached, other modes) t is computed from the state
/// now, and a spring of 0.25 servoP with a damper of 0.001 servoP (Klamp't's numbers) holds the links together across
/// the scales, with at most ten times the driver's torque limit.
class ActuatorBank {
 public:
  ActuatorBank(const Robot& robot, const RobotScene& place, const ActuatorLimits& limits = {});

  /// Commands as the controller left them, one a driver. Starts as `off` with the drivers' servo gains.
  std::span<ActuatorCommand> commands() { return commands_; }
  std::span<const ActuatorCommand> commands() const { return commands_; }
  /// Every motor off, integral terms zero, gains back to the drivers' servo gains.
  void reset();

  /// Writes the drives of this robot's joints for a step of `dt`. `q` and `dq` are the robot's coordinates now.
  void update(const VectorXd& q, const VectorXd& dq, double dt, std::span<JointDrive> drives);

  /// Torque of each driver in the last step, from the joint efforts an engine reports.
  void readTorques(std::span<const JointState> joints);
  const std::vector<double>& torques() const { return torques_; }

  /// Drivers that simulation leaves alone, with the reason; for the log.
  const std::vector<std::string>& unsupported() const { return unsupported_; }

  /// Null: the driver's own limits only. Not part of `save`.
  void setMotor(int driver, std::unique_ptr<MotorModel> model) { motors_.at(driver) = std::move(model); }
  MotorModel* motor(int driver) { return motors_.at(driver).get(); }
  const MotorModel* motor(int driver) const { return motors_.at(driver).get(); }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  void driveLinks(int driver, double dt, const VectorXd& q, const VectorXd& dq, std::span<JointDrive> drives);
  void driveTogether(int driver, double torque, double slope, double rateNow, double rate, double dt, const VectorXd& q,
                     std::span<JointDrive> drives) const;
  DriveLimits limitsOf(int driver, double asked, double feedforward, double rate, double dt,
                       MotorAnswer& friction) const;
  double expectedRate(int driver, double rate);
  bool withinLimits(int driver, const VectorXd& q, const VectorXd& dq, double error, double feedforward) const;

  const Robot& robot_;
  const RobotScene& place_;
  ActuatorLimits limits_;
  struct Effort {
    double min, max;
  };
  std::vector<Effort> torqueLimits_;  ///< By driver: those that are kept.
  std::vector<double> powerLimits_;   ///< By driver: torque times rate at most; infinite where none is kept.
  std::vector<std::unique_ptr<MotorModel>> motors_;  ///< By driver; null: none.
  std::vector<ActuatorCommand> commands_;
  std::vector<double> integral_;  ///< Integral of the position error, s * rad or s * m.
  std::vector<double> torques_;
  /// By driver: an affine PID drive in which a link was at its limit in the last step.
  std::vector<unsigned char> limited_;
  struct Pace {
    double rate, change;  ///< Rate of the driver's value in the last step, and how much it changed then.
  };
  std::vector<Pace> pace_;  ///< By driver; of affine ones only.
  std::vector<std::string> unsupported_;
};

/// The difference a - b of two positions of a driver: for drivers that turn freely or over at least a full turn, the
/// shorter way around.
double driverDifference(const Robot& robot, int driver, double a, double b);

}  // namespace mortise
