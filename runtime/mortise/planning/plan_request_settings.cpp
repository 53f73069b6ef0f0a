#include "mortise/planning/plan_request_settings.h"

#include "mortise/base/error.h"

namespace mortise {

PlanRequest readPlanRequest(const PlanRequestSettings& settings, const Schema& schema, const PlanSources& sources,
                            Diagnostics& diagnostics) {
  PlanRequest request;
  const Value complete = schema.complete(settings.plan, "the plan", diagnostics);
  if (!diagnostics.hasErrors()) request = readPlan(complete, sources, 0, diagnostics);
  if (settings.shortcut)
    request.shortcut = readSettings<ShortcutSettings>(*settings.shortcut, "--shortcut", diagnostics);
  if (settings.retime) request.retime = readSettings<RetimeSettings>(*settings.retime, "--retime", diagnostics);
  if (settings.check) {
    request.check = CheckSettings();
    request.check->options.margin = request.space.margin;
    // The motion is made for the limits that replace the robot's own.
    if (request.retime) {
      MotionLimitOptions& limits = request.check->limits;
      limits.velocity = request.retime->limits.velocity;
      limits.acceleration = request.retime->limits.acceleration;
      limits.rampUp = request.retime->limits.rampUp;
    }
  }
  request.roadmap = settings.roadmap;
  return request;
}

}  // namespace mortise
