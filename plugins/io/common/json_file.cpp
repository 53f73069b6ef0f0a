#include "common/json_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "mortise/base/suggest.h"
#include "mortise/base/utf8.h"

namespace mortise::io {

namespace {

/// Deeper nesting than any file of ours has; the parser's own stack bears much more.
constexpr int kDepthLimit = 256;

class JsonParser {
 public:
  explicit JsonParser(const TextFile& file) : file_(file), text_(file.text()) {}

  JsonValue document() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    JsonValue root = value(0);
    skipSpace();
    if (at_ < text_.size()) fail("the end of the file");
    return root;
  }

 private:
  [[noreturn]] void fail(const char* expected) const {
    std::string found = "the end of the file";
    if (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:[]{}", at_), text_.size());
      found = "'" + std::string(text_.substr(at_, std::clamp<std::size_t>(end - at_, 1, 40))) + "'";
    }
    throw Error("not JSON: expected " + std::string(expected) + ", found " + found, file_.position(at_));
  }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool takeWord(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  JsonValue value(int depth) {
    skipSpace();
    if (depth > kDepthLimit) throw Error("nested too deeply to be meant", file_.position(at_));
    JsonValue result;
    result.offset = at_;
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == '{') {
      map(result, depth);
    } else if (c == '[') {
      list(result, depth);
    } else if (c == '"') {
      result.type = JsonValue::Type::string;
      result.text = string();
    } else if (takeWord("null")) {
      result.type = JsonValue::Type::null;
    } else if (takeWord("true") || takeWord("false")) {
      result.type = JsonValue::Type::boolean;
      result.boolean = c == 't';
    } else {
      result.type = JsonValue::Type::number;
      result.number = number();
    }
    return result;
  }

  void map(JsonValue& result, int depth) {
    result.type = JsonValue::Type::map;
    std::set<std::string, std::less<>> seen;
    ++at_;
    if (take('}')) return;
    do {
      skipSpace();
      const std::size_t begin = at_;
      if (at_ >= text_.size() || text_[at_] != '"') fail("a key in quotes");
      std::string key = string();
      if (!seen.insert(key).second) throw Error("the key '" + key + "' is there twice", file_.position(begin));
      if (!take(':')) fail("':'");
      result.keys.push_back(std::move(key));
      result.items.push_back(value(depth + 1));
    } while (take(','));
    if (!take('}')) fail("',' or '}'");
  }

  void list(JsonValue& result, int depth) {
    result.type = JsonValue::Type::list;
    ++at_;
    if (take(']')) return;
    do result.items.push_back(value(depth + 1));
    while (take(','));
    if (!take(']')) fail("',' or ']'");
  }

  double number() {
    if (takeWord("NaN")) return std::numeric_limits<double>::quiet_NaN();
    if (takeWord("Infinity")) return std::numeric_limits<double>::infinity();
    if (takeWord("-Infinity")) return -std::numeric_limits<double>::infinity();
    const std::size_t begin = at_;
    std::size_t end = at_;
    const auto digits = [&] {
      const std::size_t first = end;
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
      return end - first;
    };
    if (end < text_.size() && text_[end] == '-') ++end;
    const std::size_t whole = end;
    bool good = digits() > 0 && !(text_[whole] == '0' && end - whole > 1);
    if (good && end < text_.size() && text_[end] == '.') {
      ++end;
      good = digits() > 0;
    }
    if (good && end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      ++end;
      if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
      good = digits() > 0;
    }
    if (!good) fail("a value");
    const auto parsed = parseReal(text_.substr(begin, end - begin));
    if (!parsed) throw Error("this number is too large", file_.position(begin));
    at_ = end;
    return *parsed;
  }

