#include "mortise/pipeline/simulate/component_check.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "mortise/component/role.h"
#include "mortise/loading/script_host.h"
#include "mortise/pipeline/file/pipeline_settings.h"
#include "mortise/pipeline/record/recordable.h"
#include "mortise/pipeline/record/run_directory.h"
#include "mortise/pipeline/simulate/command_check.h"
#include "mortise/pipeline/simulate/simulation_setup.h"
#include "mortise/plugin/library.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

constexpr Kind kKinds[] = {Kind::controller, Kind::sensor, Kind::recorder};

/// Positions where the pipeline or the world names sensors: the first one that fits.
class SensorPlaces {
 public:
  SensorPlaces(const SimulationOptions& options, const World& world) {
    for (const ComponentOptions& component : options.components)
      if (component.kind == Kind::sensor)
        places_.try_emplace({component.robot, component.type, component.name}, component.position);
    for (const auto& [robot, request] : world.simulation.sensors) {
      const Value* name = request.settings.isMap() ? request.settings.find("name") : nullptr;
      inWorld_.try_emplace({robot, request.type, name != nullptr && name->isScalar() ? name->text() : std::string()},
                           request.position);
    }
  }

  SourcePosition of(const SensorSlot& slot) const {
    for (const Places* places : {&places_, &inWorld_})
      for (const std::string& name : {slot.name, std::string()})
        if (const auto found = places->find({slot.robot, slot.requestedType, name}); found != places->end())
          return found->second;
    return {};
  }

 private:
  using Places = std::map<std::tuple<int, std::string, std::string>, SourcePosition>;  ///< By robot, type and name.
  Places places_, inWorld_;
};

/// The kind of an entry of `components`, and what is known of its type; null when nothing is.
const ComponentInfo* infoOf(const Registry& registry, const Value& entry, Kind& kind) {
  for (const Kind candidate : kKinds) {
    const Value* type = entry.find(kindName(candidate));
    if (type == nullptr || !type->isScalar()) continue;
    kind = candidate;
    return registry.find(candidate, type->text());
  }
  return nullptr;
}

std::vector<std::string> outputsOf(const ComponentInfo& info) {
  const Value* listed = info.attributes.isMap() ? info.attributes.find("outputs") : nullptr;
  return listed != nullptr ? listed->asStrings() : std::vector<std::string>();
}

/// Returns what a recorder can record, where that is one kind of thing: "cameras", "one robot".
std::string recordsOf(const Registry& registry, const std::string& recorder) {
  const ComponentInfo* info = registry.find(Kind::recorder, recorder);
  return info != nullptr && info->attributes.isMap() ? info->attributes.string("records", "") : std::string();
}

/// The value of a setting in an entry that may have it under an alias; null when it has none.
const Value* givenSetting(const Value& entry, const Schema& schema, const std::string& name) {
  const Parameter* parameter = schema.find(name);
  for (const Value::Entry& given : entry.entries())
    if (given.key == name || (parameter != nullptr && parameter->isCalled(given.key))) return &given.value;
  return nullptr;
}

/// Files that components write: below the folder of the run, and each by one of them.
void checkOutputs(StageContext& context, Diagnostics& diagnostics) {
  std::map<std::string, std::string> writers;
  for (const Value& entry : context.pipeline().at("components").items()) {
    Kind kind = Kind::controller;
    const ComponentInfo* info = infoOf(context.registry(), entry, kind);
    if (info == nullptr) continue;
    const std::string type = entry.at(kindName(kind)).text();
    const std::string who = std::string(kindName(kind)) + " '" + entry.string("name", type) + "'";
    for (const std::string& setting : outputsOf(*info)) {
      const Value* file = givenSetting(entry, info->schema, setting);
      if (file == nullptr || !file->isString()) continue;
      const SourcePosition where = file->position().known() ? file->position() : entry.at(kindName(kind)).position();
      try {
        checkRunFile(file->asString(), where);
      } catch (const Error& error) {
        diagnostics.error("'" + setting + "' of " + who + ": " + error.message(), error.where(), error.hint());
        continue;
      }
      if (kind != Kind::recorder) continue;  // Logs of controllers are numbered where there is a file already.
      const std::string name = std::filesystem::path(file->asString()).lexically_normal().string();
      const auto [first, isNew] = writers.emplace(name, who);
      if (!isNew && first->second != who && file->position().known())
        diagnostics.error("'" + setting + "' of " + who + ": " + first->second + " writes '" + name + "' already",
                          where, "give each recorder a file of its own");
    }
  }
}

