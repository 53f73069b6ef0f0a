#include "mortise/pipeline/simulate/simulate_stage.h"

namespace mortise {

void SimulateSettings::bind(SettingBinder& b) {
  SimulationPlan::bind(b);
  b.add("backend", backend, "Physics backend, in place of simulation.backend.");
  b.map("settings", settings, "Parameters of the backend, on top of simulation.settings.");
  b.add("save", save, "Name of the result; by default the stage's.");
}

SimulateStage::SimulateStage(const ComponentContext& context)
    : settings_(settingsFrom<SimulateSettings>(context.settings)),
      choice_{settings_.backend.text, settings_.backend.where, settings_.settings},
      resultName_(settings_.save.value_or(std::string(context.host.name()))) {}

void SimulateStage::declare(PluginBuilder& plugin) {
  plugin.stage<SimulateStage>("mortise.Simulate")
      .alias("simulate")
      .summary("Simulates the world from its start.")
      .saves({ResultKind::state, ResultKind::report})
      .settings<SimulateSettings>();
}

void SimulateStage::check(StageContext& context, Diagnostics& diagnostics) {
  settings_.check(context, diagnostics);
  if (!choice_.name.empty() || choice_.settings.isMap())
    completeBackendSettings(context.registry(), context.world(), context.pipeline().at("simulation"), choice_,
                            diagnostics);
}

void SimulateStage::run(StageContext& context) {
  const std::string backend =
      choice_.name.empty() ? context.pipeline().at("simulation").at("backend").asString() : choice_.name;
  Value result = Value::map();
  result.set("stage", "simulate");
  const SimulationOutcome outcome = runSimulation(context, settings_, choice_, backend, resultName_ + "_", resultName_);
  const Value& record = outcome.report;
  if (outcome.state) context.saveState(resultName_, *outcome.state);
  for (const Value::Entry& entry : record.entries()) result.entries().push_back(entry);
  const std::string fault = record.string("fault", "");
  const bool failed = record.at("status").asString() == "error";
  context.saveResult(resultName_, std::move(result));
  if (failed) throw Error("the simulation stopped: " + fault, {}, "the results up to there are kept");
}

}  // namespace mortise
