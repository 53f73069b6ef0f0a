#include <algorithm>
#include <array>
#include <memory>
#include <pybind11/stl.h>
#include <utility>
#include <vector>

#include "common/arrays.h"
#include "components/script_components.h"
#include "components/script_views.h"
#include "mortise/component/hardware.h"

namespace mortise::python {

namespace {

/// `mortise.HardwareState`: arrays of the values of sensors, which Python fills in.
class MirrorState {
 public:
  explicit MirrorState(const std::vector<HardwareSensor>& sensors) : object_(scriptModule().attr("HardwareState")()) {
    py::dict values;
    for (const HardwareSensor& sensor : sensors) {
      values_.emplace_back(static_cast<std::size_t>(sensor.size), true);
      names_.push_back(sensor.name);
      values[py::str(sensor.name)] = values_.back().array;
    }
    object_.attr("_values") = values;
    object_.attr("_missing") = missing_;
  }

  const py::object& prepare(double time) {
    object_.attr("time") = time;
    missing_.attr("clear")();
    return object_;
  }
  void take(HardwareState& state) const {
    state.time = object_.attr("time").cast<double>();
    for (std::size_t i = 0; i < values_.size() && i < state.sensors.size(); ++i) {
      state.sensors[i].values.assign(values_[i].data, values_[i].data + values_[i].size);
      state.sensors[i].measured = !missing_.contains(names_[i]);
    }
  }

 private:
  py::object object_;
  py::list missing_;
  std::vector<MirrorArray> values_;
  std::vector<std::string> names_;
};

constexpr std::array<std::pair<const char*, bool HardwareCapabilities::*>, 7> kCapabilities = {
    {{"position", &HardwareCapabilities::position},
     {"velocity", &HardwareCapabilities::velocity},
     {"torque", &HardwareCapabilities::torque},
     {"feedforward", &HardwareCapabilities::feedforward},
     {"gains", &HardwareCapabilities::gains},
     {"mixed", &HardwareCapabilities::mixed},
     {"limits", &HardwareCapabilities::limits}}};

HardwareCapabilities capabilitiesOf(py::handle self) {
  HardwareCapabilities can;
  for (const auto item : self.attr("capabilities")) {
    const auto name = item.cast<std::string>();
    const auto* found =
        std::find_if(kCapabilities.begin(), kCapabilities.end(), [&](const auto& each) { return each.first == name; });
    if (found == kCapabilities.end())
      throw Error("there is no capability '" + name + "'", {},
                  "capabilities are position, velocity, torque, feedforward, gains, mixed and limits");
    can.*(found->second) = true;
  }
  return can;
}

std::vector<HardwareSensor> sensorsOf(py::handle self) {
  std::vector<HardwareSensor> sensors;
  for (const auto item : self.attr("sensors")) {
    HardwareSensor sensor;
    sensor.name = item.attr("name").cast<std::string>();
    sensor.type = item.attr("type").cast<std::string>();
    sensor.roles = item.attr("roles").cast<std::vector<std::string>>();
    sensor.channels = item.attr("channels").cast<std::vector<std::string>>();
    sensor.size = item.attr("size").cast<int>();
    if (sensor.size < 0) throw Error("sensor '" + sensor.name + "' has " + std::to_string(sensor.size) + " values");
    sensors.push_back(std::move(sensor));
  }
  return sensors;
}

class ScriptHardware final : public Hardware {
 public:
  ScriptHardware(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
      : script_(declared, settings, host, object) {}
  ~ScriptHardware() override {
    if (Py_IsInitialized() == 0) {
      state_.release();
      commands_.release();
      return;
    }
    const Interpreter lock;
    state_.reset();
    commands_.reset();
  }

  void connect(const HardwareSetup& setup) override {
    withPython([&] {
      const py::object model =
          setupObject(setup.world, setup.robotIndex, &setup.robot, 0, nullptr, Vector3d::Zero(), py::dict());
      py::object object = scriptModule().attr("HardwareSetup")();
      for (const char* name : {"robot", "world", "robot_index"}) object.attr(name) = model.attr(name);
      object.attr("rate") = setup.rate;
      if (script_.has("connect")) script_.call("connect", object);
      const py::handle self = script_.self();
      about_.place = self.attr("place").cast<std::string>();
      about_.capabilities = capabilitiesOf(self);
      about_.sensors = sensorsOf(self);
      about_.period = self.attr("period").cast<double>();
      about_.setsPace = self.attr("sets_pace").cast<bool>();
      state_ = std::make_unique<MirrorState>(about_.sensors);
      commands_ = std::make_unique<MirrorCommands>(static_cast<std::size_t>(setup.robot.numDrivers()), false);
    });
  }

  HardwareDescription description() const override { return about_; }

  HardwareRead read(HardwareState& state) override {
    HardwareRead got = HardwareRead::nothing;
    withPython([&] {
      const py::object answer = script_.call("read", state_->prepare(state.time));
      if (!answer) return;  // Ctrl-C.
      if (py::isinstance<py::str>(answer)) {
        ending_ = answer.cast<std::string>();
        got = HardwareRead::ended;
        return;
      }
      if (!py::isinstance<py::bool_>(answer))
        throw Error("read returned " + py::repr(answer).cast<std::string>(), {},
                    "return True where there is a new state, False where there is none yet, and a text, why, when the "
                    "robot has left");
      if (!answer.cast<bool>()) return;
      state_->take(state);
      got = HardwareRead::state;
    });
    return got;
  }

  void start(const VectorXd& q, double period) override {
    withPython([&] {
      if (script_.has("start")) script_.call("start", arrayOf(q), py::float_(period));
    });
  }
  void write(std::span<const ActuatorCommand> commands, double period) override {
    withPython([&] {
      commands_->fill(commands);
      script_.call("write", commands_->object(), py::float_(period));
    });
  }
  void confirm() override { callIfThere("confirm"); }
  void stop() override { callIfThere("stop"); }
  void emergencyStop() noexcept override {
    try {
      callIfThere("emergency_stop");
    } catch (const std::exception& error) {
      try {
        script_.host().log(LogLevel::error, std::string("the emergency stop failed: ") + error.what());
      } catch (...) {  // There is nothing left to say it with.
      }
    }
  }

  std::string fault() const override {
    std::string text;
    withPython([&] {
      if (!script_.has("fault")) return;
      const py::object answer = script_.call("fault");
      if (answer && !answer.is_none()) text = answer.cast<std::string>();
    });
    return text;
  }
  std::string ending() const override { return ending_; }
  HardwareCounts counts() const override {
    HardwareCounts counts;
    withPython([&] {
      counts.skipped = script_.self().attr("skipped").cast<std::int64_t>();
      counts.refused = script_.self().attr("refused").cast<std::int64_t>();
    });
    return counts;
  }

 private:
  void callIfThere(const char* method) {
    withPython([&] {
      if (script_.has(method)) script_.call(method);
    });
  }

  ScriptObject script_;
  HardwareDescription about_;
  std::string ending_;
  std::unique_ptr<MirrorState> state_;
  std::unique_ptr<MirrorCommands> commands_;
};

}  // namespace

Hardware* newScriptHardware(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  return new ScriptHardware(declared, settings, host, object);
}

}  // namespace mortise::python
