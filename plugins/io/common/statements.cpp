#include "common/statements.h"

#include <algorithm>
#include <cmath>

namespace mortise::io {

std::string translateEscapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return out;
}

std::string withoutComments(const std::string& text, bool continuations) {
  std::string clean = text;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    if (clean[i] == '#') {
      while (i < clean.size() && clean[i] != '\n') clean[i++] = ' ';
    } else if (clean[i] == '\0') {
      clean[i] = ' ';
    } else if (continuations && clean[i] == '\\') {
      const std::size_t next = i + 1 < clean.size() && clean[i + 1] == '\r' ? i + 2 : i + 1;
      if (next < clean.size() && clean[next] == '\n')
        std::fill(clean.begin() + static_cast<std::ptrdiff_t>(i), clean.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                  ' ');
    }
  }
  return clean;
}

std::vector<Statement> splitStatements(const TextFile& file, bool continuations, Diagnostics& diagnostics) {
  const std::string text = withoutComments(file.text(), continuations);
  std::vector<Statement> statements;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t newline = std::min(text.find('\n', at), text.size());
    Statement statement;
    bool first = true;
    while (true) {
      while (at < newline && isSpace(text[at])) ++at;
      if (at >= newline) break;
      Word word;
      word.offset = at;
      if (text[at] == '"') {
        word.quoted = true;
        std::size_t close = at + 1;
        while (close < newline && text[close] != '"') close += text[close] == '\\' && close + 1 < newline ? 2 : 1;
        close = std::min(close, newline);
        if (close == newline)
          diagnostics.error("the quote is not closed on this line", file.position(at), "end it with '\"'");
        word.text = translateEscapes(std::string_view(text).substr(at + 1, close - at - 1));
        at = std::min(close + 1, newline);
      } else {
        while (at < newline && !isSpace(text[at])) ++at;
        word.text = text.substr(word.offset, at - word.offset);
      }
      statement.end = at;
      if (first)
        statement.keyword = std::move(word);
      else
        statement.words.push_back(std::move(word));
      first = false;
    }
    if (!first) statements.push_back(std::move(statement));
    at = newline + 1;
  }
  return statements;
}

SourcePosition WordReader::position() const {
  return file_.position(next_ < statement_.words.size() ? statement_.words[next_].offset : statement_.end);
}

void WordReader::fail(std::string message, std::string hint) {
  if (!failed_) diagnostics_.error(statement_.keyword.text + ": " + std::move(message), position(), std::move(hint));
  failed_ = true;
}

std::optional<double> WordReader::real(Range range) {
  if (failed_) return std::nullopt;
  if (atEnd()) {
    fail("expected a number, found the end of the line");
    return std::nullopt;
  }
  const auto value = parseReal(statement_.words[next_].text);
  if (!value) {
    fail("expected a number, found '" + statement_.words[next_].text.substr(0, 40) + "'");
    return std::nullopt;
  }
  if (std::isnan(*value) || (range == Range::finite && std::isinf(*value))) {
    fail("'" + statement_.words[next_].text + "' is not allowed here; expected a finite number");
    return std::nullopt;
  }
  ++next_;
  return value;
}

std::optional<int> WordReader::integer() {
  if (failed_) return std::nullopt;
  const auto value = atEnd() ? std::nullopt : parseInteger(statement_.words[next_].text);
  if (!value) {
    fail(atEnd() ? "expected an integer, found the end of the line"
                 : "expected an integer, found '" + statement_.words[next_].text.substr(0, 40) + "'");
    return std::nullopt;
  }
  ++next_;
  return value;
}

std::optional<std::string> WordReader::text() {
  if (failed_) return std::nullopt;
  if (atEnd()) {
    fail("expected a word, found the end of the line");
    return std::nullopt;
  }
  return statement_.words[next_++].text;
}

std::optional<Vector3d> WordReader::vector3() {
  Vector3d v;
  for (int i = 0; i < 3; ++i) v[i] = real().value_or(0);
  if (failed_) return std::nullopt;
  return v;
}

std::optional<Matrix3d> WordReader::matrix3() {
  Matrix3d m;
  for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = real().value_or(0);
  if (failed_) return std::nullopt;
  return m;
}

std::optional<RigidTransform> WordReader::transform() {
  double rows[12];
  for (double& v : rows) v = real().value_or(0);
  if (failed_) return std::nullopt;
  return RigidTransform::fromRows(rows);
}

bool WordReader::listEnds() {
  if (atEnd()) return true;
  const Word& word = statement_.words[next_];
  if (parseReal(word.text)) return false;
  const SourcePosition where = position();
  const bool below = where.line > file_.position(statement_.keyword.offset).line;
  diagnostics_.warning(
      statement_.keyword.text + ": '" + word.text.substr(0, 40) + "' is no number; it and what follows are ignored",
      where,
      below ? "if it begins a statement of its own, remove the '\\' at the end of the line above"
            : "comments begin with '#'");
  next_ = statement_.words.size();
  return true;
}

std::vector<double> WordReader::reals(Range range) {
  std::vector<double> values;
  values.reserve(remaining());
  while (!listEnds()) {
    const auto value = real(range);
    if (!value) break;
    values.push_back(*value);
  }
  return values;
}

void WordReader::expectEnd() {
  if (!atEnd()) fail("'" + statement_.words[next_].text.substr(0, 40) + "' is one value too many");
}

}  // namespace mortise::io
