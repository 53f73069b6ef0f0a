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

void ComponentEntry::bind(SettingBinder& b) {
  b.add(std::string(kindName(kind)), type, "Which component.", {.required = true});
  b.add("name", name, "Its name in the run; by default its type.");
  if (kind == Kind::recorder) {
    b.add(
        "record", record,
        "What to record: robots, objects, contacts, wrenches, sensors, or names. Logs hold the values of cameras only "
        "when a camera is named.");
    b.add("rate", rate, "Records this often; by default every physics step.", {.min = 1e-3, .max = 1e6, .unit = "Hz"});
  } else {
    b.add("robot", robot, "Name or id of the robot; may be left out when there is one robot only.");
    b.add("rate", rate,
          "Runs this often; by default a controller at simulation.control_rate, a sensor at the rate of its robot's "
          "controller.",
          {.min = 1e-3, .max = 1e6, .unit = "Hz"});
    b.choice("on_error", onError, {{"stop", OnError::stop}, {"hold", OnError::hold}, {"disable", OnError::disable}},
             "What happens when it fails: the run stops, its last output holds, or it is disabled.");
    if (kind == Kind::sensor) b.add("enabled", enabled, "Whether it measures from the start.");
    if (kind == Kind::controller)
      b.add("estimator", estimator,
            "Which estimator tells it the robot's state: a name, or a map {name: ..., settings...}; by default the "
            "one its documentation names, if any.");
  }
  b.add("optional", optional, "Leave it out, with a notice, when no plugin offers it.");
  b.others(settings);
}

void EstimatorEntry::bind(SettingBinder& b) {
  b.add("name", name, "Which estimator.", {.required = true});
  b.others(settings);
}

EstimatorEntry estimatorEntry(const Value& given) {
  EstimatorEntry entry;
  entry.settings = Value::map();
  const Value* name = given.isMap() ? given.find("name") : &given;
  if (name == nullptr || !name->isString()) return entry;
  if (given.isMap()) return settingsFrom<EstimatorEntry>(given);
  entry.name = {name->asString(), name->position()};
  return entry;
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
