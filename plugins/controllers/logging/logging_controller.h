#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logging/command_log.h"
#include "mortise/component/controller.h"
#include "mortise/settings/settings.h"

namespace mortise::controllers {

struct LoggingSettings {
  Value inner;
  bool save = true;
  std::string file = "commands.log";
  std::string replay;
  std::optional<double> removeDelays;  ///< s
  bool onlyJointCommands = false;
  void bind(SettingBinder& b);
};

/// Hands its updates on to another controller and writes down what that one asks of the motors; or asks itself what a
/// log says, without the other.
class LoggingController final : public Controller {
 public:
  explicit LoggingController(const ComponentContext& context);

  void start(const ControllerSetup& setup) override;
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override;
  bool command(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> commands() const override;
  Value settings() const override;
  bool hasSetting(std::string_view name) const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  std::string inRunFolder(const std::string& file) const;
  /// Returns the file of the log that a setting or an argument names; see `outputPath`.
  std::string outputOf(const Value& setting) const;
  /// A log to read: in the run's folder, as it is named, or where the host finds files.
  std::string findLog(const std::string& file) const;
  /// The setting `file` with its position, which decides where the log may be.
  Value fileSetting() const;
  void startLog(const Value& file);
  /// Says so when the log goes elsewhere than it was asked to.
  void reportWhere() const;
  void startReplay(const std::string& file, double delays);
  void replayNow(const ControllerInput& input, std::span<ActuatorCommand> commands);
  void logNow(double time, std::span<const ActuatorCommand> commands);

  Host& host_;
  ComponentPtr<Controller> inner_;
  Settings<LoggingSettings> settings_;
  int numDrivers_ = 0;
  double period_ = 0;

  bool replay_ = false;  ///< True if a log is replayed now.
  CommandLogWriter writer_;
  std::uint64_t logged_ = 0;           ///< Bytes of the records that the motion so far gave, wherever they are.
  std::int64_t shift_ = 0;             ///< Difference of the file from that.
  bool repeat_ = false;                ///< The next update is logged even if it says nothing new: a file begins there.
  std::vector<ActuatorCommand> last_;  ///< Commands as logged; empty before the first record.
  CommandLog log_;                     ///< The log that is replayed.
  std::size_t next_ = 0;               ///< Record that comes next.
  std::optional<double> replayStart_;  ///< Time at which the first record is due; set by the first update of a replay.
};

}  // namespace mortise::controllers
