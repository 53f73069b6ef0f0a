#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mortise {

/// Kinds of components. The order is part of the binary interface: append, never reorder.
enum class Kind : std::int32_t {
  physics,
  controller,
  sensor,
  planner,
  format,
  stage,
  estimator,
  recorder,
  hardware,
  metric
};
constexpr int kNumKinds = 10;

std::string_view kindName(Kind kind);
std::optional<Kind> kindFromName(std::string_view name);

/// Version of each kind's interface. A plugin runs when the major numbers are equal and its minor is not newer.
struct InterfaceVersion {
  std::int16_t major = 1;
  std::int16_t minor = 0;
  bool operator==(const InterfaceVersion&) const = default;
};
InterfaceVersion interfaceVersion(Kind kind);

}  // namespace mortise
