#include "mortise/simulation/components/component_slots.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/base/value_text.h"
#include "mortise/component/role.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/script_host.h"
#include "mortise/settings/permissions.h"
#include "mortise/simulation/components/component_names.h"
#include "mortise/simulation/context/component_entry.h"
#include "mortise/simulation/context/simulation_options.h"
#include "mortise/text/article.h"
#include "mortise/text/hex.h"

namespace mortise {

namespace {

/// Klamp't's `timeStep`, in seconds, says what `rate` says in hertz.
void readTimeStep(Value& settings, const SourcePosition& where, Diagnostics& diagnostics) {
  const Value* given = settings.find("timeStep");
  if (given == nullptr) return;
  const SourcePosition place = given->position().known() ? given->position() : where;
  try {
    const double period = given->isString() ? Value::fromText(given->asString()).asReal() : given->asReal();
    if (!(period >= 0) || !std::isfinite(period))
      throw Error("'timeStep' is " + formatReal(period), place, "write a number above 0, or 0 for every control step");
    if (period > 0 && !settings.contains("rate")) settings.set("rate", Value(1 / period).setPosition(place));
  } catch (const Error& error) {
    diagnostics.error(error.message(), place, error.hint());
  }
  settings.erase("timeStep");
}

/// The component that a world file or a robot's file asks for.
ComponentOptions fromRequest(Kind kind, int robot, const ComponentRequest& request, Diagnostics& diagnostics) {
  Value given = request.settings.isMap() ? request.settings : Value::map();
  readTimeStep(given, request.position, diagnostics);
  given.set("type", Value(request.type).setPosition(request.position));
  ComponentOptions options = componentOptions(componentEntry(kind, given, diagnostics));
  options.robot = robot;
  options.position = request.position;
  options.file = request.position.file;
  return options;
}

/// The maps {type, attributes} in a robot's `property sensors` and `property controller`.
std::vector<ComponentRequest> robotRequests(const Value& listOrMap) {
  std::vector<ComponentRequest> requests;
  Value list = listOrMap;
  if (listOrMap.isMap()) {
    list = Value::list();
    list.push_back(listOrMap);
  }
  if (!list.isList()) return requests;
  for (const Value& item : list.items()) {
    const Value* type = item.find("type");
    if (type == nullptr) continue;
    ComponentRequest request;
    request.type = type->text();
    request.position = item.position();
    request.settings = item;
    request.settings.erase("type");
    requests.push_back(std::move(request));
  }
  return requests;
}

/// Adds a setting, with files by their content: the same motion under another name is the same setting.
void addSetting(const Value& value, const Host& host, std::string& text) {
  if (value.isMap()) {
    for (const Value::Entry& entry : value.entries()) {
      text += entry.key + ":";
      addSetting(entry.value, host, text);
    }
  } else if (value.isList()) {
    text += std::to_string(value.items().size()) + "[";
    for (const Value& item : value.items()) addSetting(item, host, text);
  } else {
    const std::string word = toJson(value, 0);
    std::string content;
    if (value.isString() && value.asString().find_first_of("./") != std::string::npos) {
      try {
        const std::string file = host.findResource(value.asString());
        std::error_code code;
        if (std::filesystem::is_regular_file(file, code)) content = "file " + readFile(file);
      } catch (const Error&) {
        // Not the name of a file.
      }
    }
    text += content.empty() ? word : hexText(hashBytes(content.data(), content.size()));
  }
  text += "\n";
}

/// `info.attributes` may name `outputs`: settings whose files the component writes; what these hold does not count.
std::uint64_t hashOf(const Value& settings, const ComponentInfo& info, const Host& host) {
  const Value* listed = info.attributes.isMap() ? info.attributes.find("outputs") : nullptr;
  const std::vector<std::string> outputs = listed != nullptr ? listed->asStrings() : std::vector<std::string>();
  std::string text;
  for (const Value::Entry& entry : settings.entries()) {
    text += entry.key + ":";
    if (std::find(outputs.begin(), outputs.end(), entry.key) != outputs.end())
      text += toJson(entry.value, 0) + "\n";
    else
      addSetting(entry.value, host, text);
  }
  text += "\n";
  return hashBytes(text.data(), text.size());
}

class Creator {
 public:
  Creator(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log,
          const SimulationOptions& options, ChannelTable& channels, Diagnostics& diagnostics)
      : world_(world),
        registry_(registry),
        loader_(loader),
        log_(log),
        options_(options),
        channels_(channels),
        diagnostics_(diagnostics) {}

