#pragma once

/// JSON files in memory: a tree that knows where each part of it was written, and typed access that says what is wrong.

#include <string>
#include <string_view>
#include <vector>

#include "mortise/math/transform.h"
#include "text/text_file.h"

namespace mortise::io {

struct JsonValue {
  enum class Type { null, boolean, number, string, list, map };

  Type type = Type::null;
  bool boolean = false;
  double number = 0;
  std::string text;               ///< The text of a string.
  std::vector<JsonValue> items;   ///< Items of a list, or the values of a map.
  std::vector<std::string> keys;  ///< Keys of a map; no two are the same.
  std::size_t offset = 0;

  bool isNull() const { return type == Type::null; }
  bool isNumber() const { return type == Type::number; }
  bool isString() const { return type == Type::string; }
  bool isList() const { return type == Type::list; }
  bool isMap() const { return type == Type::map; }
  /// The value of a key; nullptr when there is none, or when this is no map.
  const JsonValue* find(std::string_view key) const;
  bool isListOfNumbers() const;
};

/// A parsed file, strictly by RFC 8259 but for the names NaN, Infinity and -Infinity, which Python writes.
class JsonFile {
 public:
  /// Throws `Error` with the position of what is not JSON.
  explicit JsonFile(TextFile text);

  const JsonValue& root() const { return root_; }
  const std::string& path() const { return text_.path(); }
  SourcePosition position(const JsonValue& value) const { return text_.position(value.offset); }

  // Typed access. Each throws `Error` with the position and what was found instead.
  const JsonValue& at(const JsonValue& map, std::string_view key) const;
  double finite(const JsonValue& value) const;
  int integer(const JsonValue& value) const;
  const std::string& string(const JsonValue& value) const;
  const std::vector<JsonValue>& list(const JsonValue& value) const;
  std::vector<double> reals(const JsonValue& value) const;  ///< Finite numbers.
  VectorXd vector(const JsonValue& value) const;
  Vector3d vector3(const JsonValue& value) const;
  [[noreturn]] void fail(const std::string& expected, const JsonValue& found) const;

 private:
  TextFile text_;
  JsonValue root_;
};

}  // namespace mortise::io
