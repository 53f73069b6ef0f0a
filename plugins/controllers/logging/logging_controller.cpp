#include "logging/logging_controller.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "common/command_arguments.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/settings/output_path.h"

namespace mortise::controllers {

namespace {

/// Clocks that count the same steps from different starts differ by rounding.
constexpr double kSameTime = 1e-9;

constexpr double kNever = 1e9;

/// "100 Hz"
std::string rateText(double period) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g Hz", 1 / period);
  return text;
}

}  // namespace

void LoggingSettings::bind(SettingBinder& b) {
  b.add("inner", inner,
        "The controller that does the work: its name, or a map {type: NAME, settings...}. When absent: "
        "FeedforwardPolynomialPathController.");
  b.add("save", save, "Write the log from the start.", {.changeable = true});
  b.add("file", file,
        "Where to, in the run's folder, else the current one. Numbered when there is such a file already.");
  b.add("replay", replay, "Log to replay from the start.");
  b.add("remove_delays", removeDelays,
        "Of `replay`: stretches without change last this long at most. When absent: as long as they did.",
        {.min = 0, .unit = "s", .aliases = {"removeDelays"}});
  b.add("only_joint_commands", onlyJointCommands,
        "Positions, velocities and torques alone count: when commands are compared, and in a replay.",
        {.aliases = {"onlyJointCommands"}, .changeable = true});
}

LoggingController::LoggingController(const ComponentContext& context)
    : host_(context.host), settings_(context.settings) {
  const Value& inner = settings_->inner;
  Value settings = Value::map();
  std::string type;
  if (inner.isNull()) {
    type = "FeedforwardPolynomialPathController";
  } else if (inner.isMap()) {
    type = inner.at("type").text();
    settings = inner;
    settings.erase("type");
  } else {
    type = inner.text();
  }
  inner_ = context.host.createController(type, settings, "inner", inner.position());
}

void LoggingController::start(const ControllerSetup& setup) {
  numDrivers_ = setup.robot.numDrivers();
  period_ = setup.period;
  inner_->start(setup);
  settings_.reset();
  replay_ = false;
  logged_ = 0;
  repeat_ = false;
  last_.clear();
  last_.reserve(static_cast<std::size_t>(numDrivers_));
  if (!settings_->replay.empty()) startReplay(findLog(settings_->replay), settings_->removeDelays.value_or(kNever));
  const bool logs = settings_->save && !replay_;
  if (!logs || writer_.wanted() != outputOf(fileSetting())) writer_.close();
  if (!logs) return;
  if (!writer_.isOpen()) return startLog(fileSetting());
  const std::string before = writer_.path();
  writer_.restart(numDrivers_, settings_->onlyJointCommands, period_);
  shift_ = static_cast<std::int64_t>(writer_.size());
  if (writer_.path() != before) reportWhere();
}

std::string LoggingController::inRunFolder(const std::string& file) const {
  const std::filesystem::path path(file);
  if (path.is_absolute() || host_.runDirectory().empty()) return file;
  return (std::filesystem::path(host_.runDirectory()) / path).string();
}

std::string LoggingController::outputOf(const Value& setting) const {
  const std::string file = nameFrom(setting);
  // What stands in no file was given by a program that uses the library.
  if (!setting.position().known()) return inRunFolder(file);
  return outputPath(host_.runDirectory(), file, setting.position());
}

std::string LoggingController::findLog(const std::string& file) const {
  std::error_code none;
  for (const std::string& path : {inRunFolder(file), file})
    if (std::filesystem::is_regular_file(path, none)) return path;
  return host_.findResource(file);
}

Value LoggingController::fileSetting() const {
  Value file(settings_->file);
  file.setPosition(settings_.position("file"));
  return file;
}

void LoggingController::startLog(const Value& file) {
  const std::string path = outputOf(file);
  if (writer_.isOpen()) {
    if (path == writer_.path() || path == writer_.wanted()) return;
    writer_.moveTo(path);
  } else {
    writer_.open(path, numDrivers_, settings_->onlyJointCommands, period_);
    last_.clear();
    shift_ = static_cast<std::int64_t>(writer_.size()) - static_cast<std::int64_t>(logged_);
  }
  reportWhere();
}

void LoggingController::reportWhere() const {
  if (writer_.path() != writer_.wanted())
    host_.log(LogLevel::warning,
              "'" + writer_.wanted() + "' is there already; commands are logged to '" + writer_.path() + "'");
}

