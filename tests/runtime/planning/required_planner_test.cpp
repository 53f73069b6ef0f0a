#include "mortise/planning/request/required_planner.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/support/engines.h"
#include "tests/support/plugins.h"

namespace mortise {
namespace {

TEST(RequiredPlanner, NamesThatDifferInCaseOnlyAreNoted) {
  MORTISE_NEEDS_PLUGIN("planners");
  MORTISE_NEEDS_PLUGIN("planners_ompl");
  test::MemoryLog log;
  const auto registry = test::makeRegistry(log);
  const std::vector<AlikePlanner> alike = alikePlanners(*registry);
  for (const std::string name : {"RRT", "PRM", "SBL", "EST", "LazyPRM"}) {
    const auto found =
        std::find_if(alike.begin(), alike.end(), [&](const AlikePlanner& each) { return each.name == name; });
    ASSERT_NE(found, alike.end()) << name;
    // The names go on standing for what they stood for.
    EXPECT_EQ(found->component, requirePlanner(*registry, name).name);
    EXPECT_EQ(found->component, "ompl." + name);
    EXPECT_EQ(found->otherComponent, requirePlanner(*registry, found->otherName).name);
    EXPECT_EQ(found->otherComponent, "mortise." + name);
    Diagnostics diagnostics;
    noteAlikePlanner(*registry, name, {}, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].severity, Severity::note);
    EXPECT_NE(diagnostics.all()[0].message.find("planner '" + name + "' is ompl." + name), std::string::npos);
  }
  Diagnostics none;
  for (const std::string name : {"rrt", "RRT*", "PRM*", "Lazy-PRM", "SBL-PRT", "ompl.RRT", "mortise.RRT", "ompl:rrt"}) {
    EXPECT_FALSE(requirePlanner(*registry, name).name.empty());
    noteAlikePlanner(*registry, name, {}, none);
  }
  EXPECT_TRUE(none.all().empty());
}

}  // namespace
}  // namespace mortise
