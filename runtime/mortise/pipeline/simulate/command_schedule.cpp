#include "mortise/pipeline/simulate/command_schedule.h"

#include "mortise/base/error.h"

namespace mortise {

CommandSchedule::CommandSchedule(std::vector<TimedCommand> commands, double start)
    : commands_(std::move(commands)), start_(start), bodies_(std::make_shared<BodyActions>()) {
  bodies_->setStart(start);
  for (std::size_t i = 0; i < commands_.size(); ++i)
    if (commands_[i].action) bodies_->add(i, commands_[i].action);
}

/// With some tolerance: times are sums of steps.
double CommandSchedule::now(const Simulation& simulation) const {
  return simulation.time() - start_ + 1e-6 * simulation.timeStep();
}

/// Says whether a command is due before the next step; actions on bodies may begin within it.
bool CommandSchedule::due(const TimedCommand& command, const Simulation& simulation) const {
  const double time = now(simulation);
  return command.action ? command.at < time + (1 - 2e-6) * simulation.timeStep() : command.at <= time;
}

void CommandSchedule::skipTo(const Simulation& simulation) {
  for (next_ = 0; next_ < commands_.size() && due(commands_[next_], simulation);) ++next_;
  lastTick_ = simulation.tick();
}

void CommandSchedule::resumeAt(const Simulation& simulation) {
  const double step = simulation.timeStep(), last = now(simulation) - step;
  const auto past = [&](const TimedCommand& command) {
    return command.action ? command.at < last + (1 - 2e-6) * step : command.at <= last;
  };
  for (next_ = 0; next_ < commands_.size() && past(commands_[next_]);) ++next_;
  lastTick_ = simulation.tick();
}

bool CommandSchedule::run(Simulation& simulation) {
  if (simulation.tick() < lastTick_)
    for (; next_ > 0 && !due(commands_[next_ - 1], simulation); --next_)
      if (done_.size() > 0) done_.items().pop_back();
  lastTick_ = simulation.tick();
  for (; next_ < commands_.size() && due(commands_[next_], simulation); ++next_) {
    try {
      const TimedCommand done = carryOut(simulation, commands_[next_]);
      done_.push_back(recordOf(done, simulation.world(), done.action ? start_ + done.at : simulation.time()));
    } catch (const Error& error) {
      fault_ = error.what();
      return false;
    }
  }
  if (fault_ = bodies_->fault(); !fault_.empty()) return false;
  BodyActions::allowStep(bodies_, simulation);
  return true;
}

Value CommandSchedule::done(const Simulation& simulation) const {
  Value list = done_;
  // Those that were carried out are the last ones before the next.
  const std::size_t first = next_ - list.size();
  for (std::size_t i = 0; i < list.size(); ++i) bodies_->addEffect(first + i, simulation, list.items()[i]);
  return list;
}

}  // namespace mortise
