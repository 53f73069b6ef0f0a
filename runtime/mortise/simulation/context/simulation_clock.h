#pragma once

#include <cstdint>

#include "mortise/base/bytes.h"

namespace mortise {

/// True when something that runs at `rate` is due at this tick: at tick 0, and whenever the count of whole periods
/// grows.
bool dueAt(std::int64_t tick, double timeStep, double rate);

/// Steps that make a time: so many whole ones, then one of another size.
struct StepCount {
  std::int64_t full = 0;
  double last = 0;  ///< s; 0: there is none.
  std::int64_t total() const { return full + (last > 0 ? 1 : 0); }
};

/// The steps of `dt` in a time, at a time `now` of the simulation. What whole steps leave over is a step of its own;
/// less than a thousandth of a step makes the last one longer instead, and rounding (1e-9 of a step, and of `now`)
/// makes none. Throws `Error` for a time that is negative or not a number, or that holds more steps than can be
/// counted.
StepCount stepsIn(double seconds, double dt, double now);

/// The time of a simulation, counted in physics steps (ticks), so that it gathers no rounding. A step may be of another
/// size than the others; rates go on through it in seconds.
class SimulationClock {
 public:
  double time() const { return timeBase_ + static_cast<double>(tick_ - tickBase_) * timeStep_; }  ///< s
  std::int64_t tick() const { return tick_; }
  double timeStep() const { return timeStep_; }  ///< s
  /// Size of the step that is being made, or of the next one: the time step, but between `beginStepOf` and `endStepOf`.
  double stepSize() const { return odd_ > 0 ? odd_ : timeStep_; }
  /// For a positive, finite step. Rates are counted from here on.
  void setTimeStep(double seconds);
  /// The next step is of another size.
  void beginStepOf(double seconds);
  void endStepOf() { odd_ = 0; }
  void advance();  ///< By one step.
  /// Says whether what runs at `rate` (Hz) runs before the next step.
  bool due(double rate) const;

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);
  /// Throws `Error` for a state that no simulation can have.
  void requireSound() const;

 private:
  double timeStep_ = 0.001;
  double timeBase_ = 0;  ///< Time at `tickBase_`, where the time step was set last, or a step of its own size ended.
  std::int64_t tickBase_ = 0;
  std::int64_t tick_ = 0;
  double odd_ = 0;             ///< Size of the step that is being made when it is of its own size.
  double rateTime_ = 0;        ///< Since rates are counted, at `tickBase_`; 0: they are counted from there.
  double rateTimeBefore_ = 0;  ///< The same one tick before.
};

}  // namespace mortise
