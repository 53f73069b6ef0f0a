#include "mortise/base/value.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "mortise/base/value_text.h"
#include "mortise/text/excerpt.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool allDigits(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text)
    if (!isDigit(c)) return false;
  return true;
}

/// [digits][.digits][exponent] with at least one digit before the exponent.
bool resemblesReal(std::string_view text) {
  std::size_t i = 0, digits = 0;
  for (; i < text.size() && isDigit(text[i]); ++i) ++digits;
  if (i < text.size() && text[i] == '.')
    for (++i; i < text.size() && isDigit(text[i]); ++i) ++digits;
  if (digits == 0) return false;
  if (i == text.size()) return true;
  if (text[i] != 'e' && text[i] != 'E') return false;
  if (++i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  return allDigits(text.substr(i));
}

bool isWord(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}

double toReal(const std::string& text, bool negative, std::string_view unsignedPart) {
  double value = 0;
  const auto [stop, code] = std::from_chars(unsignedPart.data(), unsignedPart.data() + unsignedPart.size(), value);
  // Too large or too small for a double: strtod says infinity or zero.
  if (code == std::errc::result_out_of_range) return std::strtod(text.c_str(), nullptr);
  return negative ? -value : value;
}

std::string describeFound(const Value& value) {
  if (value.isString()) return "the string '" + excerpt(value.asString()) + "'";
  if (value.isList()) return "a list";
  if (value.isMap()) return "a map";
  if (value.isNull()) return "nothing";
  return std::string(Value::typeName(value.type())) + " (" + value.text() + ")";
}

[[noreturn]] void wrongType(const Value& value, std::string_view expected) {
  throw Error("expected " + std::string(expected) + ", found " + describeFound(value), value.position());
}

}  // namespace

Value::Value(bool value) : type_(Type::boolean), boolean_(value) {}
Value::Value(int value) : type_(Type::integer), integer_(value) {}
Value::Value(std::int64_t value) : type_(Type::integer), integer_(value) {}
Value::Value(double value) : type_(Type::real), real_(value) {}
Value::Value(const char* value) : type_(Type::string), string_(value ? value : "") {}
Value::Value(std::string value) : type_(Type::string), string_(std::move(value)) {}
Value::Value(std::string_view value) : type_(Type::string), string_(value) {}

Value::Value(const std::vector<double>& values) : type_(Type::list) {
  items_.reserve(values.size());
  for (const double value : values) items_.emplace_back(value);
}

Value::Value(const std::vector<std::string>& values) : type_(Type::list) {
  items_.reserve(values.size());
  for (const std::string& value : values) items_.emplace_back(value);
}

Value Value::list() {
  Value value;
  value.type_ = Type::list;
  return value;
}

Value Value::map() {
  Value value;
  value.type_ = Type::map;
  return value;
}

Value Value::fromText(std::string text, bool quoted) {
  Value value;
  value.type_ = Type::string;
  if (quoted || text.empty()) {
    value.string_ = std::move(text);
    return value;
  }
  const char first = text[0];
  const bool negative = first == '-';
  const std::string_view body = std::string_view(text).substr(negative || first == '+' ? 1 : 0);
  if (body.empty()) {
    // A lone sign.
  } else if (isDigit(body[0]) || (body[0] == '.' && body.size() > 1 && isDigit(body[1]))) {
    if (allDigits(body)) {
      std::int64_t integer = 0;
      const std::string_view digits = negative ? std::string_view(text) : body;
      const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), integer);
      if (code == std::errc()) {
        value.type_ = Type::integer;
        value.integer_ = integer;
      } else {
        value.type_ = Type::real;
        value.real_ = toReal(text, negative, body);
      }
    } else if (body.size() > 2 && body[0] == '0' && (body[1] == 'x' || body[1] == 'X')) {
      std::int64_t integer = 0;
      const char* end = body.data() + body.size();
      const auto [stop, code] = std::from_chars(body.data() + 2, end, integer, 16);
      if (code == std::errc() && stop == end && body[2] != '-') {
        value.type_ = Type::integer;
        value.integer_ = negative ? -integer : integer;
      }
    } else if (resemblesReal(body)) {
      value.type_ = Type::real;
      value.real_ = toReal(text, negative, body);
    }
  } else if (isWord(body, "inf") || isWord(body, ".inf") || isWord(body, "infinity")) {
    value.type_ = Type::real;
    value.real_ = negative ? -HUGE_VAL : HUGE_VAL;
  } else if (isWord(body, "nan") || isWord(body, ".nan")) {
    value.type_ = Type::real;
    value.real_ = std::nan("");
  } else if (body.size() == text.size()) {
    if (text == "true" || text == "True" || text == "TRUE") {
      value.type_ = Type::boolean;
      value.boolean_ = true;
    } else if (text == "false" || text == "False" || text == "FALSE") {
      value.type_ = Type::boolean;
    } else if (text == "null" || text == "Null" || text == "NULL" || text == "~") {
      value.type_ = Type::null;
    }
  }
  value.string_ = std::move(text);
  return value;
}

