#include "text/text_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/text/normalize.h"
#include "text/fast_numbers.h"

namespace mortise::io {

namespace {

bool isBlank(char c) { return isSpace(c) && c != '\n'; }

bool equalsIgnoringCase(std::string_view a, std::string_view lower) { return lowerCase(a) == lower; }

}  // namespace

bool isUtf16(std::string_view text) { return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"); }

TextFile::TextFile(std::string path) : TextFile(path, std::make_shared<const std::string>(readFile(path))) {}

TextFile::TextFile(std::string path, std::shared_ptr<const std::string> text)
    : path_(std::move(path)), text_(std::move(text)) {
  if (isUtf16(*text_)) throw Error("this is UTF-16 text, not UTF-8", inFile(path_), "save the file as UTF-8");
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  // All of them, so that the text of a file, taken as a file again, is the same text: offsets stay valid.
  std::size_t marks = 0;
  while (std::string_view(*text_).substr(marks).starts_with(kMark)) marks += kMark.size();
  if (marks > 0) text_ = std::make_shared<const std::string>(text_->substr(marks));
}

TextFile TextFile::withLinesJoined() const {
  TextFile joined = *this;
  std::shared_ptr<std::string> changed;
  for (std::size_t at = text().find('\\'); at != std::string::npos; at = text().find('\\', at + 1)) {
    std::size_t end = at + 1;
    while (end < text().size() && isBlank(text()[end])) ++end;  // A carriage return among them.
    if (end >= text().size() || text()[end] != '\n') continue;
    if (changed == nullptr) {
      (void)position(0);  // Lines are counted in the text as it is.
      joined.lineStarts_ = lineStarts_;
      changed = std::make_shared<std::string>(text());
    }
    (*changed)[at] = (*changed)[end] = ' ';
  }
  if (changed != nullptr) joined.text_ = changed;
  return joined;
}

SourcePosition TextFile::position(std::size_t offset) const {
  if (lineStarts_.empty()) {
    lineStarts_.push_back(0);
    for (std::size_t i = 0; i < text().size(); ++i)
      if (text()[i] == '\n') lineStarts_.push_back(i + 1);
  }
  offset = std::min(offset, text().size());
  const auto next = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  SourcePosition where;
  where.file = path_;
  where.line = static_cast<int>(next - lineStarts_.begin());
  where.column = static_cast<int>(offset - *(next - 1)) + 1;
  where.origin = origin_;
  return where;
}

std::optional<double> parseReal(std::string_view word) {
  bool negative = false;
  std::string_view digits = word;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) {
    negative = digits[0] == '-';
    digits.remove_prefix(1);
  }
  if (digits.empty()) return std::nullopt;
  double value = 0;
  if (std::isalpha(static_cast<unsigned char>(digits[0]))) {
    if (equalsIgnoringCase(digits, "inf") || equalsIgnoringCase(digits, "infinity"))
      value = std::numeric_limits<double>::infinity();
    else if (equalsIgnoringCase(digits, "nan"))
      value = std::numeric_limits<double>::quiet_NaN();
    else
      return std::nullopt;
  } else {
    if (digits[0] == '-' || digits[0] == '+') return std::nullopt;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ptr != digits.data() + digits.size()) return std::nullopt;
    // Too small for a double reads as zero; too large is refused.
    if (result.ec == std::errc::result_out_of_range) {
      const std::size_t e = digits.find_first_of("eE");
      if (e == std::string_view::npos || e + 1 >= digits.size() || digits[e + 1] != '-') return std::nullopt;
      value = 0;
    } else if (result.ec != std::errc()) {
      return std::nullopt;
    }
  }
  return negative ? -value : value;
}

std::optional<int> parseInteger(std::string_view word) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  int value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || result.ec != std::errc() || result.ptr != word.data() + word.size()) return std::nullopt;
  return value;
}

bool Cursor::skipSpace() {
  while (at_ < end_) {
    if (*at_ == '#')
      skipLine();
    else if (isSpace(*at_))
      ++at_;
    else
      return true;
  }
  return false;
}

bool Cursor::skipBlank() {
  while (at_ < end_ && isBlank(*at_)) ++at_;
  return at_ < end_ && *at_ != '\n' && *at_ != '#';
}

void Cursor::skipLine() {
  points_.pass();
  at_ = std::find(at_, end_, '\n');
  if (at_ < end_) ++at_;
}

std::string_view Cursor::word() {
  skipSpace();
  return wordOnLine();
}

std::string_view Cursor::wordOnLine() {
  points_.pass();
  if (!skipBlank()) return {};
  const char* begin = at_;
  while (at_ < end_ && !isSpace(*at_)) ++at_;
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

void Cursor::fail(std::string_view expected, std::size_t offset, std::string_view found) const {
  std::string message = "expected " + std::string(expected) + ", found ";
  if (found.empty())
    message += offset >= file_->text().size() ? "the end of the file" : "the end of the line";
  else
    message += "'" + std::string(found.substr(0, 40)) + "'";
  throw Error(std::move(message), file_->position(offset));
}

double Cursor::real(std::string_view expected) {
  points_.pass();
  skipSpace();
  const std::size_t start = offset();
  // The common cases, without looking for the end of the word first.
  double value = 0;
  if (const char* after = readShortReal(at_, end_, value); after != nullptr && (after == end_ || isSpace(*after))) {
    at_ = after;
    return value;
  }
  const auto result = std::from_chars(at_, end_, value);
  if (result.ec == std::errc() && (result.ptr == end_ || isSpace(*result.ptr))) {
    at_ = result.ptr;
    return value;
  }
  const std::string_view text = wordOnLine();
  const auto parsed = parseReal(text);
  if (!parsed) fail(expected, start, text);
  return *parsed;
}

double Cursor::finite(std::string_view expected) {
  const char* const before = at_;
  const double value = real(expected);
  if (!std::isfinite(value)) {
    at_ = before;
    skipSpace();
    const std::size_t start = offset();
    fail(expected, start, wordOnLine());
  }
  return value;
}

int Cursor::integer(std::string_view expected) {
  points_.pass();
  skipSpace();
  const std::size_t start = offset();
  // Up to nine digits cannot overflow.
  const char* at = at_;
  int value = 0;
  unsigned digit = 0;
  while (at < end_ && at - at_ < 9 && (digit = static_cast<unsigned>(*at - '0')) < 10)
    value = value * 10 + static_cast<int>(digit), ++at;
  if (at > at_ && (at == end_ || isSpace(*at))) {
    at_ = at;
    return value;
  }
  const std::string_view text = wordOnLine();
  const auto parsed = parseInteger(text);
  if (!parsed) fail(expected, start, text);
  return *parsed;
}

std::string extensionOf(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return {};
  return lowerCase(path.substr(dot + 1));
}

}  // namespace mortise::io
