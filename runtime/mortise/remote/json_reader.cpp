#include "mortise/remote/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "mortise/base/error.h"
#include "mortise/base/hex.h"
#include "mortise/base/utf8.h"

namespace mortise::remote {

namespace {

/// Messages of the protocol nest three deep; others are told so before they use up the stack.
constexpr int kDepthLimit = 32;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void JsonReader::fail(std::string_view expected) {
  std::string found = "the end of the message";
  if (at_ < text_.size()) {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:[]{}", at_), text_.size());
    found = "'" + std::string(text_.substr(at_, std::clamp<std::size_t>(end - at_, 1, 20))) + "'";
  }
  throw Error("not JSON: expected " + std::string(expected) + " at character " + std::to_string(at_ + 1) + ", found " +
              found);
}

void JsonReader::refuse(const std::string& message) {
  throw Error(message + ", near character " + std::to_string(at_ + 1));
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

void JsonReader::expect(char c, std::string_view what) {
  if (!take(c)) fail(what);
}

void JsonReader::word(std::string_view text) {
  if (text_.substr(at_, text.size()) != text) fail("a value");
  at_ += text.size();
}

JsonReader::Kind JsonReader::peek() {
  space();
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
      if (c != '-' && !isDigit(c)) fail("a value");
      return Kind::number;
  }
}

void JsonReader::open(char c, std::string_view what) {
  expect(c, what);
  if (++depth_ > kDepthLimit) refuse("nested more than " + std::to_string(kDepthLimit) + " deep");
  first_ = true;
}

void JsonReader::close() {
  --depth_;
  first_ = false;
}

void JsonReader::beginMap() { open('{', "'{'"); }

bool JsonReader::nextKey(std::string_view& key) {
  if (take('}')) {
    close();
    return false;
  }
  if (!first_) expect(',', "',' or '}'");
  first_ = false;
  space();
  if (at_ >= text_.size() || text_[at_] != '"') fail("a key in quotes");
  key = string();
  expect(':', "':'");
  return true;
}

void JsonReader::beginList() { open('[', "'['"); }

bool JsonReader::nextItem() {
  if (take(']')) {
    close();
    return false;
  }
  if (!first_) expect(',', "',' or ']'");
  first_ = false;
  return true;
}

double JsonReader::number() {
  space();
  const std::size_t begin = at_;
  const auto digits = [&] {
    if (at_ >= text_.size() || !isDigit(text_[at_])) fail("a digit");
    while (at_ < text_.size() && isDigit(text_[at_])) ++at_;
  };
  if (at_ < text_.size() && text_[at_] == '-') ++at_;
  if (at_ < text_.size() && text_[at_] == '0')
    ++at_;  // A number does not begin with 00 or 01.
  else
    digits();
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    digits();
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    digits();
  }
  double value = 0;
  const auto result = std::from_chars(text_.data() + begin, text_.data() + at_, value);
  // Too large or too small for a double: `strtod` says which.
  if (result.ec == std::errc::result_out_of_range)
    value = std::strtod(std::string(text_.substr(begin, at_ - begin)).c_str(), nullptr);
  return value;
}

bool JsonReader::boolean() {
  if (peek() != Kind::boolean) fail("true or false");
  const bool value = text_[at_] == 't';
  word(value ? "true" : "false");
  return value;
}

void JsonReader::null() {
  space();
  word("null");
}

unsigned JsonReader::hex4() {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (!isDigit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) fail("four hexadecimal digits");
    code = code * 16 + static_cast<unsigned>(isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return code;
}

void JsonReader::appendEscape() {
  ++at_;
  const char c = at_ < text_.size() ? text_[at_] : '\0';
  static constexpr std::string_view kNames = "\"\\/bfnrt";
  static constexpr std::string_view kCharacters = "\"\\/\b\f\n\r\t";
  if (c == 'u') {
    ++at_;
    unsigned code = hex4();
    if (code >= 0xd800 && code < 0xdc00) {  // The first of a pair.
      if (text_.substr(at_, 2) != "\\u") fail("the second half of a surrogate pair");
      at_ += 2;
      const unsigned low = hex4();
      if (low < 0xdc00 || low >= 0xe000) refuse("a surrogate pair with a wrong second half");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
      refuse("half a surrogate pair");
    }
    appendUtf8(scratch_, code);
    return;
  }
  const std::size_t index = c == '\0' ? std::string_view::npos : kNames.find(c);
  if (index == std::string_view::npos) fail("an escape sequence");
  scratch_ += kCharacters[index];
  ++at_;
}

std::string_view JsonReader::string() {
  expect('"', "a string");
  const std::size_t begin = at_;
  bool escaped = false;
  for (;;) {
    if (at_ >= text_.size()) fail("'\"'");
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') break;
    if (c < 0x20) fail("a string without control characters");
    if (c == '\\') {
      if (!escaped) scratch_.assign(text_.substr(begin, at_ - begin));
      escaped = true;
      appendEscape();
      continue;
    }
    const std::size_t length = c < 0x80 ? 1 : utf8Length(text_, at_);
    if (length == 0) refuse("a string that is not UTF-8");
    if (escaped) scratch_.append(text_, at_, length);
    at_ += length;
  }
  const std::size_t end = at_++;
  return escaped ? std::string_view(scratch_) : text_.substr(begin, end - begin);
}

void JsonReader::numbers(std::vector<double>& out, std::size_t most) {
  out.clear();
  beginList();
  while (nextItem()) {
    if (out.size() >= most) refuse("a list of more than " + std::to_string(most) + " numbers");
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
  if (at_ < text_.size()) fail("the end of the message");
}

void appendJson(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
      ++i;
    } else if (c < 0x20) {
      out += "\\u00";
      appendHex(out, text[i]);
      ++i;
    } else if (const std::size_t length = utf8Length(text, i); length > 0) {
      out.append(text, i, length);
      i += length;
    } else {
      out += "\xef\xbf\xbd";
      ++i;
    }
  }
  out += '"';
}

void appendJson(std::string& out, double number) {
  if (std::isnan(number)) {
    out += "null";
  } else if (std::isinf(number)) {
    out += number > 0 ? "1e999" : "-1e999";
  } else {
    char text[32];
    const auto result = std::to_chars(text, text + sizeof(text), number);
    out.append(text, result.ptr);
  }
}

}  // namespace mortise::remote