/// The same for components that a world or a robot names.
template <typename Slot>
void checkOwnOutputs(const Registry& registry, Kind kind, const Slot& slot, Diagnostics& diagnostics) {
  const ComponentInfo* info = registry.find(kind, slot.type);
  if (info == nullptr || !slot.settings.isMap()) return;
  for (const std::string& setting : outputsOf(*info)) {
    const Value* file = slot.settings.find(setting);
    if (file == nullptr || !file->isString() || !file->position().known() || file->asString().empty()) continue;
    try {
      checkRunFile(file->asString(), file->position());
    } catch (const Error& error) {
      diagnostics.error(
          "'" + setting + "' of " + std::string(kindName(kind)) + " '" + slot.name + "': " + error.message(),
          error.where(), error.hint());
    }
  }
}

/// The same for controllers within a controller, however deep.
void checkInnerOutputs(const Registry& registry, const ComponentHost* host, Diagnostics& diagnostics) {
  if (host == nullptr) return;
  for (const ComponentHost::Child& child : host->children()) {
    checkOwnOutputs(registry, Kind::controller, child, diagnostics);
    checkInnerOutputs(registry, child.host.get(), diagnostics);
  }
}

/// Starts the controllers that may be started without a run, those that have commands to try: what their settings say
/// of this robot shows then.
void tryStarts(const Registry& registry, const ComponentSet& set, const World& world, const SimulationOptions& options,
               const std::vector<std::vector<SensorReading>>& readings, Diagnostics& diagnostics) {
  for (const auto& slot : set.controllers) {
    if (slot == nullptr) continue;
    const ComponentInfo* info = registry.find(Kind::controller, slot->type);
    if (info != nullptr && info->attributes.isMap() && info->attributes.contains("try_commands"))
      tryStart(*slot, world, options, readings[static_cast<std::size_t>(slot->robot)], diagnostics);
  }
}

}  // namespace

void tryStart(const ControllerSlot& slot, const World& world, const SimulationOptions& options,
              const std::vector<SensorReading>& readings, Diagnostics& diagnostics) {
  SourcePosition where;
  for (const ComponentOptions& component : options.components)
    if (component.kind == Kind::controller && component.robot == slot.robot) where = component.position;
  for (const auto& [robot, request] : world.simulation.controllers)
    if (robot == slot.robot && !where.known()) where = request.position;
  const WorldRobot& its = world.robots[static_cast<std::size_t>(slot.robot)];
  try {
    slot.component->start({*its.robot, 1 / slot.rate, its.q, world.simulation.gravity, readings, &world, slot.robot});
  } catch (const Error& error) {
    Diagnostics found;
    found.error(error);
    for (Diagnostic problem : found.all()) {
      problem.message = "controller '" + slot.name + "': " + problem.message;
      if (problem.where.line <= 0) problem.where = where;
      diagnostics.add(std::move(problem));
    }
  } catch (const std::exception& error) {
    diagnostics.error("controller '" + slot.name + "': " + error.what(), where);
  }
}

std::vector<std::vector<SensorReading>> startSensors(const ComponentSet& set, const World& world,
                                                     const SimulationOptions& options, Diagnostics& diagnostics) {
  std::vector<std::vector<SensorReading>> readings(world.robots.size());
  const SensorPlaces places(options, world);
  for (const auto& slot : set.sensors) {
    const SourcePosition where = places.of(*slot);
    const std::string what = "sensor '" + slot->name + "': ";
    auto& own = readings[static_cast<std::size_t>(slot->robot)];
    try {
      slot->component->start({world, slot->robot, 1 / slot->rate, own});
      slot->values.assign(slot->component->channels().size(), 0.0);
      own.push_back({slot->name, slot->requestedType, slot->component->channels(), slot->values,
                     slot->component->camera(), slot->roles});
    } catch (const Error& error) {
      diagnostics.error(what + error.message(), error.where().line > 0 ? error.where() : where, error.hint());
    } catch (const std::exception& error) {
      diagnostics.error(what + error.what(), where);
    }
  }
  return readings;
}

