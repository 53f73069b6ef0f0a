#include "mortise/planning/settings/klampt_settings.h"

#include "mortise/base/error.h"
#include "mortise/planning/request/required_planner.h"
#include "mortise/settings/klampt_text.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// The planners that have a setting, in the order of their names.
std::vector<std::string> plannersWith(const std::string& key, const Registry& registry) {
  std::vector<std::string> names;
  for (const ComponentInfo& info : registry.components())
    if (info.kind == Kind::planner && info.schema.find(key) != nullptr) names.push_back(info.name);
  return names;
}

/// Says whether an entry is a switch that is off.
bool isOff(const Value* value) {
  return value == nullptr || (value->isBool() && !value->asBool()) || (value->isInteger() && value->asInteger() == 0);
}

/// Says why an entry that the planner has does nothing beside the others; empty where it does something.
std::string idleReason(const Parameter& parameter, const Value& map) {
  if (parameter.name == "restart_term_cond" && isOff(map.find("restart"))) return "'restart' is off";
  if (parameter.name == "grid_resolution")
    for (const char* key : {"useGrid", "use_grid", "grid"})
      if (const Value* use = map.find(key); use != nullptr && isOff(use)) return "'" + std::string(key) + "' is off";
  return {};
}

}  // namespace

void setKlamptPlanner(const std::string& text, const std::string& file, const Registry& registry, PlanRequest& request,
                      Diagnostics& diagnostics) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return;
  const Value map = parseKlamptText(text, file);
  if (!map.isMap())
    throw Error("planner settings are a map", {file, 1, 1, {}}, "write { type:\"rrt\", perturbationRadius:0.5 }");
  request.settings = Value::map();
  request.settings.setPosition(map.position());
  if (const Value* type = map.find("type")) {
    request.planner = type->text();
    request.settings.setPosition(type->position());
  }
  const ComponentInfo& info = requirePlanner(registry, request.planner, request.settings.position());
  noteAlikePlanner(registry, request.planner, request.settings.position(), diagnostics);
  for (Value::Entry entry : map.entries()) {
    if (entry.key == "type") continue;
    const Parameter* parameter = info.schema.find(entry.key);
    const std::vector<std::string> others =
        parameter == nullptr ? plannersWith(entry.key, registry) : std::vector<std::string>();
    if (!others.empty()) {
      diagnostics.warning("planner '" + info.name + "' does not use '" + entry.key + "', which is left out",
                          entry.value.position(), "it is a setting of " + nameList(others));
      continue;
    }
    if (const std::string reason = parameter != nullptr ? idleReason(*parameter, map) : std::string();
        !reason.empty()) {
      diagnostics.warning("'" + entry.key + "' has no effect, because " + reason + "; it is left out",
                          entry.value.position());
      continue;
    }
    if (parameter != nullptr && parameter->type == ParameterType::boolean && entry.value.isInteger()) {
      const SourcePosition where = entry.value.position();
      entry.value = Value(entry.value.asInteger() != 0).setPosition(where);
    }
    request.settings.entries().push_back(std::move(entry));
  }
}

}  // namespace mortise
