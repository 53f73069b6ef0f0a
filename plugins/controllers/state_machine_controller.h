#pragma once

#include <optional>

#include "composite_switch.h"
#include "state_machine_condition.h"

namespace mortise {

/// Runs one controller a state, and goes from state to state on conditions over sensors, after times, and on commands.
class StateMachineController final : public SwitchingController {
 public:
  explicit StateMachineController(const ComponentContext& context);

 private:
  struct Transition {
    std::vector<bool> from;  ///< By state.
    bool anywhere = false;   ///< From any state but its target.
    int to = 0;
    std::optional<double> after;  ///< s
    std::optional<Condition> when;
    int event = -1;  ///< Into `events_`.
  };

  int initial() const override { return initial_; }
  void begin(const ControllerSetup& setup) override;
  int decide(const ControllerInput& input, double period) override;
  void entered(const ControllerInput& input, bool decided) override;
  bool ownCommand(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> ownCommands() const override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;

  Transition readTransition(const Value& item);
  bool leaves(const Transition& transition, int state) const;

  int initial_ = 0;
  std::vector<Transition> transitions_;
  std::vector<std::string> events_;  ///< Names of commands that transitions wait for.
  int event_ = -1;                   ///< Given since the last update.
};

template <typename Builder>
void declareStateMachine(Builder& builder) {
  builder
      .parameter("states", ParameterType::any,
                 "List of {name, controller, on_enter, settings of the controller...}: what runs in each state.")
      .parameter("transitions", ParameterType::any,
                 "List of {from, to, after, when, command}: the first one whose triggers all hold is taken.")
      .parameter("initial", ParameterType::string, "State at the start; absent: the first in the list.");
}

}  // namespace mortise
