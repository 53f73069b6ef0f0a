#pragma once

#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/pipeline/compare/motion_record.h"
#include "mortise/pipeline/simulate/simulation_run.h"

namespace mortise {

/// Simulates the world from the same start on several backends and compares the results: how far backends are apart,
/// and how far each is from itself with half the step and with a disturbed start.
class CompareStage final : public Stage {
 public:
  explicit CompareStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  /// What was found of each backend.
  struct Findings {
    std::vector<std::string> backends;
    std::vector<MotionRecord> motions;
    std::vector<MotionDifference> apart, halved, disturbed;
  };
  /// Runs one backend, and variations of it.
  Value runBackend(StageContext& context, const BackendChoice& choice, Findings& findings, Value& result);
  MotionDifference runVariation(StageContext& context, const BackendChoice& choice, const RunVariation& variation,
                                const std::string& what, const MotionRecord& motion, Value& list);
  Value readings(const World& world, const Findings& findings) const;

  SimulationPlan plan_;
  std::vector<BackendChoice> choices_;
  bool backendsGiven_ = false;
  SourcePosition backendsPosition_;
  std::vector<std::string> metrics_;
  Value settings_;
  std::string resultName_;
  bool halveStep_ = true;
  double disturbance_ = 0;  ///< m and rad; 0: none.
  double bound_ = 0;        ///< m and rad.
};

/// What the stage leaves, as comma-separated values: a row an object or robot and pair of runs.
std::string comparisonCsv(const Value& result);

}  // namespace mortise
