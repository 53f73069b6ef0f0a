#pragma once

/// Descriptions of protobuf messages, which tools read to understand a log.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mortise::protobuf {

/// Types as `FieldDescriptorProto.Type` numbers them.
enum class Type {
  real = 1,
  real32 = 2,
  int64 = 3,
  uint64 = 4,
  int32 = 5,
  fixed32 = 7,
  boolean = 8,
  text = 9,
  message = 11,
  bytes = 12,
  uint32 = 13,
  enumeration = 14
};

enum class Rule { single, optional, repeated };

struct FieldType {
  std::string_view name;
  int number;
  Type type;
  std::string_view typeName = {};  ///< Name of messages and enumerations, such as "foxglove.Pose".
  Rule rule = Rule::single;
};

struct EnumType {
  std::string_view name;
  std::vector<std::pair<std::string_view, int>> values;
};

struct MessageType {
  std::string_view name;  ///< Within its package: "Pose".
  std::vector<FieldType> fields;
  std::vector<EnumType> enums = {};  ///< Declared within the message.
};

/// The messages of one package.
struct Package {
  std::string_view
      name;  ///< "foxglove"; the file is called foxglove.proto, those of google.protobuf by their messages.
  std::vector<MessageType> messages;
};

/// A `FileDescriptorSet` in wire format, as MCAP wants it for schemas: one file a message of `packages` that
/// `message` (with its package: "foxglove.SceneUpdate") needs, itself included. Throws `Error` for messages that are
/// nowhere.
std::string descriptorSet(std::string_view message, std::span<const Package* const> packages);

/// `google.protobuf`: Timestamp and Duration.
const Package& googlePackage();

}  // namespace mortise::protobuf
