#include <memory>
#include <utility>

#include "common/values.h"
#include "components/script_components.h"
#include "components/script_views.h"
#include "mortise/component/role.h"

namespace mortise::python {

namespace {

class ScriptController final : public ScriptBase<Controller> {
 public:
  using ScriptBase::ScriptBase;
  ~ScriptController() override {
    if (Py_IsInitialized() == 0) {
      input_.release();
      commands_.release();
      return;
    }
    const Interpreter lock;
    input_.reset();
    commands_.reset();
  }

  void start(const ControllerSetup& setup) override {
    withPython([&] {
      script_.beginAnew();
      input_ = std::make_unique<MirrorInput>(setup.sensors, setup.robot.numLinks(), setup.period);
      for (const auto& [role, attribute] :
           {std::pair(role::kJointPositions, "q"), std::pair(role::kJointVelocities, "dq")})
        if (const std::string why = input_->readings().whyNone(role, setup.robot.numLinks(), attribute); !why.empty())
          script_.host().log(LogLevel::info, why);
      commands_ = std::make_unique<MirrorCommands>(static_cast<std::size_t>(setup.robot.numDrivers()));
      if (script_.has("start"))
        script_.call("start", setupObject(setup.world, setup.robotIndex, &setup.robot, setup.period, &setup.q,
                                          setup.gravity, input_->readings().readings));
    });
  }

  void update(const ControllerInput& input, double, std::span<ActuatorCommand> commands) override {
    withPython([&] {
      input_->fill(input.time, input.tick, input.sensors);
      input_->fillState("estimate", input.estimate);
      commands_->fill(commands);
      if (script_.call("update", input_->object(), commands_->object())) commands_->read(commands);
    });
  }

  bool command(std::string_view name, const Value& arguments) override {
    bool known = false;
    withPython([&] {
      for (const auto& [own, help] : list())
        if (own == name) known = true;
      if (known) script_.call(std::string(name).c_str(), toPython(arguments));
    });
    return known;
  }

  std::vector<std::pair<std::string, std::string>> commands() const override {
    std::vector<std::pair<std::string, std::string>> found;
    withPython([&] { found = list(); });
    return found;
  }

 private:
  std::vector<std::pair<std::string, std::string>> list() const {
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto entry : scriptModule().attr("commands")(script_.self())) {
      const auto pair = py::reinterpret_borrow<py::tuple>(entry);
      found.emplace_back(pair[0].cast<std::string>(), pair[1].cast<std::string>());
    }
    return found;
  }

  std::unique_ptr<MirrorInput> input_;
  std::unique_ptr<MirrorCommands> commands_;
};

}  // namespace

void declareScriptController(PluginBuilder& plugin) {
  plugin.controller<ScriptController>(kScriptObject)
      .summary("A controller that is an object of Python, given to a simulation there.")
      .parameter("object", ParameterType::integer, "Which one.", {.min = 0, .required = true})
      .allowOtherKeys();
}

Controller* newScriptController(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  return new ScriptController(declared, settings, host, object);
}

}  // namespace mortise::python
