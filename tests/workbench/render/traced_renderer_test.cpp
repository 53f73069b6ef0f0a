/// Whole pictures: any size, backgrounds, threads, overlays, files.

#include <gtest/gtest.h>

#include "mortise/base/error.h"
#include "mortise/images/png_image.h"
#include "mortise/render/overlay_canvas.h"
#include "mortise/render/photographer.h"
#include "mortise/render/scene_overlays.h"
#include "mortise/render/stroke_font.h"
#include "mortise/render/world_renderer.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::render {
namespace {

class Pictures : public testing::Test {
 protected:
  Pictures() {
    world.terrains.push_back(test::groundTerrain());
    world.objects.push_back(test::boxObject("box", Vector3d(0, 0, 0.1)));
    options.width = 40;
    options.height = 30;
    options.style.quality = PictureStyle::Quality::draft;
  }
  static Registry& registry() {
    static test::MemoryLog log;
    static const std::unique_ptr<Registry> registry = test::makeRegistry(log);
    return *registry;
  }
  Picture take() {
    const StillView still(world);
    return Photographer(world, {&still.view()}, options, registry(), log).take(still.view());
  }
  static int channel(const Picture& picture, int column, int row, int shift) {
    return static_cast<int>(picture.pixels[static_cast<std::size_t>(row * picture.width + column)] >> shift & 255);
  }

  World world;
  PhotoOptions options;
  test::MemoryLog log;
};

TEST_F(Pictures, TheSameWorldGivesTheSameBits) {
  const Picture first = take(), again = take();
  EXPECT_EQ(first.pixels, again.pixels);
  EXPECT_EQ(first.pixels.size(), 1200u);
  EXPECT_TRUE(first.opacity.empty());
}

TEST_F(Pictures, AnySizeIsPossible) {
  for (const auto& [width, height] : {std::pair(1, 1), std::pair(3, 200), std::pair(5000, 1), std::pair(4099, 2)}) {
    options.width = width;
    options.height = height;
    const Picture picture = take();
    EXPECT_EQ(picture.pixels.size(), static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  }
  options.width = options.height = 20000;
  EXPECT_THROW(take(), Error);
}

TEST_F(Pictures, WindowsLeaveNoSeams) {
  // More than one window across and down; each column of the picture at its left and right of a seam is alike.
  options.width = 8200;
  options.height = 18;
  options.style.grid = false;
  const Picture picture = take();
  int different = 0;
  for (const int seam : {2734, 5468})
    for (int row = 0; row < 18; ++row)
      if (std::abs(channel(picture, seam - 1, row, 8) - channel(picture, seam, row, 8)) > 60) ++different;
  EXPECT_LE(different, 6);
}

TEST_F(Pictures, BackgroundsAndThemes) {
  const Picture light = take();
  EXPECT_GT(channel(light, 0, 0, 8), 200);
  options.style.dark = true;
  EXPECT_LT(channel(take(), 0, 0, 8), 80);
  options.style.dark = false;
  options.style.background = PictureStyle::Background::white;
  EXPECT_EQ(take().pixels.front(), 0xffffffU);
  options.style.background = PictureStyle::Background::transparent;
  const Picture transparent = take();
  ASSERT_EQ(transparent.opacity.size(), 1200u);
  EXPECT_EQ(transparent.opacity.front(), 0);
  EXPECT_EQ(transparent.opacity[15 * 40 + 20], 255) << "the box in the middle";
  world.background = {1, 0, 0, 1};
  options.style.background = PictureStyle::Background::sky;
  EXPECT_EQ(channel(take(), 0, 0, 16), 255) << "a world's own sky";
  EXPECT_LT(channel(take(), 0, 0, 0), 10);
}

TEST_F(Pictures, WithoutTheGridTheFloorIsPlain) {
  options.width = 400;
  options.height = 300;
  const Picture with = take();
  options.style.grid = false;
  const Picture without = take();
  int darker = 0, changed = 0;
  for (std::size_t i = 0; i < with.pixels.size(); ++i) {
    if (with.pixels[i] == without.pixels[i]) continue;
    ++changed;
    bool isDarker = true;
    for (const int shift : {0, 8, 16})
      isDarker = isDarker && (with.pixels[i] >> shift & 255) <= (without.pixels[i] >> shift & 255);
    if (isDarker) ++darker;
  }
  EXPECT_GT(changed, 1000);
  EXPECT_EQ(darker, changed) << "lines are darker than a light floor";
}

TEST_F(Pictures, OpacitiesAreInTheFile) {
  const std::vector<std::uint32_t> pixels = {0x102030, 0x405060};
  const std::vector<std::uint8_t> opacities = {255, 7};
  const std::string png = colorPng(2, 1, pixels, opacities);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png[25], 6) << "red, green, blue and opacity";
  EXPECT_THROW(colorPng(2, 1, pixels, std::vector<std::uint8_t>{1}), Error);
}

class Overlays : public testing::Test {
 protected:
  Overlays() {
    picture.pixels.assign(100 * 80, 0xffffff);
    picture.depth.assign(100 * 80, std::numeric_limits<float>::infinity());
  }
  std::uint32_t at(int column, int row) const { return picture.pixels[static_cast<std::size_t>(100 * row + column)]; }

