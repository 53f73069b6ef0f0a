#include "mortise/simulation/step_status.h"

#include <algorithm>

namespace mortise {

std::string_view stepStatusName(StepStatus status) {
  constexpr std::string_view kNames[kNumStepStatuses] = {"normal", "adaptive", "contact_unreliable", "unstable",
                                                         "error"};
  return kNames[static_cast<int>(status)];
}

std::string_view stepBoundName(StepBound bound) {
  constexpr std::string_view kNames[kNumStepBounds] = {"halvings", "sweeps", "direct_solve", "contacts"};
  return kNames[static_cast<int>(bound)];
}

std::string stepBoundsText(StepBoundSet bounds) {
  std::string text;
  for (int i = 0; i < kNumStepBounds; ++i)
    if (bounds[static_cast<std::size_t>(i)])
      text += (text.empty() ? "" : ", ") + std::string(stepBoundName(static_cast<StepBound>(i)));
  return text;
}

void StepLog::addStep(StepStatus result, std::int64_t number) {
  status_ = result;
  worst_ = std::max(worst_, result);
  ++counts_[static_cast<int>(result)];
  if (history_.empty() || history_.back().status != result) history_.push_back({result, number, 0});
  ++history_.back().count;
}

void StepLog::addContacts(std::size_t count) { maxContacts_ = std::max(maxContacts_, static_cast<int>(count)); }

void StepLog::addBounds(StepBoundSet bounds) {
  bounds_ = bounds;
  for (std::size_t i = 0; i < boundCounts_.size(); ++i) boundCounts_[i] += bounds[i] ? 1 : 0;
}

void StepLog::addFault(const std::string& message) {
  if (fault_.empty()) fault_ = message;
}

void StepLog::startAnew() {
  worst_ = status_;
  counts_ = {};
  maxContacts_ = 0;
  bounds_ = {};
  boundCounts_ = {};
  history_.clear();
}

}  // namespace mortise
