// Hardware: a bus of position servos, one a driver. `ServoBus` stands for the vendor's library, so that the example
// runs without a robot; everything else is what a driver of a real one has.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mortise/plugin/plugin.h"
#include "mortise/settings/settings.h"

namespace acme {

// Servos that turn to their goals at a speed, one step a question.
class ServoBus {
 public:
  void open(const std::string& device, int servos, double speed) {
    if (device.empty())
      throw mortise::Error("the bus has no device", {}, "name it: --hardware-set device=/dev/ttyUSB0");
    positions_.assign(static_cast<std::size_t>(servos), 0.0);
    goals_ = positions_;
    speed_ = speed;
  }
  void setPowered(bool on) { powered_ = on; }
  void setGoal(std::size_t servo, double position) { goals_[servo] = position; }
  // After `seconds`.
  void poll(double seconds) {
    for (std::size_t i = 0; powered_ && i < goals_.size(); ++i) {
      const double step = std::clamp(goals_[i] - positions_[i], -speed_ * seconds, speed_ * seconds);
      temperature_ += 0.1 * std::abs(step);
      positions_[i] += step;
    }
  }
  double position(std::size_t servo) const { return positions_[servo]; }
  double temperature() const { return temperature_; }  // degrees Celsius

 private:
  std::vector<double> positions_, goals_;
  double speed_ = 0, temperature_ = 20;
  bool powered_ = false;
};

struct BusSettings {
  std::string device = "/dev/ttyUSB0";
  double speed = 5;            // rad/s
  double maxTemperature = 80;  // degrees Celsius
  double rate = 100;           // Hz

  void bind(mortise::SettingBinder& b) {
    b.add("device", device, "Where the bus is.");
    b.add("speed", speed, "Of the servos.", {.min = 0, .unit = "rad/s"});
    b.add("max_temperature", maxTemperature, "Degrees Celsius above which the servos are switched off.");
    b.add("rate", rate, "How often the bus is read and written.", {.min = 1, .max = 1000, .unit = "Hz"});
  }
};

class ServoHardware final : public mortise::Hardware {
 public:
  explicit ServoHardware(const mortise::ComponentContext& context) : settings_(context.settings) {}

  void connect(const mortise::HardwareSetup& setup) override {
    robot_ = &setup.robot;
    for (const mortise::Driver& driver : robot_->drivers())
      if (driver.type != mortise::DriverType::normal)
        throw mortise::Error("driver '" + driver.name + "' moves several links, which no servo of the bus does", {},
                             "name a robot whose drivers move one link each");
    period_ = 1 / (setup.rate > 0 ? setup.rate : settings_->rate);
    bus_.open(settings_->device, robot_->numDrivers(), settings_->speed);
    q_ = robot_->initialConfiguration();  // Links without a servo stay where they are. Memory is taken here.
  }

  mortise::HardwareDescription description() const override {
    mortise::HardwareDescription about;
    about.place = settings_->device;
    about.capabilities.position = true;  // Goals within the limits of the robot; no torques, no gains.
    about.sensors.push_back({"q", "", {std::string(mortise::role::kJointPositions)}, {}, robot_->numLinks()});
    about.sensors.push_back({"temperature", "", {}, {"celsius"}, 1});
    about.period = period_;
    return about;
  }

  mortise::HardwareRead read(mortise::HardwareState& state) override {
    bus_.poll(period_);
    for (int i = 0; i < robot_->numDrivers(); ++i)
      q_[robot_->driver(i).links[0]] = bus_.position(static_cast<std::size_t>(i));
    std::copy(q_.begin(), q_.end(), state.sensors[0].values.begin());
    state.sensors[1].values[0] = bus_.temperature();
    return mortise::HardwareRead::state;
  }

  void start(const mortise::VectorXd& q, double) override {
    for (int i = 0; i < robot_->numDrivers(); ++i)  // Nothing moves when power comes on.
      bus_.setGoal(static_cast<std::size_t>(i), q[robot_->driver(i).links[0]]);
    bus_.setPowered(true);
  }

  void write(std::span<const mortise::ActuatorCommand> commands, double) override {
    for (std::size_t i = 0; i < commands.size(); ++i)
      if (commands[i].mode == mortise::ActuatorCommand::Mode::pid)
        bus_.setGoal(i, commands[i].position);
      else  // Off: the servo cannot go limp by itself, so it stays where it is.
        bus_.setGoal(i, bus_.position(i));
  }

  void stop() override {
    for (int i = 0; robot_ != nullptr && i < robot_->numDrivers(); ++i)
      bus_.setGoal(static_cast<std::size_t>(i), bus_.position(static_cast<std::size_t>(i)));
  }

  void emergencyStop() noexcept override { bus_.setPowered(false); }

  std::string fault() const override {
    if (bus_.temperature() <= settings_->maxTemperature) return {};
    return "the servos are at " + std::to_string(std::lround(bus_.temperature())) + " degrees Celsius";
  }

 private:
  mortise::Settings<BusSettings> settings_;
  ServoBus bus_;
  const mortise::Robot* robot_ = nullptr;
  double period_ = 0;  // s
  mortise::VectorXd q_;
};

}  // namespace acme

MORTISE_PLUGIN("acme_hardware", "1.0.0") {
  plugin.hardware<acme::ServoHardware>("acme.ServoBus")
      .summary("A bus of position servos, one a driver.")
      .settings<acme::BusSettings>();
}
