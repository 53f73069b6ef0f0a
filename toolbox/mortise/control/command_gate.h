#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mortise/component/controller.h"
#include "mortise/component/hardware.h"
#include "mortise/model/robot.h"

namespace mortise {

/// Lets those commands of a controller through to the hardware that it can carry out and that the robot's limits allow.
class CommandGate {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// `place` stands for the hardware in messages. `warn` is called once for each thing that is left out, and once a
  /// driver for a limit. The robot outlives this.
  CommandGate(const Robot& robot, const HardwareCapabilities& capabilities, std::string place, Warn warn);

  /// The commands as the hardware gets them; valid until the next call. Throws `Error` for numbers that are not finite,
  /// for modes that the hardware does not declare and for mixtures of modes.
  std::span<const ActuatorCommand> pass(std::span<const ActuatorCommand> commands);
  /// Returns the number of commands of a driver that were changed so that they keep its limits.
  std::int64_t limited() const { return limited_; }

 private:
  void requireFinite(int driver, const ActuatorCommand& command) const;
  void requireMode(int driver, const ActuatorCommand& command) const;
  void requireOneMode(std::span<const ActuatorCommand> commands) const;
  void leaveOut(int driver, ActuatorCommand& command);
  void limit(int driver, ActuatorCommand& command);

  const Robot& robot_;
  HardwareCapabilities capabilities_;
  std::string place_;
  Warn warn_;
  std::vector<ActuatorCommand> passed_;
  std::vector<unsigned char> warnedLimit_;  ///< By driver.
  bool warnedGains_ = false, warnedFeedforward_ = false;
  std::int64_t limited_ = 0;
};

}  // namespace mortise