namespace {

/// Puts the controller that robots have where none is named in the place of one that is kept closed: the roles that
/// closed libraries declare beside it do not matter to a robot that names its controller. False where there is none.
bool standIn(const Registry& registry, ComponentOptions& component) {
  if (component.kind != Kind::controller) return false;
  for (const ComponentInfo& info : registry.components()) {
    if (Library::isKeptClosed(info.library) || !hasRole(info, role::kDefaultController)) continue;
    ComponentOptions other;
    other.kind = component.kind;
    other.robot = component.robot;
    other.type = info.name;
    other.position = component.position;
    component = std::move(other);
    return true;
  }
  return false;
}

}  // namespace

bool leaveOutClosed(const Registry& registry, SimulationOptions& options, LogSink& log) {
  std::set<std::string> said;
  bool any = false;
  std::erase_if(options.components, [&](ComponentOptions& component) {
    const ComponentInfo* info = registry.find(component.kind, component.type);
    if (info == nullptr || !Library::isKeptClosed(info->library)) return false;
    any = true;
    if (said.insert(component.type).second)
      log.write(LogLevel::warning, "config",
                std::string(kindName(component.kind)) + " '" + component.type +
                    "' is checked by its description only: '" + info->library +
                    "' is named by the pipeline, and a check opens no such library (--plugin " + info->library +
                    " does)");
    return !standIn(registry, component);
  });
  return any;
}

void checkRecordNames(StageContext& context, const PlacedTexts& record, const SourcePosition& fallback,
                      Diagnostics& diagnostics) {
  if (context.world().numIds() == 0) return;  // A world that could not be read was reported already.
  const std::vector<std::string> names = recordableNames(context);
  for (const PlacedText& item : record.list) {
    if (std::find(names.begin(), names.end(), item.text) != names.end()) continue;
    const SourcePosition& where = item.where.known() ? item.where : record.where;
    diagnostics.error("'record': there is nothing called '" + item.text + "' to record",
                      where.known() ? where : fallback, suggestFrom(item.text, names));
  }
}

void checkOneRobot(const Registry& registry, const PlacedText& recorder, const std::vector<std::string>& record,
                   const World& world, const SourcePosition& where, Diagnostics& diagnostics) {
  if (recordsOf(registry, recorder.text) != "one robot" || world.numIds() == 0) return;
  std::size_t robots = 0;
  bool more = false;
  for (const std::string& name : record) {
    const auto own = std::count_if(world.robots.begin(), world.robots.end(),
                                   [&](const WorldRobot& robot) { return robot.name == name; });
    robots += name == "robots" ? world.robots.size() : static_cast<std::size_t>(own);
    more = more || (name != "robots" && own == 0);
  }
  if (robots == 1 && !more) return;
  diagnostics.error("recorder '" + recorder.text + "' writes the motion of one robot, but " + std::to_string(robots) +
                        " robots" + (more ? " and more" : "") + " are to be recorded",
                    where, "record one robot by its name, or take another recorder, such as csv");
}

namespace {

/// Recorders of images need cameras.
void checkCameras(const StageContext& context, const Registry& registry,
                  const std::vector<std::vector<SensorReading>>& readings, Diagnostics& diagnostics) {
  for (const Value& entry : context.pipeline().at("components").items()) {
    const Value* type = entry.find("recorder");
    if (type == nullptr || !type->isScalar() || recordsOf(registry, type->text()) != "cameras") continue;
    const PlacedTexts record = settingsFrom(entry, ComponentEntry(Kind::recorder)).record;
    bool any = false;
    for (const auto& own : readings)
      for (const SensorReading& reading : own) {
        any = any || reading.camera != nullptr;
        for (const PlacedText& name : record.list)
          if (name.text == reading.name && reading.camera == nullptr)
            diagnostics.error("'record': sensor '" + name.text + "' is no camera, so it has no images",
                              name.where.known() ? name.where : type->position(), "name cameras");
      }
    if (!any)
      diagnostics.error("recorder '" + type->text() + "': there is no camera whose images could be recorded",
                        type->position(), "add a CameraSensor");
  }
}

}  // namespace

