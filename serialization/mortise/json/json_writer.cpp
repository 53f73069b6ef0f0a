#include "mortise/json/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "mortise/text/quoted.h"

namespace mortise {

void JsonWriter::newLine() {
  if (indent_ < 0) return;
  text_ += '\n';
  text_.append(static_cast<std::size_t>(indent_) * static_cast<std::size_t>(depth_), ' ');
}

void JsonWriter::separate() {
  if (afterKey_) {
    afterKey_ = false;
    return;
  }
  if (!first_) text_ += oneLine_ && indent_ >= 0 ? ", " : ",";
  first_ = false;
  if (depth_ > 0 && !oneLine_) newLine();
}

void JsonWriter::word(std::string_view word) {
  separate();
  text_ += word;
}

void JsonWriter::begin(char bracket, bool oneLine) {
  separate();
  text_ += bracket;
  ++depth_;
  first_ = true;
  oneLine_ = oneLine;
}

void JsonWriter::end(char bracket) {
  --depth_;
  if (!first_ && !oneLine_) newLine();
  text_ += bracket;
  first_ = oneLine_ = false;
}

void JsonWriter::beginMap() { begin('{', false); }

void JsonWriter::beginList(bool oneLine) { begin('[', oneLine); }

void JsonWriter::key(std::string_view name) {
  separate();
  appendQuoted(text_, name);
  text_ += indent_ < 0 ? ":" : ": ";
  afterKey_ = true;
}

void JsonWriter::number(double value) {
  if (std::isnan(value) || (std::isinf(value) && notFinite_ == NotFinite::null)) return null();
  if (std::isinf(value)) return word(value > 0 ? "1e999" : "-1e999");
  char digits[32];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  word({digits, static_cast<std::size_t>(end - digits)});
}

void JsonWriter::string(std::string_view value) {
  separate();
  appendQuoted(text_, value);
}

void JsonWriter::numbers(std::string_view name, std::span<const double> values) {
  key(name);
  beginList(true);
  for (const double value : values) number(value);
  endList();
}

void JsonWriter::value(const Value& value) {
  switch (value.type()) {
    case Value::Type::null:
      return null();
    case Value::Type::boolean:
      return boolean(value.asBool());
    case Value::Type::integer:
      return integer(value.asInteger());
    case Value::Type::real:
      return number(value.asReal());
    case Value::Type::string:
      return string(value.asString());
    case Value::Type::list:
      beginList(std::ranges::all_of(value.items(), &Value::isScalar));
      for (const Value& item : value.items()) this->value(item);
      return endList();
    case Value::Type::map:
      beginMap();
      for (const Value::Entry& entry : value.entries()) {
        key(entry.key);
        this->value(entry.value);
      }
      return endMap();
  }
}

std::string toJson(const Value& value, int indent) {
  std::string text;
  JsonWriter(text, indent).value(value);
  if (indent >= 0) text += '\n';
  return text;
}

}  // namespace mortise
