#include "mortise/pipeline/simulate/simulate_stage.h"

namespace mortise {

SimulateStage::SimulateStage(const ComponentContext& context) : plan_(SimulationPlan::from(context.settings)) {
  const Value& backend = context.settings.at("backend");
  if (!backend.isNull()) {
    choice_.name = backend.asString();
    choice_.position = backend.position();
  }
  choice_.settings = context.settings.at("settings");
  resultName_ = context.settings.string("save", std::string(context.host.name()));
}

void SimulateStage::declare(PluginBuilder& plugin) {
  ComponentBuilder stage = plugin.stage<SimulateStage>("mortise.Simulate");
  stage.alias("simulate").summary("Simulates the world from its start.");
  SimulationPlan::declare(stage);
  stage.parameter("backend", ParameterType::string, "Physics backend, in place of simulation.backend.")
      .parameter("settings", ParameterType::map, "Parameters of the backend, on top of simulation.settings.")
      .parameter("save", ParameterType::string, "Name of the result; by default the stage's.");
}

void SimulateStage::check(StageContext& context, Diagnostics& diagnostics) {
  plan_.check(context, diagnostics);
  if (!choice_.name.empty() || choice_.settings.isMap())
    completeBackendSettings(context.registry(), context.world(), context.pipeline().at("simulation"), choice_,
                            diagnostics);
}

void SimulateStage::run(StageContext& context) {
  const std::string backend =
      choice_.name.empty() ? context.pipeline().at("simulation").at("backend").asString() : choice_.name;
  Value result = Value::map();
  result.set("stage", "simulate");
  const Value record = runSimulation(context, plan_, choice_, backend, resultName_ + "_", resultName_);
  for (const Value::Entry& entry : record.entries()) result.entries().push_back(entry);
  const std::string fault = record.string("fault", "");
  const bool failed = record.at("status").asString() == "error";
  context.saveResult(resultName_, std::move(result));
  if (failed) throw Error("the simulation stopped: " + fault, {}, "the results up to there are kept");
}

}  // namespace mortise
