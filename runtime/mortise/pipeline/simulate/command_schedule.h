#pragma once

#include <functional>
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

  /// Carries out a command that somebody gives while the simulation runs, after those that are due before the next
  /// step. Its time becomes that, so that it is repeated like all others. Throws `Error` for what cannot be, and adds
  /// nothing.
  void add(TimedCommand command, Simulation& simulation);
  /// Forgets what was added from a simulated time (s) on, where the run, which has gone back, is to go on in another
  /// way.
  void forgetAdded(double time, const Simulation& simulation);
  /// Returns what was added and carried out, as entries of `commands` whose times (s) are simulated ones; a list.
  Value added(const Simulation& simulation) const;

  const std::string& fault() const { return fault_; }
  /// Returns what was carried out, as `recordOf`; a list. Actions on bodies also say in how many steps they acted.
  Value done(const Simulation& simulation) const;
  const BodyActions& bodies() const { return *bodies_; }
  /// Warns of velocities that later commands replaced; of each once.
  void warnOfReplaced(const World& world, LogSink& log) { bodies_->warnOfReplaced(world, log); }
  /// The first one that is left; null: all were carried out.
  const TimedCommand* next() const { return next_ < commands_.size() ? &commands_[next_].command : nullptr; }

 private:
  double now(const Simulation& simulation) const;
  bool due(const TimedCommand& command, const Simulation& simulation) const;
  void goBack(const Simulation& simulation);
  void carryOutNext(Simulation& simulation);

  struct Entry {
    TimedCommand command;
    std::size_t number = 0;  ///< By which actions on bodies know it.
    bool added = false;      ///< Given while the simulation ran.
  };
  std::vector<Entry> commands_;
  double start_;
  std::size_t next_ = 0;
  std::int64_t lastTick_ = 0;
  std::string fault_;
  Value done_ = Value::list();
  std::shared_ptr<BodyActions> bodies_;
};

/// Runs a simulation for some seconds in place of `Simulation::advance`, for who lets people take part in it.
using RunControl = std::function<StepStatus(Simulation& simulation, CommandSchedule& commands, double seconds,
                                            const std::function<bool()>& keepGoing)>;

}  // namespace mortise
