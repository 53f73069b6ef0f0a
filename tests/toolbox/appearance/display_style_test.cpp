// What worlds say in <display>.

#include "mortise/appearance/display_style.h"

#include <gtest/gtest.h>

namespace mortise {
namespace {

Value attributes(std::initializer_list<std::pair<const char*, const char*>> list) {
  Value map = Value::map();
  for (const auto& [key, text] : list) map.set(key, Value::fromText(text));
  return map;
}

std::vector<std::string> warnings;
void warn(const std::string& message) { warnings.push_back(message); }

class DisplayStyles : public testing::Test {
 protected:
  void SetUp() override { warnings.clear(); }
};

TEST_F(DisplayStyles, ColorsWithOpacity) {
  const DisplayStyle style =
      displayStyle({attributes({{"color", "1 0 0"}}), attributes({{"faceColor", "0 1 0 0.5"}})}, warn);
  ASSERT_TRUE(style.color);
  EXPECT_EQ(*style.color, (Rgba{0, 1, 0, 0.5f})) << "the last one counts";
  EXPECT_EQ(*style.pointColor, (Rgba{1, 0, 0, 1})) << "a color is that of points too, a face's is not";
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DisplayStyles, EdgesAndOutlines) {
  const DisplayStyle style = displayStyle(
      {attributes({{"edgeColor", "0 0 1 1"}, {"edgeSize", "2"}, {"silhouette", "0.0025 1 0 0"}, {"pointSize", "5"}})},
      warn);
  EXPECT_EQ(style.edges, 2);
  EXPECT_EQ(style.edgeColor, (Rgba{0, 0, 1, 1}));
  EXPECT_NEAR(style.silhouette, 2, 1e-12);
  EXPECT_EQ(style.silhouetteColor, (Rgba{1, 0, 0, 1}));
  EXPECT_EQ(style.pointSize, 5);
  EXPECT_EQ(displayStyle({attributes({{"edgeColor", "0 0 1 0"}})}, warn).edges, 0) << "edges that nobody sees";
  EXPECT_EQ(displayStyle({attributes({{"edgeColor", "0 0 1"}})}, warn).edges, 1);
}

TEST_F(DisplayStyles, TexturesEndWhereAColorFollows) {
  DisplayStyle style = displayStyle({attributes({{"texture", "colorgradient"}})}, warn);
  EXPECT_EQ(style.texture, "colorgradient");
  EXPECT_EQ(style.projection, TextureProjection::z);
  EXPECT_TRUE(style.fitTexture);
  style = displayStyle({attributes({{"texture", "wood.png"}, {"texture_projection", "z"}})}, warn);
  EXPECT_EQ(style.projection, TextureProjection::z);
  EXPECT_TRUE(style.fitTexture);
  style = displayStyle({attributes({{"color", "1 1 1"}, {"texture", "checker"}})}, warn);
  EXPECT_EQ(style.texture, "checker") << "of one entry, color and texture go together";
  EXPECT_FALSE(style.fitTexture);
  EXPECT_EQ(displayStyle({attributes({{"texture", "checker"}}), attributes({{"color", "1 1 1"}})}, warn).texture, "");
}

TEST_F(DisplayStyles, SayWhatIsNotDrawn) {
  displayStyle({attributes({{"shininess", "3"}, {"color", "red"}, {"silhouette", "wide"}, {"edgeSize", "-1"}})}, warn);
  ASSERT_EQ(warnings.size(), 4U);
  displayStyle({attributes({{"texture", "checker"}, {"texture_projection", "conformal"}})}, warn);
  ASSERT_EQ(warnings.size(), 5U);
  EXPECT_NE(warnings.back().find("conformal"), std::string::npos);
}

}  // namespace
}  // namespace mortise
