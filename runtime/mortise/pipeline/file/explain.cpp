#include "mortise/pipeline/file/explain.h"

#include "mortise/base/position.h"
#include "mortise/pipeline/file/key_path.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

std::string placeOf(const Value& value) {
  SourcePosition position = value.position();
  position.path.clear();
  return position.describe();
}

bool samePlace(const SourcePosition& a, const SourcePosition& b) {
  return a.known() && a.file == b.file && a.line == b.line && a.column == b.column && a.path == b.path;
}

/// All settings in one tree; indices of lists become keys.
Value settingsTree(const PipelineFile& file) {
  Value tree = Value::map();
  for (const AssignedSetting& setting : file.settings) {
    try {
      tree.setPath(setting.path, setting.value);
    } catch (const Error&) {
      // Set below something that another --set made a plain value: refused when it was applied.
    }
  }
  return tree;
}

/// Everything before the last part of a key, and that part.
std::pair<std::string, std::string> splitKey(const std::string& key) {
  const auto dot = key.rfind('.');
  if (dot == std::string::npos) return {"", key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

std::string joinKey(const std::string& parent, const std::string& name) {
  return parent.empty() ? name : parent + "." + name;
}

/// The schema that describes the last part of a key, and who owns it.
struct Description {
  const Parameter* parameter = nullptr;
  std::string owner;
  Schema schema;  ///< Keeps `parameter` alive.
};

Description describe(const Pipeline& pipeline, const Registry& registry, const std::string& key) {
  Description result;
  const auto [parent, name] = splitKey(key);
  const Value* owner = pipeline.resolved.findPath(parent);
  const auto use = [&](Schema schema, const std::string& who) {
    result.schema = std::move(schema);
    result.owner = who;
  };
  if (parent.empty()) {
    use(pipelineSchema(), "default");
  } else if (parent == "simulation") {
    use(simulationSchema(), "default");
  } else if (parent == "simulation.settings") {
    const Value* backend = pipeline.resolved.findPath("simulation.backend");
    if (backend != nullptr && backend->isString())
      if (const ComponentInfo* info = registry.find(Kind::physics, backend->asString()))
        use(info->schema, "plugin default (" + info->name + ")");
  } else if (parent.starts_with("components.") && owner != nullptr && owner->isMap()) {
    for (const Kind kind : {Kind::controller, Kind::sensor, Kind::recorder}) {
      const Value* type = owner->find(kindName(kind));
      if (type == nullptr || !type->isString()) continue;
      const ComponentInfo* info = registry.find(kind, type->asString());
      use(componentSchema(kind, info == nullptr ? nullptr : &info->schema),
          info == nullptr ? "default" : "plugin default (" + info->name + ")");
    }
  } else if (parent.starts_with("stages.")) {
    const std::string stage = parent.substr(parent.rfind('.') + 1);
    if (const ComponentInfo* info = registry.find(Kind::stage, stage))
      use(info->schema, "plugin default (" + info->name + ")");
  }
  result.parameter = result.schema.find(name);
  return result;
}

/// A value without parts that have a story of their own.
bool isLeaf(const Value& value) {
  if (value.isScalar() || value.size() == 0) return true;
  if (!value.isList()) return false;
  for (const Value& item : value.items())
    if (!item.isScalar()) return false;
  return true;
}

void collectBelow(const Value& value, const std::string& key, std::vector<std::pair<std::string, Value>>& list) {
  if (isLeaf(value)) {
    list.emplace_back(key, value);
    return;
  }
  for (std::size_t i = 0; i < value.items().size(); ++i) collectBelow(value[i], key + "." + std::to_string(i), list);
  for (const Value::Entry& entry : value.entries()) collectBelow(entry.value, key + "." + entry.key, list);
}

/// Finds what a layer says about a setting, by its name, an alias or a former name, which goes to `alias`. Null:
/// nothing.
const Value* findSpelled(const Value& layer, const std::string& key, const Parameter* parameter, std::string& alias) {
  if (const Value* value = layer.findPath(key)) return value;
  if (parameter == nullptr) return nullptr;
  for (const auto* names : {&parameter->options.aliases, &parameter->options.formerly})
    for (const std::string& other : *names)
      if (const Value* value = layer.findPath(joinKey(splitKey(key).first, other))) {
        alias = other;
        return value;
      }
  return nullptr;
}

Value worldValue(const Pipeline& pipeline, const std::string& key, const Parameter* parameter, std::string& alias) {
  if (!pipeline.worldLoaded) return {};
  const SimulationSettings& settings = pipeline.world.simulation;
  Value value;
  if (key == "simulation.backend" && !settings.backend.empty()) value = Value(settings.backend);
  if (key == "simulation.step") value = Value(settings.timeStep);
  const std::string prefix = "simulation.settings.";
  if (key.starts_with(prefix) && settings.backendSettings.isMap())
    if (const Value* found = findSpelled(settings.backendSettings, key.substr(prefix.size()), parameter, alias))
      value = *found;
  if (!value.isNull() && !value.position().known()) value.setPosition(inFile(pipeline.world.file));
  return value;
}

/// Throws `Error` for a key that a pipeline does not have: `key` as it was asked for, `resolved` as a path.
[[noreturn]] void refuseKey(const Pipeline& pipeline, const std::string& resolved, const std::string& key) {
  // The first part that is not there decides which names are near.
  std::string parent, name = resolved;
  for (auto dot = resolved.find('.'); dot != std::string::npos; dot = resolved.find('.', dot + 1)) {
    if (pipeline.resolved.findPath(resolved.substr(0, dot)) == nullptr) break;
    parent = resolved.substr(0, dot);
    name = resolved.substr(dot + 1);
  }
  name = name.substr(0, name.find('.'));
  std::vector<std::string> names;
  for (const Value::Entry& entry : pipeline.resolved.findPath(parent)->entries())
    if (entry.key != "file") names.push_back(entry.key);
  throw Error("this pipeline has no key '" + key + "'", inFile(pipeline.file.path),
              names.empty() ? std::string() : suggestFrom(name, names));
}

/// Marks the layer whose text stands where the value in force was written; what was written nowhere is a default.
void markHolder(std::vector<SettingLayer>& layers, const Value& value) {
  for (SettingLayer& layer : layers) {
    if (!layer.present || layer.where.empty()) continue;
    const bool sameFile = layer.value.position().file == value.position().file;
    if (samePlace(layer.value.position(), value.position()) || (layer.name == "--set" && sameFile) ||
        (layer.name == "world" && sameFile)) {
      layer.holds = true;
      return;
    }
  }
  if (layers.back().present) layers.back().holds = true;
}

}  // namespace

SettingExplanation explainSetting(const Pipeline& pipeline, const Registry& registry, const std::string& key) {
  SettingExplanation result;
  result.key = resolveKeyPath(pipeline.resolved, key);
  Description description = describe(pipeline, registry, result.key);
  if (const auto [parent, name] = splitKey(result.key);
      description.parameter != nullptr && description.parameter->name != name) {
    result.alias = name;
    result.key = joinKey(parent, description.parameter->name);
  }
  const Value* value = pipeline.resolved.findPath(result.key);
  if (value == nullptr || result.key.empty() || result.key == "file") {
    refuseKey(pipeline, result.key, key);
  }
  result.value = *value;
  if (description.parameter != nullptr) {
    result.unit = description.parameter->options.unit;
    result.summary = description.parameter->summary;
  }

  const auto add = [&](std::string name, const Value* layerValue, std::string alias = {}) {
    SettingLayer layer;
    layer.name = std::move(name);
    if (layerValue != nullptr && !layerValue->isNull()) {
      layer.value = *layerValue;
      layer.present = true;
      layer.where = placeOf(*layerValue);
      layer.alias = std::move(alias);
    }
    result.layers.push_back(std::move(layer));
  };
  const auto addTree = [&](const char* name, const Value& tree) {
    std::string alias;
    const Value* found = findSpelled(tree, result.key, description.parameter, alias);
    add(name, found, std::move(alias));
  };
  addTree("--set", settingsTree(pipeline.file));
  addTree("pipeline", pipeline.file.written);
  std::string worldAlias;
  const Value fromWorld = worldValue(pipeline, result.key, description.parameter, worldAlias);
  if (result.key.starts_with("simulation")) add("world", &fromWorld, std::move(worldAlias));
  add(description.owner.empty() ? "default" : description.owner,
      description.parameter == nullptr ? nullptr : &description.parameter->defaultValue);

  if (!isLeaf(*value)) {
    collectBelow(*value, result.key, result.below);
    return result;
  }
  markHolder(result.layers, *value);
  return result;
}

}  // namespace mortise
