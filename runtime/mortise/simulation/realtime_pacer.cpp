#include "mortise/simulation/realtime_pacer.h"

#include <algorithm>
#include <thread>

#include "mortise/base/value_text.h"

namespace mortise {

namespace {

constexpr auto kSlice = std::chrono::milliseconds(50);
/// Shorter ones than this are not worth going to sleep for.
constexpr auto kShortest = std::chrono::microseconds(500);
/// The time that a busy machine may lose now and then and catch up.
constexpr auto kLate = std::chrono::milliseconds(200);

}  // namespace

void RealtimePacer::keep(double simulatedTime, const std::function<bool()>& stopRequested) {
  if (!(factor_ > 0)) return;
  Clock::time_point now = Clock::now();
  if (!start_) {
    start_ = now;
    startTime_ = simulatedTime;
  }
  const auto due = *start_ + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>((simulatedTime - startTime_) / factor_));
  if (now > due + kLate) {
    start_ = now;
    startTime_ = simulatedTime;
    if (!said_)
      log_.write(LogLevel::warning, "simulation",
                 "cannot keep pace with the clock (first at t = " + formatReal(simulatedTime) + " s)");
    said_ = true;
    return;
  }
  for (; due - now > kShortest; now = Clock::now()) {
    std::this_thread::sleep_for(std::min<Clock::duration>(due - now, kSlice));
    if (stopRequested && stopRequested()) return;
  }
}

}  // namespace mortise
