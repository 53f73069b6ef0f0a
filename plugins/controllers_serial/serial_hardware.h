#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/component/hardware.h"
#include "mortise/settings/settings.h"
#include "remote/connection.h"
#include "remote/robot_message.h"

namespace mortise::controllers_serial {

struct SerialHardwareSettings {
  std::string address = "tcp://127.0.0.1:3456";
  double wait = 0, timeout = 10;  ///< s
  void bind(SettingBinder& b);
};

/// The mirror image of a SerialController: a robot, simulated or real, in another process behind the protocol.
class SerialHardware final : public Hardware {
 public:
  explicit SerialHardware(const ComponentContext& context);

  void connect(const HardwareSetup& setup) override;
  HardwareDescription description() const override { return description_; }
  HardwareRead read(HardwareState& state) override;
  void start(const VectorXd& q, double period) override;
  void write(std::span<const ActuatorCommand> commands, double period) override;
  void confirm() override;
  void stop() override;
  void emergencyStop() noexcept override;
  std::string ending() const override { return "the robot's end of the connection was closed"; }
  HardwareCounts counts() const override { return counts_; }

 private:
  HardwareRead receive();
  bool take(std::string_view text, bool replaces);
  void requireStates() const;
  [[noreturn]] void throwSilent() const;
  void complain(const remote::RobotReport& report);
  void describe(double rate);
  void send(const remote::RobotCommand& command);

  Host& host_;
  Settings<SerialHardwareSettings> settings_;
  remote::Address address_;
  const Robot* robot_ = nullptr;
  std::optional<remote::Connection> connection_;
  HardwareDescription description_;
  remote::RobotReport report_, spare_;
  remote::RobotCommand message_;
  std::string frame_;
  VectorXd start_;  ///< Configuration in which the robot was; links without a motor stay there.
  HardwareCounts counts_;
  std::int64_t messages_ = 0;  ///< States that came, skipped ones too.
  double waited_ = 0;          ///< s without a message.
  bool busy_ = false;          ///< Another client drives the robot.
  bool unread_ = false;        ///< `report_` holds a state that `read` has not handed out.
  bool left_ = false;          ///< The other end took no message any more.
  std::string lastError_;      ///< The last error of the robot's.
};

}  // namespace mortise::controllers_serial
