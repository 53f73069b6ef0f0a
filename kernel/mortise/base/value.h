#pragma once

/// A typed tree that remembers where each part of it was written. XML attributes, YAML maps and
/// `--set` all become `Value`s; a `Schema` then checks and completes them.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/base/error.h"

namespace mortise {

class Value {
 public:
  enum class Type { null, boolean, integer, real, string, list, map };

  struct Entry;

  Value() = default;
  Value(bool value);                              // NOLINT: implicit on purpose
  Value(int value);                               // NOLINT
  Value(std::int64_t value);                      // NOLINT
  Value(double value);                            // NOLINT
  Value(const char* value);                       // NOLINT
  Value(std::string value);                       // NOLINT
  Value(std::string_view value);                  // NOLINT
  Value(const std::vector<double>& values);       // NOLINT
  Value(const std::vector<std::string>& values);  // NOLINT

  static Value list();
  static Value map();
  /// A scalar as a person wrote it, typed by its text: `null ~`, `true false`, integers, reals
  /// (with inf and nan), else a string. A quoted scalar is always a string.
  static Value fromText(std::string text, bool quoted = false);

  Type type() const { return type_; }
  bool isNull() const { return type_ == Type::null; }
  bool isBool() const { return type_ == Type::boolean; }
  bool isInteger() const { return type_ == Type::integer; }
  bool isNumber() const { return type_ == Type::integer || type_ == Type::real; }
  bool isString() const { return type_ == Type::string; }
  bool isList() const { return type_ == Type::list; }
  bool isMap() const { return type_ == Type::map; }
  bool isScalar() const { return !isList() && !isMap(); }

  /// "an integer", "a list", ... for messages.
  static std::string_view typeName(Type type);

  // Typed access. Each throws `Error` with the position and what was found instead.
  bool asBool() const;
  std::int64_t asInteger() const;
  double asReal() const;
  const std::string& asString() const;
  std::vector<double> asReals() const;         ///< A list of numbers; a single number counts as a list of one.
  std::vector<std::string> asStrings() const;  ///< A list of strings; a single string counts as a list of one.
  /// A scalar as text: the text it was read from, or the shortest text that reads back equal.
  std::string text() const;

  // Lists and maps.
  std::size_t size() const;
  const std::vector<Value>& items() const { return items_; }
  std::vector<Value>& items() { return items_; }
  const Value& operator[](std::size_t index) const { return items_.at(index); }
  void push_back(Value value);

  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<Entry>& entries() { return entries_; }
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// Throws `Error` with the nearest existing key.
  const Value& at(std::string_view key) const;
  /// Adds or replaces; entries keep the order in which they were first set.
  Value& set(std::string_view key, Value value);
  bool erase(std::string_view key);

  // Convenience: the value under `key`, or the fallback when the key is absent.
  double real(std::string_view key, double fallback) const;
  std::int64_t integer(std::string_view key, std::int64_t fallback) const;
  bool boolean(std::string_view key, bool fallback) const;
  std::string string(std::string_view key, std::string fallback) const;

  /// Follows `a.b.2.c` through maps and lists; nullptr when a part is missing.
  const Value* findPath(std::string_view path) const;
  /// Sets `a.b.c`, making maps on the way. Throws when a part of the path is a scalar.
  Value& setPath(std::string_view path, Value value);

  const SourcePosition& position() const { return position_; }
  Value& setPosition(SourcePosition position);

  /// Same type, same content, same order of keys; positions do not count.
  bool operator==(const Value& other) const;

 private:
  Type type_ = Type::null;
  bool boolean_ = false;
  std::int64_t integer_ = 0;
  double real_ = 0;
  std::string string_;  ///< The string, or the text a scalar was read from.
  std::vector<Value> items_;
  std::vector<Entry> entries_;
  SourcePosition position_;
};

struct Value::Entry {
  std::string key;
  Value value;
  SourcePosition keyPosition;
};

}  // namespace mortise