std::string_view Value::typeName(Type type) {
  switch (type) {
    case Type::null:
      return "nothing";
    case Type::boolean:
      return "a boolean";
    case Type::integer:
      return "an integer";
    case Type::real:
      return "a number";
    case Type::string:
      return "a string";
    case Type::list:
      return "a list";
    case Type::map:
      return "a map";
  }
  return "a value";
}

bool Value::asBool() const {
  if (type_ != Type::boolean) wrongType(*this, "true or false");
  return boolean_;
}

std::int64_t Value::asInteger() const {
  if (type_ == Type::integer) return integer_;
  // A whole number such as 1e3 or 20.0 means what it says; 2^63 is the first that does not fit.
  if (type_ == Type::real && std::trunc(real_) == real_ && std::abs(real_) < 0x1p63)
    return static_cast<std::int64_t>(real_);
  wrongType(*this, "an integer");
}

double Value::asReal() const {
  if (type_ == Type::real) return real_;
  if (type_ == Type::integer) return static_cast<double>(integer_);
  wrongType(*this, "a number");
}

const std::string& Value::asString() const {
  if (type_ != Type::string) wrongType(*this, "a string");
  return string_;
}

std::vector<double> Value::asReals() const {
  if (isNumber()) return {asReal()};
  if (!isList()) wrongType(*this, "a list of numbers");
  std::vector<double> values;
  values.reserve(items_.size());
  for (const Value& item : items_) values.push_back(item.asReal());
  return values;
}

std::vector<std::string> Value::asStrings() const {
  if (isString()) return {string_};
  if (!isList()) wrongType(*this, "a list of strings");
  std::vector<std::string> values;
  values.reserve(items_.size());
  for (const Value& item : items_) values.push_back(item.asString());
  return values;
}

std::string Value::text() const {
  if (!string_.empty()) return string_;
  switch (type_) {
    case Type::null:
      return "null";
    case Type::boolean:
      return boolean_ ? "true" : "false";
    case Type::integer:
      return std::to_string(integer_);
    case Type::real:
      return formatReal(real_);
    case Type::string:
      return {};
    case Type::list:
    case Type::map:
      break;
  }
  wrongType(*this, "a single value");
}

std::size_t Value::size() const {
  if (isList()) return items_.size();
  if (isMap()) return entries_.size();
  return 0;
}

void Value::push_back(Value value) {
  if (isNull()) type_ = Type::list;
  if (!isList()) wrongType(*this, "a list");
  items_.push_back(std::move(value));
}

const Value* Value::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

const Value& Value::at(std::string_view key) const {
  if (!isMap()) wrongType(*this, "a map with the key '" + std::string(key) + "'");
  if (const Value* value = find(key)) return *value;
  std::vector<std::string> keys;
  for (const Entry& entry : entries_) keys.push_back(entry.key);
  throw Error("there is no key '" + std::string(key) + "'", position_, suggestFrom(key, keys));
}

Value& Value::set(std::string_view key, Value value) {
  if (isNull()) type_ = Type::map;
  if (!isMap()) wrongType(*this, "a map");
  if (Value* existing = find(key)) return *existing = std::move(value);
  entries_.push_back({std::string(key), std::move(value), {}});
  return entries_.back().value;
}

