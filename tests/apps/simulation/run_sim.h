#pragma once

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/run_program.h"

namespace mortise::test {

inline Ran sim(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sim");
  return runMortise(std::move(arguments));
}

/// What `mortise sim --json` prints; it must succeed.
inline Value json(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Ran ran = sim(std::move(arguments));
  EXPECT_EQ(ran.exitCode, 0) << ran.err;
  return parseYaml(ran.out, "stdout");
}

}  // namespace mortise::test
