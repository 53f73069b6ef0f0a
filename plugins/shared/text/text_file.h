#pragma once

/// Text files in memory and a fast cursor over them. Every position in an error comes from an offset, so reading
/// itself keeps no line count.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"

namespace mortise::io {

/// A file's text; knows line and column of every offset.
class TextFile {
 public:
  /// Reads the file. Throws `Error` with the system's reason.
  explicit TextFile(std::string path);
  TextFile(std::string path, std::string text)
      : TextFile(std::move(path), std::make_shared<const std::string>(std::move(text))) {}
  /// Shares the text, which is not null. A byte order mark of UTF-8 is left out, which takes a copy. Throws `Error`
  /// where the mark is one of UTF-16.
  TextFile(std::string path, std::shared_ptr<const std::string> text);

  const std::string& path() const { return path_; }
  const std::string& text() const { return *text_; }
  /// The same where a backslash at the end of a line makes the next one go on: both are blanks then. Positions stay.
  TextFile withLinesJoined() const;
  /// Who wrote the file: every position carries it.
  void setOrigin(Origin origin) { origin_ = origin; }
  SourcePosition position(std::size_t offset) const;

 private:
  std::string path_;
  std::shared_ptr<const std::string> text_;
  Origin origin_ = Origin::unknown;
  mutable std::vector<std::size_t> lineStarts_;  ///< Filled when a position is asked for the first time.
};

/// Says whether the text begins with a byte order mark of UTF-16.
bool isUtf16(std::string_view text);

inline bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// A number as Klamp't's files write it: an optional sign, digits, exponent; "inf", "infinity" and "nan" in any case.
/// The whole word must be used.
std::optional<double> parseReal(std::string_view word);
std::optional<int> parseInteger(std::string_view word);

/// Reads words and numbers from a part of a text. What is read must outlive the cursor.
class Cursor {
 public:
  explicit Cursor(const TextFile& file) : Cursor(file, 0, file.text().size()) {}
  Cursor(const TextFile& file, std::size_t begin, std::size_t end)
      : file_(&file), at_(file.text().data() + begin), end_(file.text().data() + end) {}

  std::size_t offset() const { return static_cast<std::size_t>(at_ - file_->text().data()); }
  /// The text from here to the end.
  std::string_view rest() const { return {at_, remaining()}; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  SourcePosition position() const { return file_->position(offset()); }

  /// Skips white space, new lines and comments that run from '#' to the end of the line. False at the end.
  bool skipSpace();
  /// Skips blanks within the line. False at the end of the line or at a comment.
  bool skipBlank();
  void skipLine();
  /// Skips that many bytes, or to the end.
  void skip(std::size_t count) {
    points_.pass();
    at_ += std::min(count, remaining());
  }
  /// The next word, empty at the end. `wordOnLine` stops at the end of the line.
  std::string_view word();
  std::string_view wordOnLine();

  /// The next number, wherever it is. Throws `Error` that says what was expected and what was found.
  double real(std::string_view expected);
  int integer(std::string_view expected);
  /// A finite number; `real` lets infinities and NaN pass.
  double finite(std::string_view expected);

 private:
  [[noreturn]] void fail(std::string_view expected, std::size_t offset, std::string_view found) const;

  const TextFile* file_;
  const char* at_;
  const char* end_;
  InterruptionPoints points_;  ///< Large files take long.
};

/// Extension in lower case, without the dot.
std::string extensionOf(std::string_view path);

}  // namespace mortise::io