  ComponentSet create() {
    ComponentSet set;
    for (const ComponentOptions& component : options_.components)
      if (component.robot < 0 || component.robot >= static_cast<int>(world_.robots.size()))
        diagnostics_.error("'" + component.type + "' is for robot " + std::to_string(component.robot) +
                               ", but the world has " + std::to_string(world_.robots.size()) + " robots",
                           component.position);
    for (int r = 0; r < static_cast<int>(world_.robots.size()); ++r) {
      set.controllers.push_back(controllerOf(r));
      // Every control step, unless a sensor says otherwise.
      const double rate = set.controllers.back() != nullptr ? set.controllers.back()->rate : options_.controlRate;
      for (auto& sensor : sensorsOf(r, rate)) set.sensors.push_back(std::move(sensor));
    }
    set.leftOut = leftOut_;
    return set;
  }

 private:
  std::unique_ptr<ControllerSlot> controllerOf(int r) {
    std::vector<ComponentOptions> chosen = named(Kind::controller, r);
    const bool asked = !chosen.empty();
    if (chosen.size() > 1)
      diagnostics_.error("robot '" + world_.robots[r].name + "' has two controllers, '" + chosen[0].type + "' and '" +
                             chosen[1].type + "'",
                         chosen[1].position, "keep one");
    if (chosen.empty())
      for (const auto& [robot, request] : world_.simulation.controllers)
        if (robot == r) {
          if (!chosen.empty())
            diagnostics_.warning(
                "robot '" + world_.robots[r].name + "' has two controllers; '" + chosen[0].type + "' is left out",
                chosen[0].position, "keep one");
          chosen.assign(1, fromRequest(Kind::controller, r, request, diagnostics_));
        }
    if (chosen.empty())
      for (const ComponentRequest& request : robotRequests(world_.robots[r].robot->description().controller))
        if (!request.type.empty()) chosen.assign(1, fromRequest(Kind::controller, r, request, diagnostics_));
    for (ComponentOptions& component : chosen) findScript(component);
    std::unique_ptr<ControllerSlot> slot;
    // A world simulates without the plugin of its controller; wrong settings of one that is there stay an error.
    if (!chosen.empty())
      slot = instantiate<ControllerSlot, Controller>(
          chosen.back(), asked || registry_.find(Kind::controller, chosen.back().type) != nullptr);
    if (slot == nullptr) slot = standardComponent<ControllerSlot, Controller>(r, role::kDefaultController);
    if (slot != nullptr)
      setRate(*slot, options_.controlRate, chosen.empty() ? SourcePosition() : chosen.back().position);
    if (slot != nullptr) addEstimator(chosen.empty() ? ComponentOptions{} : chosen.back(), *slot);
    return slot;
  }

  /// A component may be named by the file of Python that holds it.
  void findScript(ComponentOptions& component) {
    if (component.instance != nullptr) return;
    if (namesScript(component.type) && keptClosed(component.kind, component.type, component.position)) return;
    try {
      component.type =
          scriptComponent(registry_, component.kind, component.type, fileOf(component.file), component.position);
    } catch (const Error& error) {
      report(error, component.position);
    }
  }
  /// A check runs no Python that a world or a robot names, and says what it could not check.
  bool keptClosed(Kind kind, const std::string& type, const SourcePosition& where) {
    if (permissionsOf(where.origin).runs) return false;
    leftOut_ = true;
    diagnostics_.warning(std::string(kindName(kind)) + " '" + type +
                             "' cannot be checked: " + std::string(originName(where.origin)) +
                             " names it, and a check runs no Python that a file names",
                         where, "read the file before you run it");
    return true;
  }
  const std::string& fileOf(const std::string& file) const { return file.empty() ? options_.referringFile : file; }

  /// The estimator that the options name, else the one of the controller's declaration.
  void addEstimator(const ComponentOptions& options, ControllerSlot& slot) {
    std::string name = options.estimator;
    const ComponentInfo* controller =
        options.instance == nullptr ? registry_.find(Kind::controller, slot.type) : nullptr;
    if (name.empty() && controller != nullptr && controller->attributes.isMap())
      name = controller->attributes.string("estimator", "");
    if (name.empty()) return;
    if (namesScript(name) && keptClosed(Kind::estimator, name, options.position)) return;
    try {
      name = scriptComponent(registry_, Kind::estimator, name, fileOf(options.file), options.position);
      const ComponentInfo& info = registry_.require(Kind::estimator, name, options.position);
      const Value settings = registry_.completeSettings(info, options.estimatorSettings, diagnostics_);
      auto estimator = std::make_unique<EstimatorSlot>(*world_.robots[slot.robot].robot);
      estimator->type = info.name;
      estimator->host = makeHost(std::string(slot.host->name()) + "/" + name, options.file);
      estimator->shown = std::string(estimator->host->name()) + " (" + info.name + " of " + info.package + ")";
      estimator->component = registry_.create<Estimator>(info, settings, *estimator->host);
      slot.estimator = std::move(estimator);
    } catch (const Error& error) {
      report(error, options.position);
    }
  }

