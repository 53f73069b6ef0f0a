#pragma once

/// Benchmarks of planners: every planner on every problem with every seed.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/log.h"
#include "mortise/base/value.h"
#include "mortise/collision/world_collider.h"
#include "mortise/loading/resource_path.h"
#include "mortise/model/world.h"
#include "mortise/planning/request/plan_request.h"
#include "mortise/plugin/registry.h"

namespace mortise {

struct BenchmarkPlanner {
  std::string name;  ///< For tables; of its own in a benchmark.
  std::string type;  ///< Type as the registry knows it.
  Value settings = Value::map();
};

struct BenchmarkProblem {
  std::string name;  ///< Problems of one name stand in one row of tables.
  std::string part;  ///< Which of them: "pair 3", a request's name; empty where there is one only.
  std::shared_ptr<const World> world;
  std::shared_ptr<const WorldCollider> collider;
  PlanRequest request;            ///< Planner, settings and seed are those of the case.
  std::uint64_t fingerprint = 0;  ///< Hash of everything that the problem is.
};

struct BenchmarkCase {
  std::size_t problem = 0, planner = 0;
  std::uint64_t seed = 0;
  std::string id;  ///< Sixteen hexadecimal digits; cases that are the same have the same, in any file.
};

struct Benchmark {
  std::string name;
  std::string file;
  std::vector<BenchmarkPlanner> planners;
  std::vector<BenchmarkProblem> problems;
  std::vector<std::uint64_t> seeds;
  std::vector<BenchmarkCase> cases;  ///< By problem, planner, seed.
};

/// Reads a benchmark file, with the `settings` of --set applied; nothing is checked yet. Throws `Error` when it cannot
/// be read.
Value readBenchmarkFile(const std::string& file, const std::vector<std::string>& settings, Diagnostics& diagnostics);

/// `root`: of `readBenchmarkFile`. Loads the worlds and draws the random pairs. Throws `Error` with everything that is
/// wrong; warnings go to `diagnostics`. `registry` and `log` are used only here.
Benchmark makeBenchmark(const Value& root, const std::string& file, Registry& registry, LogSink& log,
                        const ResourcePath& paths, Diagnostics& diagnostics);

}  // namespace mortise
