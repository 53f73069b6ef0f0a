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

Schema completed(const Schema& own) {
  Schema schema = own;
  schema.parameter("controller", ParameterType::string, "Type of the controller.", {.required = true});
  schema.parameter("name", ParameterType::string, "What commands and messages call it.");
  schema.parameter("settings", ParameterType::map, "Settings of the controller, where their names are taken here.");
  schema.allowOtherKeys();
  return schema;
}

/// Attributes of the runtime, which a controller inside another one has none of.
bool belongsToTheWhole(std::string_view key) {
  for (const std::string_view attribute : {"estimator", "on_error", "optional", "rate"})
    if (key == attribute) return true;
  return false;
}

/// A message without "... cannot be created: " in front, which the whole says once for all that it holds.
std::string withoutRefrain(const std::string& message) {
  constexpr std::string_view kRefrain = " cannot be created: ";
  const auto at = message.find(kRefrain);
  return message.starts_with("controller '") && at != std::string::npos ? message.substr(at + kRefrain.size())
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

std::vector<ChildRequest> readChildren(const Value& list, const std::string& what, const std::string& prefix,
                                       const Schema& own, Diagnostics& diagnostics) {
  std::vector<ChildRequest> requests;
  if (!list.isList() || list.size() == 0) {
    diagnostics.error("expected a list of " + what + "s, found " +
                          (list.isList()     ? "an empty one"
                           : list.isNull()   ? "nothing"
                           : list.isScalar() ? "'" + list.text() + "'"
                                             : "a map"),
                      list.position(),
                      "each is a map such as {name: " + prefix +
                          "1, controller: JointTrackingController}; in a world file, `file` names a YAML file with it");
    return requests;
  }
  const Schema schema = completed(own);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value& item = list[i];
    const std::string name = prefix + std::to_string(i + 1);
    if (!item.isMap()) {
      diagnostics.error(
          what + " " + std::to_string(i + 1) + " is " + std::string(Value::typeName(item.type())) + ", not a map",
          positionOf(item, list.position()), "write {controller: TYPE, settings...}");
      continue;
    }
    Diagnostics found;
    ChildRequest request;
    request.where = positionOf(item, list.position());
    request.own = schema.complete(item, what + " " + std::to_string(i + 1), found);
    for (Diagnostic problem : found.all()) {
      if (!problem.where.known() || problem.where.file.empty()) problem.where = request.where;
      diagnostics.add(std::move(problem));
    }
    if (found.hasErrors()) continue;
    const Value& given = request.own.at("name");
    request.name = given.isNull() ? name : given.asString();
    request.type = request.own.at("controller").asString();
    if (const SourcePosition& at = request.own.at("controller").position(); at.known()) request.where = at;
    checkName(request, requests, what, positionOf(given, request.where), diagnostics);
    const auto add = [&](const Value::Entry& entry) {
      Value& value = request.settings.set(entry.key, entry.value);
      value.setPosition(positionOf(entry.value, entry.keyPosition));
    };
    for (const Value::Entry& entry : item.entries()) {
      if (schema.find(entry.key) != nullptr) continue;
      if (belongsToTheWhole(entry.key))
        diagnostics.error(
            "'" + entry.key + "' is for the whole controller, not for a " + what,
            positionOf(entry.value, request.where),
            "write it beside the list; a setting of the controller that is called so goes into 'settings'");
      else
        add(entry);
    }
    if (const Value& more = request.own.at("settings"); more.isMap())
      for (const Value::Entry& entry : more.entries()) add(entry);
    requests.push_back(std::move(request));
  }
  return requests;
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
      problem.message = withoutRefrain(problem.message);
      if (problem.message.find("'" + request.name + "'") == std::string::npos)
        problem.message = "'" + request.name + "': " + problem.message;
      diagnostics.add(std::move(problem));
    }
  }
  return children;
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
    EntryCommand command{name->asString(), Value()};
    for (const Value::Entry& entry : item.entries()) {
      if (entry.key == "arguments")
        command.arguments = entry.value;
      else if (entry.key != "command")
        diagnostics.error("a command of 'on_enter' has no '" + entry.key + "'", positionOf(item, entry.keyPosition),
                          "write {command: NAME, arguments: ...}");
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

}  // namespace mortise::controllers
