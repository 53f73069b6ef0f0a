#pragma once

#include <string>
#include <vector>

#include "mortise/component/stage.h"
#include "mortise/pipeline/compare/motion_record.h"
#include "mortise/pipeline/simulate/simulation_run.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

struct CompareSettings : SimulationPlan {
  PlacedTexts backends;
  std::vector<std::string> metrics = {"energy", "trajectory", "time"};
  bool halveStep = true;
  double disturbance = 1e-9;  ///< m and rad; 0: none.
  double bound = 1e-3;        ///< m and rad.
  Value settings;             ///< Settings of the backends, by their names in the result.
  std::optional<std::string> save;
  void bind(SettingBinder& b);
};

/// Simulates the world from the same start on several backends and compares the results: how far backends are apart,
/// and how far each is from itself with half the step and with a disturbed start.
class CompareStage final : public Stage {
 public:
  explicit CompareStage(const ComponentContext& context);
  static void declare(PluginBuilder& plugin);
  void check(StageContext& context, Diagnostics& diagnostics) override;
  void run(StageContext& context) override;

 private:
  /// A backend under a name of its own: the same one may be compared with other settings, or with itself.
  struct Compared : BackendChoice {
    std::string label;
  };
  /// Findings of each backend.
  struct Findings {
    std::vector<std::string> backends;
    std::vector<MotionRecord> motions;
    std::vector<MotionDifference> halved, disturbed;
    std::vector<std::vector<MotionDifference>> apart;  ///< Differences of each two, by their indices; a < b is there.
  };
  void addBackend(const PlacedText& backend);
  /// Runs one backend, and variations of it.
  Value runBackend(StageContext& context, const Compared& choice, Findings& findings, Value& result);
  /// With half the step and from a disturbed start, as far as the settings ask for it.
  void runVariations(StageContext& context, const Compared& choice, const MotionRecord& own, Findings& findings,
                     Value& result);
  MotionDifference runVariation(StageContext& context, const Compared& choice, const RunVariation& variation,
                                const std::string& what, const MotionRecord& motion, Value& list);
  Value readings(const World& world, const Findings& findings) const;

  CompareSettings settings_;
  std::vector<Compared> choices_;
  std::string resultName_;
};

/// Returns the result of the stage as comma-separated values: a row an object or robot and pair of runs.
std::string comparisonCsv(const Value& result);

}  // namespace mortise
