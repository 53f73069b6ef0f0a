#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/control/feedforward.h"
#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"
#include "mortise/timing/parabolic_ramp.h"

namespace mortise::controllers {

/// The common part of controllers that follow a reference with the drivers' servos: PID commands a driver, feedforward
/// torques, their settings and commands.
class TrackingController : public Controller {
 public:
  explicit TrackingController(const ComponentContext& context);

  /// Declares the settings of all of them.
  static void declare(ComponentBuilder component, std::optional<bool> gravityCompensation);

  void start(const ControllerSetup& setup) final;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) final;
  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override;
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
  void warn(const std::string& message) { host_.log(LogLevel::warning, message); }
  /// Writes a warning about a link, once.
  void warnOnce(int link, const std::string& message);

 private:
  void sense(const ControllerInput& input);
  void updateLimits();

  Host& host_;
  Settings<FeedforwardSettings> feedforwardSettings_;
  Settings<ScaleSettings> scales_;
  const Robot* robot_ = nullptr;
  Vector3d gravityOfWorld_ = Vector3d::Zero();
  std::vector<std::string> names_;
  ScaleSettings limitScales_;
  std::vector<CoordinateLimits> limits_;  ///< At these scales.
  std::vector<char> warned_;
  Feedforward feedforward_;
  VectorXd q_, dq_, ddq_;  ///< Reference.
  VectorXd qSensed_, dqSensed_;
};

}  // namespace mortise::controllers
