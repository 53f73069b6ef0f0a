#include "mortise/pipeline/simulate/log_playback.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/component/recorder.h"
#include "mortise/json/json_reader.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/logs/log_scene.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/logs/log_tables.h"
#include "mortise/logs/samples.h"
#include "mortise/mcap/reader.h"
#include "mortise/pipeline/simulate/run_origin.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr double kHalfNanosecond = 5e-10;  // Times are sums of steps.
constexpr const char* kSource = "log export";

/// How the run of a log was made. Throws `Error` where the log does not say, or is of several runs.
Value originOf(mcap::Reader& reader) {
  std::string text;
  for (const mcap::MetadataIndex& index : reader.metadata()) {
    if (index.name != "mortise.origin") continue;
    for (const auto& [key, value] : reader.metadata(index).entries) {
      if (key != "run") continue;
      if (!text.empty() && text != value)
        throw Error("the log is of several runs, made in several ways", inFile(reader.path()),
                    "export each by itself: `mortise log cut`");
      text = value;
    }
  }
  if (text.empty())
    throw Error("the log does not say how its simulation was made", inFile(reader.path()),
                "record the run again with `mortise sim --mcap` or the recorder mcap");
  return JsonReader(text).value();
}

/// Stands in place of a run's controllers, which have nothing to do: what they did is in the log.
class NoController final : public Controller {
 public:
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput&, double, std::span<ActuatorCommand>) override {}
};

/// The numbers of one channel, instant by instant.
class Columns {
 public:
  /// `table` outlives this; null: the log does not have it.
  explicit Columns(const logs::LogTable* table) : table_(table) {}

  bool there() const { return table_ != nullptr; }
  std::size_t size() const { return table_->columns[0].numbers.size(); }
  double time(std::size_t row) const { return table_->columns[0].numbers[row]; }
  std::int64_t tick(std::size_t row) const { return static_cast<std::int64_t>(table_->columns[1].numbers[row]); }
  double value(std::size_t row, std::size_t column) const { return table_->columns[column + 2].numbers[row]; }
  /// The last row that is not after a tick, going on from the one before; false where there is none yet.
  bool advanceTo(std::int64_t tick) {
    while (next_ < size() && this->tick(next_) <= tick) ++next_;
    return next_ > 0;
  }
  std::size_t row() const { return next_ - 1; }

 private:
  const logs::LogTable* table_;
  std::size_t next_ = 0;
};

/// The mode that the numbers of a command tell, of which unused ones are NaN.
ActuatorCommand commandFrom(double position, double velocity, double torque) {
  using Mode = ActuatorCommand::Mode;
  ActuatorCommand command;
  command.mode = std::isfinite(position)   ? Mode::pid
                 : std::isfinite(velocity) ? Mode::velocity
                 : std::isfinite(torque)   ? Mode::torque
                                           : Mode::off;
  command.position = std::isfinite(position) ? position : 0;
  command.velocity = std::isfinite(velocity) ? velocity : 0;
  command.torque = std::isfinite(torque) ? torque : 0;
  return command;
}

/// A log, and the view of its run at one of its instants.
class Playback {
 public:
  Playback(const std::string& log, Registry& registry, FormatLoader& loader, LogSink& sink)
      : log_(log), sink_(sink), tables_(logs::readLogTables(log)) {
    mcap::Reader reader(log);
    makeSimulation(originOf(reader), registry, loader);
    states_ = Columns(table("/mortise/state", logs::stateColumns(world_)));
    torques_ = Columns(table("/mortise/torques", logs::torqueColumns(world_)));
    commands_ = Columns(table("/mortise/commands", logs::commandColumns(world_)));
    if (!states_.there() || states_.size() == 0) throw Error("the log holds no states", inFile(log));
    for (int r = 0; r < static_cast<int>(world_.robots.size()); ++r) addRobot(r);
    objects_.resize(world_.objects.size());
    sayWhatIsMissing();
  }

