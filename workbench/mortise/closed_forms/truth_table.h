#pragma once

/// The table of truth: rows are the physics, columns the engines.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mortise/base/progress.h"
#include "mortise/closed_forms/truth_case.h"
#include "mortise/closed_forms/truth_engine.h"

namespace mortise::truth {

/// One engine and one case at one step.
struct TruthResult {
  enum class State { notRun, done, refused, failed } state = State::notRun;
  double error = 0;  ///< In the case's unit.
  double cost = 0;   ///< s of processor time a step.
  std::string note;  ///< Why there is no error.
};

/// Runs one case. Whatever the engine throws ends in the result, but for `Interrupted`.
TruthResult runTruthCase(const TruthCase& each, const TruthEngine& engine, double step, Registry& registry,
                         LogSink& log, const std::function<bool()>& stopRequested = {});

struct TruthOptions {
  double step = 0.001;  ///< s; the other one is a tenth of it.
  std::function<bool()> stopRequested;
  Progress* progress = nullptr;  ///< May be null.
};

struct TruthTable {
  double step = 0.001;
  std::vector<const TruthCase*> cases;
  std::vector<TruthEngine> engines;
  std::vector<LeftOut> leftOut;
  /// By engine: what it says that it cannot do (`PhysicsCapabilities::limits`).
  std::vector<std::vector<EngineLimit>> limits;
  /// By case, then by engine: at the step, and at a tenth of it.
  std::vector<std::vector<TruthResult>> coarse, fine;
  bool interrupted = false;
};

/// One engine after the other, one case after the other. `engines` and `cases` as the table is to have them.
TruthTable makeTruthTable(std::vector<const TruthCase*> cases, std::vector<TruthEngine> engines, Registry& registry,
                          LogSink& log, const TruthOptions& options);

/// Returns the table as a person reads it, in parts of as many engines as fit into lines of 120 characters.
std::string truthText(const TruthTable& table);
/// {step, fine_step, engines: [{name, backend, version, settings, limits: [{subject,
/// text}]}], cases: [{name, sentence, quantity, unit, form, source,
/// tolerance, results: [{engine, error, fine_error, cost_s, fine_cost_s, note}]}], left_out, interrupted}.
Value truthValue(const TruthTable& table);
/// A row a case, engine and step; after them rows `declared_limit` (its subject in the column `quantity`, its text in
/// `note`) and `left_out`.
std::string truthCsv(const TruthTable& table);
/// Returns the descriptions of the cases.
std::string truthCaseText();

}  // namespace mortise::truth
