#include "common/json_file.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "mortise/json/json_reader.h"
#include "mortise/text/suggest.h"

namespace mortise::io {

namespace {

/// Deeper nesting than any file of ours has; the parser's own stack bears much more.
constexpr int kMaxDepth = 256;

JsonValue readValue(JsonReader& json, const TextFile& file);

JsonValue readMap(JsonReader& json, const TextFile& file) {
  JsonValue result;
  result.type = JsonValue::Type::map;
  result.offset = json.offset();
  std::set<std::string, std::less<>> seen;
  std::string_view key;
  json.beginMap();
  while (json.nextKey(key)) {
    if (!seen.emplace(key).second)
      throw Error("the key '" + std::string(key) + "' is there twice", file.position(json.offset()));
    result.keys.emplace_back(key);
    result.items.push_back(readValue(json, file));
  }
  return result;
}

JsonValue readValue(JsonReader& json, const TextFile& file) {
  const JsonReader::Kind kind = json.peek();
  if (kind == JsonReader::Kind::map) return readMap(json, file);
  JsonValue result;
  result.offset = json.offset();
  switch (kind) {
    case JsonReader::Kind::null:
      json.null();
      break;
    case JsonReader::Kind::boolean:
      result.type = JsonValue::Type::boolean;
      result.boolean = json.boolean();
      break;
    case JsonReader::Kind::number:
      result.type = JsonValue::Type::number;
      result.number = json.number();
      break;
    case JsonReader::Kind::string:
      result.type = JsonValue::Type::string;
      result.text = json.string();
      break;
    default:
      result.type = JsonValue::Type::list;
      json.beginList();
      while (json.nextItem()) result.items.push_back(readValue(json, file));
  }
  return result;
}

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

JsonFile::JsonFile(TextFile text) : text_(std::move(text)) {
  JsonReader json(text_.text(), {.maxDepth = kMaxDepth, .file = true, .position = [this](std::size_t offset) {
                                   return text_.position(offset);
                                 }});
  root_ = readValue(json, text_);
  json.end();
}

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
