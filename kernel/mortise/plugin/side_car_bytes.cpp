#include "mortise/plugin/side_car_bytes.h"

#include <span>
#include <string>
#include <utility>

#include "mortise/base/error.h"

namespace mortise {

namespace {

void putText(const std::string& text, ByteWriter& out) { out.put(std::string_view(text)); }

void putTexts(const std::vector<std::string>& texts, ByteWriter& out) {
  out.put(static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) putText(text, out);
}

std::vector<std::string> takeTexts(ByteReader& in) {
  std::vector<std::string> texts;
  for (auto count = in.get<std::uint32_t>(); count > 0; --count) texts.push_back(in.getString());
  return texts;
}

void putValue(const Value& value, ByteWriter& out) {
  out.put(value.type());
  switch (value.type()) {
    case Value::Type::null:
      break;
    case Value::Type::list:
      out.put(static_cast<std::uint32_t>(value.size()));
      for (const Value& item : value.items()) putValue(item, out);
      break;
    case Value::Type::map:
      out.put(static_cast<std::uint32_t>(value.entries().size()));
      for (const Value::Entry& entry : value.entries()) {
        putText(entry.key, out);
        putValue(entry.value, out);
      }
      break;
    default:
      putText(value.isString() ? value.asString() : value.text(), out);
  }
}

Value takeValue(ByteReader& in, int depth = 0) {
  constexpr int kMaxDepth = 100;
  if (depth > kMaxDepth) throw Error("values are nested too deeply");
  const auto type = in.get<Value::Type>();
  switch (type) {
    case Value::Type::null:
      return Value();
    case Value::Type::list: {
      Value list = Value::list();
      for (auto count = in.get<std::uint32_t>(); count > 0; --count) list.push_back(takeValue(in, depth + 1));
      return list;
    }
    case Value::Type::map: {
      Value map = Value::map();
      for (auto count = in.get<std::uint32_t>(); count > 0; --count) {
        std::string key = in.getString();
        map.entries().push_back({std::move(key), takeValue(in, depth + 1), {}});
      }
      return map;
    }
    default:
      break;
  }
  Value scalar = Value::fromText(in.getString(), type == Value::Type::string);
  // A real number may have been written as an integer.
  if (type == Value::Type::real && scalar.isInteger()) return Value(scalar.asReal());
  if (scalar.type() != type) throw Error("a value is of another type than its text");
  return scalar;
}

void putSchema(const Schema& schema, ByteWriter& out) {
  out.put(schema.otherKeysAllowed());
  out.put(static_cast<std::uint32_t>(schema.parameters().size()));
  for (const Parameter& parameter : schema.parameters()) {
    const ParameterOptions& options = parameter.options;
    putText(parameter.name, out);
    out.put(parameter.type);
    putValue(parameter.defaultValue, out);
    putText(parameter.summary, out);
    out.put(options.min);
    out.put(options.max);
    putText(options.unit, out);
    putTexts(options.choices, out);
    out.put(options.required);
    out.put(options.size);
    putTexts(options.aliases, out);
    putTexts(options.formerly, out);
    out.put(options.infinite);
    out.put(options.changeable);
  }
}

Schema takeSchema(ByteReader& in) {
  Schema schema;
  schema.allowOtherKeys(in.get<bool>());
  for (auto count = in.get<std::uint32_t>(); count > 0; --count) {
    Parameter parameter;
    ParameterOptions& options = parameter.options;
    parameter.name = in.getString();
    in.get(parameter.type);
    parameter.defaultValue = takeValue(in);
    parameter.summary = in.getString();
    in.get(options.min);
    in.get(options.max);
    options.unit = in.getString();
    options.choices = takeTexts(in);
    in.get(options.required);
    in.get(options.size);
    options.aliases = takeTexts(in);
    options.formerly = takeTexts(in);
    in.get(options.infinite);
    in.get(options.changeable);
    schema.parameter(std::move(parameter));
  }
  return schema;
}

}  // namespace

void writeSideCarBytes(const SideCar& sideCar, ByteWriter& out) {
  putText(sideCar.package, out);
  putText(sideCar.version, out);
  putText(sideCar.license, out);
  out.put(sideCar.abi);
  putText(sideCar.library.file, out);
  out.put(sideCar.library.size);
  putText(sideCar.library.buildId, out);
  putText(sideCar.library.hash, out);
  out.put(static_cast<std::uint32_t>(sideCar.components.size()));
  for (const ComponentInfo& info : sideCar.components) {
    out.put(info.kind);
    putText(info.name, out);
    putTexts(info.aliases, out);
    out.put(info.interface);
    putTexts(rolesOf(info), out);
    ByteWriter rest;
    putText(info.summary, rest);
    putText(info.documentation, rest);
    putSchema(info.schema, rest);
    putValue(info.attributes, rest);
    out.put(std::string_view(reinterpret_cast<const char*>(rest.bytes().data()), rest.bytes().size()));
  }
}

SideCarOutline readSideCarOutline(const std::shared_ptr<const std::string>& text, std::string_view bytes) {
  SideCarOutline outline;
  SideCar& sideCar = outline.sideCar;
  ByteReader in(std::as_bytes(std::span(bytes)));
  sideCar.package = in.getString();
  sideCar.version = in.getString();
  sideCar.license = in.getString();
  in.get(sideCar.abi);
  sideCar.library.file = in.getString();
  in.get(sideCar.library.size);
  sideCar.library.buildId = in.getString();
  sideCar.library.hash = in.getString();
  std::size_t passed = 0;  // Of `bytes`, by what is left for later.
  for (auto count = in.get<std::uint32_t>(); count > 0; --count) {
    ComponentInfo info;
    in.get(info.kind);
    info.name = in.getString();
    info.aliases = takeTexts(in);
    in.get(info.interface);
    if (const std::vector<std::string> roles = takeTexts(in); !roles.empty()) {
      Value names = Value::list();
      for (const std::string& role : roles) names.push_back(Value(role));
      info.attributes = Value::map();
      info.attributes.set("roles", std::move(names));
    }
    info.package = sideCar.package;
    info.version = sideCar.version;
    const auto size = in.get<std::uint64_t>();
    passed += in.position();
    if (size == 0 || size > bytes.size() - passed) throw Error("a side-car ends too early");
    outline.unread.push_back({text, bytes.substr(passed, size)});
    passed += size;
    in = ByteReader(std::as_bytes(std::span(bytes.substr(passed))));
    sideCar.components.push_back(std::move(info));
  }
  return outline;
}

void readUnread(UnreadComponent& unread, ComponentInfo& info) {
  if (unread.bytes.empty()) return;
  try {
    ByteReader in(std::as_bytes(std::span(unread.bytes)));
    info.summary = in.getString();
    info.documentation = in.getString();
    info.schema = takeSchema(in);
    info.attributes = takeValue(in);
  } catch (const Error& error) {
    throw Error("the index of plugins does not hold what is said of '" + info.name + "': " + error.message(), {},
                "`mortise plugins describe FOLDER --write` writes it anew");
  }
  unread = {};
}

}  // namespace mortise
