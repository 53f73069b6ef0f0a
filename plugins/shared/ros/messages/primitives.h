#pragma once

/// The types that fields of ROS messages have besides numbers, texts and other messages.

#include <cstdint>
#include <string>

namespace mortise::ros {

/// `time` of ROS 1 and `builtin_interfaces/Time` of ROS 2.
struct Time {
  std::int64_t sec = 0;
  std::uint32_t nanosec = 0;
  bool operator==(const Time&) const = default;
};

/// `duration` of ROS 1 and `builtin_interfaces/Duration` of ROS 2; negative ones have a negative `sec`.
struct Duration {
  std::int64_t sec = 0;
  std::uint32_t nanosec = 0;
  bool operator==(const Duration&) const = default;
};

/// Rounds to nanoseconds.
Time timeFrom(double seconds);
Duration durationFrom(double seconds);
double secondsOf(const Time& time);
double secondsOf(const Duration& duration);
/// Nanoseconds since the zero of the clock.
std::int64_t nanosecondsOf(const Time& time);
Time timeFromNanoseconds(std::int64_t nanoseconds);

/// `std_msgs/Header`.
struct Header {
  std::uint32_t seq = 0;  ///< On ROS 1 only.
  Time stamp;
  std::string frame_id;
  static constexpr const char* kPackage = "std_msgs";
  static constexpr const char* kName = "Header";
  template <class V, class M>
  static void visit(V& v, M& m) {
    v.ros1Only("seq", m.seq);
    v.field("stamp", m.stamp);
    v.field("frame_id", m.frame_id);
  }
  bool operator==(const Header&) const = default;
};

}  // namespace mortise::ros
