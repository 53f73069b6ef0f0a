#include "mortise/planning/settings/klampt_settings.h"

#include "mortise/base/error.h"
#include "mortise/settings/klampt_text.h"

namespace mortise {

void setKlamptPlanner(const std::string& text, const std::string& file, const Registry& registry,
                      PlanRequest& request) {
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
