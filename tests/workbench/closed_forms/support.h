#pragma once

/// The engines of this build, and the file of what each of them reached.

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/closed_forms/truth_table.h"
#include "tests/support/plugins.h"

namespace mortise::test {

inline Registry& truthRegistry() {
  static NullLog log;
  static Registry* const instance = makeRegistry(log).release();
  return *instance;
}

inline std::vector<truth::TruthEngine> truthEngines() {
  NullLog log;
  std::vector<truth::LeftOut> leftOut;
  return truth::installedEngines(truthRegistry(), log, true, leftOut);
}

inline truth::TruthResult runTruth(const std::string& name, const truth::TruthEngine& engine, double step = 0.001) {
  NullLog log;
  return truth::runTruthCase(truth::truthCase(name), engine, step, truthRegistry(), log);
}

/// A result as the file of marks has it: two digits, "refused" or "failed".
inline std::string markOf(const truth::TruthResult& result) {
  using State = truth::TruthResult::State;
  if (result.state == State::refused) return "refused";
  if (result.state != State::done) return "failed";
  return formatReal(result.error, 2);
}

inline std::string marksFile() { return MORTISE_SOURCE_DIR "/tests/workbench/closed_forms/marks.txt"; }

/// By engine, then by case.
using Marks = std::map<std::string, std::map<std::string, std::string>>;

inline Marks readMarks() {
  Marks marks;
  std::istringstream lines(readFile(marksFile()));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string engine, name, mark;
    if (line.starts_with('#') || !(words >> engine >> name >> mark)) continue;
    marks[engine][name] = mark;
  }
  return marks;
}

}  // namespace mortise::test
