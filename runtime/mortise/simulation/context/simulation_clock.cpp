#include "mortise/simulation/context/simulation_clock.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/simulation/context/snapshot_bytes.h"

namespace mortise {

namespace {

constexpr double kRateSlack = 1e-9;  // 100 Hz at 1 ms is due at tick 10, though 10 * 0.001 * 100 may come out below 1.

}  // namespace

bool dueAt(std::int64_t tick, double timeStep, double rate) {
  if (tick == 0) return true;
  const double perTick = timeStep * rate;
  return std::floor(static_cast<double>(tick) * perTick + kRateSlack) !=
         std::floor(static_cast<double>(tick - 1) * perTick + kRateSlack);
}

StepCount stepsIn(double seconds, double dt, double now) {
  const double steps = seconds / dt;
  if (!(seconds >= 0) || !(steps < 9e15))
    throw Error("a simulation cannot go on for " + formatReal(seconds) + " s in steps of " + formatReal(dt) + " s", {},
                "give a time from zero up to 9e15 steps");
  constexpr double kRounding = 1e-9, kShort = 1e-3;  // Of a step.
  const double noise = std::max(kRounding * dt, 4 * std::numeric_limits<double>::epsilon() * (std::abs(now) + seconds));
  StepCount count;
  count.full = static_cast<std::int64_t>(steps);
  double rest = std::fma(-static_cast<double>(count.full), dt, seconds);
  if (dt - rest <= noise) {
    ++count.full;
    rest = 0;
  }
  if (rest <= noise) return count;
  if (rest < kShort * dt && count.full > 0) {
    --count.full;
    rest += dt;
  }
  count.last = rest;
  return count;
}

void SimulationClock::setTimeStep(double seconds) {
  timeBase_ = time();
  tickBase_ = tick_;
  timeStep_ = seconds;
  rateTime_ = rateTimeBefore_ = 0;
}

void SimulationClock::beginStepOf(double seconds) {
  const std::int64_t ticks = tick_ - tickBase_;
  if (ticks > 0) {
    timeBase_ = time();
    rateTimeBefore_ = rateTime_ + static_cast<double>(ticks - 1) * timeStep_;
    rateTime_ += static_cast<double>(ticks) * timeStep_;
    tickBase_ = tick_;
  }
  odd_ = seconds;
}

void SimulationClock::advance() {
  ++tick_;
  if (!(odd_ > 0)) return;
  tickBase_ = tick_;
  timeBase_ += odd_;
  rateTimeBefore_ = rateTime_;
  rateTime_ += odd_;
}

bool SimulationClock::due(double rate) const {
  const std::int64_t ticks = tick_ - tickBase_;
  if (rateTime_ == 0) return dueAt(ticks, timeStep_, rate);
  const double now = rateTime_ + static_cast<double>(ticks) * timeStep_;
  const double before = ticks > 0 ? rateTime_ + static_cast<double>(ticks - 1) * timeStep_ : rateTimeBefore_;
  return std::floor(now * rate + kRateSlack) != std::floor(before * rate + kRateSlack);
}

void SimulationClock::save(ByteWriter& out) const {
  out.put(tick_);
  out.put(timeStep_);
  out.put(timeBase_);
  if (rateTime_ == 0) return out.put(tickBase_);
  out.put(-1 - tickBase_);  // Says that two more numbers follow.
  out.put(rateTime_);
  out.put(rateTimeBefore_);
}

void SimulationClock::restore(ByteReader& in) {
  in.get(tick_);
  in.get(timeStep_);
  in.get(timeBase_);
  in.get(tickBase_);
  odd_ = rateTime_ = rateTimeBefore_ = 0;
  if (tickBase_ >= 0) return;
  tickBase_ = -1 - tickBase_;
  in.get(rateTime_);
  in.get(rateTimeBefore_);
}

void SimulationClock::requireSound() const {
  constexpr std::int64_t kMaxTick = std::int64_t{1} << 53;  // Beyond, times of ticks would no longer be exact.
  requireUndamaged(timeStep_ > 0 && std::isfinite(timeStep_) && std::isfinite(timeBase_),
                   "its time is not a positive, finite number");
  requireUndamaged(tick_ >= 0 && tickBase_ >= 0 && tickBase_ <= tick_ && tick_ < kMaxTick, "its ticks are impossible");
  requireUndamaged(rateTimeBefore_ >= 0 && rateTimeBefore_ <= rateTime_ && std::isfinite(rateTime_),
                   "the time that its rates are counted in is impossible");
}

}  // namespace mortise
