#pragma once

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "fake_clock.h"
#include "mortise/component/hardware.h"
#include "mortise/plugin/plugin.h"

namespace mortise::test {

/// The behavior of the hardware and the controller of a test, and a record of calls.
struct Bench {
  // Of the hardware: joints that go to their commands with a rate of `gain` times the error, or at the speed they are
  // given, from one state to the next.
  HardwareCapabilities can{true, true, true, true, true, true, true};
  double period = 0.01;  ///< s
  double gain = 20;      ///< 1/s
  bool setsPace = false;
  std::vector<HardwareSensor> sensors;        ///< Of two joints, unless the test says otherwise.
  std::function<void(const char* what)> act;  ///< Called within each function of the hardware; may throw.
  std::function<HardwareRead(int reads, HardwareState&)> change;  ///< After a state was read; may be empty.
  std::function<void()> onEmergency;                              ///< Called within the emergency stop; may be empty.
  std::string fault;
  Host* host = nullptr;  ///< Of the hardware.

  // Of the controller.
  std::function<void(double time, std::span<ActuatorCommand>)> command;

  std::vector<std::string> calls;
  std::vector<double> periods;  ///< That `write` got.
  std::vector<ActuatorCommand> commands;
  double q[2] = {0, 0};
  FakeClock clock;

  int count(const std::string& call) const { return static_cast<int>(std::count(calls.begin(), calls.end(), call)); }
};

/// The bench of the test that runs.
inline Bench*& bench() {
  static Bench* current = nullptr;
  return current;
}

class IntegratorHardware final : public Hardware {
 public:
  explicit IntegratorHardware(const ComponentContext& context) { bench()->host = &context.host; }
  void connect(const HardwareSetup&) override { note("connect"); }
  HardwareDescription description() const override {
    HardwareDescription about;
    about.place = "the integrator";
    about.capabilities = bench()->can;
    about.sensors = bench()->sensors;
    about.period = bench()->period;
    about.setsPace = bench()->setsPace;
    return about;
  }
  HardwareRead read(HardwareState& state) override {
    note("read");
    Bench& b = *bench();
    for (std::size_t i = 0; reads_ > 0 && i < b.commands.size(); ++i) {
      const ActuatorCommand& c = b.commands[i];
      if (c.mode == ActuatorCommand::Mode::pid) b.q[i] += b.period * b.gain * (c.position - b.q[i]);
      if (c.mode == ActuatorCommand::Mode::velocity) b.q[i] += b.period * c.velocity;
    }
    if (b.setsPace) state.time = reads_ * b.period;
    if (!state.sensors.empty() && state.sensors[0].values.size() == 2) state.sensors[0].values.assign({b.q[0], b.q[1]});
    return b.change ? b.change(reads_++, state) : (++reads_, HardwareRead::state);
  }
  void start(const VectorXd&, double) override { note("start"); }
  void write(std::span<const ActuatorCommand> commands, double period) override {
    note("write");
    bench()->commands.assign(commands.begin(), commands.end());
    bench()->periods.push_back(period);
  }
  void confirm() override { note("confirm"); }
  void stop() override { note("stop"); }
  void emergencyStop() noexcept override {
    bench()->calls.emplace_back("emergencyStop");
    if (bench()->onEmergency) bench()->onEmergency();
  }
  std::string fault() const override { return bench()->fault; }
  std::string ending() const override { return "it was switched off"; }
  HardwareCounts counts() const override { return {3, 4}; }

 private:
  static void note(const char* what) {
    bench()->calls.emplace_back(what);
    if (bench()->act) bench()->act(what);
  }
  int reads_ = 0;
};

/// Commands what the bench says.
class BenchController final : public Controller {
 public:
  void start(const ControllerSetup&) override {}
  void update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) override {
    bench()->command(input.time, commands);
  }
};

}  // namespace mortise::test
