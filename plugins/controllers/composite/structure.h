#pragma once

/// Settings of controllers that hold others: lists of children, given directly or in a file.

#include <string>
#include <vector>

#include "composite/child_controller.h"
#include "mortise/base/schema.h"
#include "mortise/settings/settings.h"

namespace mortise::controllers {

/// The settings, or, where the setting `file` names a YAML file, what that file says, checked against `schema`.
/// Throws `Error` for a file that cannot be read, and when one of `lists` is given both ways.
Value structureOf(const ComponentContext& context, const Schema& schema, const std::vector<std::string>& lists);

/// The same as a settings struct, which binds `file` by `bindFile`.
template <typename S>
S structureFrom(const ComponentContext& context, const std::vector<std::string>& lists) {
  return *Settings<S>(structureOf(context, schemaOf<S>(), lists));
}

inline void bindFile(SettingBinder& b, std::string& file) {
  b.add("file", file, "YAML file with these settings instead, for world files, which have attributes only.");
}

/// The children in a list of maps {controller: TYPE, name: ..., keys of the parent..., settings of the child...}. Names
/// are `prefix` and a number where none is given. `own` says what keys belong to the parent (`controller`, `name` and
/// `settings` aside). Everything wrong goes to `diagnostics`; children that are named are still returned.
std::vector<ChildRequest> readChildren(const Value& list, const std::string& what, const std::string& prefix,
                                       const Schema& own, Diagnostics& diagnostics);

/// Creates them all; everything wrong goes to `diagnostics`.
std::vector<ChildController> createChildren(const std::vector<ChildRequest>& requests, const Host& host,
                                            Diagnostics& diagnostics);

/// A command given when a child is entered.
struct EntryCommand {
  std::string name;
  Value arguments;
};
/// A list of {command: NAME, arguments: ...} or names.
std::vector<EntryCommand> readEntryCommands(const Value& list, Diagnostics& diagnostics);

/// One error as itself, several as one that lists them.
void throwIfErrors(const Diagnostics& diagnostics);

}  // namespace mortise::controllers
