#pragma once

/// `mortise` run as a program: what it printed and what that cost.

#include <string>
#include <vector>

#include "mortise/base/value.h"

namespace mortise::bench {

struct ProgramRun {
  Value printed = Value::map();  ///< The JSON of its standard output; an empty map if it printed none.
  double cpu = 0;                ///< Processor seconds, loading included.
  std::string fault;             ///< Why there is no answer, or empty.
};

/// Runs `program` with these arguments, for at most `limit` processor seconds. Its messages are dropped.
ProgramRun runProgram(const std::string& program, const std::vector<std::string>& arguments, double limit);

/// The command of the build tree that this benchmark stands in.
std::string ownProgram();

}  // namespace mortise::bench
