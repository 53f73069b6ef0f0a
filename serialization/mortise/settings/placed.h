#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mortise/settings/setting_type.h"

namespace mortise {

/// A setting with the place where it was written, for messages about it.
template <typename T>
struct Placed {
  T value = {};
  SourcePosition where = {};
};

/// A text with the place where it was written. Empty: not set.
struct PlacedText {
  std::string text;
  SourcePosition where = {};
  bool empty() const { return text.empty(); }
};

template <typename T>
struct SettingType<Placed<T>> {
  static constexpr ParameterType type = SettingType<T>::type;
  static constexpr int size = SettingType<T>::size;
  static Value value(const Placed<T>& placed) { return SettingType<T>::value(placed.value); }
  static Placed<T> from(const Value& value, std::string_view name) {
    return {SettingType<T>::from(value, name), value.position()};
  }
};

template <>
struct SettingType<PlacedText> {
  static constexpr ParameterType type = ParameterType::string;
  static constexpr int size = -1;
  static Value value(const PlacedText& placed) { return placed.empty() ? Value() : Value(placed.text); }
  static PlacedText from(const Value& value, std::string_view) {
    return {value.isNull() ? std::string() : value.asString(), value.position()};
  }
};

/// A list of texts, each with its own place; the list as a whole has one as well, for a list that is empty. Empty: not
/// set, unless `given`.
struct PlacedTexts {
  std::vector<PlacedText> list;
  SourcePosition where = {};
  bool given = false;  ///< A list is there, even if it is empty.
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const PlacedText& each : list) all.push_back(each.text);
    return all;
  }
};

template <>
struct SettingType<PlacedTexts> {
  static constexpr ParameterType type = ParameterType::stringList;
  static constexpr int size = -1;
  static Value value(const PlacedTexts& placed) { return placed.list.empty() ? Value() : Value(placed.texts()); }
  static PlacedTexts from(const Value& value, std::string_view name) {
    PlacedTexts placed{{}, value.position(), !value.isNull()};
    for (const Value& item : value.items()) placed.list.push_back(SettingType<PlacedText>::from(item, name));
    return placed;
  }
};

}  // namespace mortise
