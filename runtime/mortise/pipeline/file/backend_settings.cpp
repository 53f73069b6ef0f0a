#include "mortise/pipeline/file/backend_settings.h"

#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/simulation/context/default_backend.h"

namespace mortise {

namespace {

void overlay(Value& settings, const Value* with) {
  if (with == nullptr || !with->isMap()) return;
  for (const Value::Entry& entry : with->entries()) {
    settings.erase(entry.key);
    settings.entries().push_back(entry);
  }
}

/// Under the parameters' own names, so that an alias in one layer and the name in another meet.
void overlayByName(Value& settings, const Value* with, const Schema& schema) {
  if (with == nullptr || !with->isMap()) return;
  Value renamed = Value::map();
  for (Value::Entry entry : with->entries()) {
    if (const Parameter* parameter = schema.find(entry.key)) {
      // A complete map holds null where a parameter has no default: that is not a setting.
      if (entry.value.isNull() && parameter->defaultValue.isNull()) continue;
      // Both spellings in one layer stay apart, for the schema to refuse.
      if (!with->contains(parameter->name)) entry.key = parameter->name;
    }
    renamed.entries().push_back(std::move(entry));
  }
  overlay(settings, &renamed);
}

}  // namespace

Value completeBackendSettings(const Registry& registry, const World& world, const Value& simulation,
                              const BackendChoice& choice, Diagnostics& diagnostics) {
  const SimulationRequest section = settingsFrom<SimulationRequest>(simulation);
  const PlacedText& own = section.backend;
  const bool chosen = !choice.name.empty();
  const std::string name = chosen ? choice.name : own.empty() ? backendOf(world) : own.text;
  const ComponentInfo* info = nullptr;
  try {
    info = &registry.require(Kind::physics, name, chosen ? choice.position : own.where);
  } catch (const Error& error) {
    diagnostics.error(error);
    return choice.settings.isMap() ? choice.settings : Value::map();
  }
  const auto same = [&](const std::string& other) {
    try {
      return registry.find(Kind::physics, other) == info;
    } catch (const Error&) {
      return false;
    }
  };
  Value settings = Value::map();
  if (same(backendOf(world))) overlayByName(settings, &world.simulation.backendSettings, info->schema);
  if (!chosen || (!own.empty() && same(own.text))) overlayByName(settings, &section.settings, info->schema);
  overlayByName(settings, &choice.settings, info->schema);
  return info->schema.complete(settings, "backend '" + name + "'", diagnostics);
}

}  // namespace mortise
