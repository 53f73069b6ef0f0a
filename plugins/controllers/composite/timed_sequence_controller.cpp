#include "composite/timed_sequence_controller.h"

#include <cmath>

#include "common/command_arguments.h"
#include "mortise/base/error.h"

namespace mortise::controllers {

void StepEntry::bind(SettingBinder& b) {
  b.add("duration", duration, "How long it runs.", {.min = 0, .unit = "s"});
  EnteredEntry::bind(b);
}

void SequenceSettings::bind(SettingBinder& b) {
  b.add("steps", steps, "List of {controller, duration, name, on_enter, settings of the controller...}.");
  b.add("loop", loop, "After the last step, go on with the first; else the last one runs on.");
  bindFile(b, file);
}

TimedSequenceController::TimedSequenceController(const ComponentContext& context)
    : SwitchingController(context.host, "step") {
  const auto settings = structureFrom<SequenceSettings>(context, {"steps"});
  loop_ = settings.loop;
  Diagnostics diagnostics;
  const auto steps = readChildren<StepEntry>(settings.steps, {"step", "step"}, diagnostics);
  for (std::size_t i = 0; i < steps.entries.size(); ++i) {
    const auto& [duration, where] = steps.entries[i].duration;
    const ChildRequest& request = steps.requests[i];
    const bool last = i + 1 == steps.entries.size();
    if (!duration && (!last || loop_))
      diagnostics.error(
          "step '" + request.name + "' has no duration", request.where,
          loop_ ? "in a loop every step has one: duration: 2 s" : "only the last step may go without: duration: 2 s");
    else if (duration && !(*duration > 0))
      diagnostics.error("step '" + request.name + "' takes no time", where, "give it a duration above 0");
    durations_.push_back(duration.value_or(kInfinity));
  }
  create(steps, diagnostics);
  throwIfErrors(diagnostics);
}

void TimedSequenceController::begin(const ControllerSetup& setup) {
  period_ = setup.period;
  begun_ = 0;
}

int TimedSequenceController::decide(const ControllerInput& input, double) {
  const double slack = 1e-9;
  if (input.time < begun_ + durations_[active()] - slack) return -1;
  const int next = active() + 1;
  if (next < static_cast<int>(durations_.size())) return next;
  return loop_ ? 0 : -1;
}

void TimedSequenceController::entered(const ControllerInput& input, bool decided) {
  if (decided) {
    // From the end of the step before, so that durations that are no whole numbers of periods do not add up to more.
    const int count = static_cast<int>(durations_.size());
    begun_ += durations_[(active() + count - 1) % count];
    if (input.time - begun_ < period_) return;
  }
  begun_ = input.time;
}

bool TimedSequenceController::switchCommand(std::string_view name, const Value& arguments) {
  const int count = static_cast<int>(durations_.size());
  if (name == "next" || name == "restart") requireNoArguments(name, arguments);
  if (name == "next") {
    const int next = active() + 1;
    if (next >= count && !loop_)
      throw Error("step '" + children()[active()].name() + "' is the last one", arguments.position(),
                  "'restart' begins anew");
    request(next % count);
  } else if (name == "restart") {
    request(0);
  } else if (name == "go") {
    request(childCalled(childNameFrom(name, "step", arguments), arguments.position()));
  } else {
    return false;
  }
  return true;
}

std::vector<std::pair<std::string, std::string>> TimedSequenceController::ownCommands() const {
  return {{"next", "goes on with the next step at once"},
          {"restart", "begins with the first step again"},
          {"go", "{step: NAME}: goes to this step"}};
}

void TimedSequenceController::saveState(ByteWriter& out) const { out.put(begun_); }

void TimedSequenceController::restoreState(ByteReader& in) {
  const auto begun = in.get<double>();
  if (!std::isfinite(begun)) throw Error("snapshot holds a time that is not finite");
  begun_ = begun;
}

}  // namespace mortise::controllers
