#pragma once

/// JSON read piece by piece: no tree and no allocation, but for strings with escapes and for what is wrong.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/base/value.h"

namespace mortise {

/// Texts that a reader takes for JSON. The defaults are those of messages: strictly RFC 8259.
struct JsonRules {
  /// Deeper texts are refused before they use up the stack.
  int maxDepth = 32;
  /// True: reads as Python and older programs write files: NaN, Infinity and -Infinity are numbers, strings may hold
  /// any bytes, and a number that no double can hold is an error.
  bool file = false;
  /// Line and column of an offset, for errors; absent: they give the number of the character.
  std::function<SourcePosition(std::size_t offset)> position;
};

/// Reads one text: no comments, no trailing commas. Every function throws `Error` that says where what was expected.
class JsonReader {
 public:
  enum class Kind { null, boolean, number, string, list, map };

  /// `text` outlives the reader.
  explicit JsonReader(std::string_view text, JsonRules rules = {});

  /// Returns the kind of what comes next.
  Kind peek();
  /// Returns the place where the value or key begins that was peeked at or read last.
  std::size_t offset() const { return begin_; }
  void beginMap();
  /// The next key of the map; false when it has ended. The key is valid until the next string is read.
  bool nextKey(std::string_view& key);
  void beginList();
  /// Says whether the list has another item, to be read next.
  bool nextItem();
  /// May be infinite, where the text has more digits than a double can hold.
  double number();
  bool boolean();
  void null();
  /// Valid until the next string is read.
  std::string_view string();
  /// A list of numbers, into `out`, which may hold `maxCount` of them.
  void numbers(std::vector<double>& out, std::size_t maxCount);
  /// Anything; depth and characters are checked like everything else.
  void skip();
  /// A tree of what comes next, for what is rare.
  Value value();
  /// Nothing but space may follow.
  void end();

  /// Throws that something else was expected here.
  [[noreturn]] void fail(std::string_view expected) const;
  /// Throws that the value that was read last, or is to come, is not what is wanted.
  [[noreturn]] void refuse(const std::string& message) const { refuseAt(at_, message); }

 private:
  [[noreturn]] void refuseAt(std::size_t offset, const std::string& message, const std::string& hint = {}) const;
  void space();
  bool take(char c);
  bool takeWord(std::string_view text);
  void expect(char c, std::string_view what);
  void open(char c, std::string_view what);
  void close();
  void appendEscape();
  unsigned hex4(std::size_t begin);

  std::string_view text_;
  JsonRules rules_;
  std::size_t at_ = 0, begin_ = 0;
  int depth_ = 0;
  bool first_ = false;  ///< Just inside a list or map.
  InterruptionPoints points_;
  std::string scratch_;  ///< A string with escapes, resolved.
};

}  // namespace mortise
