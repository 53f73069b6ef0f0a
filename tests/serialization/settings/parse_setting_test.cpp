#include "mortise/settings/parse_setting.h"

#include <gtest/gtest.h>

namespace mortise {
namespace {

TEST(ParseSetting, SaysWhichOptionItIs) {
  EXPECT_EQ(parseSetting("a={x: 1}", "--read").value.at("x").position().describe(), "--read (a.x)");
  try {
    parseSetting("stamps", "--read");
    ADD_FAILURE() << "there is no '='";
  } catch (const Error& error) {
    EXPECT_EQ(error.where().describe(), "--read");
    EXPECT_EQ(error.hint(), "write --read stamps=VALUE");
  }
}

TEST(ParseSetting, ReadsTheRightSideAsYaml) {
  EXPECT_EQ(parseSetting("simulation.backend=bullet").path, "simulation.backend");
  EXPECT_EQ(parseSetting("simulation.backend=bullet").value.asString(), "bullet");
  EXPECT_EQ(parseSetting("a = 3").value.asInteger(), 3);
  EXPECT_EQ(parseSetting("a=[1, 2]").value.size(), 2u);
  EXPECT_EQ(parseSetting("a={x: 1}").value.at("x").asInteger(), 1);
  EXPECT_EQ(parseSetting("a=\"7\"").value.asString(), "7");
  EXPECT_EQ(parseSetting("a=b=c").value.asString(), "b=c");
  EXPECT_TRUE(parseSetting("a=").value.isNull());
  EXPECT_EQ(parseSetting("a.b={x: [1]}").value.findPath("x.0")->position().describe(), "--set (a.b.x.0)");
  for (const char* text : {"", "a", "=1", ".a=1", "a.=1", "a..b=1", "a=[1", "a=@"})
    EXPECT_THROW(parseSetting(text), Error) << text;
}

}  // namespace
}  // namespace mortise