  Picture picture{100, 80, {}, {}, {}};
  PictureCamera camera{RigidTransform(), 100, 100, 80};  ///< Looks along z; at depth 1 a pixel is 1 cm.
};

TEST_F(Overlays, LinesAreWhereTheCameraSeesThem) {
  OverlayCanvas canvas(picture, camera);
  canvas.line(Vector3d(-0.2, 0.105, 1), Vector3d(0.2, 0.105, 1), 3, 0xff0000);
  EXPECT_EQ(at(50, 50), 0xff0000U) << "39.5 + 10.5";
  EXPECT_EQ(at(50, 49), 0xff0000U);
  EXPECT_EQ(at(50, 47), 0xffffffU);
  EXPECT_EQ(at(20, 50), 0xffffffU) << "beyond its end";
}

TEST_F(Overlays, HiddenPartsAreFaint) {
  for (std::size_t i = 0; i < picture.depth.size(); ++i)
    if (i % 100 < 50) picture.depth[i] = 0.5f;
  OverlayCanvas canvas(picture, camera);
  canvas.line(Vector3d(-0.3, 0.005, 1), Vector3d(0.3, 0.005, 1), 3, 0x000000);
  EXPECT_EQ(at(60, 40), 0U);
  const int faint = static_cast<int>(at(35, 40) & 255);
  EXPECT_NEAR(faint, 255 * 0.72, 1);
}

TEST_F(Overlays, WhatIsBehindTheCameraOrNowhereIsNotDrawn) {
  const std::vector<std::uint32_t> before = picture.pixels;
  OverlayCanvas canvas(picture, camera);
  canvas.line(Vector3d(0, 0, -1), Vector3d(0.1, 0, -2), 3, 0);
  canvas.line(Vector3d(0, 0, 1), Vector3d(0, std::nan(""), 1), 3, 0);
  canvas.arrow(Vector3d(0, 0, 1), Vector3d::Zero(), 0.01, 0);
  canvas.arrow(Vector3d(0, 0, 1), Vector3d::Constant(std::numeric_limits<double>::infinity()), 0.01, 0);
  EXPECT_EQ(picture.pixels, before);
  canvas.line(Vector3d(0, 0.005, -1), Vector3d(0, 0.005, 1e9), 3, 0);
  EXPECT_NE(picture.pixels, before) << "the part in front of it is";
}

TEST_F(Overlays, ArrowsHaveThickHeads) {
  OverlayCanvas canvas(picture, camera);
  const std::vector<std::uint32_t> before = picture.pixels;
  canvas.arrow(Vector3d(-0.3, 0, 1), Vector3d(0.6, 0, 0), 0.01, 0x00ff00);
  const auto thickness = [&](int column) {
    int count = 0;
    for (std::size_t row = 0; row < 80; ++row)
      if (at(column, static_cast<int>(row)) !=
          before[row * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(column)])
        ++count;
    return count;
  };
  EXPECT_EQ(thickness(40), 2);
  EXPECT_GE(thickness(74), 4) << "a head of 7 cm begins at 72";
  EXPECT_LE(thickness(74), 6);
  EXPECT_EQ(thickness(90), 0);
}

TEST_F(Overlays, WordsStandAboveTheirPlace) {
  // The name of a thing in the middle of the picture, hidden or not.
  picture.depth.assign(picture.depth.size(), 0.1f);
  OverlayCanvas canvas(picture, camera);
  canvas.words(Vector3d(0.005, 0.205, 1), "TT", 20, 0x000000, 0xff0000);
  int left = 100, right = 0, top = 80, bottom = 0;
  for (int row = 0; row < 80; ++row)
    for (int column = 0; column < 100; ++column)
      if (at(column, row) == 0) {
        left = std::min(left, column);
        right = std::max(right, column);
        top = std::min(top, row);
        bottom = std::max(bottom, row);
      }
  EXPECT_NEAR(0.5 * (left + right), 50, 1);
  EXPECT_NEAR(bottom - top, 20, 3);
  EXPECT_NEAR(right - left, 20 * 10 / 6.0, 3) << "two letters of four columns and two between";
  EXPECT_LT(bottom, 60);
  EXPECT_EQ(writtenWords("T\u00e9T").width, writtenWords("TTT").width) << "a letter beyond ASCII is one box";
  EXPECT_TRUE(writtenWords("").strokes.empty());
}

TEST_F(Overlays, ContactsOfTwoBodiesAreOneArrow) {
  const auto contact = [](int a, int b, const Vector3d& point, double force) {
    ContactForce c;
    c.idA = a;
    c.idB = b;
    c.point = point;
    c.normal = Vector3d::UnitZ();
    c.force = Vector3d(0, 0, a < b ? force : -force);
    return c;
  };
  const auto sums = logs::contactSums({contact(1, 2, Vector3d(0, 0, 0), 30), contact(1, 3, Vector3d(5, 0, 0), 4),
                                       contact(2, 1, Vector3d(1, 0, 0), 10)});
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].force, Vector3d(0, 0, 40));
  EXPECT_LT((sums[0].point - Vector3d(0.25, 0, 0)).norm(), 1e-12) << "the center of pressure";
  EXPECT_EQ(largestForce(sums), 40);
  EXPECT_EQ(largestForce({}), 0);
}

}  // namespace
}  // namespace mortise::render
