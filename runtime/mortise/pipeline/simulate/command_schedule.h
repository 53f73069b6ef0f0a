#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/pipeline/simulate/timed_command.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Carries out the commands of a run when they are due, also where the run goes back and repeats what was.
class CommandSchedule {
 public:
  /// `commands` by time, counted from `start` (s).
  explicit CommandSchedule(std::vector<TimedCommand> commands, double start = 0);

  void setStart(double start) {
    start_ = start;
    bodies_->setStart(start);
  }
  /// Sets the simulated time at which the run ends.
  void setEnd(double end) { bodies_->setEnd(end); }
  /// The state of the simulation was saved after what was due before its next step: this is not carried out again.
  void skipTo(const Simulation& simulation);
  /// Goes on between two steps: what was due before the last one is past, carried out or not, and what is due now is
  /// not.
  void resumeAt(const Simulation& simulation);
  /// Everything that is due before the next step. False where one failed, which `fault` then tells.
  bool run(Simulation& simulation);

  const std::string& fault() const { return fault_; }
  /// Returns what was carried out, as `recordOf`; a list. Actions on bodies also say in how many steps they acted.
  Value done(const Simulation& simulation) const;
  const BodyActions& bodies() const { return *bodies_; }
  /// Warns of velocities that later commands replaced; of each once.
  void warnOfReplaced(const World& world, LogSink& log) { bodies_->warnOfReplaced(world, log); }
  /// The first one that is left; null: all were carried out.
  const TimedCommand* next() const { return next_ < commands_.size() ? &commands_[next_] : nullptr; }

 private:
  double now(const Simulation& simulation) const;
  bool due(const TimedCommand& command, const Simulation& simulation) const;

  std::vector<TimedCommand> commands_;
  double start_;
  std::size_t next_ = 0;
  std::int64_t lastTick_ = 0;
  std::string fault_;
  Value done_ = Value::list();
  std::shared_ptr<BodyActions> bodies_;
};

}  // namespace mortise
