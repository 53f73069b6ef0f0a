#pragma once

#include <optional>

#include "composite/switching_controller.h"

namespace mortise::controllers {

/// An entry of `steps`.
struct StepEntry : EnteredEntry {
  Placed<std::optional<double>> duration;  ///< s; absent: without end.
  void bind(SettingBinder& b);
};

struct SequenceSettings {
  Value steps;
  bool loop = false;
  std::string file;
  void bind(SettingBinder& b);
};

/// Runs controllers one after the other, each for its time.
class TimedSequenceController final : public SwitchingController {
 public:
  explicit TimedSequenceController(const ComponentContext& context);

 private:
  void begin(const ControllerSetup& setup) override;
  int decide(const ControllerInput& input, double period) override;
  void entered(const ControllerInput& input, bool decided) override;
  bool switchCommand(std::string_view name, const Value& arguments) override;
  std::vector<std::pair<std::string, std::string>> ownCommands() const override;
  void saveState(ByteWriter& out) const override;
  void restoreState(ByteReader& in) override;

  std::vector<double> durations_;  ///< s; infinite: without end.
  bool loop_ = false;
  double period_ = 0;
  double begun_ = 0;  ///< When the step began by the plan, which may lie between two updates.
};

}  // namespace mortise::controllers
