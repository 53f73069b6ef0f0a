#include "mortise/closed_forms/truth_settings.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "tests/support/engines.h"
#include "tests/workbench/closed_forms/support.h"

namespace mortise::test {
namespace {

truth::TruthSettings settingsOf(const std::string& yaml) {
  return readSettings<truth::TruthSettings>(parseYaml(yaml, "p.yaml"), "the table");
}

TEST(TruthSettings, RowsAreThoseThatAreNamedInTheirOrder) {
  EXPECT_EQ(settingsOf("{}").rows().size(), truth::truthCases().size());
  EXPECT_EQ(settingsOf("{}").step, 0.001);
  const auto rows = settingsOf("{case: [stack, slip], step: 2 ms}").rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], &truth::truthCase("stack"));
  EXPECT_EQ(rows[1], &truth::truthCase("slip"));
}

TEST(TruthSettings, RefuseRowsThatAreNoneOrTwice) {
  EXPECT_THROW((void)settingsOf("{case: [slipp]}").rows(), Error);
  EXPECT_THROW(settingsOf("{case: [slip, stack, slip]}"), Error);
  EXPECT_THROW(settingsOf("{step: 0}"), Error);
  EXPECT_THROW(settingsOf("{step: -1}"), Error);
}

TEST(TruthSettings, ColumnsAreBackendsWhoseSettingsMayHoldCommas) {
  MORTISE_NEEDS_ENGINES("ode", "mujoco");
  NullLog log;
  std::vector<truth::LeftOut> leftOut;
  // As the command line divides them, and as a list of a file has them.
  for (const char* yaml : {"{backend: [ode, 'mujoco:solref=[0.02', '1]', iterations=7]}",
                           "{backend: [ode, 'mujoco:solref=[0.02,1],iterations=7']}"}) {
    const auto columns = settingsOf(yaml).columns(truthRegistry(), log, leftOut);
    ASSERT_EQ(columns.size(), 2u) << yaml;
    EXPECT_EQ(columns[0].name, "ode");
    EXPECT_EQ(columns[1].name, "mujoco:solref=[0.02,1],iterations=7");
    EXPECT_EQ(columns[1].settings.at("iterations").asInteger(), 7);
  }
  EXPECT_TRUE(leftOut.empty());
}

TEST(TruthSettings, RefuseColumnsThatAreNoneOrTwice) {
  MORTISE_NEEDS_ENGINES("ode");
  NullLog log;
  std::vector<truth::LeftOut> leftOut;
  EXPECT_THROW((void)settingsOf("{backend: [od]}").columns(truthRegistry(), log, leftOut), Error);
  EXPECT_THROW((void)settingsOf("{backend: ['ode:solver=fast']}").columns(truthRegistry(), log, leftOut), Error);
  EXPECT_THROW(settingsOf("{backend: [ode, bullet, ode]}"), Error);
  EXPECT_NO_THROW(settingsOf("{backend: [ode, 'ode:solver=exact']}"));
}

}  // namespace
}  // namespace mortise::test
