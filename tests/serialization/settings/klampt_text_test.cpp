#include "mortise/settings/klampt_text.h"

#include <gtest/gtest.h>

#include "mortise/base/error.h"

namespace mortise {
namespace {

TEST(KlamptText, IsReadInEverySpelling) {
  for (const char* text : {"{type:\"rrt\", perturbationRadius:0.5; bidirectional:1}",
                           "{ \"type\": \"rrt\",\n \"perturbationRadius\": 0.5,\n \"bidirectional\": 1 }",
                           "{type=rrt; perturbationRadius=0.5; bidirectional=1}",
                           "{\ttype:'rrt',\tperturbationRadius:0.5,\tbidirectional:1}"}) {
    const Value value = parseKlamptText(text, "p.settings");
    ASSERT_TRUE(value.isMap()) << text;
    EXPECT_EQ(value.at("type").asString(), "rrt") << text;
    EXPECT_EQ(value.at("perturbationRadius").asReal(), 0.5) << text;
    EXPECT_EQ(value.at("bidirectional").asInteger(), 1) << text;
  }
}

TEST(KlamptText, ValuesMayHoldColonsAndEqualSigns) {
  const Value value = parseKlamptText("{type:ompl:rrt; note:\"a=b: c\"}", "p.settings");
  EXPECT_EQ(value.at("type").asString(), "ompl:rrt");
  EXPECT_EQ(value.at("note").asString(), "a=b: c");
}

TEST(KlamptText, OfASettingStandsWhereTheSettingDoes) {
  Value text("{foundSolution:1;limits:{maxIters:40}}");
  text.setPosition({"plan.yaml", 7, 3, "settings.restart_term_cond"});
  const Value value = parseKlamptText(text);
  EXPECT_EQ(value.findPath("limits.maxIters")->asInteger(), 40);
  EXPECT_EQ(value.findPath("limits.maxIters")->position().line, 7);
  EXPECT_EQ(value.at("foundSolution").position().file, "plan.yaml");
  for (const char* wrong : {"{foundSolution:1", "{a:1;a:2}", "{a:\"1}", "}{"}) {
    Value bad(wrong);
    bad.setPosition({"plan.yaml", 7, 3, {}});
    try {
      parseKlamptText(bad);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.where().line, 7) << wrong;
      EXPECT_NE(error.message().find(wrong), std::string::npos) << error.message();
    }
  }
}

}  // namespace
}  // namespace mortise
