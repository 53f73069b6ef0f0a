#pragma once

/// A settings struct as a setting of another one: a map.
///
///   struct StopSettings { ... void bind(SettingBinder& b); };
///   struct PlanSettings {
///     std::optional<StopSettings> stop;
///     void bind(SettingBinder& b) { b.add("stop", stop, "When to stop."); }
///   };

#include <concepts>
#include <string>

#include "mortise/settings/settings.h"

namespace mortise {

template <typename S>
concept BindsSettings = requires(S& settings, SettingBinder& binder) {
  { settings.bind(binder) } -> std::same_as<void>;
};

template <BindsSettings S>
struct SettingType<S> {
  static constexpr ParameterType type = ParameterType::map;
  static constexpr int size = -1;
  static Value value(S settings) {
    SettingBinder binder;
    settings.bind(binder);
    return binder.values();
  }
  /// Throws `Error` with all problems of the map and their positions.
  static S from(const Value& value, std::string_view name) {
    return readSettings<S>(value, "'" + std::string(name) + "'");
  }
};

}  // namespace mortise
