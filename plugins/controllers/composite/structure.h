#pragma once

/// Settings of controllers that hold others: lists of children, given directly or in a file.

#include <string>
#include <vector>

#include "composite/child_controller.h"
#include "mortise/base/schema.h"
#include "mortise/settings/placed.h"
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

/// Keys that every entry of a list of children has; parents add keys of their own.
struct ChildEntry {
  PlacedText controller, name;
  Value settings;  ///< Settings of the controller, where their names are taken here.
  Value others;    ///< Those beside the keys that are bound.
  void bind(SettingBinder& b);
};

/// The children in a list, and what their entries say to the parent; one of each a child.
template <typename Entry>
struct Children {
  std::vector<ChildRequest> requests;
  std::vector<Entry> entries;
};

/// Names of the children in a list, as messages call them: `what` a child is, and `prefix` of the names that they get
/// where none is given, with a number behind.
struct ChildNames {
  std::string what, prefix;
};

/// False, with a message, for what is no list of children.
bool isChildList(const Value& list, const ChildNames& words, Diagnostics& diagnostics);
/// Returns the place where an entry of `list` was written.
SourcePosition placeOfEntry(const Value& entry, const Value& list);
/// Problems of an entry, at its place where they have none.
void addPlaced(const Diagnostics& found, const SourcePosition& where, Diagnostics& diagnostics);
/// The child of an entry; `before`: the others up to now.
ChildRequest childRequest(const ChildEntry& entry, const ChildNames& words, std::size_t number,
                          const SourcePosition& where, const std::vector<ChildRequest>& before,
                          Diagnostics& diagnostics);

/// The children in a list of maps {controller: TYPE, name: ..., keys of the parent..., settings of the child...}.
/// `Entry` binds the keys of the parent, and those of its base `ChildEntry`. Everything wrong goes to `diagnostics`;
/// children that are named are still returned.
template <typename Entry>
Children<Entry> readChildren(const Value& list, const ChildNames& words, Diagnostics& diagnostics) {
  Children<Entry> children;
  if (!isChildList(list, words, diagnostics)) return children;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const SourcePosition where = placeOfEntry(list[i], list);
    const std::string what = words.what + " " + std::to_string(i + 1);
    if (!list[i].isMap()) {
      diagnostics.error(what + " is " + std::string(Value::typeName(list[i].type())) + ", not a map", where,
                        "write {controller: TYPE, settings...}");
      continue;
    }
    Diagnostics found;
    auto entry = readSettings<Entry>(list[i], what, found);
    addPlaced(found, where, diagnostics);
    if (!entry) continue;
    children.requests.push_back(childRequest(*entry, words, i, where, children.requests, diagnostics));
    children.entries.push_back(std::move(*entry));
  }
  return children;
}

/// The keys of the parent in its entries, for checks that look into them without the parent.
template <typename Entry>
std::vector<std::string> keysOfParent() {
  std::vector<std::string> keys;
  const Schema common = schemaOf<ChildEntry>(), all = schemaOf<Entry>();
  for (const Parameter& parameter : all.parameters())
    if (common.find(parameter.name) == nullptr) keys.push_back(parameter.name);
  return keys;
}

/// Creates them all; everything wrong goes to `diagnostics`.
std::vector<ChildController> createChildren(const std::vector<ChildRequest>& requests, const Host& host,
                                            Diagnostics& diagnostics);

/// A command given when a child is entered.
struct EntryCommand {
  std::string name;
  Value arguments;
  void bind(SettingBinder& b);
};
/// A list of {command: NAME, arguments: ...} or names.
std::vector<EntryCommand> readEntryCommands(const Value& list, Diagnostics& diagnostics);

/// One error as itself, several as one that lists them.
void throwIfErrors(const Diagnostics& diagnostics);

}  // namespace mortise::controllers