  Simulation& simulation() { return *simulation_; }
  const World& world() const { return world_; }
  std::size_t size() const { return states_.size(); }
  double time(std::size_t row) const { return states_.time(row); }

  /// The view of an instant; rows must increase.
  SimulationView at(std::size_t row) {
    const std::int64_t tick = states_.tick(row);
    const bool torques = torques_.there() && torques_.advanceTo(tick),
               commands = commands_.there() && commands_.advanceTo(tick);
    std::size_t column = 0, driver = 0;
    views_.clear();
    for (RobotCopy& robot : robots_) {
      for (double& q : robot.state.q) q = states_.value(row, column++);
      updateFrames(*robot.model, robot.state);
      for (std::size_t d = 0; d < robot.torques.size(); ++d, ++driver) {
        if (torques) robot.torques[d] = torques_.value(torques_.row(), driver);
        if (commands)
          robot.commands[d] = commandFrom(commands_.value(commands_.row(), 3 * driver),
                                          commands_.value(commands_.row(), 3 * driver + 1),
                                          commands_.value(commands_.row(), 3 * driver + 2));
      }
      for (SensorCopy& sensor : robot.sensors)
        for (std::size_t k = 0; sensor.columns.advanceTo(tick) && k < sensor.values.size(); ++k)
          sensor.values[k] = sensor.columns.value(sensor.columns.row(), k);
      views_.push_back({&robot.state, robot.torques, robot.commands, robot.readings, {}});
    }
    for (BodyState& object : objects_) {
      const auto next = [&] { return states_.value(row, column++); };
      for (double& p : object.X_WB.p) p = next();
      const double x = next(), y = next(), z = next(), w = next();
      object.X_WB.R = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
    }
    const SimulationView made = simulation_->view();
    SimulationView view;
    view.time = states_.time(row);
    view.tick = tick;
    view.world = &world_;
    view.robots = views_;
    view.objects = objects_;
    view.timeStep = made.timeStep;
    view.gravity = made.gravity;
    return view;
  }

 private:
  struct SensorCopy {
    Columns columns;
    std::vector<double> values;
  };
  struct RobotCopy {
    RobotPtr model;
    RobotState state;
    std::vector<double> torques;
    std::vector<ActuatorCommand> commands;
    std::deque<SensorCopy> sensors;
    std::vector<SensorReading> readings;
  };

  void makeSimulation(const Value& origin, Registry& registry, FormatLoader& loader) {
    const char* hint = "its files are looked for from the folder where the run was started";
    try {
      Diagnostics diagnostics;
      world_ = assembleWorld(loader, originFiles(origin), diagnostics);
      diagnostics.throwIfErrors();
      SimulationOptions options = runOriginFrom(origin, world_, log_).options;
      std::erase_if(options.components, [](const ComponentOptions& each) { return each.kind == Kind::controller; });
      for (std::size_t r = 0; r < world_.robots.size(); ++r) {
        ComponentOptions none;
        none.robot = static_cast<int>(r);
        none.type = "none";
        none.instance = &nobody_;
        options.components.push_back(std::move(none));
      }
      simulation_ = std::make_unique<Simulation>(world_, registry, &loader, sink_, std::move(options));
    } catch (const Error& error) {
      throw Error("the world of the log cannot be made again: " + std::string(error.what()), inFile(log_), hint);
    }
  }

  /// nullptr where the log does not have it. Throws `Error` for columns that are not those of the world.
  const logs::LogTable* table(const std::string& topic, const std::vector<std::string>& expected) const {
    for (const logs::LogTable& table : tables_) {
      if (table.topic != topic) continue;
      std::vector<std::string> found;
      for (std::size_t i = 2; i < table.columns.size(); ++i) found.push_back(table.columns[i].name);
      if (found == expected) return &table;
      throw Error("the log's files are not what they were: '" + topic + "' has " + std::to_string(found.size()) +
                      " columns, and the world that the files make now would have " + std::to_string(expected.size()) +
                      (found.size() == expected.size() ? ", of other names" : ""),
                  inFile(log_), "export it where the files of the run are");
    }
    return nullptr;
  }

