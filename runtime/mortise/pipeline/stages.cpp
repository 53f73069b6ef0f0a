#include "mortise/pipeline/stages.h"

#include "mortise/pipeline/compare_stage.h"
#include "mortise/pipeline/path_stages.h"
#include "mortise/pipeline/plan_stage.h"
#include "mortise/pipeline/report_stage.h"
#include "mortise/pipeline/simulate_stage.h"
#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN_AS(mortise_pipeline_stages, __attribute__((visibility("hidden"))), "mortise_runtime", MORTISE_VERSION) {
  mortise::SimulateStage::declare(plugin);
  mortise::CompareStage::declare(plugin);
  mortise::ReportStage::declare(plugin);
  mortise::PlanStage::declare(plugin);
  mortise::ShortcutStage::declare(plugin);
  mortise::RetimeStage::declare(plugin);
  mortise::CheckStage::declare(plugin);
}

namespace mortise {

void addPipelineStages(Registry& registry) { registry.addBuiltIn(mortise_pipeline_stages); }

}  // namespace mortise
