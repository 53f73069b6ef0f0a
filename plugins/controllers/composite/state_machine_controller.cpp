#include "composite/state_machine_controller.h"

#include <algorithm>

#include "common/command_arguments.h"
#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

void TransitionEntry::bind(SettingBinder& b) {
  b.add("from", from, "State or list of states; absent or '*': every other one.");
  b.add("to", to, "State.", {.required = true});
  b.add("after", after, "Time in the state.", {.min = 0, .unit = "s"});
  b.add("when", when, "Condition over sensors.");
  b.add("command", command, "Command that has been given.");
}

void StateMachineSettings::bind(SettingBinder& b) {
  b.add("states", states,
        "List of {name, controller, on_enter, settings of the controller...}: what runs in each state.");
  b.add("transitions", transitions,
        "List of {from, to, after, when, command}: the first one whose triggers all hold is taken.");
  b.add("initial", initial, "State at the start; absent: the first in the list.");
  bindFile(b, file);
}

StateMachineController::StateMachineController(const ComponentContext& context)
    : SwitchingController(context.host, "state") {
  const auto settings = structureFrom<StateMachineSettings>(context, {"states", "transitions"});
  Diagnostics diagnostics;
  create(readChildren<EnteredEntry>(settings.states, {"state", "state"}, diagnostics), diagnostics);
  throwIfErrors(diagnostics);

  const auto attempt = [&](auto&& action) {
    try {
      action();
    } catch (const Error& e) {
      diagnostics.error(e);
    }
  };
  if (const Value& initial = settings.initial; !initial.isNull())
    attempt([&] { initial_ = childCalled(initial.text(), initial.position()); });
  const Value& transitions = settings.transitions;
  if (!transitions.isNull() && !transitions.isList())
    diagnostics.error("'transitions' is not a list", transitions.position(),
                      "write - {from: STATE, to: STATE, after: 2 s}");
  for (const Value& item : transitions.items()) attempt([&] { transitions_.push_back(readTransition(item)); });
  throwIfErrors(diagnostics);
}

StateMachineController::Transition StateMachineController::readTransition(const Value& item) {
  if (!item.isMap())
    throw Error("a transition is a map, not " + std::string(Value::typeName(item.type())), item.position(),
                "write - {from: STATE, to: STATE, after: 2 s}");
  Diagnostics found, placed;
  const auto given = readSettings<TransitionEntry>(item, "a transition", found);
  addPlaced(found, item.position(), placed);
  throwIfErrors(placed);
  Transition transition;
  transition.from.assign(children().size(), false);
  const Value& from = given->from;
  if (from.isNull() || (from.isString() && from.asString() == "*")) {
    transition.anywhere = true;
  } else {
    const std::vector<Value> states = from.isList() ? from.items() : std::vector<Value>{from};
    for (const Value& state : states) {
      if (!state.isScalar()) throw Error("'from' names no state", state.position(), "write the name of a state");
      transition.from[childCalled(state.text(), state.position())] = true;
    }
  }
  transition.to = childCalled(given->to.text, given->to.where);
  transition.after = given->after;
  if (const Value& when = given->when; !when.isNull()) {
    if (!when.isScalar()) throw Error("'when' is no condition", when.position(), "write \"sensor.channel > 0.5\"");
    transition.when.emplace(when);
  }
  if (const auto& [name, where] = given->command; !name.empty() || where.known()) {
    if (name.empty() || name == "go" || name.find('.') != std::string::npos)
      throw Error("'" + name + "' cannot be the command of a transition", where,
                  name == "go" ? "'go' is there already" : "choose a name without dots");
    const auto at = std::find(events_.begin(), events_.end(), name);
    transition.event = static_cast<int>(at - events_.begin());
    if (at == events_.end()) events_.push_back(name);
  }
  if (!transition.after && !transition.when && transition.event < 0)
    throw Error("a transition to '" + children()[transition.to].name() + "' does not say when it happens",
                item.position(), "give it 'after', 'when' or 'command'");
  return transition;
}

void StateMachineController::begin(const ControllerSetup& setup) {
  event_ = -1;
  for (Transition& transition : transitions_)
    if (transition.when) transition.when->resolve(setup.sensors);
}

bool StateMachineController::leaves(const Transition& transition, int state) const {
  return transition.anywhere ? transition.to != state : transition.from[state];
}

int StateMachineController::decide(const ControllerInput& input, double) {
  // Times are whole numbers of steps, and sums of these are exact only to rounding.
  const double time = elapsed(input), slack = 1e-9;
  for (const Transition& transition : transitions_) {
    if (!leaves(transition, active())) continue;
    if (transition.event >= 0 && transition.event != event_) continue;
    if (transition.after && time < *transition.after - slack) continue;
    if (transition.when && !transition.when->holds(input.sensors, time)) continue;
    event_ = -1;
    return transition.to;
  }
  event_ = -1;
  return -1;
}

void StateMachineController::entered(const ControllerInput&, bool decided) {
  if (decided) event_ = -1;
}

bool StateMachineController::switchCommand(std::string_view name, const Value& arguments) {
  if (name == "go") {
    request(childCalled(childNameFrom(name, "state", arguments), arguments.position()));
    return true;
  }
  const auto at = std::find(events_.begin(), events_.end(), name);
  if (at == events_.end()) return false;
  const int event = static_cast<int>(at - events_.begin());
  const bool expected = std::any_of(transitions_.begin(), transitions_.end(), [&](const Transition& transition) {
    return transition.event == event && leaves(transition, active());
  });
  if (!expected)
    throw Error("state '" + children()[active()].name() + "' has no transition on '" + *at + "'", arguments.position(),
                "'go' goes to a state from anywhere");
  requireNoArguments(name, arguments);
  event_ = event;
  return true;
}

std::vector<std::pair<std::string, std::string>> StateMachineController::ownCommands() const {
  std::vector<std::pair<std::string, std::string>> list = {{"go", "{state: NAME}: enters this state"}};
  for (const std::string& event : events_) {
    std::string targets;
    for (const Transition& transition : transitions_)
      if (transition.event >= 0 && events_[transition.event] == event)
        targets += (targets.empty() ? "" : ", ") + children()[transition.to].name();
    list.emplace_back(event, "takes the transition that waits for it, to " + targets);
  }
  return list;
}

void StateMachineController::saveState(ByteWriter& out) const { out.put(static_cast<std::int32_t>(event_)); }

void StateMachineController::restoreState(ByteReader& in) {
  const auto event = in.get<std::int32_t>();
  if (event < -1 || event >= static_cast<int>(events_.size()))
    throw Error("snapshot holds a command that no transition waits for");
  event_ = event;
}

}  // namespace mortise::controllers
