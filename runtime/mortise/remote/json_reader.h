#pragma once

/// JSON read piece by piece, for messages that arrive many times a second: no tree, no allocation but for what is
/// wrong.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/value.h"

namespace mortise::remote {

/// Reads one text, strictly by RFC 8259: no comments, no NaN, no trailing commas, valid UTF-8. Every function throws
/// `Error` that says at which character what was expected.
class JsonReader {
 public:
  enum class Kind { null, boolean, number, string, list, map };

  /// `text` outlives the reader.
  explicit JsonReader(std::string_view text) : text_(text) {}

  /// What comes next.
  Kind peek();
  void beginMap();
  /// The next key of the map; false when it has ended. The key is valid until the next string is read.
  bool nextKey(std::string_view& key);
  void beginList();
  /// Whether the list has another item, to be read next.
  bool nextItem();
  /// May be infinite, where the text has more digits than a double can hold.
  double number();
  bool boolean();
  void null();
  /// Valid until the next string is read.
  std::string_view string();
  /// A list of numbers, into `out`; `most`: how many there may be.
  void numbers(std::vector<double>& out, std::size_t most);
  /// Anything; depth and characters are checked like everything else.
  void skip();
  /// A tree of what comes next, for what is rare.
  Value value();
  /// Nothing but space may follow.
  void end();

  [[noreturn]] void fail(std::string_view expected);
  /// Throws that the value that was read last, or is to come, is not what is wanted.
  [[noreturn]] void refuse(const std::string& message);

 private:
  void space();
  bool take(char c);
  void expect(char c, std::string_view what);
  void word(std::string_view text);
  void open(char c, std::string_view what);
  void close();
  void appendEscape();
  unsigned hex4();

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool first_ = false;   ///< Just inside a list or map.
  std::string scratch_;  ///< A string with escapes, resolved.
};

/// Appends a string in quotes; what is not UTF-8 becomes the replacement character.
void appendJson(std::string& out, std::string_view text);
/// Appends a number, the shortest text that reads back equal. Infinite numbers become 1e999 and -1e999, which is JSON
/// and is read as infinite by Python, JavaScript and `strtod`; NaN becomes null.
void appendJson(std::string& out, double number);

}  // namespace mortise::remote
