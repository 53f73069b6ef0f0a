#include "composite/structure.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise::controllers {

namespace {

/// The map's own position, or where it is given.
SourcePosition positionOf(const Value& item, const SourcePosition& fallback) {
  return item.position().known() ? item.position() : fallback;
}

/// Attributes of the runtime, which a controller inside another one has none of.
bool belongsToComposite(std::string_view key) {
  for (const std::string_view attribute : {"estimator", "on_error", "optional", "rate"})
    if (key == attribute) return true;
  return false;
}

/// A message without "... cannot be created: " in front, which the whole says once for all that it holds.
std::string withoutRepeatedContext(const std::string& message) {
  constexpr std::string_view kRepeatedContext = " cannot be created: ";
  const auto at = message.find(kRepeatedContext);
  return message.starts_with("controller '") && at != std::string::npos ? message.substr(at + kRepeatedContext.size())
                                                                        : message;
}

void checkName(const ChildRequest& request, const std::vector<ChildRequest>& before, const std::string& what,
               const SourcePosition& where, Diagnostics& diagnostics) {
  if (request.name.empty() || request.name.find_first_of("./ \t\n") != std::string::npos)
    diagnostics.error("'" + request.name + "' cannot be the name of a " + what, where,
                      "names have no dots, slashes or blanks: commands are given as NAME.COMMAND");
  for (const ChildRequest& other : before)
    if (other.name == request.name)
      diagnostics.error("two " + what + "s are called '" + request.name + "'", where, "give each a name of its own");
}

}  // namespace

void throwIfErrors(const Diagnostics& diagnostics) {
  const Diagnostic* only = nullptr;
  for (const Diagnostic& problem : diagnostics.all()) {
    if (problem.severity != Severity::error) continue;
    if (only != nullptr) diagnostics.throwIfErrors();
    only = &problem;
  }
  if (only != nullptr) throw Error(only->message, only->where, only->hint);
}

Value structureOf(const ComponentContext& context, const Schema& schema, const std::vector<std::string>& lists) {
  const std::string file = context.settings.string("file", "");
  if (file.empty()) return context.settings;
  const Value& fileSetting = context.settings.at("file");
  for (const std::string& key : lists)
    if (const Value* given = context.settings.find(key); given != nullptr && !given->isNull())
      throw Error("'" + key + "' is given here, and '" + file + "' is named as well", given->position(),
                  "keep one of the two");
  const Value given = loadYaml(context.host.findResource(file));
  if (!given.isMap())
    throw Error("'" + file + "' holds " + std::string(Value::typeName(given.type())) + ", not a map of settings",
                positionOf(given, fileSetting.position()), "start it with '" + lists.front() + ":'");
  Diagnostics diagnostics;
  Value complete = schema.complete(given, "'" + file + "'", diagnostics);
  throwIfErrors(diagnostics);
  return complete;
}

void ChildEntry::bind(SettingBinder& b) {
  b.add("controller", controller, "Type of the controller.", {.required = true});
  b.add("name", name, "What commands and messages call it.");
  b.map("settings", settings, "Settings of the controller, where their names are taken here.");
  b.others(others);
}

bool isChildList(const Value& list, const ChildNames& words, Diagnostics& diagnostics) {
  if (list.isList() && list.size() > 0) return true;
  diagnostics.error("expected a list of " + words.what + "s, found " +
                        (list.isList()     ? "an empty one"
                         : list.isNull()   ? "nothing"
                         : list.isScalar() ? "'" + list.text() + "'"
                                           : "a map"),
                    list.position(),
                    "each is a map such as {name: " + words.prefix +
                        "1, controller: JointTrackingController}; in a world file, `file` names a YAML file with it");
  return false;
}

SourcePosition placeOfEntry(const Value& entry, const Value& list) { return positionOf(entry, list.position()); }

void addPlaced(const Diagnostics& found, const SourcePosition& where, Diagnostics& diagnostics) {
  for (Diagnostic problem : found.all()) {
    if (!problem.where.known() || problem.where.file.empty()) problem.where = where;
    diagnostics.add(std::move(problem));
  }
}

ChildRequest childRequest(const ChildEntry& entry, const ChildNames& words, std::size_t number,
                          const SourcePosition& where, const std::vector<ChildRequest>& before,
                          Diagnostics& diagnostics) {
  ChildRequest request;
  request.name =
      entry.name.where.known() || !entry.name.empty() ? entry.name.text : words.prefix + std::to_string(number + 1);
  request.type = entry.controller.text;
  request.where = entry.controller.where.known() ? entry.controller.where : where;
  checkName(request, before, words.what, entry.name.where.known() ? entry.name.where : request.where, diagnostics);
  const auto add = [&](const Value::Entry& setting) {
    Value& value = request.settings.set(setting.key, setting.value);
    value.setPosition(positionOf(setting.value, setting.keyPosition));
  };
  for (const Value::Entry& setting : entry.others.entries()) {
    if (belongsToComposite(setting.key))
      diagnostics.error("'" + setting.key + "' is for the whole controller, not for a " + words.what,
                        positionOf(setting.value, request.where),
                        "write it beside the list; a setting of the controller that is called so goes into 'settings'");
    else
      add(setting);
  }
  for (const Value::Entry& setting : entry.settings.entries()) add(setting);
  return request;
}

std::vector<ChildController> createChildren(const std::vector<ChildRequest>& requests, const Host& host,
                                            Diagnostics& diagnostics) {
  std::vector<ChildController> children;
  children.reserve(requests.size());
  for (const ChildRequest& request : requests) {
    Diagnostics found;
    try {
      children.emplace_back(request, host);
    } catch (const Error& e) {
      found.error(e);
    }
    for (Diagnostic problem : found.all()) {
      if (problem.where.file.empty()) problem.where = request.where;
      problem.message = withoutRepeatedContext(problem.message);
      if (problem.message.find("'" + request.name + "'") == std::string::npos)
        problem.message = "'" + request.name + "': " + problem.message;
      diagnostics.add(std::move(problem));
    }
  }
  return children;
}

void EntryCommand::bind(SettingBinder& b) {
  b.add("command", name, "Which command.", {.required = true});
  b.add("arguments", arguments, "What it takes: a list or a map.");
}

std::vector<EntryCommand> readEntryCommands(const Value& list, Diagnostics& diagnostics) {
  std::vector<EntryCommand> commands;
  if (list.isNull()) return commands;
  std::vector<Value> items = list.isList() ? list.items() : std::vector<Value>{list};
  for (const Value& item : items) {
    if (item.isString()) {
      commands.push_back({item.asString(), Value()});
      continue;
    }
    const Value* name = item.isMap() ? item.find("command") : nullptr;
    if (name == nullptr || !name->isString()) {
      diagnostics.error("'on_enter' holds something that is no command", positionOf(item, list.position()),
                        "write {command: NAME, arguments: ...}");
      continue;
    }
    Diagnostics found;
    auto command = readSettings<EntryCommand>(item, "a command of 'on_enter'", found);
    addPlaced(found, positionOf(item, list.position()), diagnostics);
    if (command) commands.push_back(std::move(*command));
  }
  return commands;
}

}  // namespace mortise::controllers
