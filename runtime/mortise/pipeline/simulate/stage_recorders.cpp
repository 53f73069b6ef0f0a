#include "mortise/pipeline/simulate/stage_recorders.h"

#include <algorithm>
#include <filesystem>

#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/pipeline/record/run_summary.h"
#include "mortise/plugin/registry.h"

namespace mortise {

void StageRecorders::addTo(Simulation& simulation, const SimulationPlan& plan) {
  if (!plan.record.list.empty())
    add(simulation, plan.recorder.text, Value::map(), "recorder", plan.record.texts(),
        plan.recordRate.value_or(Placed<double>()).value, plan.recordPosition());
  for (const Value& entry : context_.pipeline().at("components").items()) {
    const Value* type = entry.find("recorder");
    if (type == nullptr || context_.registry().find(Kind::recorder, type->text()) == nullptr) continue;
    addEntry(simulation, settingsFrom(entry, ComponentEntry(Kind::recorder)));
  }
}

void StageRecorders::addEntry(Simulation& simulation, const ComponentEntry& entry) {
  const std::string& name = entry.name.empty() ? entry.type.text : entry.name.text;
  try {
    add(simulation, entry.type.text, entry.settings, name, entry.record.texts(), entry.rate.value_or(0),
        entry.type.where);
  } catch (const Error& error) {
    if (!entry.optional) throw;
    simulation.componentLog().write(LogLevel::warning, name,
                                    "cannot begin: " + error.message() + "; it is optional and left out" +
                                        (error.hint().empty() ? "" : ". ") + error.hint());
  }
}

void StageRecorders::add(Simulation& simulation, const std::string& type, const Value& settings,
                         const std::string& name, const std::vector<std::string>& what, double rate,
                         const SourcePosition& position) {
  Registry& registry = context_.registry();
  const ComponentInfo& info = registry.require(Kind::recorder, type, position);
  hosts_.push_back(std::make_unique<ComponentHost>(name, context_.seed(), simulation.componentLog(), &context_.loader(),
                                                   channels_, context_.pipeline().string("file", ""),
                                                   context_.runDirectory()));
  Diagnostics diagnostics;
  Value reported = settings;
  if (info.schema.find("run") != nullptr) reported.set("run", logs::runDescription(simulation, origin_));
  const Value complete = registry.completeSettings(info, reported, diagnostics);
  diagnostics.throwIfErrors();
  ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, complete, *hosts_.back());
  try {
    const VisualFilesScope looks(&context_.loader(), simulation.componentLog());
    recorder->open({context_.world(), context_.runDirectory(), prefix_, what});
    simulation.addRecorder(std::move(recorder),
                           recordingInterval(rate, simulation.timeStep(), simulation.componentLog()));
  } catch (const Error& error) {
    if (error.where().known()) throw;
    throw Error(error.message(), position, error.hint());
  }
}

std::string prefixed(const std::string& name, const std::string& prefix) { return prefix + name; }

std::vector<std::string> filesWithPrefix(const std::string& folder, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code code;
  for (std::filesystem::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (std::string name = it->path().filename().string(); name.starts_with(prefix)) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

void requireOwnNames(StageContext& context, const SimulationPlan& plan, const std::string& prefix,
                     const std::vector<std::string>& unopened) {
  const auto alsoALog = [&](const char* setting, const std::string& file, const SourcePosition& position) {
    const std::string name = prefixed(file, prefix);
    if (file.empty() || std::find(unopened.begin(), unopened.end(), name) != unopened.end()) return;
    if (std::filesystem::exists(context.runDirectory() + "/" + name))
      throw Error("'" + std::string(setting) + "' names the file that a recorder of this stage writes: " + name,
                  position, "give it another name");
  };
  alsoALog("save_state", plan.saveState.text, plan.saveState.where);
  alsoALog("save_world", plan.saveWorld.text, plan.saveWorld.where);
}

void addLogs(StageContext& context, const SimulationPlan& plan, const std::string& prefix,
             const std::vector<std::string>& before, Value& result) {
  std::vector<std::string> logs = filesWithPrefix(context.runDirectory(), prefix);
  std::erase_if(logs, [&](const std::string& name) {
    return name == prefixed(plan.saveState.text, prefix) || name == prefixed(plan.saveWorld.text, prefix);
  });
  if (!before.empty())
    std::erase_if(logs, [&](const std::string& name) {
      return plan.record.list.empty() && std::find(before.begin(), before.end(), name) != before.end();
    });
  if (!logs.empty()) {
    result.set("logs", logs);
    result.set("log_files", writtenFiles(logs, context.runDirectory()));
  }
}

}  // namespace mortise
