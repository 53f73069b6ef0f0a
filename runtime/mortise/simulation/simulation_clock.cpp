#include "mortise/simulation/simulation_clock.h"

#include <cmath>

#include "mortise/simulation/snapshot_bytes.h"

namespace mortise {

bool dueAt(std::int64_t tick, double timeStep, double rate) {
  if (tick == 0) return true;
  const double perTick = timeStep * rate;
  constexpr double kSlack = 1e-9;  // 100 Hz at 1 ms is due at tick 10, though 10 * 0.001 * 100 may come out below 1.
  return std::floor(static_cast<double>(tick) * perTick + kSlack) !=
         std::floor(static_cast<double>(tick - 1) * perTick + kSlack);
}

void SimulationClock::setTimeStep(double seconds) {
  timeBase_ = time();
  tickBase_ = tick_;
  timeStep_ = seconds;
}

void SimulationClock::save(ByteWriter& out) const {
  out.put(tick_);
  out.put(timeStep_);
  out.put(timeBase_);
  out.put(tickBase_);
}

void SimulationClock::restore(ByteReader& in) {
  in.get(tick_);
  in.get(timeStep_);
  in.get(timeBase_);
  in.get(tickBase_);
}

void SimulationClock::requireSound() const {
  constexpr std::int64_t kMaxTick = std::int64_t{1} << 53;  // Beyond, times of ticks would no longer be exact.
  requireUndamaged(timeStep_ > 0 && std::isfinite(timeStep_) && std::isfinite(timeBase_),
                   "its time is not a positive, finite number");
  requireUndamaged(tick_ >= 0 && tickBase_ >= 0 && tickBase_ <= tick_ && tick_ < kMaxTick, "its ticks are impossible");
}

}  // namespace mortise
