#include "mortise/pipeline/simulate/command_schedule.h"

#include "mortise/base/error.h"

namespace mortise {

/// With some tolerance: times are sums of steps.
double CommandSchedule::now(const Simulation& simulation) const {
  return simulation.time() - start_ + 1e-6 * simulation.timeStep();
}

void CommandSchedule::skipTo(const Simulation& simulation) {
  for (next_ = 0; next_ < commands_.size() && commands_[next_].at <= now(simulation);) ++next_;
  lastTick_ = simulation.tick();
}

bool CommandSchedule::run(Simulation& simulation) {
  const double time = now(simulation);
  if (simulation.tick() < lastTick_)
    for (; next_ > 0 && commands_[next_ - 1].at > time; --next_)
      if (done_.size() > 0) done_.items().pop_back();
  lastTick_ = simulation.tick();
  for (; next_ < commands_.size() && commands_[next_].at <= time; ++next_) {
    try {
      const TimedCommand done = carryOut(simulation, commands_[next_]);
      done_.push_back(recordOf(done, simulation.world(), simulation.time()));
    } catch (const Error& error) {
      fault_ = error.what();
      return false;
    }
  }
  return true;
}

}  // namespace mortise
