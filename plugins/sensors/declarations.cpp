#include "declarations.h"

namespace mortise {

void declareLink(ComponentBuilder& component) {
  component.parameter("link", ParameterType::any, "Link that carries the sensor, by name or by index. Default: 0.");
}

void declareAxes(ComponentBuilder& component, const char* name, std::array<bool, 3> defaults, const char* summary) {
  Value value = Value::list();
  for (const bool on : defaults) value.push_back(on);
  component.parameter(name, std::move(value), summary);
}

void declareVector(ComponentBuilder& component, const char* name, double value, const char* summary, const char* unit) {
  component.parameter(name, std::vector<double>{value, value, value}, summary, {.min = 0, .unit = unit, .size = 3});
}

void declareTsensor(ComponentBuilder& component, const char* meaning) {
  component.parameter("Tsensor", ParameterType::realList, meaning, {.size = 12});
}

}  // namespace mortise