void checkRecorders(StageContext& context, Diagnostics& diagnostics) {
  checkOutputs(context, diagnostics);
  for (const Value& entry : context.pipeline().at("components").items()) {
    const Value* type = entry.find("recorder");
    if (type == nullptr || !type->isScalar() || context.registry().find(Kind::recorder, type->text()) == nullptr)
      continue;
    const PlacedTexts record = settingsFrom(entry, ComponentEntry(Kind::recorder)).record;
    checkRecordNames(context, record, type->position(), diagnostics);
    checkOneRobot(context.registry(), {type->text(), type->position()}, record.texts(), context.world(),
                  type->position(), diagnostics);
    if (record.given && record.list.empty())
      diagnostics.warning("recorder '" + type->text() + "' has nothing to record: 'record' is empty", record.where,
                          "name what it records, or leave 'record' out");
  }
}

void checkPipelineComponents(PipelineContext& context, Registry& registry, FormatLoader& loader, LogSink& log,
                             Diagnostics& diagnostics) {
  ChannelTable channels;
  NullLog silence;
  SimulationOptions options = makeSimulationOptions(context, {}, diagnostics);
  leaveOutClosed(registry, options, log);
  const int before = diagnostics.errorCount();
  Diagnostics found;
  const ComponentSet set = createComponents(context.world(), registry, &loader, silence, options, channels, found);
  for (const Diagnostic& problem : found.all()) {
    diagnostics.add(problem);
    // What could not be checked is said, even where nothing is wrong.
    if (set.leftOut && problem.severity == Severity::warning)
      log.write(LogLevel::warning, "config", Error(problem.message, problem.where, problem.hint).what());
  }
  const auto readings = startSensors(set, context.world(), options, diagnostics);
  for (const auto& slot : set.controllers) {
    if (slot == nullptr) continue;
    checkOwnOutputs(registry, Kind::controller, *slot, diagnostics);
    checkInnerOutputs(registry, slot->host.get(), diagnostics);
  }
  for (const auto& slot : set.sensors) checkOwnOutputs(registry, Kind::sensor, *slot, diagnostics);
  if (diagnostics.errorCount() == before && !set.leftOut) checkCameras(context, registry, readings, diagnostics);
  if (diagnostics.errorCount() == before && !set.leftOut)
    tryStarts(registry, set, context.world(), options, readings, diagnostics);
  tryEntryCommands(context.world(), registry, &loader, options, diagnostics);
}

namespace {

/// Takes away the components of a world that files of Python hold; says whether there are any.
bool leaveOutScripts(World& world) {
  const auto scripted = [](const auto& entry) { return namesScript(entry.second.type); };
  return std::erase_if(world.simulation.controllers, scripted) + std::erase_if(world.simulation.sensors, scripted) > 0;
}

}  // namespace

void checkWorldComponents(const World& given, Registry& registry, ResourceLoader* loader, Diagnostics& diagnostics) {
  World world = given;
  const std::vector<TimedCommand> commands = worldCommands(world, diagnostics);
  const bool scripts = leaveOutScripts(world);
  SimulationOptions options;
  options.referringFile = world.file;
  ChannelTable channels;
  NullLog silence;
  const int before = diagnostics.errorCount();
  const ComponentSet set = createComponents(world, registry, loader, silence, options, channels, diagnostics);
  const auto readings = startSensors(set, world, options, diagnostics);
  if (diagnostics.errorCount() > before || set.leftOut) return;
  tryStarts(registry, set, world, options, readings, diagnostics);
  if (!scripts) tryCommands(commands, world, registry, loader, options, diagnostics);
  tryEntryCommands(world, registry, loader, options, diagnostics);
}

}  // namespace mortise
