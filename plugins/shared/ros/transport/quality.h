#pragma once

#include <cstdint>

namespace mortise::ros {

/// What a topic promises (QoS of ROS 2). On ROS 1 `transientLocal` is a latched topic, and all topics are reliable.
struct Quality {
  enum class Reliability : std::uint8_t { reliable, bestEffort } reliability = Reliability::reliable;
  enum class Durability : std::uint8_t { volatileOnly, transientLocal } durability = Durability::volatileOnly;
  int depth = 10;  ///< Messages that are kept for a reader that is slow, or late.

  bool operator==(const Quality&) const = default;
};

/// ROS 2's profile of sensors.
inline constexpr Quality kSensorQuality = {Quality::Reliability::bestEffort, Quality::Durability::volatileOnly, 5};
/// What is said once and must reach those who come later: `robot_description`, `tf_static`.
inline constexpr Quality kLatchedQuality = {Quality::Reliability::reliable, Quality::Durability::transientLocal, 1};

}  // namespace mortise::ros