void LoggingController::startReplay(const std::string& file, double delays) {
  CommandLog log = readCommandLog(file);
  if (log.numDrivers != numDrivers_)
    throw Error("the log is of a robot with " + std::to_string(log.numDrivers) + " drivers, and this one has " +
                    std::to_string(numDrivers_),
                inFile(file));
  if (log.records.empty())
    throw Error(log.droppedBytes > 0
                    ? "the first record of the log is damaged or cut off, so there is nothing to replay"
                    : "the log holds no record, so there is nothing to replay",
                inFile(file), "make the log again, or name another one");
  const double ratio = log.period / period_;
  if (const double full = std::round(ratio); full < 1 || std::abs(ratio - full) > 1e-6 * full)
    throw Error("the log was made at " + rateText(log.period) + ", and this controller runs at " + rateText(period_) +
                    ": commands would come late or be lost",
                inFile(file), "set the controller's rate: " + rateText(log.period));
  if (log.droppedBytes > 0) {
    char last[32];
    std::snprintf(last, sizeof last, "%.6g", log.records.back().time);
    host_.log(LogLevel::warning,
              "'" + file + "' ends with " + std::to_string(log.droppedBytes) +
                  " bytes that are no whole record; they are left out, and the replay ends with the " + "record of " +
                  last + " s");
  }
  if (delays < kNever) removeDelays(log, delays);
  log_ = std::move(log);
  next_ = 0;
  replayStart_.reset();
  replay_ = true;
}

void LoggingController::replayNow(const ControllerInput& input, std::span<ActuatorCommand> commands) {
  if (log_.records.empty()) return;
  if (!replayStart_) replayStart_ = input.time;
  const double time = input.time - *replayStart_ + log_.records.front().time + kSameTime;
  while (next_ < log_.records.size() && log_.records[next_].time <= time) ++next_;
  if (next_ == 0) return;
  const std::vector<ActuatorCommand>& logged = log_.records[next_ - 1].commands;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (!settings_->onlyJointCommands) {
      commands[i] = logged[i];
      continue;
    }
    // Modes and gains are the robot's own; a motor that is off tracks positions, as the log means.
    if (commands[i].mode == ActuatorCommand::Mode::off) commands[i].mode = logged[i].mode;
    commands[i].position = logged[i].position;
    commands[i].velocity = logged[i].velocity;
    commands[i].torque = logged[i].torque;
  }
}

void LoggingController::logNow(double time, std::span<const ActuatorCommand> commands) {
  bool same = !last_.empty();
  for (std::size_t i = 0; same && i < commands.size(); ++i)
    same = sameCommand(commands[i], last_[i], settings_->onlyJointCommands);
  if (same && !repeat_) return;
  writer_.append(time, commands);
  if (!same) logged_ += writer_.recordSize();
  repeat_ = false;
  shift_ = static_cast<std::int64_t>(writer_.size()) - static_cast<std::int64_t>(logged_);
  last_.assign(commands.begin(), commands.end());
}

void LoggingController::update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) {
  if (replay_) return replayNow(input, commands);
  inner_->update(input, period, commands);
  if (settings_->save && writer_.isOpen()) logNow(input.time, commands);
}

bool LoggingController::command(std::string_view name, const Value& arguments) {
  if (name == "log") {
    if (nameFrom(arguments).empty()) throw Error("log takes the name of a file to write", arguments.position());
    startLog(arguments);
    settings_.edit().save = true;
    writer_.flush();
    return true;
  }
  if (name == "replay") {
    const Value* named = arguments.isMap() ? arguments.find("file") : &arguments;
    const std::string file = named == nullptr ? "" : nameFrom(*named);
    if (file.empty())
      throw Error("replay takes the name of a log, or {file: NAME, remove_delays: SECONDS}", arguments.position());
    double delays = kNever;
    for (const char* key : {"remove_delays", "removeDelays"})
      if (arguments.isMap() && arguments.find(key) != nullptr)
        delays = quantitySetting(key, arguments.at(key), "s", 0, kNever);
    if (writer_.isOpen()) writer_.flush();
    startReplay(findLog(file), delays);
    return true;
  }
  return inner_->command(name, arguments);
}

std::vector<std::pair<std::string, std::string>> LoggingController::commands() const {
  auto list = inner_->commands();
  list.emplace_back("log", "FILE: write all commands since logging began to this file, and go on logging there");
  list.emplace_back(
      "replay",
      "FILE, or {file, remove_delays}: ask of the motors what this log says, from now on; stretches without "
      "change last remove_delays seconds at most");
  return list;
}

