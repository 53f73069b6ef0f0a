#pragma once

/// JSON, written value by value or from a tree. Numbers are the shortest text that reads back to the same double;
/// bytes that are no UTF-8 become the replacement character.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "mortise/base/value.h"

namespace mortise {

/// Appends to a text, with commas and lines where they belong.
class JsonWriter {
 public:
  /// Replacements of numbers that JSON does not have: null; or, where they are infinite, 1e999 and -1e999, which
  /// Python, JavaScript and `strtod` read as infinite.
  enum class NotFinite { null, huge };

  /// `text` outlives the writer. `indent`: blanks for each level; below 0 everything stays on one line.
  explicit JsonWriter(std::string& text, int indent = -1, NotFinite notFinite = NotFinite::null)
      : text_(text), indent_(indent), notFinite_(notFinite) {}

  void beginMap();
  void key(std::string_view name);
  void endMap() { end('}'); }
  /// A list on one line holds no lists and maps.
  void beginList(bool oneLine = false);
  void endList() { end(']'); }
  void null() { word("null"); }
  void boolean(bool value) { word(value ? "true" : "false"); }
  void integer(std::int64_t value) { word(std::to_string(value)); }
  void number(double value);
  void string(std::string_view value);
  /// A tree; lists of scalars, such as vectors and poses, stay on one line.
  void value(const Value& value);

  /// A key and a list of numbers.
  void numbers(std::string_view name, std::span<const double> values);

 private:
  void begin(char bracket, bool oneLine);
  void end(char bracket);
  void separate();
  void newLine();
  void word(std::string_view word);

  std::string& text_;
  int indent_;
  NotFinite notFinite_;
  int depth_ = 0;
  bool first_ = true;  ///< Nothing stands before the next value in its list or map.
  bool afterKey_ = false;
  bool oneLine_ = false;  ///< In a list on one line.
};

/// `indent` as for `JsonWriter`; text of several lines ends in a new line.
std::string toJson(const Value& value, int indent = 2);

}  // namespace mortise
