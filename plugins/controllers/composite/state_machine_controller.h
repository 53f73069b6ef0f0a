#pragma once

#include <optional>

#include "composite/switching_controller.h"
#include "mortise/control/sensor_condition.h"

namespace mortise::controllers {

/// An entry of `transitions`.
struct TransitionEntry {
  Value from;
  PlacedText to;
  std::optional<double> after;  ///< s
  Value when;
  PlacedText command;
  void bind(SettingBinder& b);
};

struct StateMachineSettings {
  Value states, transitions, initial;
  std::string file;
  void bind(SettingBinder& b);
};

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
    std::optional<SensorCondition> when;
    int event = -1;  ///< Into `events_`.
  };

  int initial() const override { return initial_; }
  void begin(const ControllerSetup& setup) override;
  int decide(const ControllerInput& input, double period) override;
  void entered(const ControllerInput& input, bool decided) override;
  bool switchCommand(std::string_view name, const Value& arguments) override;
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

}  // namespace mortise::controllers
