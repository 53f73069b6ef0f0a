#pragma once

#include <functional>

#include "mortise/base/progress.h"
#include "mortise/benchmark/benchmark_results.h"

namespace mortise {

struct BenchmarkRunOptions {
  int jobs = 1;  ///< Processes that plan at the same time; with more than there are processors, times mean little.
  std::function<bool()> stopRequested = {};
  Progress* progress = nullptr;
};

/// Runs the cases that have no result in `results` yet, and adds theirs. Plans are made in processes of their own: one
/// that crashes, or does not end, costs its case alone. Ends early when asked to; cases that were under way are then
/// left out. Returns how many were run. No other thread of this process may be at work: it is forked.
int runBenchmark(const Benchmark& benchmark, Registry& registry, LogSink& log, BenchmarkResultFile& results,
                 const BenchmarkRunOptions& options = {});

/// One case, in this process.
BenchmarkResult runBenchmarkCase(const Benchmark& benchmark, const BenchmarkCase& which, Registry& registry,
                                 LogSink& log);

}  // namespace mortise
