#include "mortise/pipeline/simulate/command_check.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/pipeline/simulate/command_errors.h"
#include "mortise/pipeline/simulate/component_check.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise {

namespace {

const Value* attributeOf(const ComponentInfo& info, const char* name) {
  return info.attributes.isMap() ? info.attributes.find(name) : nullptr;
}

/// `try_commands`: those that may be tried without a run. `timeless_commands`: those whose warnings do not depend on
/// where the robot is by then.
bool isListed(const ComponentInfo& info, const char* attribute, const std::string& command) {
  const Value* list = attributeOf(info, attribute);
  if (list == nullptr) return false;
  const std::vector<std::string> names = list->asStrings();
  return std::find(names.begin(), names.end(), command) != names.end();
}

/// A controller inside another one, as the outer settings name it.
struct InnerController {
  std::string kind, name, type;  ///< "state", "approach", "PathFollowingController"
  Value settings = Value::map();
  std::vector<TimedCommand> entry;  ///< Commands given whenever it is entered.
  SourcePosition where;
};

std::vector<TimedCommand> entryCommands(const Value& list, int robot, const SourcePosition& fallback) {
  std::vector<TimedCommand> commands;
  if (list.isNull()) return commands;
  for (const Value& item : list.isList() ? list.items() : std::vector<Value>{list}) {
    const Value* name = item.isMap() ? item.find("command") : &item;
    if (name == nullptr || !name->isString()) continue;  // The controller reports it.
    TimedCommand command;
    command.robot = robot;
    command.name = name->asString();
    if (const Value* arguments = item.isMap() ? item.find("arguments") : nullptr) command.value = *arguments;
    command.position = name->position().known() ? name->position() : fallback;
    commands.push_back(std::move(command));
  }
  return commands;
}

/// A controller that commands are tried on; it is never updated.
class TriedController {
 public:
  TriedController(const ComponentInfo& info, Value settings, const Host& host, Controller& controller, int robot)
      : info_(info), settings_(std::move(settings)), host_(host), controller_(controller), robot_(robot) {}

  const ComponentInfo& info() const { return info_; }
  Controller& controller() const { return controller_; }

  std::vector<InnerController> inner() const {
    std::vector<InnerController> all;
    const Value* children = attributeOf(info_, "children");
    if (children == nullptr) return all;
    const std::string key = children->string("list", ""), kind = children->string("name", "");
    std::vector<std::string> own = children->at("own").asStrings();
    for (const char* common : {"name", "controller", "settings"}) own.emplace_back(common);
    const Value list = listCalled(key);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& item = list[i];
      const Value* type = item.isMap() ? item.find("controller") : nullptr;
      if (type == nullptr || !type->isScalar()) continue;
      InnerController one;
      one.kind = kind;
      const Value* name = item.find("name");
      one.name = name != nullptr && name->isScalar() ? name->text() : kind + std::to_string(i + 1);
      one.type = type->text();
      one.where = type->position();
      for (const Value::Entry& entry : item.entries())
        if (std::find(own.begin(), own.end(), entry.key) == own.end()) one.settings.entries().push_back(entry);
      if (const Value* more = item.find("settings"); more != nullptr && more->isMap())
        for (const Value::Entry& entry : more->entries()) one.settings.entries().push_back(entry);
      if (const Value* entry = item.find("on_enter")) one.entry = entryCommands(*entry, robot_, one.where);
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  /// The position of the settings, or of the file that they name.
  Value listCalled(const std::string& key) const {
    const std::string file = settings_.string("file", "");
    Value full = settings_;
    if (!file.empty()) try {
        full = loadYaml(host_.findResource(file));
      } catch (const Error&) {
        return Value::list();
      }
    const Value* list = full.isMap() ? full.find(key) : nullptr;
    return list != nullptr && list->isList() ? *list : Value::list();
  }

  const ComponentInfo& info_;
  Value settings_;
  const Host& host_;
  Controller& controller_;
  int robot_;
};

/// Keeps what controllers warn of while a command is tried.
class WarningLog final : public LogSink {
 public:
  void write(LogLevel level, std::string_view, std::string_view message) override {
    if (level == LogLevel::warning) warnings.emplace_back(message);
  }
  std::vector<std::string> warnings;
};

class CommandTrial {
 public:
  CommandTrial(const World& world, Registry& registry, ResourceLoader* loader, const SimulationOptions& options,
               Diagnostics& diagnostics)
      : world_(world), registry_(registry), loader_(loader), options_(options), diagnostics_(diagnostics) {
    const bool leftOut = leaveOutClosed(registry, options_, log_);
    Diagnostics problems;
    set_ = createComponents(world, registry, loader, log_, options_, channels_, problems);
    readings_ = startSensors(set_, world, options_, problems);
    complete_ = !problems.hasErrors() && !leftOut && !set_.leftOut;
  }

