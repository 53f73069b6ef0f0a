#include "mortise/simulation/step_status.h"

#include <algorithm>

namespace mortise {

std::string_view stepStatusName(StepStatus status) {
  constexpr std::string_view kNames[kNumStepStatuses] = {"normal", "adaptive", "contact_unreliable", "unstable",
                                                         "error"};
  return kNames[static_cast<int>(status)];
}

void StepLog::addStep(StepStatus result, std::int64_t number) {
  status_ = result;
  worst_ = std::max(worst_, result);
  ++counts_[static_cast<int>(result)];
  if (history_.empty() || history_.back().status != result) history_.push_back({result, number, 0});
  ++history_.back().count;
}

void StepLog::addContacts(std::size_t count) { maxContacts_ = std::max(maxContacts_, static_cast<int>(count)); }

void StepLog::addFault(const std::string& message) {
  if (fault_.empty()) fault_ = message;
}

void StepLog::startAnew() {
  worst_ = status_;
  counts_ = {};
  maxContacts_ = 0;
  history_.clear();
}

}  // namespace mortise