  /// Adds the error, or all those that it stands for, each at its own line or at `fallback`: a file name alone says
  /// less than the line that names the component.
  void report(const Error& error, const SourcePosition& fallback) {
    Diagnostics found;
    found.error(error);
    for (Diagnostic problem : found.all()) {
      if (problem.where.line <= 0) problem.where = fallback;
      diagnostics_.add(std::move(problem));
    }
  }

  template <typename Slot>
  void setRate(Slot& slot, double standard, const SourcePosition& where) {
    if (slot.rate <= 0) slot.rate = standard;
    slot.declaredRate = slot.rate;
    const double step = options_.timeStep.value_or(world_.simulation.timeStep);
    if (slot.rate * step > 1 + 1e-9)
      diagnostics_.warning("'" + std::string(slot.host->name()) + "' is to run at " + formatReal(slot.rate) +
                               " Hz, but steps of " + formatReal(step) + " s let it run at " + formatReal(1 / step) +
                               " Hz at most",
                           where, "take a smaller step or a lower rate");
  }

  std::unique_ptr<ComponentHost> makeHost(std::string name, const std::string& file) {
    return std::make_unique<ComponentHost>(std::move(name), options_.seed, log_, loader_, channels_, fileOf(file),
                                           options_.runDirectory, &registry_, options_.stopRequested);
  }

  std::vector<std::unique_ptr<SensorSlot>> sensorsOf(int r, double controlRate) {
    std::vector<ComponentOptions> chosen = named(Kind::sensor, r);
    const bool required = !chosen.empty();
    if (chosen.empty()) {
      for (const ComponentRequest& request : robotRequests(world_.robots[r].robot->description().sensors))
        chosen.push_back(fromRequest(Kind::sensor, r, request, diagnostics_));
      for (const auto& [robot, request] : world_.simulation.sensors)
        if (robot == r) chosen.push_back(fromRequest(Kind::sensor, r, request, diagnostics_));
    }
    for (ComponentOptions& component : chosen) findScript(component);
    std::vector<std::unique_ptr<SensorSlot>> slots;
    std::vector<SourcePosition> places;  // Of those that are named.
    std::set<std::string> names;
    for (const ComponentOptions& component : chosen)
      if (auto slot = instantiate<SensorSlot, Sensor>(component, required)) {
        slot->enabled = component.enabled;
        requireOwnName(component, *slot, names);
        slots.push_back(std::move(slot));
        places.push_back(component.position);
      }
    addDefaultSensor(r, role::kJointPositions, role::kDefaultPositions, "q", slots);
    addDefaultSensor(r, role::kJointVelocities, role::kDefaultVelocities, "dq", slots);
    places.resize(slots.size());
    for (std::size_t s = 0; s < slots.size(); ++s) setRate(*slots[s], controlRate, places[s]);
    return slots;
  }

  /// Logs, wrappers and controllers find sensors by name.
  void requireOwnName(const ComponentOptions& component, const SensorSlot& slot, std::set<std::string>& before) {
    if (!before.insert(slot.name).second)
      diagnostics_.warning("robot '" + world_.robots[slot.robot].name + "' has two sensors called '" + slot.name +
                               "'; by name, the first is found",
                           component.position, "give each sensor a name of its own");
  }

  /// Controllers need to know where the robot is, so these two are there even when a file names others only.
  void addDefaultSensor(int r, std::string_view role, std::string_view standard, const std::string& name,
                        std::vector<std::unique_ptr<SensorSlot>>& slots) {
    for (const auto& slot : slots)
      if (std::find(slot->roles.begin(), slot->roles.end(), role) != slot->roles.end()) return;
    const bool taken = std::any_of(slots.begin(), slots.end(), [&](const auto& slot) { return slot->name == name; });
    if (auto slot = standardComponent<SensorSlot, Sensor>(r, standard, taken ? std::string() : name))
      slots.push_back(std::move(slot));
  }

  /// Finds what is there where nobody names anything: the component with this role.
  template <typename Slot, typename T>
  std::unique_ptr<Slot> standardComponent(int r, std::string_view role, const std::string& name = {}) {
    try {
      ComponentOptions standard = optionsInRole(registry_, role);
      standard.robot = r;
      standard.name = name;
      return instantiate<Slot, T>(standard, true);
    } catch (const Error& error) {
      report(error, {});
      return nullptr;
    }
  }