Value LoggingController::settings() const {
  Value settings = inner_->settings();
  settings.set("save", settings_->save);
  settings.set("replay", replay_);
  settings.set("only_joint_commands", settings_->onlyJointCommands);
  settings.set("file", writer_.isOpen() ? writer_.path() : settings_->file);
  return settings;
}

bool LoggingController::hasSetting(std::string_view name) const {
  return settings_.has(name) || inner_->hasSetting(name);
}

bool LoggingController::changeSetting(std::string_view name, const Value& value) {
  if (name == "replay") {
    const bool replay = booleanSetting(name, value);
    if (replay && log_.records.empty())
      throw Error("there is no log to replay", value.position(), "name one with the command `replay`");
    if (replay && !replay_) {
      next_ = 0;
      replayStart_.reset();
    }
    replay_ = replay;
    return true;
  }
  if (settings_.change(name, value)) {
    if (settings_->save && !writer_.isOpen()) startLog(fileSetting());
    if (!settings_->save && writer_.isOpen()) writer_.flush();
    return true;
  }
  return inner_->changeSetting(name, value);
}

void LoggingController::save(ByteWriter& out) const {
  inner_->save(out);
  settings_.save(out);
  out.put(replay_);
  out.put(logged_);
  out.put(static_cast<std::uint64_t>(last_.size()));
  const auto put = [&](const ActuatorCommand& c) {
    out.put(static_cast<std::uint64_t>(c.mode));
    for (const double number : {c.kP, c.kI, c.kD, c.position, c.velocity, c.torque}) out.put(number);
  };
  for (const ActuatorCommand& c : last_) put(c);
  out.put(static_cast<std::uint64_t>(next_));
  out.put(replayStart_.has_value());
  out.put(replayStart_.value_or(0));
  out.put(log_.onlyJointCommands);
  out.put(static_cast<std::uint64_t>(log_.records.size()));
  for (const LoggedCommands& record : log_.records) {
    out.put(record.time);
    for (const ActuatorCommand& c : record.commands) put(c);
  }
}

void LoggingController::restore(ByteReader& in) {
  inner_->restore(in);
  const auto drivers = static_cast<std::size_t>(numDrivers_);
  const auto flag = [&] { return in.get<unsigned char>() != 0; };
  const auto finite = [&] {
    const auto number = in.get<double>();
    if (!std::isfinite(number)) throw Error("the saved log has a number that is not finite");
    return number;
  };
  const auto get = [&] {
    ActuatorCommand c;
    const auto mode = in.get<std::uint64_t>();
    if (mode > static_cast<std::uint64_t>(ActuatorCommand::Mode::velocity))
      throw Error("the saved log has a motor in mode " + std::to_string(mode) + ", which there is not");
    c.mode = static_cast<ActuatorCommand::Mode>(mode);
    for (double* number : {&c.kP, &c.kI, &c.kD, &c.position, &c.velocity, &c.torque}) *number = finite();
    return c;
  };
  settings_.restore(in);
  const bool replay = flag();
  const auto logged = in.get<std::uint64_t>();
  if (logged >> 53 != 0) throw Error("the saved log has an impossible size");
  std::vector<ActuatorCommand> last;
  const auto numLast = in.get<std::uint64_t>();
  if (numLast != 0 && numLast != drivers) throw Error("the saved log is of another robot");
  last.reserve(drivers);
  for (std::uint64_t i = 0; i < numLast; ++i) last.push_back(get());
  const auto next = in.get<std::uint64_t>();
  const bool started = flag();
  const double start = finite();
  CommandLog log;
  log.numDrivers = numDrivers_;
  log.onlyJointCommands = flag();
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    LoggedCommands record;
    record.time = finite();
    for (std::size_t k = 0; k < drivers; ++k) record.commands.push_back(get());
    log.records.push_back(std::move(record));
  }
  if (replay && log.records.empty()) throw Error("the saved state replays a log without a record");
  if (next > log.records.size()) throw Error("the saved replay is beyond the end of its log");
  replay_ = replay;
  last_ = std::move(last);
  log_ = std::move(log);
  next_ = static_cast<std::size_t>(next);
  replayStart_ = started ? std::optional(start) : std::nullopt;
  logged_ = logged;
  repeat_ = false;
  if (!writer_.isOpen()) return;
  // Back in the same run, the log loses what will be logged again; in another one it begins with the next update.
  const std::int64_t size = shift_ + static_cast<std::int64_t>(logged);
  if (size >= 0 && size <= static_cast<std::int64_t>(writer_.size()))
    writer_.truncate(static_cast<std::uint64_t>(size));
  else
    repeat_ = true;
}

}  // namespace mortise::controllers