  void commands(const std::vector<TimedCommand>& list) {
    for (const TimedCommand& command : list) checkCondition(command);
    eachController([&](const TriedController& controller, const ControllerSlot& slot) {
      const bool started = mayStart(controller) && start(controller, slot.robot, 1 / slot.rate);
      for (const TimedCommand& command : list)
        if (command.robot == slot.robot && !command.action && !command.edit) check(command, controller, started);
    });
  }

  /// Reports sensors that the condition of an action on a body names and the robot does not have.
  void checkCondition(const TimedCommand& command) {
    if (!complete_ || !command.action || !command.action->condition) return;
    SensorCondition condition = *command.action->condition;
    const int robot = command.action->robot;
    try {
      condition.resolve(robot >= 0 ? std::span<const SensorReading>(readings_[static_cast<std::size_t>(robot)])
                                   : std::span<const SensorReading>());
    } catch (const Error& error) {
      diagnostics_.error(placedAt(error, command));
    }
  }

  /// Controllers inside others: what these refuse at the start, and the commands that enter them.
  void entries() {
    eachController([&](const TriedController& controller, const ControllerSlot& slot) {
      if (!controller.inner().empty() && mayStart(controller))
        tryStart(slot, world_, options_, readings_[static_cast<std::size_t>(slot.robot)], diagnostics_);
      tryEntries(controller, slot.robot, "");
    });
  }

 private:
  template <typename Use>
  void eachController(const Use& use) {
    if (!complete_) return;
    for (const auto& slot : set_.controllers)
      if (const ComponentInfo* info = registry_.find(Kind::controller, slot->type))
        use(TriedController(*info, slot->settings, *slot->host, *slot->component, slot->robot), *slot);
  }

  std::string ownerOf(int robot) const {
    return "the controller of robot '" + world_.robots[static_cast<std::size_t>(robot)].name + "'";
  }

  std::vector<std::string> sensorNames(int robot) const {
    std::vector<std::string> names;
    for (const SensorReading& reading : readings_[static_cast<std::size_t>(robot)]) names.emplace_back(reading.name);
    return names;
  }

  Sensor* sensor(int robot, const std::string& name) const {
    for (const auto& slot : set_.sensors)
      if (slot->robot == robot && slot->name == name) return slot->component.get();
    return nullptr;
  }

  /// Calls `use` with a controller made for this purpose, unless it cannot be made.
  template <typename Use>
  void withInner(const InnerController& inner, int robot, const Use& use) {
    try {
      const ComponentInfo* info = registry_.find(Kind::controller, inner.type);
      if (info == nullptr) return;
      Diagnostics problems;
      const Value settings = registry_.completeSettings(*info, inner.settings, problems);
      if (problems.hasErrors()) return;
      ComponentHost host(inner.name, 0, log_, loader_, channels_, options_.referringFile, options_.runDirectory,
                         &registry_);
      const ComponentPtr<Controller> controller = registry_.create<Controller>(*info, settings, host);
      use(TriedController(*info, settings, host, *controller, robot));
    } catch (const std::exception&) {
      // Errors of the controller are reported when the simulation is made.
    }
  }