  void addRobot(int index) {
    const WorldRobot& placed = world_.robots[static_cast<std::size_t>(index)];
    const auto drivers = static_cast<std::size_t>(placed.robot->numDrivers());
    robots_.push_back({placed.robot,
                       RobotState(*placed.robot),
                       std::vector<double>(drivers, std::nan("")),
                       std::vector<ActuatorCommand>(drivers),
                       {},
                       {}});
    RobotCopy& robot = robots_.back();
    robot.state.dq.resize(0);  // A log has none.
    for (const SensorReading& reading : simulation_->sensorReadings(index)) {
      const std::string name = placed.name + "/" + std::string(reading.name);
      const logs::LogTable* values =
          table("/mortise/sensors/" + name, {reading.channels.begin(), reading.channels.end()});
      if (values == nullptr) {
        missing_.push_back(name);
        continue;
      }
      robot.sensors.push_back({Columns(values), std::vector<double>(reading.channels.size(), std::nan(""))});
      robot.readings.push_back(reading);
      robot.readings.back().values = robot.sensors.back().values;
    }
  }

  void sayWhatIsMissing() {
    const auto warn = [&](const std::string& text) { sink_.write(LogLevel::warning, kSource, text); };
    if (!robots_.empty())
      warn("logs hold no velocities of joints, so that none are written; those that sensors measure are");
    if (!torques_.there() && !robots_.empty()) warn("the log has no torques, so that efforts are not numbers");
    if (!missing_.empty())
      warn("the log has no numbers of " + nameList(missing_) +
           (missing_.size() == 1 ? ", which is left out" : ", which are left out") +
           "; images of cameras are exported by `mortise log export` without --to");
  }

  std::string log_;
  LogSink& sink_;
  std::vector<logs::LogTable> tables_;
  World world_;
  NoController nobody_;
  std::unique_ptr<Simulation> simulation_;
  Columns states_{nullptr}, torques_{nullptr}, commands_{nullptr};
  std::deque<RobotCopy> robots_;
  std::vector<RobotView> views_;
  std::vector<BodyState> objects_;
  std::vector<std::string> missing_;
};

}  // namespace

PlayedLog playLog(const std::string& log, const std::string& file, const std::string& recorder, Registry& registry,
                  FormatLoader& loader, LogSink& sink, const PlaybackOptions& options) {
  const ComponentInfo& info = registry.require(Kind::recorder, recorder);
  Playback playback(log, registry, loader, sink);
  Value settings = options.settings;
  // The person at the command line named it: it may lie anywhere.
  settings.set("file",
               Value(file.find('/') == std::string::npos ? "./" + file : file).setPosition(onCommandLine(file)));
  if (info.schema.find("run") != nullptr) settings.set("run", logs::runDescription(playback.simulation(), {}));
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  ChannelTable channels;
  ComponentHost host(kSource, 0, sink, &loader, channels, "", "");
  const ComponentPtr<Recorder> writer = registry.create<Recorder>(info, settings, host);
  PlayedLog played;
  for (std::size_t row = 0; row < playback.size(); ++row) {
    const double time = playback.time(row);
    if (time < options.start - kHalfNanosecond || time > options.end + kHalfNanosecond) continue;
    if (options.stopRequested && options.stopRequested()) break;
    if (played.instants == 0) {
      writer->open({playback.world(), "", "", {"robots", "objects", "sensors"}});
      played.start = time;
    }
    writer->write(playback.at(row));
    played.end = time;
    ++played.instants;
  }
  if (played.instants == 0 && options.stopRequested && options.stopRequested()) return played;
  if (played.instants == 0)
    throw Error("the log holds no states of these times: they go from " + formatReal(playback.time(0), 9) + " s to " +
                    formatReal(playback.time(playback.size() - 1), 9) + " s",
                inFile(log), "choose others with --start and --end");
  writer->close();
  return played;
}

}  // namespace mortise
