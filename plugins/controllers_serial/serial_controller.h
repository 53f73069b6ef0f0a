#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mailbox.h"
#include "mortise/component/controller.h"
#include "mortise/dynamics/gravity.h"
#include "mortise/settings/settings.h"
#include "robot_server.h"

namespace mortise::controllers_serial {

struct SerialSettings {
  std::string servAddr = "tcp://127.0.0.1:3456";
  double writeRate = 10;  ///< Hz
  bool lockstep = false, mustListen = false;
  bool gravityCompensation = true;
  std::vector<std::string> sensors;          ///< Empty: all.
  double timeout = 10, connectTimeout = 60;  ///< s
  std::int64_t maxMessageSize = 1 << 20;     ///< Bytes.
  void bind(SettingBinder& b);
  void check() const;
};

/// Hands a robot to a program in another process: sends what its sensors measure, and does what the program says.
class SerialController final : public Configured<Controller, SerialSettings> {
 public:
  explicit SerialController(const ComponentContext& context);
  ~SerialController() override;

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  /// The command that the motors get until there is something new.
  enum class Mode : std::uint8_t {
    hold,      ///< Nobody drives: hold q, with gravity compensated.
    position,  ///< q, dq and torque as the client said.
    velocity,  ///< q moves with dq until `endTime`.
    torque,
  };
  struct Motion {
    Mode mode = Mode::hold;
    VectorXd q, dq;       ///< One a link.
    VectorXd torque;      ///< One a driver.
    double endTime = 0;   ///< s
    double lastTime = 0;  ///< Time of the last update, s.
  };

  void open();
  bool listening() const { return server_ != nullptr; }
  void writeNotes();
  void sense(const ControllerInput& input);
  bool dueAt(double time);
  void advance(double time);
  /// Does what has come in.
  void receive(double time);
  /// Sends the state and waits for the answer.
  void exchange(const ControllerInput& input, double period);
  void handle(double time);
  void apply(const remote::RobotCommand& command, double time);
  void answerSetting(double time);
  /// Counts reports anew at a changed rate.
  void restartReports(double time);
  void hold();
  void send(const ControllerInput& input, double period, ClientId client);
  void write(std::span<ActuatorCommand> commands);

  remote::Address address_;
  const Robot* robot_ = nullptr;
  Vector3d gravity_ = Vector3d::Zero();
  Motion motion_;
  std::int64_t lastWrite_ = -1;  ///< Whole periods of `writeRate` at the last report.

  std::unique_ptr<Mailbox> mailbox_;
  std::unique_ptr<RobotServer> server_;
  ClientEvent event_;
  std::string frame_;
  std::vector<std::pair<LogLevel, std::string>> notes_;

  std::vector<char> sent_;  ///< One a sensor.
  int positionSensor_ = -1;
  std::vector<int> positionLinks_;  ///< Link of each channel of that sensor; -1: none.
  VectorXd qSensed_;                ///< Commanded where nothing measures.
  std::vector<double> qReport_, dqReport_;
  VectorXd qWork_;
  std::optional<RobotState> state_;
  std::optional<GravityModel> model_;
  VectorXd G_;
};

}  // namespace mortise::controllers_serial
