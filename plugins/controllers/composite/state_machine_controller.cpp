#include "composite/state_machine_controller.h"

#include <algorithm>

#include "command_arguments.h"
#include "mortise/base/error.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

namespace {

Schema stateSchema() {
  return Schema().parameter("on_enter", ParameterType::any, "Commands given to the controller when it is entered.");
}

Schema transitionSchema() {
  return Schema()
      .parameter("from", ParameterType::any, "State or list of states; absent or '*': every other one.")
      .parameter("to", ParameterType::string, "State.", {.required = true})
      .parameter("after", ParameterType::real, "Time in the state.", {.min = 0, .unit = "s"})
      .parameter("when", ParameterType::any, "Condition over sensors.")
      .parameter("command", ParameterType::string, "Command that has been given.");
}

}  // namespace

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
  create(readChildren(settings.states, "state", "state", stateSchema(), diagnostics), diagnostics);
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
  const Value complete = transitionSchema().complete(item, "a transition", found);
  for (Diagnostic problem : found.all()) {
    if (problem.where.file.empty()) problem.where = item.position();
    placed.add(std::move(problem));
  }
  throwIfErrors(placed);
  Transition transition;
  transition.from.assign(children().size(), false);
  const Value& from = complete.at("from");
  if (from.isNull() || (from.isString() && from.asString() == "*")) {
    transition.anywhere = true;
  } else {
    const std::vector<Value> states = from.isList() ? from.items() : std::vector<Value>{from};
    for (const Value& state : states) {
      if (!state.isScalar()) throw Error("'from' names no state", state.position(), "write the name of a state");
      transition.from[childCalled(state.text(), state.position())] = true;
    }
  }
  transition.to = childCalled(complete.at("to").asString(), complete.at("to").position());
  if (const Value& after = complete.at("after"); !after.isNull()) transition.after = after.asReal();
  if (const Value& when = complete.at("when"); !when.isNull()) {
    if (!when.isScalar()) throw Error("'when' is no condition", when.position(), "write \"sensor.channel > 0.5\"");
    transition.when.emplace(when);
  }
  if (const Value& command = complete.at("command"); !command.isNull()) {
    const std::string& name = command.asString();
    if (name.empty() || name == "go" || name.find('.') != std::string::npos)
      throw Error("'" + name + "' cannot be the command of a transition", command.position(),
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

bool StateMachineController::ownCommand(std::string_view name, const Value& arguments) {
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
