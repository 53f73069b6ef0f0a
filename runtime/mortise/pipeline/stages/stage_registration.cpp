#include "mortise/pipeline/simulate/simulate_stage.h"
#include "mortise/pipeline/stages/balance_stage.h"
#include "mortise/pipeline/stages/compare_stage.h"
#include "mortise/pipeline/stages/ik_stage.h"
#include "mortise/pipeline/stages/mechanics_stages.h"
#include "mortise/pipeline/stages/motion_stages.h"
#include "mortise/pipeline/stages/path_stages.h"
#include "mortise/pipeline/stages/plan_stage.h"
#include "mortise/pipeline/stages/report_stage.h"
#include "mortise/pipeline/stages/stages.h"
#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN_AS(mortise_pipeline_stages, __attribute__((visibility("hidden"))), "mortise_runtime", MORTISE_VERSION) {
  mortise::SimulateStage::declare(plugin);
  mortise::CompareStage::declare(plugin);
  mortise::ReportStage::declare(plugin);
  mortise::PlanStage::declare(plugin);
  mortise::ShortcutStage::declare(plugin);
  mortise::OptimizeStage::declare(plugin);
  mortise::RetimeStage::declare(plugin);
  mortise::CheckStage::declare(plugin);
  mortise::BalanceStage::declare(plugin);
  mortise::TorquesStage::declare(plugin);
  mortise::GraspStage::declare(plugin);
  mortise::IKStage::declare(plugin);
  mortise::SmoothStage::declare(plugin);
  mortise::DiscretizeStage::declare(plugin);
  mortise::EvaluateStage::declare(plugin);
  mortise::ConvertStage::declare(plugin);
  mortise::SplitStage::declare(plugin);
}

namespace mortise {

void addPipelineStages(Registry& registry) { registry.addBuiltIn(mortise_pipeline_stages); }

}  // namespace mortise
