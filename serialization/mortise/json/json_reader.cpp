#include "mortise/json/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "mortise/text/utf8.h"

namespace mortise {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

JsonReader::JsonReader(std::string_view text, JsonRules rules) : text_(text), rules_(std::move(rules)) {
  if (rules_.file && text_.starts_with("\xef\xbb\xbf")) at_ = 3;
}

void JsonReader::fail(std::string_view expected) const {
  std::string found = rules_.file ? "the end of the file" : "the end of the message";
  if (at_ < text_.size()) {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:[]{}", at_), text_.size());
    found = "'" + std::string(text_.substr(at_, std::clamp<std::size_t>(end - at_, 1, 40))) + "'";
  }
  const std::string message = "not JSON: expected " + std::string(expected);
  if (rules_.position) throw Error(message + ", found " + found, rules_.position(at_));
  throw Error(message + " at character " + std::to_string(at_ + 1) + ", found " + found);
}

void JsonReader::refuseAt(std::size_t offset, const std::string& message, const std::string& hint) const {
  if (rules_.position) throw Error(message, rules_.position(offset), hint);
  throw Error(message + ", near character " + std::to_string(offset + 1), {}, hint);
}

void JsonReader::space() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
}

bool JsonReader::take(char c) {
  space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool JsonReader::takeWord(std::string_view text) {
  if (text_.substr(at_, text.size()) != text) return false;
  at_ += text.size();
  return true;
}

void JsonReader::expect(char c, std::string_view what) {
  if (!take(c)) fail(what);
}

JsonReader::Kind JsonReader::peek() {
  space();
  begin_ = at_;
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  switch (c) {
    case '{':
      return Kind::map;
    case '[':
      return Kind::list;
    case '"':
      return Kind::string;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      if (c != '-' && !isDigit(c) && !(rules_.file && (c == 'N' || c == 'I'))) fail("a value");
      return Kind::number;
  }
}

void JsonReader::open(char c, std::string_view what) {
  expect(c, what);
  if (++depth_ > rules_.maxDepth)
    refuseAt(at_ - 1, "nested too deeply: more than " + std::to_string(rules_.maxDepth) + " lists and objects");
  first_ = true;
}

void JsonReader::close() {
  --depth_;
  first_ = false;
}

void JsonReader::beginMap() { open('{', "'{'"); }

bool JsonReader::nextKey(std::string_view& key) {
  if (first_ ? take('}') : !take(',')) {
    if (!first_) expect('}', "',' or '}'");
    close();
    return false;
  }
  first_ = false;
  space();
  if (at_ >= text_.size() || text_[at_] != '"') fail("a key in quotes");
  key = string();
  expect(':', "':'");
  return true;
}

void JsonReader::beginList() { open('[', "'['"); }

bool JsonReader::nextItem() {
  points_.pass();
  if (first_ ? take(']') : !take(',')) {
    if (!first_) expect(']', "',' or ']'");
    close();
    return false;
  }
  first_ = false;
  return true;
}

double JsonReader::number() {
  space();
  begin_ = at_;
  if (rules_.file) {
    if (takeWord("NaN")) return std::numeric_limits<double>::quiet_NaN();
    if (takeWord("Infinity")) return std::numeric_limits<double>::infinity();
    if (takeWord("-Infinity")) return -std::numeric_limits<double>::infinity();
  }
  std::size_t end = at_;
  const auto next = [&](std::string_view characters) {
    if (end >= text_.size() || characters.find(text_[end]) == std::string_view::npos) return false;
    ++end;
    return true;
  };
  const auto digits = [&] {
    const std::size_t first = end;
    while (end < text_.size() && isDigit(text_[end])) ++end;
    return end - first;
  };
  next("-");
  const std::size_t full = end;
  bool good = digits() > 0 && !(text_[full] == '0' && end - full > 1);  // A number does not begin with 00 or 01.
  if (good && next(".")) good = digits() > 0;
  if (good && next("eE")) {
    next("+-");
    good = digits() > 0;
  }
  if (!good) fail("a value");
  double value = 0;
  const auto result = std::from_chars(text_.data() + begin_, text_.data() + end, value);
  // Too large or too small for a double: `strtod` says which.
  if (result.ec == std::errc::result_out_of_range)
    value = std::strtod(std::string(text_.substr(begin_, end - begin_)).c_str(), nullptr);
  if (rules_.file && std::isinf(value)) refuseAt(begin_, "this number is too large");
  at_ = end;
  return value;
}

bool JsonReader::boolean() {
  if (peek() != Kind::boolean) fail("true or false");
  const bool value = text_[at_] == 't';
  if (!takeWord(value ? "true" : "false")) fail("a value");
  return value;
}

void JsonReader::null() {
  space();
  begin_ = at_;
  if (!takeWord("null")) fail("a value");
}

unsigned JsonReader::hex4(std::size_t begin) {
  unsigned code = 0;
  const std::string_view digits = text_.substr(at_, 4);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() != 4 || result.ptr != digits.data() + 4)
    refuseAt(begin, "not JSON: \\u takes four hexadecimal digits");
  at_ += 4;
  return code;
}

