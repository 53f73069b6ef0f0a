#include "composite/switching_controller.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

void EnteredEntry::bind(SettingBinder& b) {
  b.add("on_enter", onEnter, "Commands given to the controller when it is entered.");
  ChildEntry::bind(b);
}

int SwitchingController::childCalled(const std::string& name, const SourcePosition& where) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < children().size(); ++i) {
    if (children()[i].name() == name) return static_cast<int>(i);
    names.push_back(children()[i].name());
  }
  throw Error("there is no " + std::string(kind()) + " '" + name + "'", where, suggestAndList(name, names));
}

void SwitchingController::startChild(int child) {
  this->child(child).start({*robot_, period_, q_, gravity_, sensors_, world_, robotIndex_});
}

void SwitchingController::giveEntryCommands(int child) {
  for (const EntryCommand& command : entry_[child]) this->child(child).command(command.name, command.arguments);
}

void SwitchingController::start(const ControllerSetup& setup) {
  robot_ = &setup.robot;
  period_ = setup.period;
  gravity_ = setup.gravity;
  sensors_ = setup.sensors;
  world_ = setup.world;
  robotIndex_ = setup.robotIndex;
  q_ = setup.q;
  requested_ = -1;
  running_ = false;
  enteredTime_ = 0;
  enteredTick_ = 0;
  presets_.assign(robot_->numDrivers(), {});
  // All of them, not only the first: what is wrong with one shows now, and what they need has been allocated.
  for (std::size_t i = 0; i < children().size(); ++i) {
    startChild(static_cast<int>(i));
    for (const EntryCommand& command : entry_[i])
      children()[i].requireCommand(
          command.name, command.arguments.position().known() ? command.arguments.position() : children()[i].where());
  }
  active_ = initial();
  begin(setup);
  giveEntryCommands(active_);
}

void SwitchingController::enter(int child, const ControllerInput& input, std::span<ActuatorCommand> commands) {
  if (input.estimate != nullptr) q_ = input.estimate->q;
  // What a servo is asked for goes on from there, so that it does not jump by what it lags behind.
  for (int i = 0; i < robot_->numDrivers(); ++i)
    if (commands[i].mode == ActuatorCommand::Mode::pid) setDriverValue(*robot_, i, commands[i].position, q_);
  std::copy(presets_.begin(), presets_.end(), commands.begin());
  active_ = child;
  enteredTime_ = input.time;
  enteredTick_ = input.tick;
  startChild(child);
  giveEntryCommands(child);
}

void SwitchingController::update(const ControllerInput& input, double period, std::span<ActuatorCommand> commands) {
  if (!running_) {
    running_ = true;
    std::copy(commands.begin(), commands.end(), presets_.begin());
    enteredTime_ = input.time;
    enteredTick_ = input.tick;
    entered(input, false);
  }
  const int requested = requested_;
  requested_ = -1;
  const int next = requested >= 0 ? requested : decide(input, period);
  if (next >= 0) {
    enter(next, input, commands);
    entered(input, requested < 0);
  }
  ControllerInput own = input;
  own.time = input.time - enteredTime_;
  own.tick = input.tick - enteredTick_;
  child(active_).update(own, period, commands);
  const double active = active_;
  host_.publish("active", std::span(&active, 1));
}

bool SwitchingController::ownCommand(std::string_view name, const Value& arguments) {
  return switchCommand(name, arguments) || child(active_).tryCommand(name, arguments);
}

void SwitchingController::requireListening(int child, const SourcePosition& where) const {
  if (child != active_)
    throw Error(std::string(kind()) + " '" + children()[child].name() + "' is not the active one, which is '" +
                    children()[active_].name() + "'",
                where, "commands in its 'on_enter' are given whenever it is entered");
}

void SwitchingController::addOwnSettings(Value& settings) const {
  if (!children().empty()) settings.set("active", children()[active_].name());
}

void SwitchingController::save(ByteWriter& out) const {
  for (const int number : {active_, requested_, running_ ? 1 : 0}) out.put(static_cast<std::int32_t>(number));
  out.put(enteredTime_);
  out.put(enteredTick_);
  out.put(std::span<const double>(q_.data(), q_.size()));
  putCommands(out, presets_);
  for (const ChildController& child : children()) child.save(out);
  saveState(out);
}

void SwitchingController::restore(ByteReader& in) {
  const auto active = in.get<std::int32_t>(), requested = in.get<std::int32_t>(), running = in.get<std::int32_t>();
  const int count = static_cast<int>(children().size());
  if (active < 0 || active >= count || requested < -1 || requested >= count || running < 0 || running > 1)
    throw Error("snapshot holds a " + std::string(kind()) + " that does not exist");
  const auto time = in.get<double>();
  const auto tick = in.get<std::int64_t>();
  VectorXd q(q_.size());
  in.get(std::span<double>(q.data(), q.size()));
  if (!std::isfinite(time) || !q.allFinite()) throw Error("snapshot holds a number that is not finite");
  getCommands(in, presets_);
  active_ = active;
  requested_ = requested;
  running_ = running == 1;
  enteredTime_ = time;
  enteredTick_ = tick;
  q_ = q;
  // What a child derives from where it started, it need not save.
  startChild(active_);
  for (std::size_t i = 0; i < children().size(); ++i) child(static_cast<int>(i)).restore(in);
  restoreState(in);
}

}  // namespace mortise::controllers
