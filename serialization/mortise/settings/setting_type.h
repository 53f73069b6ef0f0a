#pragma once

/// Declaration, reading and display of a C++ type as a setting. A plugin specializes `SettingType` for types of its
/// own:
///
///   template <> struct mortise::SettingType<Axis> {
///     static constexpr ParameterType type = ParameterType::string;
///     static constexpr int size = -1;                            // Entries of a list; -1: any number, or no list.
///     static Value value(const Axis& axis);                      // Null: not set.
///     static Axis from(const Value& value, std::string_view name);  // Throws `Error` with the value's position.
///   };

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/schema.h"
#include "mortise/base/value.h"
#include "mortise/math/transform.h"

namespace mortise {

template <typename T>
struct SettingType;

namespace detail {

template <typename T, ParameterType kType>
struct ScalarSetting {
  static constexpr ParameterType type = kType;
  static constexpr int size = -1;
  static Value value(const T& variable) { return Value(variable); }
};

/// Numbers of a fixed count, `Numbers` by index.
template <typename Numbers, int kSize>
struct NumbersSetting {
  static constexpr ParameterType type = ParameterType::realList;
  static constexpr int size = kSize;
  static Value value(const Numbers& numbers) { return Value(std::vector<double>(numbers.begin(), numbers.end())); }
  static Numbers from(const Value& value, std::string_view) {
    const std::vector<double> list = value.asReals();
    Numbers numbers;
    if (list.size() != kSize)
      throw Error("expected " + std::to_string(kSize) + " numbers, found " + std::to_string(list.size()),
                  value.position());
    std::copy(list.begin(), list.end(), numbers.begin());
    return numbers;
  }
};

}  // namespace detail

template <>
struct SettingType<bool> : detail::ScalarSetting<bool, ParameterType::boolean> {
  static bool from(const Value& value, std::string_view) { return value.asBool(); }
};
template <>
struct SettingType<int> : detail::ScalarSetting<int, ParameterType::integer> {
  /// Throws `Error` for a number that an `int` cannot hold.
  static int from(const Value& value, std::string_view name);
};
template <>
struct SettingType<std::int64_t> : detail::ScalarSetting<std::int64_t, ParameterType::integer> {
  static std::int64_t from(const Value& value, std::string_view) { return value.asInteger(); }
};
template <>
struct SettingType<double> : detail::ScalarSetting<double, ParameterType::real> {
  static double from(const Value& value, std::string_view) { return value.asReal(); }
};
template <>
struct SettingType<std::string> : detail::ScalarSetting<std::string, ParameterType::string> {
  static std::string from(const Value& value, std::string_view) { return value.asString(); }
};
template <>
struct SettingType<Value> : detail::ScalarSetting<Value, ParameterType::any> {
  static Value from(const Value& value, std::string_view) { return value; }
};
template <>
struct SettingType<Vector3d> : detail::NumbersSetting<Vector3d, 3> {};
template <std::size_t N>
struct SettingType<std::array<double, N>> : detail::NumbersSetting<std::array<double, N>, static_cast<int>(N)> {};

// An empty list is a setting that is not set.
template <>
struct SettingType<std::vector<double>> {
  static constexpr ParameterType type = ParameterType::realList;
  static constexpr int size = -1;
  static Value value(const std::vector<double>& list) { return list.empty() ? Value() : Value(list); }
  static std::vector<double> from(const Value& value, std::string_view) {
    return value.isNull() ? std::vector<double>() : value.asReals();
  }
};
template <>
struct SettingType<VectorXd> {
  static constexpr ParameterType type = ParameterType::realList;
  static constexpr int size = -1;
  static Value value(const VectorXd& list) {
    return list.size() == 0 ? Value() : Value(std::vector<double>(list.begin(), list.end()));
  }
  static VectorXd from(const Value& value, std::string_view) {
    if (value.isNull()) return VectorXd();
    const std::vector<double> list = value.asReals();
    return Eigen::Map<const VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
  }
};
template <>
struct SettingType<std::vector<std::string>> {
  static constexpr ParameterType type = ParameterType::stringList;
  static constexpr int size = -1;
  static Value value(const std::vector<std::string>& list) { return list.empty() ? Value() : Value(list); }
  static std::vector<std::string> from(const Value& value, std::string_view) {
    return value.isNull() ? std::vector<std::string>() : value.asStrings();
  }
};
template <>
struct SettingType<std::vector<int>> {
  static constexpr ParameterType type = ParameterType::integerList;
  static constexpr int size = -1;
  static Value value(const std::vector<int>& list);
  static std::vector<int> from(const Value& value, std::string_view name);
};

/// Not set: null.
template <typename T>
struct SettingType<std::optional<T>> {
  static constexpr ParameterType type = SettingType<T>::type;
  static constexpr int size = SettingType<T>::size;
  static Value value(const std::optional<T>& variable) { return variable ? SettingType<T>::value(*variable) : Value(); }
  static std::optional<T> from(const Value& value, std::string_view name) {
    if (value.isNull()) return std::nullopt;
    return SettingType<T>::from(value, name);
  }
};

}  // namespace mortise
