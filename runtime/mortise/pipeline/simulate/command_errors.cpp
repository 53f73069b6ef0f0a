#include "mortise/pipeline/simulate/command_errors.h"

#include <algorithm>
#include <optional>

#include "mortise/base/value_text.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

std::vector<std::string> keysOf(const Value& map) {
  std::vector<std::string> keys;
  for (const Value::Entry& entry : map.entries()) keys.push_back(entry.key);
  return keys;
}

}  // namespace

Error placedAt(const Error& error, const TimedCommand& command) {
  const std::string when = "at " + formatReal(command.at) + " s, '" + command.text() + "': ";
  const SourcePosition& own = command.value.position().line > 0 ? command.value.position() : command.position;
  if (error.where().line > 0 || own.line <= 0)
    return Error(when + error.message(), error.where().known() ? error.where() : command.position, error.hint());
  // The line of the command says more than the name of a file.
  const std::string& file = error.where().file;
  const bool other = !file.empty() && file != own.file && error.message().find(file) == std::string::npos;
  return Error(when + (other ? file + ": " : "") + error.message(), own, error.hint());
}

void checkEdits(const std::vector<TimedCommand>& commands, const TryEdit& tryEdit, Diagnostics& diagnostics) {
  std::vector<TimedCommand> edits;
  for (const TimedCommand& command : commands)
    if (command.edit) edits.push_back(command);
  sortByTime(edits);
  std::optional<EditedWorld> world;
  for (const TimedCommand& command : edits) {
    try {
      world = tryEdit(*command.edit, world ? &*world : nullptr);
    } catch (const Error& error) {
      diagnostics.error(placedAt(error, command));
      return;
    }
  }
}

Error unknownCommand(const TimedCommand& command, const std::string& owner,
                     const std::vector<std::pair<std::string, std::string>>& known) {
  std::vector<std::string> names;
  for (const auto& [name, help] : known) names.push_back(name);
  return Error(owner + " has no command '" + command.name + "'", command.position,
               names.empty() ? "it takes no commands" : suggestAndList(command.name, names));
}

Error unknownSetting(const TimedCommand& command, const std::string& owner, const Value& settings) {
  const std::vector<std::string> names = keysOf(settings);
  const bool there = std::find(names.begin(), names.end(), command.name) != names.end();
  return Error(owner + (there ? " does not change its setting '" : " has no setting '") + command.name +
                   (there ? "' while it runs" : "'"),
               command.position,
               there           ? "set it where the component is named"
               : names.empty() ? "it has no settings that change"
                               : suggestAndList(command.name, names));
}

Error unknownSensor(const TimedCommand& command, const std::string& robot, const std::vector<std::string>& names) {
  return Error("robot '" + robot + "' has no sensor '" + command.sensor + "'" +
                   (command.dotted ? ", and no setting of its controller is called so" : ""),
               command.position, suggestAndList(command.sensor, names));
}

bool mayBeInside(const Value& settings, const std::string& name) {
  const std::string group = name.substr(0, name.rfind('.') + 1);
  return std::any_of(settings.entries().begin(), settings.entries().end(),
                     [&](const Value::Entry& entry) { return entry.key.compare(0, group.size(), group) == 0; });
}

bool lacksSetting(const Controller& controller, const std::string& name) {
  if (controller.hasSetting(name)) return false;
  const Value settings = controller.settings();
  return name.find('.') == std::string::npos || !mayBeInside(settings, name) ||
         !didYouMean(name, keysOf(settings)).empty();
}

void checkVelocities(const std::vector<TimedCommand>& commands, const World& world, Diagnostics& diagnostics) {
  for (std::size_t j = 0; j < commands.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      if (!commands[i].action || !commands[j].action) continue;
      const BodyAction &first = *commands[i].action, &second = *commands[j].action;
      if (first.condition || second.condition || !timesOverlap(first, second)) continue;
      const std::string key = sharedVelocity(first, second, world);
      if (key.empty()) continue;
      const SourcePosition& other = commands[i].position;
      const std::string place = other.line > 0 ? " of " + other.file + ":" + std::to_string(other.line) : "";
      diagnostics.error(
          placedAt(Error("at " + formatReal(commands[i].at) + " s '" + commands[i].text() + "'" + place + " gives '" +
                             world.nameOf(second.id) + "' another " + key + " at the same time",
                         commands[j].position, "let one end before the other begins"),
                   commands[j]));
      break;
    }
}

}  // namespace mortise
