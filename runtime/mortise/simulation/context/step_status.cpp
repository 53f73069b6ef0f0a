#include "mortise/simulation/context/step_status.h"

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

bool StepLog::addGain(const std::string& body, const EnergyGain& gain, double time, std::int64_t number) {
  auto found = std::find_if(unstable_.begin(), unstable_.end(), [&](const auto& other) { return other.name == body; });
  const bool first = found == unstable_.end();
  if (first) {
    found = unstable_.emplace(unstable_.end());
    found->name = body;
    found->firstTime = time;
  }
  if (found->lastStep != number) ++found->steps;
  found->lastStep = number;
  found->total += gain.energy;
  if (gain.energy > found->largest) {
    found->largest = gain.energy;
    found->largestTime = time;
    found->cause = gain.cause;
  }
  return first;
}

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
  unstable_.clear();
  bounds_ = {};
  boundCounts_ = {};
  history_.clear();
}

}  // namespace mortise