  std::string string() {
    std::string result;
    const std::size_t begin = at_++;
    while (true) {
      if (at_ >= text_.size()) throw Error("not JSON: this string has no end", file_.position(begin));
      const char c = text_[at_++];
      if (c == '"') return result;
      if (c == '\\') {
        escape(result);
      } else if (static_cast<unsigned char>(c) < 0x20) {
        throw Error("not JSON: a string does not hold a control character as it is", file_.position(at_ - 1),
                    "write a new line as \\n, a tab as \\t");
      } else {
        result += c;
      }
    }
  }

  void escape(std::string& result) {
    const std::size_t begin = at_ - 1;
    const char c = at_ < text_.size() ? text_[at_++] : '\0';
    static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t at = kLetters.find(c); c != '\0' && at != std::string_view::npos) {
      result += kMeanings[at];
      return;
    }
    if (c != 'u') throw Error("not JSON: there is no such escape", file_.position(begin));
    unsigned code = hex4(begin);
    if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const unsigned low = hex4(begin);
      if (low < 0xdc00 || low > 0xdfff) throw Error("not JSON: half of a surrogate pair", file_.position(begin));
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xd800 && code < 0xe000) {
      throw Error("not JSON: half of a surrogate pair", file_.position(begin));
    }
    appendUtf8(result, code);
  }

  unsigned hex4(std::size_t begin) {
    unsigned code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 4 || result.ptr != digits.data() + 4)
      throw Error("not JSON: \\u takes four hexadecimal digits", file_.position(begin));
    at_ += 4;
    return code;
  }

  const TextFile& file_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string describe(const JsonValue& value) {
  switch (value.type) {
    case JsonValue::Type::null:
      return "null";
    case JsonValue::Type::boolean:
      return value.boolean ? "true" : "false";
    case JsonValue::Type::number:
      return "a number";
    case JsonValue::Type::string:
      return "the text '" + value.text.substr(0, 40) + "'";
    case JsonValue::Type::list:
      return "a list of " + std::to_string(value.items.size());
    case JsonValue::Type::map:
      return "an object";
  }
  return {};
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

bool JsonValue::isListOfNumbers() const {
  return isList() && std::all_of(items.begin(), items.end(), [](const JsonValue& item) { return item.isNumber(); });
}

JsonFile::JsonFile(TextFile text) : text_(std::move(text)) { root_ = JsonParser(text_).document(); }

void JsonFile::fail(const std::string& expected, const JsonValue& found) const {
  throw Error("expected " + expected + ", found " + describe(found), position(found));
}

const JsonValue& JsonFile::at(const JsonValue& map, std::string_view key) const {
  if (!map.isMap()) fail("an object with '" + std::string(key) + "'", map);
  if (const JsonValue* value = map.find(key)) return *value;
  throw Error("'" + std::string(key) + "' is missing here", position(map), didYouMean(std::string(key), map.keys));
}

double JsonFile::finite(const JsonValue& value) const {
  if (!value.isNumber() || !std::isfinite(value.number)) fail("a finite number", value);
  return value.number;
}

int JsonFile::integer(const JsonValue& value) const {
  if (!value.isNumber() || !(std::abs(value.number) < 1e9) || value.number != std::floor(value.number))
    fail("an integer", value);
  return static_cast<int>(value.number);
}

const std::string& JsonFile::string(const JsonValue& value) const {
  if (!value.isString()) fail("a text", value);
  return value.text;
}

const std::vector<JsonValue>& JsonFile::list(const JsonValue& value) const {
  if (!value.isList()) fail("a list", value);
  return value.items;
}

std::vector<double> JsonFile::reals(const JsonValue& value) const {
  std::vector<double> numbers;
  numbers.reserve(list(value).size());
  for (const JsonValue& item : value.items) numbers.push_back(finite(item));
  return numbers;
}

VectorXd JsonFile::vector(const JsonValue& value) const {
  const std::vector<double> numbers = reals(value);
  return Eigen::Map<const VectorXd>(numbers.data(), std::ssize(numbers));
}

Vector3d JsonFile::vector3(const JsonValue& value) const {
  if (!value.isList() || value.items.size() != 3) fail("three numbers", value);
  return vector(value);
}

}  // namespace mortise::io