  bool mayStart(const TriedController& controller) {
    if (attributeOf(controller.info(), "try_commands") != nullptr) return true;
    const std::vector<InnerController> inner = controller.inner();
    return !inner.empty() && std::all_of(inner.begin(), inner.end(), [&](const InnerController& one) {
      const ComponentInfo* info = registry_.find(Kind::controller, one.type);
      if (info == nullptr) return false;
      if (attributeOf(*info, "try_commands") != nullptr) return true;
      bool may = false;
      withInner(one, 0, [&](const TriedController& own) { may = mayStart(own); });
      return may;
    });
  }

  bool start(const TriedController& controller, int robot, double period) {
    const auto index = static_cast<std::size_t>(robot);
    const WorldRobot& its = world_.robots[index];
    try {
      controller.controller().start(
          {*its.robot, period, its.q, world_.simulation.gravity, readings_[index], &world_, robot});
      return true;
    } catch (const std::exception&) {
      return false;  // Errors of the controller are reported when the simulation is made.
    }
  }

  /// Reports what `use` refuses. Errors without a position concern the robot's state, not the settings.
  template <typename Use>
  void attempt(const TimedCommand& command, const std::string& prefix, const Use& use) {
    try {
      use();
    } catch (const DiagnosticsError& error) {
      for (const Diagnostic& problem : error.list())
        if (problem.where.known()) say(command, prefix, Error(problem.message, problem.where, problem.hint));
    } catch (const Error& error) {
      if (error.where().known()) say(command, prefix, error);
    } catch (const std::exception&) {
    }
  }

  void say(const TimedCommand& command, const std::string& prefix, const Error& error) {
    const Error full(prefix + error.message(), error.where().known() ? error.where() : command.position, error.hint());
    diagnostics_.error(prefix.empty() ? placedAt(full, command) : full);
  }

  void check(const TimedCommand& command, const TriedController& controller, bool started) {
    if (command.what == TimedCommand::What::command)
      checkCommand(command, command.name, controller, ownerOf(command.robot), "");
    else if (const std::string inside = ofSensor(command, controller, started); !inside.empty())
      checkSensor(command, inside);
    else if (started)
      checkSetting(command, controller);
  }

  /// The key of a sensor's setting; empty for a setting of the controller.
  std::string ofSensor(const TimedCommand& command, const TriedController& controller, bool started) const {
    const std::string key = command.what == TimedCommand::What::enabled ? "enabled"
                            : command.what == TimedCommand::What::rate  ? "rate"
                                                                        : command.name;
    if (!command.sensor.empty() && !command.dotted) return key;
    const std::string full = (command.dotted ? command.sensor + "." : "") + key;
    const std::size_t dot = full.find('.');
    if (dot == std::string::npos || sensor(command.robot, full.substr(0, dot)) == nullptr) return {};
    return started && controller.controller().hasSetting(full) ? "" : full.substr(dot + 1);
  }

  void checkSensor(TimedCommand command, const std::string& key) {
    if (command.sensor.empty()) {
      command.sensor = command.name.substr(0, command.name.find('.'));
      command.name = key;
    }
    Sensor* const found = sensor(command.robot, command.sensor);
    const std::string owner = "the sensor '" + command.sensor + "'";
    if (found == nullptr)
      say(command, "",
          unknownSensor(command, world_.robots[static_cast<std::size_t>(command.robot)].name,
                        sensorNames(command.robot)));
    else if (command.what == TimedCommand::What::setting && key != "enabled" && key != "rate")
      attempt(command, "", [&] {
        if (!found->hasSetting(key) || !found->changeSetting(key, command.value))
          throw unknownSetting(command, owner, found->settings());
      });
  }

