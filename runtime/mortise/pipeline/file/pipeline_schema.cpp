#include "mortise/pipeline/file/pipeline_schema.h"

#include <algorithm>

namespace mortise {

const Schema& pipelineSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("mortise", ParameterType::integer, "Version of the pipeline format: 1.", {.required = true})
        .parameter("name", ParameterType::string, "What the run is called; by default the file's name.")
        .parameter("seed", 0, "Seed of all random streams.", {.min = 0})
        .parameter("relative_to", ParameterType::string,
                   "Folder, relative to this file, that all references are relative to; by default the file's own.")
        .parameter("world", ParameterType::any,
                   "World file; or a list of worlds, robots, rigid objects and terrains to put together.",
                   {.required = true})
        .parameter("variables", ParameterType::map, "Values that `${name}` stands for.")
        .parameter("plugins", ParameterType::any, "Plugin files and folders.")
        .parameter("simulation", ParameterType::map, "How to simulate.")
        .parameter("components", ParameterType::any, "Controllers, sensors and recorders.")
        .parameter("stages", ParameterType::any, "What to do, in order.", {.required = true})
        .parameter("locked", ParameterType::map, "What a run wrote down about itself (run.lock.yaml).");
    return s;
  }();
  return schema;
}

const Schema& simulationSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("backend", ParameterType::string, "Physics backend; by default the world's, else mortise.")
        .parameter("step", ParameterType::real, "Physics time step; by default the world's, else 1 ms.",
                   {.min = 1e-6, .max = 1, .unit = "s"})
        .parameter("contacts", ParameterType::string,
                   "Who finds contacts: `boundary_layer`, the same for every backend, or `engine`, the backend itself; "
                   "by default the world's choice, which is the boundary layer where a file says nothing.",
                   {.choices = {"boundary_layer", "engine"}})
        .parameter("adaptive", ParameterType::boolean,
                   "Take steps back and halve them where bodies would pass each other; by default the world's choice.")
        .parameter("control_rate", 100.0, "Rate of controllers that name none.",
                   {.min = 1e-3, .max = 1e6, .unit = "Hz"})
        .parameter(
            "realtime", 0.0,
            "Keep pace with the clock: simulated seconds in a second of it, at most; 0: as many as there can be.",
            {.min = 0, .max = 1e6})
        .parameter("lockstep", false,
                   "Controllers that hand their robots to other programs wait for every command of theirs.")
        .parameter("actuator_limits", ParameterType::any,
                   "Which limits of their robots motors keep: any of torque, velocity, power, or all, or none; by "
                   "default torque alone, as in Klamp't.")
        .parameter("motors", ParameterType::any,
                   "Models of motors, a list of {robot, driver, model: dc, stall_torque, no_load_speed, gear, "
                   "efficiency, dry_friction, viscous_friction}; without driver, of all drivers.")
        .parameter("settings", ParameterType::map, "Parameters of the backend.");
    return s;
  }();
  return schema;
}

namespace {

Schema commonSchema(Kind kind) {
  Schema s;
  s.parameter(std::string(kindName(kind)), ParameterType::string, "Which component.", {.required = true})
      .parameter("name", ParameterType::string, "Its name in the run; by default its type.");
  if (kind == Kind::recorder) {
    s.parameter(
         "record", std::vector<std::string>{"robots", "objects", "contacts", "sensors"},
         "What to record: robots, objects, contacts, wrenches, sensors, or names. Logs hold the values of cameras only "
         "when a camera is named.")
        .parameter("rate", ParameterType::real, "Records this often; by default every physics step.",
                   {.min = 1e-3, .max = 1e6, .unit = "Hz"});
  } else {
    s.parameter("robot", ParameterType::any, "Name or id of the robot; may be left out when there is one robot only.")
        .parameter(
            "rate", ParameterType::real,
            "Runs this often; by default a controller at simulation.control_rate, a sensor at the rate of its robot's "
            "controller.",
            {.min = 1e-3, .max = 1e6, .unit = "Hz"})
        .parameter("on_error", "stop",
                   "What happens when it fails: the run stops, its last output holds, or it is disabled.",
                   {.choices = {"stop", "hold", "disable"}});
    if (kind == Kind::sensor) s.parameter("enabled", true, "Whether it measures from the start.");
    if (kind == Kind::controller)
      s.parameter(
          "estimator", ParameterType::any,
          "Which estimator tells it the robot's state: a name, or a map {name: ..., settings...}; by default the "
          "one its documentation names, if any.");
  }
  s.parameter("optional", false, "Leave it out, with a notice, when no plugin offers it.");
  return s;
}

}  // namespace

Schema componentSchema(Kind kind, const Schema* component) {
  Schema common = commonSchema(kind);
  if (component == nullptr) return common.allowOtherKeys();
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
  if (component->otherKeysAllowed()) joined.set("other_keys", true);
  return Schema::fromValue(joined);
}

}  // namespace mortise
