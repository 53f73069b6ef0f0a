#pragma once

#include <ctime>

#include "mortise/base/value.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Summarizes how a run went and where everything ended, as `mortise sim --json` prints it: backend, time, steps,
/// status (of the last step), worst_status, status_counts, objects [{id, name, T}], robots [{id, name, q}],
/// max_contacts, state_hash, `bounds_hit` {halvings, sweeps, direct_solve, contacts: steps} when there were any, and
/// `fault` when there was one. T is 12 numbers: R row-major, then t.
Value summarize(const Simulation& simulation);

/// CPU seconds of this thread, for real-time factors; never used inside a simulation.
class CpuTimer {
 public:
  CpuTimer() : start_(now()) {}
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  double start_;
};

}  // namespace mortise
