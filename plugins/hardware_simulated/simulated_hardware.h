#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mortise/component/hardware.h"
#include "mortise/model/world.h"
#include "mortise/settings/settings.h"
#include "mortise/simulation/simulation.h"

namespace mortise::hardware_simulated {

struct SimulatedSettings {
  double rate = 100;               ///< Hz
  std::string backend;             ///< Empty: the world's, else the default one.
  std::optional<double> timeStep;  ///< s
  bool realtime = false;
  std::int64_t seed = 0;
  void bind(SettingBinder& b);
};

/// Hands a simulation what the hardware's messages say to its component host.
class HostLog final : public LogSink {
 public:
  explicit HostLog(Host& host) : host_(host) {}
  void write(LogLevel level, std::string_view source, std::string_view message) override;

 private:
  Host& host_;
};

/// The controller of the robot in the simulation: hands its motors the command that was written last.
class CommandRelay final : public Controller {
 public:
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput&, double, std::span<ActuatorCommand> commands) override;
  /// Commands of the next update, one a driver.
  void set(std::span<const ActuatorCommand> commands) { commands_.assign(commands.begin(), commands.end()); }
  void switchOff();

 private:
  std::vector<ActuatorCommand> commands_;  ///< Empty before the first one: motors are off.
};

/// A simulated robot behind the interface of hardware. A period of simulated time passes with each state.
class SimulatedHardware final : public Hardware {
 public:
  explicit SimulatedHardware(const ComponentContext& context)
      : settings_(context.settings), log_(context.host), host_(context.host) {}

  void connect(const HardwareSetup& setup) override;
  HardwareDescription description() const override;
  HardwareRead read(HardwareState& state) override;
  void start(const VectorXd&, double) override {}
  void write(std::span<const ActuatorCommand> commands, double) override { relay_.set(commands); }
  void stop() override {}
  void emergencyStop() noexcept override { relay_.switchOff(); }

 private:
  void advance();
  void requireRunning() const;

  Settings<SimulatedSettings> settings_;
  HostLog log_;
  Host& host_;
  World alone_;  ///< The robot by itself, where no world is given.
  int robot_ = 0;
  double rate_ = 0;        ///< Hz
  bool measured_ = false;  ///< There was a state.
  CommandRelay relay_;     ///< Before the simulation that calls it.
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace mortise::hardware_simulated
