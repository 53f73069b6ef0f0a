#include "mortise/closed_forms/truth_settings.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

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

}  // namespace
}  // namespace mortise::test
