#include "mortise/protobuf/descriptor_set.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/protobuf/wire_format.h"
#include "mortise/text/normalize.h"

namespace mortise::protobuf {

namespace {

struct Found {
  const Package* package;
  const MessageType* message;
};

Found find(std::string_view fullName, std::span<const Package* const> packages) {
  for (const Package* package : packages)
    for (const MessageType& message : package->messages)
      if (fullName == std::string(package->name) + "." + std::string(message.name)) return {package, &message};
  throw Error("there is no message '" + std::string(fullName) + "'");
}

/// google/protobuf/timestamp.proto, foxglove/Pose.proto: names as the messages' own projects use them.
std::string fileOf(const Found& found) {
  std::string folder(found.package->name), name(found.message->name);
  std::replace(folder.begin(), folder.end(), '.', '/');
  return folder + "/" + (found.package == &googlePackage() ? lowerCase(name) : name) + ".proto";
}

/// The message behind those that it needs, each once.
void collect(std::string_view name, std::span<const Package* const> packages, std::vector<Found>& all) {
  const Found found = find(name, packages);
  if (std::any_of(all.begin(), all.end(), [&](const Found& f) { return f.message == found.message; })) return;
  for (const FieldType& field : found.message->fields)
    if (field.type == Type::message) collect(field.typeName, packages, all);
  all.push_back(found);
}

void writeField(Writer& out, const FieldType& field, int& optionals) {
  out.text(1, field.name);
  out.integer(3, field.number);
  out.integer(4, field.rule == Rule::repeated ? 3 : 1);
  out.integer(5, static_cast<int>(field.type));
  if (!field.typeName.empty()) out.text(6, "." + std::string(field.typeName));
  if (field.rule != Rule::optional) return;
  out.integer(9, optionals++);
  out.boolean(17, true);
}

void writeMessage(Writer& out, const MessageType& message) {
  out.text(1, message.name);
  int optionals = 0;
  for (const FieldType& field : message.fields)
    out.message(2, [&](Writer& inner) { writeField(inner, field, optionals); });
  for (const EnumType& type : message.enums)
    out.message(4, [&](Writer& inner) {
      inner.text(1, type.name);
      for (const auto& [name, number] : type.values)
        inner.message(2, [&, &valueName = name, &valueNumber = number](Writer& value) {
          value.text(1, valueName);
          value.integer(2, valueNumber);
        });
    });
  // An optional field stands in a oneof of its own.
  for (const FieldType& field : message.fields)
    if (field.rule == Rule::optional)
      out.message(8, [&](Writer& inner) { inner.text(1, "_" + std::string(field.name)); });
}

}  // namespace

std::string descriptorSet(std::string_view message, std::span<const Package* const> packages) {
  std::vector<Found> all;
  collect(message, packages, all);
  std::string set;
  Writer out(set);
  for (const Found& found : all)
    out.message(1, [&](Writer& file) {
      file.text(1, fileOf(found));
      file.text(2, found.package->name);
      std::vector<std::string> needed;
      for (const FieldType& field : found.message->fields)
        if (field.type == Type::message) needed.push_back(fileOf(find(field.typeName, packages)));
      std::sort(needed.begin(), needed.end());
      needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
      for (const std::string& name : needed) file.text(3, name);
      file.message(4, [&](Writer& inner) { writeMessage(inner, *found.message); });
      file.text(12, "proto3");
    });
  return set;
}

const Package& googlePackage() {
  static const Package package{"google.protobuf",
                               {{"Timestamp", {{"seconds", 1, Type::int64}, {"nanos", 2, Type::int32}}},
                                {"Duration", {{"seconds", 1, Type::int64}, {"nanos", 2, Type::int32}}}}};
  return package;
}

}  // namespace mortise::protobuf
