#include "mortise/pipeline/simulate/command_schedule.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise {

CommandSchedule::CommandSchedule(std::vector<TimedCommand> commands, double start)
    : start_(start), bodies_(std::make_shared<BodyActions>()) {
  bodies_->setStart(start);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (commands[i].action) bodies_->add(i, commands[i].action);
    commands_.push_back({std::move(commands[i]), i, false});
  }
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
  for (next_ = 0; next_ < commands_.size() && due(commands_[next_].command, simulation);) ++next_;
  lastTick_ = simulation.tick();
}

void CommandSchedule::resumeAt(const Simulation& simulation) {
  const double step = simulation.timeStep(), last = now(simulation) - step;
  const auto past = [&](const TimedCommand& command) {
    return command.action ? command.at < last + (1 - 2e-6) * step : command.at <= last;
  };
  for (next_ = 0; next_ < commands_.size() && past(commands_[next_].command);) ++next_;
  lastTick_ = simulation.tick();
}

/// Takes back what a simulation that has gone back has yet to repeat.
void CommandSchedule::goBack(const Simulation& simulation) {
  if (simulation.tick() < lastTick_)
    for (; next_ > 0 && !due(commands_[next_ - 1].command, simulation); --next_)
      if (done_.size() > 0) done_.items().pop_back();
  lastTick_ = simulation.tick();
}

void CommandSchedule::carryOutNext(Simulation& simulation) {
  const TimedCommand done = carryOut(simulation, commands_[next_].command);
  done_.push_back(recordOf(done, simulation.initialWorld(), done.action ? start_ + done.at : simulation.time()));
}

void CommandSchedule::add(TimedCommand command, Simulation& simulation) {
  if (!run(simulation)) throw Error(fault_);
  command.at = simulation.time() - start_;
  // Sorted by time, it stays behind what was carried out before it.
  if (next_ > 0) command.at = std::max(command.at, commands_[next_ - 1].command.at);
  commands_.insert(commands_.begin() + static_cast<std::ptrdiff_t>(next_),
                   {std::move(command), commands_.size(), true});
  try {
    carryOutNext(simulation);
  } catch (...) {
    commands_.erase(commands_.begin() + static_cast<std::ptrdiff_t>(next_));
    throw;
  }
  if (const Entry& entry = commands_[next_]; entry.command.action) bodies_->add(entry.number, entry.command.action);
  ++next_;
}

void CommandSchedule::forgetAdded(double time, const Simulation& simulation) {
  goBack(simulation);
  const double from = time - start_ - 1e-6 * simulation.timeStep();
  const auto first = commands_.begin() + static_cast<std::ptrdiff_t>(next_);
  commands_.erase(
      std::remove_if(first, commands_.end(), [&](const Entry& e) { return e.added && e.command.at >= from; }),
      commands_.end());
}

Value CommandSchedule::added(const Simulation& simulation) const {
  Value list = Value::list();
  for (std::size_t i = 0; i < next_; ++i) {
    if (!commands_[i].added) continue;
    const double at = start_ + commands_[i].command.at;
    Value entry = recordOf(commands_[i].command, simulation.initialWorld(), at);
    entry.erase("time");
    entry.set("at", at);
    list.push_back(std::move(entry));
  }
  return list;
}

bool CommandSchedule::run(Simulation& simulation) {
  goBack(simulation);
  for (; next_ < commands_.size() && due(commands_[next_].command, simulation); ++next_) {
    try {
      carryOutNext(simulation);
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
  for (std::size_t i = 0; i < list.size(); ++i)
    bodies_->addEffect(commands_[first + i].number, simulation, list.items()[i]);
  return list;
}

}  // namespace mortise
