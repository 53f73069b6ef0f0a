#pragma once

#include <gtest/gtest.h>
#include <memory>

#include "mortise/simulation/context/simulation_options.h"
#include "tests/support/engines.h"
#include "tests/support/plugins.h"

namespace mortise::test {

/// Runs each test on the physics backend that the parameter names; skipped where this build has none of it.
class OnBackend : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { MORTISE_NEEDS_ENGINES(GetParam()); }
  SimulationOptions options() const {
    SimulationOptions o;
    o.backend = GetParam();
    return o;
  }
  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
};

}  // namespace mortise::test
