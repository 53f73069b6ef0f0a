#pragma once

#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/pipeline/simulate/simulation_run.h"

namespace mortise {

/// Simulates the world from the same start on several backends and compares the results.
class CompareStage final : public Stage {
 public:
  explicit CompareStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  SimulationPlan plan_;
  std::vector<BackendChoice> choices_;
  bool backendsGiven_ = false;
  SourcePosition backendsPosition_;
  std::vector<std::string> metrics_;
  Value settings_;
  std::string resultName_;
};

/// The distances between the final poses of two runs of one world, from the results of `runSimulation`: {from, to,
/// objects: [{id, name, position (m), orientation (deg)}], robots: [{id, name, joint (rad or m), link}], max_position,
/// max_orientation}.
Value compareFinalPoses(const World& world, const Value& from, const Value& to);

}  // namespace mortise
