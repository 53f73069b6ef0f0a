#pragma once

/// Statuses of the steps of a simulation.

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/simulation/context/energy_gain.h"

namespace mortise {

/// The outcome of a step; ordered from best to worst.
enum class StepStatus { normal, adaptive, contactUnreliable, unstable, error };
constexpr int kNumStepStatuses = 5;
std::string_view stepStatusName(
    StepStatus status);  ///< "normal", "adaptive", "contact_unreliable", "unstable", "error"

/// Bounds on the work of a step. What hits one is taken as far as it has come.
enum class StepBound {
  halvings,     ///< Parts of the step that went wrong were accepted, since too many had been taken back.
  sweeps,       ///< The engine's solver ran out of iterations.
  directSolve,  ///< The engine's direct or Newton solver was given up for iterations.
  contacts      ///< The engine left contacts out.
};
constexpr int kNumStepBounds = 4;
std::string_view stepBoundName(StepBound bound);  ///< "halvings", "sweeps", "direct_solve", "contacts"
using StepBoundSet = std::bitset<kNumStepBounds>;
std::string stepBoundsText(StepBoundSet bounds);  ///< "halvings, sweeps"

/// The status of consecutive steps.
struct StatusSpan {
  StepStatus status = StepStatus::normal;
  std::int64_t first = 0, count = 0;  ///< Ticks; the step from tick k to k + 1 has number k.
};

/// The status of every step since the start of a simulation, and what went wrong.
class StepLog {
 public:
  StepStatus status() const { return status_; }  ///< Returns the status of the last step.
  StepStatus worst() const { return worst_; }
  const std::array<std::int64_t, kNumStepStatuses>& counts() const { return counts_; }
  /// Every change of status since the start, `clearHistory` or `startAnew`.
  const std::vector<StatusSpan>& history() const { return history_; }
  int maxContacts() const { return maxContacts_; }
  /// Bodies that gained energy from nowhere, in the order in which they first did.
  const std::vector<UnstableBody>& unstable() const { return unstable_; }
  StepBoundSet bounds() const { return bounds_; }  ///< That the last step hit.
  /// Returns how many steps hit each bound.
  const std::array<std::int64_t, kNumStepBounds>& boundCounts() const { return boundCounts_; }
  const std::string& fault() const { return fault_; }

  /// `number`: the tick before the step.
  void addStep(StepStatus result, std::int64_t number);
  void addContacts(std::size_t count);
  /// Says whether it is the body's first one. `time`: at the end of step `number`.
  bool addGain(const std::string& body, const EnergyGain& gain, double time, std::int64_t number);
  void addBounds(StepBoundSet bounds);
  void setFault(std::string message) { fault_ = std::move(message); }
  /// The first fault is kept.
  void addFault(const std::string& message);

  /// Sets the status of a snapshot that is being restored.
  void setStatus(StepStatus status) { status_ = status; }
  void clearHistory() { history_.clear(); }
  /// Only the status of the last step remains.
  void startAnew();

 private:
  StepStatus status_ = StepStatus::normal;
  StepStatus worst_ = StepStatus::normal;
  std::array<std::int64_t, kNumStepStatuses> counts_ = {};
  std::vector<StatusSpan> history_;
  int maxContacts_ = 0;
  std::vector<UnstableBody> unstable_;
  StepBoundSet bounds_;
  std::array<std::int64_t, kNumStepBounds> boundCounts_ = {};
  std::string fault_;
};

}  // namespace mortise
