#include "mortise/planning/settings/klampt_settings.h"

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

/// The same text as YAML: a blank after the colon of a key, commas between entries. Lines stay the same, columns
/// nearly.
std::string asYaml(const std::string& text) {
  std::string result;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
      result += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      result += c;
    } else if (c == ';') {
      result += ',';
    } else if (c == '\t') {
      result += ' ';
    } else if (c == ':' && !result.empty() && result.find_last_of("{,") != std::string::npos &&
               result.find(": ", result.find_last_of("{,")) == std::string::npos) {
      // Only the first colon of an entry ends its key: "ompl:rrt" keeps its colon.
      result += ": ";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

void setKlamptPlanner(const std::string& text, const std::string& file, const Registry& registry,
                      PlanRequest& request) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return;
  const Value map = parseYaml(asYaml(text), file);
  if (!map.isMap())
    throw Error("planner settings are a map", {file, 1, 1, {}}, "write { type:\"rrt\", perturbationRadius:0.5 }");
  request.settings = Value::map();
  request.settings.setPosition(map.position());
  if (const Value* type = map.find("type")) {
    request.planner = type->text();
    request.settings.setPosition(type->position());
  }
  const ComponentInfo& info = registry.require(Kind::planner, request.planner, request.settings.position());
  for (Value::Entry entry : map.entries()) {
    if (entry.key == "type") continue;
    const Parameter* parameter = info.schema.find(entry.key);
    if (parameter != nullptr && parameter->type == ParameterType::boolean && entry.value.isInteger()) {
      const SourcePosition where = entry.value.position();
      entry.value = Value(entry.value.asInteger() != 0).setPosition(where);
    }
    request.settings.entries().push_back(std::move(entry));
  }
}

}  // namespace mortise