bool Value::erase(std::string_view key) {
  for (auto it = entries_.begin(); it != entries_.end(); ++it)
    if (it->key == key) {
      entries_.erase(it);
      return true;
    }
  return false;
}

double Value::real(std::string_view key, double fallback) const {
  const Value* value = find(key);
  return value && !value->isNull() ? value->asReal() : fallback;
}

std::int64_t Value::integer(std::string_view key, std::int64_t fallback) const {
  const Value* value = find(key);
  return value && !value->isNull() ? value->asInteger() : fallback;
}

bool Value::boolean(std::string_view key, bool fallback) const {
  const Value* value = find(key);
  return value && !value->isNull() ? value->asBool() : fallback;
}

std::string Value::string(std::string_view key, std::string fallback) const {
  const Value* value = find(key);
  return value && !value->isNull() ? value->asString() : fallback;
}

const Value* Value::findPath(std::string_view path) const {
  if (path.empty()) return this;
  if (path.back() == '.') return nullptr;
  if (isList()) {
    const auto dot = path.find('.');
    const std::string_view head = path.substr(0, dot);
    std::size_t index = 0;
    const auto [stop, code] = std::from_chars(head.data(), head.data() + head.size(), index);
    if (code != std::errc() || stop != head.data() + head.size() || index >= items_.size()) return nullptr;
    return dot == std::string_view::npos ? &items_[index] : items_[index].findPath(path.substr(dot + 1));
  }
  if (!isMap()) return nullptr;
  // Keys may hold dots themselves ("acme.Name"), so every split is tried, the shortest first.
  for (auto dot = path.find('.');; dot = path.find('.', dot + 1)) {
    if (const Value* value = find(path.substr(0, dot))) {
      if (dot == std::string_view::npos) return value;
      if (const Value* found = value->findPath(path.substr(dot + 1))) return found;
    }
    if (dot == std::string_view::npos) return nullptr;
  }
}

Value& Value::setPath(std::string_view path, Value value) {
  Value* node = this;
  std::string done;
  for (std::string_view rest = path;;) {
    const auto dot = rest.find('.');
    const std::string_view key = rest.substr(0, dot);
    const bool last = dot == std::string_view::npos;
    if (key.empty()) throw Error("the key path '" + std::string(path) + "' has an empty part");
    if (node->isList()) {
      std::size_t index = 0;
      const auto [stop, code] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (code != std::errc() || stop != key.data() + key.size() || index >= node->size())
        throw Error("'" + done + "' is a list of " + std::to_string(node->size()) + "; '" + std::string(key) +
                        "' is not the index of one of its entries",
                    node->position());
      if (last) return node->items_[index] = std::move(value);
      node = &node->items_[index];
    } else {
      if (!node->isMap() && !node->isNull())
        throw Error("cannot set '" + std::string(path) + "': '" + done + "' is " + describeFound(*node) + ", not a map",
                    node->position());
      if (last) return node->set(key, std::move(value));
      Value* next = node->find(key);
      node = next ? next : &node->set(key, map());
    }
    done += (done.empty() ? "" : ".") + std::string(key);
    rest.remove_prefix(dot + 1);
  }
}

Value& Value::setPosition(SourcePosition position) {
  position_ = std::move(position);
  return *this;
}

bool Value::operator==(const Value& other) const {
  if (type_ != other.type_) return false;
  switch (type_) {
    case Type::null:
      return true;
    case Type::boolean:
      return boolean_ == other.boolean_;
    case Type::integer:
      return integer_ == other.integer_;
    case Type::real:
      return real_ == other.real_ || (std::isnan(real_) && std::isnan(other.real_));
    case Type::string:
      return string_ == other.string_;
    case Type::list:
      return items_ == other.items_;
    case Type::map:
      break;
  }
  if (entries_.size() != other.entries_.size()) return false;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].key != other.entries_[i].key || !(entries_[i].value == other.entries_[i].value)) return false;
  return true;
}

}  // namespace mortise
