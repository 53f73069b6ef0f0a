#pragma once

#include <optional>
#include <string>
#include <vector>

#include "feedforward.h"
#include "mortise/component/controller.h"
#include "mortise/plugin/plugin.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise {

/// What the controllers that follow a reference with the drivers' servos have in common: PID commands a driver,
/// feedforward torques, their settings and commands.
class TrackingController : public Controller {
 public:
  explicit TrackingController(const ComponentContext& context);

  /// Parameters of all of them.
  static void declare(ComponentBuilder component, bool gravityCompensation);

  void start(const ControllerSetup& setup) final;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) final;
  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  Value settings() const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 protected:
  /// At the start configuration; robot(), limits() and clock() are there.
  virtual void begin(const ControllerSetup& setup) = 0;
  /// Position, velocity and acceleration to track at this update.
  virtual void reference(const ControllerInput& input, VectorXd& q, VectorXd& dq, VectorXd& ddq) = 0;

  const Robot& robot() const { return *robot_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<CoordinateLimits>& limits() const { return limits_; }
  const Host& host() const { return host_; }
  /// Moves what lies outside of the position limits to them. The log tells about each link once.
  void clampToLimits(std::string_view command, VectorXd& q);
  /// Writes a warning about a link, once.
  void warnOnce(int link, const std::string& message);

 private:
  void sense(const ControllerInput& input);
  void setScales(double velocity, double acceleration);

  Host& host_;
  const bool automaticGravity_;            ///< On unless joint 0 floats.
  const Feedforward initial_;              ///< As the settings say.
  const std::optional<Vector3d> gravity_;  ///< Absent: the world's.
  const double initialVelocityScale_, initialAccelerationScale_;
  const Robot* robot_ = nullptr;
  std::vector<std::string> names_;
  double velocityScale_ = 0, accelerationScale_ = 0;
  std::vector<CoordinateLimits> limits_;  ///< At these scales.
  std::vector<char> warned_;
  Feedforward feedforward_;
  VectorXd q_, dq_, ddq_;  ///< Reference.
  VectorXd qSensed_, dqSensed_;
};

}  // namespace mortise