  std::vector<ComponentOptions> named(Kind kind, int r) const {
    std::vector<ComponentOptions> found;
    for (const ComponentOptions& component : options_.components)
      if (component.kind == kind && component.robot == r) found.push_back(component);
    return found;
  }

  /// Holds a controller that the caller made and keeps.
  std::unique_ptr<ControllerSlot> ofCaller(const ComponentOptions& component) {
    auto slot = std::make_unique<ControllerSlot>();
    slot->robot = component.robot;
    slot->type = slot->requestedType = component.type;
    slot->name = component.name.empty() ? component.type : component.name;
    slot->roles = component.roles;
    slot->rate = component.rate;
    slot->onError = component.onError;
    slot->host = makeHost(world_.robots[component.robot].name + "/" + slot->name, component.file);
    slot->component = ComponentPtr<Controller>(component.instance, {[](void*) {}});
    slot->settings = Value::map();
    return slot;
  }

  template <typename Slot, typename T>
  std::unique_ptr<Slot> instantiate(const ComponentOptions& component, bool required) {
    const Kind kind = std::is_same_v<T, Controller> ? Kind::controller : Kind::sensor;
    if constexpr (std::is_same_v<T, Controller>)
      if (component.instance != nullptr) return ofCaller(component);
    if (namesScript(component.type)) return nullptr;  // What is wrong with it was said.
    const ComponentInfo* info = registry_.find(kind, component.type);
    if (info == nullptr && component.optional) {
      log_.write(
          LogLevel::info, "simulation",
          "optional " + std::string(kindName(kind)) + " '" + component.type + "' is not registered and is left out");
      return nullptr;
    }
    if (info == nullptr && !required && !options_.strict) {
      diagnostics_.warning("no plugin has " + withArticle(kindName(kind)) + " '" + component.type + "'; " +
                               (kind == Kind::controller ? "the robot holds its configuration" : "it is left out"),
                           component.position, componentNameHint(registry_, kind, component.type));
      return nullptr;
    }
    try {
      if (info == nullptr) info = &registry_.require(kind, component.type, component.position);
      Diagnostics found;
      const Value settings = registry_.completeSettings(*info, component.settings, found);
      for (Diagnostic problem : found.all()) {
        if (!problem.where.known()) problem.where = component.position;
        // A world simulates without a sensor that its file describes wrongly, as in Klamp't.
        if (!required && !options_.strict && problem.severity == Severity::error) {
          problem.severity = Severity::warning;
          problem.message += "; the " + std::string(kindName(kind)) + " is left out";
        }
        diagnostics_.add(std::move(problem));
      }
      if (found.hasErrors()) return nullptr;
      auto slot = std::make_unique<Slot>();
      slot->robot = component.robot;
      slot->type = info->name;
      slot->requestedType = component.type;
      slot->name = component.name.empty() ? component.type : component.name;
      slot->roles = rolesOf(*info);
      slot->roles.insert(slot->roles.end(), component.roles.begin(), component.roles.end());
      slot->rate = component.rate;
      slot->onError = component.onError;
      slot->host = makeHost(world_.robots[component.robot].name + "/" + slot->name, component.file);
      slot->host->setRobot(world_.robots[component.robot].robot);
      slot->settingsHash = hashOf(settings, *info, *slot->host);
      slot->component = registry_.create<T>(*info, settings, *slot->host);
      slot->settings = settings;
      return slot;
    } catch (const Error& e) {
      report(e, component.position);
      return nullptr;
    }
  }

  const World& world_;
  Registry& registry_;
  ResourceLoader* loader_;
  LogSink& log_;
  const SimulationOptions& options_;
  ChannelTable& channels_;
  Diagnostics& diagnostics_;
  bool leftOut_ = false;
};

}  // namespace

ComponentOptions optionsInRole(const Registry& registry, std::string_view role, const SourcePosition& where) {
  const ComponentInfo& info = registry.requireRole(role, where);
  ComponentOptions options;
  options.kind = info.kind;
  options.type = nameInRole(info, role);
  options.position = where;
  try {
    if (registry.find(info.kind, options.type) != &info) options.type = info.name;
  } catch (const Error&) {  // Several go by that name.
    options.type = info.name;
  }
  return options;
}

ComponentSet createComponents(const World& world, Registry& registry, ResourceLoader* loader, LogSink& log,
                              const SimulationOptions& options, ChannelTable& channels, Diagnostics& diagnostics) {
  return Creator(world, registry, loader, log, options, channels, diagnostics).create();
}

}  // namespace mortise
