#pragma once

/// Klamp't's line-based files: a keyword and its values on each line, comments from '#' to the end of the line.

#include <optional>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/math/transform.h"
#include "text/text_file.h"

namespace mortise::io {

/// A word of a statement; quotes are removed and escapes translated.
struct Word {
  std::string text;
  std::size_t offset = 0;
  bool quoted = false;
};

struct Statement {
  Word keyword;
  std::vector<Word> words;
  std::size_t end = 0;  ///< Offset behind the last character.
};

/// Blanks comments and, when `continuations` is set, joins a line that ends in '\' with the next one. Offsets stay
/// those of the original.
std::string withoutComments(const std::string& text, bool continuations);

/// Splits a file. A quote that is not closed is an error and ends at the end of the line.
std::vector<Statement> splitStatements(const TextFile& file, bool continuations, Diagnostics& diagnostics);

/// Takes the values of one statement in order. What is missing or malformed goes to the diagnostics once; after that
/// everything reads as absent.
class WordReader {
 public:
  WordReader(const TextFile& file, const Statement& statement, Diagnostics& diagnostics)
      : file_(file), statement_(statement), diagnostics_(diagnostics) {}

  bool atEnd() const { return failed_ || next_ >= statement_.words.size(); }
  std::size_t remaining() const { return failed_ ? 0 : statement_.words.size() - next_; }
  bool failed() const { return failed_; }
  SourcePosition position() const;  ///< Returns the position of the next word, or the end of the statement.
  const Word* peek() const { return atEnd() ? nullptr : &statement_.words[next_]; }

  enum class Range { finite, infinite };
  std::optional<double> real(Range range = Range::finite);
  std::optional<int> integer();
  std::optional<std::string> text();
  std::optional<Vector3d> vector3();
  std::optional<Matrix3d> matrix3();  ///< Row-major.
  std::optional<RigidTransform> transform();
  /// Says whether the next word is no number. Klamp't ends a list there without a word; so do we, with a warning.
  /// Shipped robots depend on it: a '\\' behind the last line of a list swallows the statement below.
  bool listEnds();
  /// Everything that is left, as numbers, up to where `listEnds`.
  std::vector<double> reals(Range range = Range::finite);

  void fail(std::string message, std::string hint = {});
  /// Reports values that nobody asked for.
  void expectEnd();

 private:
  const TextFile& file_;
  const Statement& statement_;
  Diagnostics& diagnostics_;
  std::size_t next_ = 0;
  bool failed_ = false;
};

/// "\n", "\t", "\"" and "\\" become the characters they stand for.
std::string translateEscapes(std::string_view text);

}  // namespace mortise::io
