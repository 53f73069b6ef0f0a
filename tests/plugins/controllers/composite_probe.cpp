#include <limits>

#include "composite_test.h"
#include "mortise/plugin/plugin.h"

namespace mortise::test {

namespace {

class Probe final : public Controller {
 public:
  explicit Probe(const ComponentContext& context)
      : value_(context.settings.real("value", 0)), servo_(context.settings.boolean("servo", false)) {}

  void start(const ControllerSetup& setup) override {
    robot_ = &setup.robot;
    q_ = setup.q;
    updates_ = 0;
  }
  void update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) override {
    if (fails_) throw Error("the probe was told to fail");
    ++updates_;
    for (int i = 0; i < robot_->numDrivers(); ++i) {
      ActuatorCommand& command = commands[i];
      command.mode = servo_ ? ActuatorCommand::Mode::pid : ActuatorCommand::Mode::torque;
      command.kP += 1;
      command.kI = period;
      command.position = driverValue(*robot_, i, q_);
      command.torque = diverges_ ? std::numeric_limits<double>::quiet_NaN() : value_ + input.time;
      command.velocity = static_cast<double>(input.tick);
    }
  }
  bool command(std::string_view name, const Value& arguments) override {
    if (name == "set")
      value_ = arguments.asReal();
    else if (name == "fail")
      fails_ = true;
    else if (name == "diverge")
      diverges_ = true;
    else
      return false;
    return true;
  }
  std::vector<std::pair<std::string, std::string>> commands() const override {
    return {{"set", "number"}, {"fail", "throws"}, {"diverge", "asks for NaN"}};
  }
  Value settings() const override {
    Value settings = Value::map();
    settings.set("value", value_);
    return settings;
  }
  bool changeSetting(std::string_view name, const Value& value) override {
    if (name != "value") return false;
    value_ = value.asReal();
    return true;
  }
  void save(ByteWriter& out) const override {
    out.put(value_);
    out.put(updates_);
  }
  void restore(ByteReader& in) override {
    in.get(value_);
    in.get(updates_);
  }

 private:
  double value_;
  bool servo_, fails_ = false, diverges_ = false;
  const Robot* robot_ = nullptr;
  VectorXd q_;
  std::int64_t updates_ = 0;
};

MORTISE_PLUGIN_AS(composite_probes, , "composite_probes", "1") {
  plugin.controller<Probe>("test.Probe")
      .parameter("value", 0.0, "Torque at the start.", {.unit = "N*m"})
      .parameter("servo", false, "Ask for the start position.");
}

}  // namespace

void addProbes(Registry& registry) { registry.addBuiltIn(composite_probes); }

}  // namespace mortise::test