void JsonReader::appendEscape() {
  const std::size_t begin = at_++;
  const char c = at_ < text_.size() ? text_[at_++] : '\0';
  static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (const std::size_t index = kLetters.find(c); c != '\0' && index != std::string_view::npos) {
    scratch_ += kMeanings[index];
    return;
  }
  if (c != 'u') refuseAt(begin, "not JSON: there is no such escape");
  unsigned code = hex4(begin);
  if (code >= 0xd800 && code < 0xdc00 && takeWord("\\u")) {
    const unsigned low = hex4(begin);
    if (low < 0xdc00 || low > 0xdfff) refuseAt(begin, "not JSON: half of a surrogate pair");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xd800 && code < 0xe000) {
    refuseAt(begin, "not JSON: half of a surrogate pair");
  }
  appendUtf8(scratch_, code);
}

std::string_view JsonReader::string() {
  expect('"', "a string");
  begin_ = at_ - 1;
  const std::size_t first = at_;
  bool escaped = false;
  for (;;) {
    if (at_ >= text_.size()) refuseAt(begin_, "not JSON: this string has no end");
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') break;
    if (c < 0x20)
      refuseAt(at_, "not JSON: a string does not hold a control character as it is",
               "write a new line as \\n, a tab as \\t");
    if (c == '\\') {
      if (!escaped) scratch_.assign(text_.substr(first, at_ - first));
      escaped = true;
      appendEscape();
      continue;
    }
    const std::size_t length = c < 0x80 || rules_.file ? 1 : utf8Length(text_, at_);
    if (length == 0) refuse("a string that is not UTF-8");
    if (escaped) scratch_.append(text_, at_, length);
    at_ += length;
  }
  const std::size_t last = at_++;
  return escaped ? std::string_view(scratch_) : text_.substr(first, last - first);
}

void JsonReader::numbers(std::vector<double>& out, std::size_t maxCount) {
  out.clear();
  beginList();
  while (nextItem()) {
    if (out.size() >= maxCount) refuse("a list of more than " + std::to_string(maxCount) + " numbers");
    if (peek() != Kind::number) fail("a number");
    out.push_back(number());
  }
}

void JsonReader::skip() {
  std::string_view key;
  switch (peek()) {
    case Kind::null:
      null();
      return;
    case Kind::boolean:
      boolean();
      return;
    case Kind::number:
      number();
      return;
    case Kind::string:
      string();
      return;
    case Kind::list:
      beginList();
      while (nextItem()) skip();
      return;
    case Kind::map:
      beginMap();
      while (nextKey(key)) skip();
      return;
  }
}

Value JsonReader::value() {
  switch (peek()) {
    case Kind::null:
      null();
      return {};
    case Kind::boolean:
      return boolean();
    case Kind::string:
      return Value(std::string(string()));
    case Kind::number: {
      const double x = number();
      if (x == std::floor(x) && std::abs(x) < 1e15) return Value(static_cast<std::int64_t>(x));
      return Value(x);
    }
    case Kind::list: {
      Value list = Value::list();
      beginList();
      while (nextItem()) list.push_back(value());
      return list;
    }
    case Kind::map: {
      Value map = Value::map();
      std::string_view key;
      beginMap();
      while (nextKey(key)) {
        const std::string name(key);
        if (map.contains(name)) refuse("a key that comes twice");
        map.set(name, value());
      }
      return map;
    }
  }
  return {};
}

void JsonReader::end() {
  space();
  if (at_ < text_.size()) fail(rules_.file ? "the end of the file" : "the end of the message");
}

}  // namespace mortise
