#include "mortise/pipeline/file/pipeline_settings.h"

#include <algorithm>

#include "mortise/model/on_unstable.h"

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

void SimulationSection::bind(SettingBinder& b) {
  b.add("backend", backend, "Physics backend; by default the world's, else mortise.");
  b.add("step", step, "Physics time step; by default the world's, else 1 ms.", {.min = 1e-6, .max = 1, .unit = "s"});
  b.choice("contacts", contacts, {{"boundary_layer", ContactSource::external}, {"engine", ContactSource::engine}},
           "Who finds contacts: `boundary_layer`, the same for every backend, or `engine`, the backend itself; "
           "by default the world's choice, which is the boundary layer where a file says nothing.");
  b.add("adaptive", adaptive,
        "Take steps back and halve them where bodies would pass each other; by default the world's choice.");
  b.choice(
      "on_unstable", onUnstable, onUnstableWords(),
      "What follows when a body gains energy that nothing gave it: `report` it and change nothing, `stop` the run, or "
      "`scale` its velocities down by Klamp't's rule; by default the world's choice, else report.");
  b.add("control_rate", controlRate, "Rate of controllers that name none.", {.min = 1e-3, .max = 1e6, .unit = "Hz"});
  b.add("realtime", realtime,
        "Keep pace with the clock: simulated seconds in a second of it, at most; 0: as many as there can be.",
        {.min = 0, .max = 1e6});
  b.add("lockstep", lockstep, "Controllers that hand their robots to other programs wait for every command of theirs.");
  b.add("actuator_limits", actuatorLimits,
        "Which limits of their robots motors keep: any of torque, velocity, power, or all, or none; by "
        "default torque alone, as in Klamp't.");
  b.add("motors", motors,
        "Models of motors, a list of {robot, driver, model: dc, stall_torque, no_load_speed, gear, "
        "efficiency, dry_friction, viscous_friction}; without driver, of all drivers.");
  b.map("settings", settings, "Parameters of the backend.");
}

const Schema& pipelineSchema() {
  static const Schema schema = schemaOf<PipelineSettings>();
  return schema;
}

const Schema& simulationSchema() {
  static const Schema schema = schemaOf<SimulationSection>();
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
