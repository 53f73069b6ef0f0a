// Meshes with looks as resources, which is how formats hand them over.

#include "mortise/appearance/visual_library.h"

#include <gtest/gtest.h>
#include <limits>

#include "tests/support/error_text.h"

namespace mortise {
namespace {

VisualPart facePart() {
  VisualPart part;
  part.data.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  part.data.triangles = {{0, 1, 2}};
  part.data.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 0.5f}};
  part.data.textureCoordinates = {{0, 0}, {1, 0}, {0, 1}};
  part.color = Rgba{0.5f, 0.25f, 0.125f, 1};
  part.textureFile = "/images/wood.png";
  return part;
}

TEST(VisualLibraries, ComeBackEqual) {
  VisualPart bytes = facePart();
  bytes.textureFile.clear();
  bytes.textureBytes = std::string("\x89PNG\0\xff", 6);
  VisualPart points;
  points.data.vertices = {{1, 2, 3}};
  const std::vector<VisualPart> before = {facePart(), points, bytes};
  const std::vector<VisualPart> after = partsFrom(libraryOf(before));
  ASSERT_EQ(after.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(after[i].data.vertices, before[i].data.vertices);
    EXPECT_EQ(after[i].data.triangles, before[i].data.triangles);
    EXPECT_EQ(after[i].data.colors, before[i].data.colors);
    EXPECT_EQ(after[i].data.textureCoordinates, before[i].data.textureCoordinates);
    EXPECT_EQ(after[i].color, before[i].color);
    EXPECT_EQ(after[i].textureFile, before[i].textureFile);
    EXPECT_EQ(after[i].textureBytes, before[i].textureBytes);
  }
  EXPECT_TRUE(partsFrom(libraryOf({})).empty());
}

TEST(VisualLibraries, WhatDoesNotHoldTogetherIsRefused) {
  const auto refused = [](const std::function<void(ResourceLibrary&)>& spoil) {
    ResourceLibrary library = libraryOf({facePart()});
    spoil(library);
    return test::errorText([&] { partsFrom(library); });
  };
  EXPECT_NE(refused([](ResourceLibrary& l) { l.items.erase(l.items.begin()); }).find("before any mesh"),
            std::string::npos);
  EXPECT_NE(refused([](ResourceLibrary& l) { l.items[1].value = Eigen::MatrixXd(Eigen::MatrixXd::Zero(2, 4)); }), "");
  EXPECT_NE(refused([](ResourceLibrary& l) { l.items[1].value = VectorXd(VectorXd::Zero(3)); }), "");
  EXPECT_NE(refused([](ResourceLibrary& l) { l.items[3].value = std::vector<double>{1}; }), "");
  EXPECT_NE(refused([](ResourceLibrary& l) {
              l.items[0].value = std::make_shared<const Geometry>(TriangleMesh{{{0, 0, 0}}, {{0, 0, 7}}});
            }),
            "");
  EXPECT_NE(refused([](ResourceLibrary& l) {
              const double nan = std::numeric_limits<double>::quiet_NaN();
              l.items[0].value = std::make_shared<const Geometry>(TriangleMesh{{{nan, 0, 0}}, {}});
            }),
            "");
  EXPECT_NE(refused([](ResourceLibrary& l) { l.items[0].value = GeometryPtr(); }), "");
}

TEST(VisualLibraries, CoordinatesThatAreNotFiniteAreZero) {
  ResourceLibrary library = libraryOf({facePart()});
  Eigen::MatrixXd rows = Eigen::MatrixXd::Constant(3, 2, std::numeric_limits<double>::quiet_NaN());
  for (ResourceItem& item : library.items)
    if (item.name == "texture_coordinates") item.value = rows;
  const std::vector<VisualPart> parts = partsFrom(library);
  ASSERT_EQ(parts.front().data.textureCoordinates.size(), 3U);
  for (const Eigen::Vector2f& at : parts.front().data.textureCoordinates) EXPECT_EQ(at, Eigen::Vector2f(0, 0));
}

}  // namespace
}  // namespace mortise
