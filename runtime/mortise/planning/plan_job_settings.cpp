#include "mortise/planning/plan_job_settings.h"

#include "mortise/base/error.h"

namespace mortise {

PlanJob readPlanJob(const PlanJobSettings& settings, const Schema& schema, const PlanSources& sources,
                    Diagnostics& diagnostics) {
  PlanJob job;
  const Value complete = schema.complete(settings.plan, "the plan", diagnostics);
  if (!diagnostics.hasErrors()) job.plan = readPlan(complete, sources, 0, diagnostics).request;
  if (settings.shortcut) job.shortcut = readSettings<ShortcutSettings>(*settings.shortcut, "--shortcut", diagnostics);
  if (settings.retime) job.retime = readSettings<RetimeSettings>(*settings.retime, "--retime", diagnostics);
  if (settings.check) {
    job.check = CheckSettings();
    job.check->options.margin = job.plan.space.margin;
    // The motion is made for the limits that replace the robot's own.
    if (job.retime) {
      MotionLimitOptions& limits = job.check->limits;
      limits.velocity = job.retime->limits.velocity;
      limits.acceleration = job.retime->limits.acceleration;
      limits.rampUp = job.retime->limits.rampUp;
    }
  }
  job.roadmap = settings.roadmap;
  return job;
}

}  // namespace mortise
