#include "mortise/simulation/context/component_entry.h"

#include "mortise/simulation/context/recorded_settings.h"

namespace mortise {

void ComponentEntry::bind(SettingBinder& b) {
  b.add(typeKey, type, "Which component.", {.required = true});
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
          "controller; 0: by default.",
          {.min = 0, .max = 1e6, .unit = "Hz"});
    b.choice("on_error", onError, {{"stop", OnError::stop}, {"hold", OnError::hold}, {"disable", OnError::disable}},
             "What happens when it fails: the run stops, its last output holds, or it is disabled.");
    if (kind == Kind::sensor) b.add("enabled", enabled, "Whether it measures from the start.");
    if (kind == Kind::controller)
      b.add("estimator", estimator,
            "Which estimator tells it the robot's state: a name, or a map {name: ..., settings...}; by default the "
            "one its documentation names, if any.");
  }
  b.add("optional", optional,
        kind == Kind::recorder ? "Leave it out, with a notice, when no plugin offers it or it cannot begin."
                               : "Leave it out, with a notice, when no plugin offers it.");
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

ComponentEntry componentEntry(Kind kind, const Value& given, Diagnostics& diagnostics) {
  const ComponentEntry defaults(kind, "type");
  const Value* type = given.find("type");
  const std::string what = std::string(kindName(kind)) +
                           (type != nullptr && type->isScalar() && !type->isNull() ? " '" + type->text() + "'" : "");
  const Value complete = schemaOf(defaults).complete(given, what, diagnostics);
  ComponentEntry entry = settingsFrom(complete, diagnostics, defaults);
  if (!entry.settings.isMap()) entry.settings = Value::map();
  return entry;
}

ComponentOptions componentOptions(const ComponentEntry& entry) {
  ComponentOptions options;
  options.kind = entry.kind;
  options.type = entry.type.text;
  options.position = entry.type.where;
  options.name = entry.name.text;
  options.rate = entry.rate.value_or(0);
  options.onError = entry.onError;
  options.optional = entry.optional;
  options.enabled = entry.enabled;
  const EstimatorEntry estimator = estimatorEntry(entry.estimator);
  options.estimator = estimator.name.text;
  options.estimatorSettings = estimator.settings;
  options.settings = entry.settings;
  return options;
}

ComponentEntry entryOf(const ComponentOptions& options) {
  ComponentEntry entry(options.kind, "type");
  entry.type = {options.type, options.position};
  entry.name = {options.name, options.position};
  entry.robot = options.robot;
  if (options.rate > 0) entry.rate = options.rate;
  entry.onError = options.onError;
  entry.optional = options.optional;
  entry.enabled = options.enabled;
  if (!options.estimator.empty())
    entry.estimator =
        recordedSettings(EstimatorEntry{{options.estimator, options.position}, {}}, options.estimatorSettings);
  entry.settings = options.settings;
  return entry;
}

}  // namespace mortise
