#pragma once

/// Reports of a benchmark: a row for each problem and planner, as tables, plots and a page.

#include "mortise/benchmark/benchmark_results.h"

namespace mortise {

struct BenchmarkRow {
  std::string problem, planner;
  int cases = 0;  ///< With a result.
  int solved = 0;
  int errors = 0;  ///< error, crashed or killed.
  /// Seconds of wall time; what was not solved counts as taking for ever.
  double medianTime = 0, p95Time = 0;
  double medianLength = 0;  ///< Median of solved ones, NaN when there are none; so the next one.
  double medianIterations = 0;
  double configurationsPerSecond = 0;  ///< Over all, by processor time.
  double memory = 0;                   ///< Bytes, the most of any.
};

/// In the order of the benchmark's problems and planners; those without a result are left out.
std::vector<BenchmarkRow> benchmarkRows(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results);

std::string benchmarkTable(const std::vector<BenchmarkRow>& rows);  ///< For a terminal.
std::string benchmarkMarkdown(const Benchmark& benchmark, const std::vector<BenchmarkRow>& rows);
/// One line a case.
std::string benchmarkCsv(const std::vector<BenchmarkResult>& results);
std::string benchmarkHtml(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results);
Value benchmarkValue(const Benchmark& benchmark, const std::vector<BenchmarkRow>& rows);

/// Writes table.md, results.csv, solved.svg, times.svg, lengths.svg and report.html into a folder; their paths.
std::vector<std::string> writeBenchmarkReport(const Benchmark& benchmark, const std::vector<BenchmarkResult>& results,
                                              const std::string& folder);

}  // namespace mortise
