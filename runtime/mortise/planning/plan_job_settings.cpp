#include "mortise/planning/plan_job_settings.h"

#include "mortise/base/error.h"

namespace mortise {

namespace {

/// The settings of a step after planning, where there is such a step.
template <typename Settings>
std::optional<Settings> readStep(const std::optional<Value>& given, const Schema& schema, const char* name,
                                 Diagnostics& diagnostics) {
  if (!given) return std::nullopt;
  std::optional<Settings> settings;
  Diagnostics own;
  const Value complete = schema.complete(*given, name, own);
  if (!own.hasErrors()) try {
      settings = Settings::from(complete);
    } catch (const Error& error) {
      own.error(error);
    }
  diagnostics.append(own);
  return settings;
}

}  // namespace

PlanJob readPlanJob(const PlanJobSettings& settings, const Schema& schema, const PlanSources& sources,
                    Diagnostics& diagnostics) {
  PlanJob job;
  const Value complete = schema.complete(settings.plan, "the plan", diagnostics);
  if (!diagnostics.hasErrors()) job.plan = readPlan(complete, sources, 0, diagnostics).request;
  job.shortcut = readStep<ShortcutSettings>(settings.shortcut, shortcutSchema(), "--shortcut", diagnostics);
  job.retime = readStep<RetimeSettings>(settings.retime, retimeSchema(), "--retime", diagnostics);
  if (settings.check) {
    job.check = CheckSettings::from(checkSchema().complete(Value::map(), "--check", diagnostics));
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