  void checkSetting(TimedCommand command, const TriedController& controller) {
    if (command.dotted) command.name = command.sensor + "." + command.name;
    command.sensor.clear();
    command.dotted = false;
    attempt(command, "", [&] {
      Controller& tried = controller.controller();
      const bool known = tried.hasSetting(command.name);
      if (lacksSetting(tried, command.name) || (known && !tried.changeSetting(command.name, command.value)))
        throw unknownSetting(command, ownerOf(command.robot), tried.settings());
    });
  }

  /// `name`: of the command, for this controller, which may be one inside that of the robot.
  void checkCommand(const TimedCommand& command, const std::string& name, const TriedController& controller,
                    const std::string& owner, const std::string& prefix) {
    const auto known = controller.controller().commands();
    if (std::none_of(known.begin(), known.end(), [&](const auto& entry) { return entry.first == name; }))
      return say(command, prefix, unknownCommand(command, owner, known));
    if (isListed(controller.info(), "try_commands", name)) {
      if (!start(controller, command.robot, 0.01)) return;
      log_.warnings.clear();
      attempt(command, prefix, [&] { (void)controller.controller().command(name, command.value); });
      if (isListed(controller.info(), "timeless_commands", name))
        for (const std::string& warning : log_.warnings) diagnostics_.warning(prefix + warning, command.position);
      return;
    }
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return;
    for (const InnerController& inner : controller.inner())
      if (inner.name == name.substr(0, dot))
        withInner(inner, command.robot, [&](const TriedController& own) {
          checkCommand(command, name.substr(dot + 1), own, "'" + inner.name + "' (" + inner.type + ")", prefix);
        });
  }

  void tryEntries(const TriedController& controller, int robot, const std::string& prefix) {
    for (const InnerController& inner : controller.inner())
      withInner(inner, robot, [&](const TriedController& own) {
        const std::string what = prefix + inner.kind + " '" + inner.name + "'";
        for (const TimedCommand& command : inner.entry)
          checkCommand(command, command.name, own, inner.type, "on_enter of " + what + ": ");
        tryEntries(own, robot, what + ", ");
      });
  }

  const World& world_;
  Registry& registry_;
  ResourceLoader* loader_;
  SimulationOptions options_;
  Diagnostics& diagnostics_;
  WarningLog log_;
  ChannelTable channels_;
  ComponentSet set_;
  std::vector<std::vector<SensorReading>> readings_;
  bool complete_ = false;
};

/// Says whether a world or a pipeline names a controller with inner controllers.
bool anyHoldsOthers(const World& world, const Registry& registry, const SimulationOptions& options) {
  const auto holds = [&](const std::string& type) {
    const ComponentInfo* info = registry.find(Kind::controller, type);
    return info != nullptr && attributeOf(*info, "children") != nullptr;
  };
  return std::any_of(options.components.begin(), options.components.end(),
                     [&](const ComponentOptions& one) { return one.kind == Kind::controller && holds(one.type); }) ||
         std::any_of(world.simulation.controllers.begin(), world.simulation.controllers.end(),
                     [&](const auto& one) { return holds(one.second.type); });
}

}  // namespace

void tryCommands(const std::vector<TimedCommand>& commands, const World& world, Registry& registry,
                 ResourceLoader* loader, const SimulationOptions& options, Diagnostics& diagnostics) {
  EditedWorld start{world, {}, static_cast<int>(world.objects.size())};
  for (int i = 0; i < start.nextObject; ++i) start.objects.push_back(i);
  checkEdits(
      commands,
      [&](const WorldEdit& edit, const EditedWorld* before) {
        return editedWorld(before != nullptr ? *before : start, edit, loader, options.referringFile);
      },
      diagnostics);
  checkVelocities(commands, world, diagnostics);
  if (!commands.empty()) CommandTrial(world, registry, loader, options, diagnostics).commands(commands);
}

void tryEntryCommands(const World& world, Registry& registry, ResourceLoader* loader, const SimulationOptions& options,
                      Diagnostics& diagnostics) {
  if (anyHoldsOthers(world, registry, options)) CommandTrial(world, registry, loader, options, diagnostics).entries();
}

}  // namespace mortise
