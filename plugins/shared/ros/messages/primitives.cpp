#include "ros/messages/primitives.h"

#include <cmath>

namespace mortise::ros {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

template <class T>
T split(std::int64_t nanoseconds) {
  std::int64_t sec = nanoseconds / kSecond, rest = nanoseconds % kSecond;
  if (rest < 0) {
    --sec;
    rest += kSecond;
  }
  return {sec, static_cast<std::uint32_t>(rest)};
}

/// Whole seconds and their rest apart, so that times of a real clock keep their nanoseconds as far as a number can.
template <class T>
T splitSeconds(double seconds) {
  const double full = std::floor(seconds);
  const auto rest = static_cast<std::int64_t>(std::llround((seconds - full) * 1e9));
  return split<T>(static_cast<std::int64_t>(full) * kSecond + rest);
}

}  // namespace

Time timeFrom(double seconds) { return splitSeconds<Time>(seconds); }
Duration durationFrom(double seconds) { return splitSeconds<Duration>(seconds); }
double secondsOf(const Time& time) { return static_cast<double>(time.sec) + time.nanosec / 1e9; }
double secondsOf(const Duration& duration) { return static_cast<double>(duration.sec) + duration.nanosec / 1e9; }
std::int64_t nanosecondsOf(const Time& time) { return time.sec * kSecond + time.nanosec; }
Time timeFromNanoseconds(std::int64_t nanoseconds) { return split<Time>(nanoseconds); }

}  // namespace mortise::ros
