#include "tests/support/tree_planner.h"

#include "mortise/plugin/plugin.h"

MORTISE_PLUGIN_AS(mortise_test_planners, __attribute__((visibility("hidden"))), "mortise_test_planners", "1.0") {
  plugin.planner<mortise::test::TreePlanner>("test.Tree")
      .summary("A tree from the start.")
      .parameter("range", 0.3, "Length of an edge.", {.min = 1e-6})
      .parameter("bias", 0.2, "Share of edges that grow towards a goal.", {.min = 0, .max = 1});
}

namespace mortise::test {

void addTreePlanner(Registry& registry) { registry.addBuiltIn(mortise_test_planners); }

}  // namespace mortise::test
