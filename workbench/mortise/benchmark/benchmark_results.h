#pragma once

/// Results of the cases of a benchmark, as lines of JSON in a file that grows as they end.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mortise/benchmark/benchmark.h"

namespace mortise {

struct BenchmarkResult {
  std::string id;  ///< Id of the case.
  std::string problem, part, planner;
  std::uint64_t seed = 0;
  bool solved = false;
  std::string status;     ///< `planningStatusName`, or: error (see message), crashed, killed (did not stop).
  std::string stoppedBy;  ///< Name as of `StopClock::fired`.
  double seconds = 0;     ///< Wall time.
  double cpuSeconds = 0;  ///< Processor time of the thread.
  std::int64_t iterations = 0, configurations = 0, edges = 0;
  double cost = 0, length = 0;  ///< Cost of the path; 0 without one. `length`: in the space's metric.
  int milestones = 0;
  double memory = 0;     ///< Bytes above what was there before, at most; 0 where that is not known.
  std::string pathHash;  ///< Equal for equal paths.
  std::string message;   ///< Why not.
  /// Whole configurations: the first start, and where the path ends; without a path the first goal that is a
  /// configuration, and nothing where there is none.
  std::vector<double> start, goal;

  Value toValue() const;
  /// Throws `Error` for what is none.
  static BenchmarkResult fromValue(const Value& value);
};

/// Results by case, on disk: whole lines, each written at once. A line that was cut off, by a full disk or a lost
/// machine, does not count, and is cut away.
class BenchmarkResultFile {
 public:
  /// Reads what is there, unless `fresh`. Throws `Error` when the file cannot be used.
  BenchmarkResultFile(std::string path, bool fresh);

  const std::string& path() const { return path_; }
  int discardedLines() const { return discarded_; }
  const BenchmarkResult* find(const std::string& id) const;
  /// Throws `Error` when it could not be written.
  void add(const BenchmarkResult& result);
  /// Those of the benchmark's cases that are there, in their order.
  std::vector<BenchmarkResult> of(const Benchmark& benchmark) const;
  /// Writes the file anew: the benchmark's cases in their order, then all others.
  void sort(const Benchmark& benchmark);

 private:
  void rewrite(const std::vector<std::string>& order);

  std::string path_;
  std::map<std::string, BenchmarkResult> results_;
  std::vector<std::string> order_;
  int discarded_ = 0;
};

}  // namespace mortise
