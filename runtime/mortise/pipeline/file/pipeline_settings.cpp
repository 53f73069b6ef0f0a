#include "mortise/pipeline/file/pipeline_settings.h"

#include <algorithm>

namespace mortise {

void PipelineSettings::bind(SettingBinder& b) {
  b.add("mortise", version, "Version of the pipeline format: 1.", {.required = true});
  b.add("name", name, "What the run is called; by default the file's name.");
  b.add("seed", seed, "Seed of all random streams.", {.min = 0});
  b.add("relative_to", relativeTo,
        "Folder, relative to this file, that all references are relative to; by default the file's own.");
  b.add("world", world, "World file; or a list of worlds, robots, rigid objects and terrains to put together.",
        {.required = true});
  b.map("variables", variables, "Values that `${name}` stands for.");
  b.add("plugins", plugins, "Plugin files and folders.");
  b.map("simulation", simulation, "How to simulate.");
  b.add("components", components, "Controllers, sensors and recorders.");
  b.add("stages", stages, "What to do, in order.", {.required = true});
  b.map("locked", locked, "What a run wrote down about itself (run.lock.yaml).");
}

const Schema& pipelineSchema() {
  static const Schema schema = schemaOf<PipelineSettings>();
  return schema;
}

const Schema& simulationSchema() {
  static const Schema schema = schemaOf<SimulationRequest>();
  return schema;
}

Schema componentSchema(Kind kind, const Schema* component) {
  const Schema common = schemaOf(ComponentEntry(kind));
  if (component == nullptr) return common;
  // Joined as values, which keep the declared types that defaults alone would not tell.
  Value joined = common.toValue();
  Value* parameters = joined.find("parameters");
  Value own = component->toValue();
  for (Value& entry : own.find("parameters")->items()) {
    if (common.find(entry.at("name").asString()) != nullptr) continue;
    if (const Value* aliases = entry.find("aliases")) {
      std::vector<std::string> names = aliases->asStrings();
      std::erase_if(names, [&](const std::string& alias) { return common.find(alias) != nullptr; });
      entry.set("aliases", names);
    }
    parameters->push_back(std::move(entry));
  }
  joined.set("other_keys", component->otherKeysAllowed());
  return Schema::fromValue(joined);
}

}  // namespace mortise
