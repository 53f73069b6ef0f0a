// The token of the viewer's server: long, new each time, and compared as a whole.

#include "mortise/viewer/view_token.h"

#include <gtest/gtest.h>
#include <set>

namespace mortise::test {
namespace {

TEST(ViewToken, IsLongAndNewEachTime) {
  std::set<std::string> seen;
  for (int i = 0; i < 50; ++i) {
    const std::string token = viewer::newToken();
    EXPECT_EQ(token.size(), 32u) << token;
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos) << token;
    EXPECT_TRUE(seen.insert(token).second) << token;
  }
}

TEST(ViewToken, OnlyTheWholeTokenIsTaken) {
  const std::string token = viewer::newToken();
  EXPECT_TRUE(viewer::isToken(token, token));
  EXPECT_FALSE(viewer::isToken("", token));
  EXPECT_FALSE(viewer::isToken(token.substr(0, 31), token));
  EXPECT_FALSE(viewer::isToken(token + "0", token));
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = other[i] == '0' ? '1' : '0';
    EXPECT_FALSE(viewer::isToken(other, token)) << i;
  }
}

}  // namespace
}  // namespace mortise::test
