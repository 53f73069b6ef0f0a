#include <memory>

#include "common/arrays.h"
#include "components/script_components.h"
#include "components/script_views.h"

namespace mortise::python {

namespace {

class ScriptSensor final : public ScriptBase<Sensor> {
 public:
  ScriptSensor(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
      : ScriptBase(declared, settings, host, object) {
    withPython([&] { observes_ = script_.has("observe"); });
  }
  explicit ScriptSensor(const ComponentContext& context) : ScriptBase(context) {
    withPython([&] { observes_ = script_.has("observe"); });
  }
  ~ScriptSensor() override {
    if (Py_IsInitialized() == 0) {
      out_.release();
      view_.release();
      time_.release();
      return;
    }
    const Interpreter lock;
    out_.reset();
    view_ = time_ = py::object();
  }

  void start(const SensorSetup& setup) override {
    withPython([&] {
      script_.beginAnew();
      const MirrorReadings readings(setup.sensors);
      const bool carried = setup.robot >= 0;
      const WorldRobot* robot = carried ? &setup.world.robots[static_cast<std::size_t>(setup.robot)] : nullptr;
      if (script_.has("start"))
        script_.call("start",
                     setupObject(&setup.world, setup.robot, carried ? robot->robot.get() : nullptr, setup.period,
                                 carried ? &robot->q : nullptr, setup.world.simulation.gravity, readings.readings));
      if (!script_.has("channels")) throw Error("it has no channels after start", {}, "channels = [\"distance\"]");
      const py::object names = script_.self().attr("channels");
      if (py::isinstance<py::str>(names)) throw Error("'channels' is a list of names, not a text");
      channels_.clear();
      for (const auto name : names) channels_.push_back(name.cast<std::string>());
      out_ = std::make_unique<MirrorArray>(channels_.size(), true);
      view_ = py::cast(ViewHandle{});
    });
  }

  std::span<const std::string> channels() const override { return channels_; }

  void simulate(const SimulationView& view, double, std::span<double> out) override {
    std::copy(out.begin(), out.end(), out_->data);
    visit("simulate", view, &out_->array);
    std::copy_n(out_->data, out.size(), out.begin());
  }

  bool observesSteps() const override { return observes_; }
  void observe(const SimulationView& view, double dt) override {
    withPython([&] { time_ = py::float_(dt); });
    visit("observe", view, &time_);
  }

 private:
  void visit(const char* method, const SimulationView& view, const py::object* argument) {
    withPython([&] {
      auto& handle = view_.cast<ViewHandle&>();
      handle.view = &view;
      try {
        script_.call(method, view_, *argument);
      } catch (...) {
        handle.view = nullptr;
        throw;
      }
      handle.view = nullptr;
    });
  }

  std::vector<std::string> channels_;
  std::unique_ptr<MirrorArray> out_;
  py::object view_, time_;
  bool observes_ = false;
};

}  // namespace

void declareScriptSensor(PluginBuilder& plugin) {
  plugin.sensor<ScriptSensor>(kScriptObject)
      .summary("A sensor that is an object of Python, given to a simulation there.")
      .parameter("object", ParameterType::integer, "Which one.", {.min = 0, .required = true})
      .allowOtherKeys();
}

Sensor* newScriptSensor(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  return new ScriptSensor(declared, settings, host, object);
}

}  // namespace mortise::python
