#pragma once

#include <cstdint>

#include "mortise/base/bytes.h"

namespace mortise {

/// True when something that runs at `rate` is due at this tick: at tick 0, and whenever the count of whole periods
/// grows.
bool dueAt(std::int64_t tick, double timeStep, double rate);

/// The time of a simulation, counted in physics steps (ticks), so that it gathers no rounding.
class SimulationClock {
 public:
  double time() const { return timeBase_ + static_cast<double>(tick_ - tickBase_) * timeStep_; }  ///< s
  std::int64_t tick() const { return tick_; }
  double timeStep() const { return timeStep_; }  ///< s
  /// For a positive, finite step. Rates are counted from here on.
  void setTimeStep(double seconds);
  void advance() { ++tick_; }  ///< By one step.
  /// Whether what runs at `rate` (Hz) runs before the next step.
  bool due(double rate) const { return dueAt(tick_ - tickBase_, timeStep_, rate); }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);
  /// Throws `Error` for a state that no simulation can have.
  void requireSound() const;

 private:
  double timeStep_ = 0.001;
  double timeBase_ = 0;  ///< Time at `tickBase_`, where the time step was set last.
  std::int64_t tickBase_ = 0;
  std::int64_t tick_ = 0;
};

}  // namespace mortise
