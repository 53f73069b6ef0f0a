/// Light and colors of pictures, against numbers worked out by hand and against integrals.

#include "mortise/path_tracing/lighting.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/path_tracing/floor.h"

namespace mortise::path_tracing {
namespace {

void expectColor(const Vector3d& found, double r, double g, double b, double tolerance = 1e-6) {
  EXPECT_NEAR(found[0], r, tolerance);
  EXPECT_NEAR(found[1], g, tolerance);
  EXPECT_NEAR(found[2], b, tolerance);
}

TEST(ToneMapping, HasKhronosValues) {
  expectColor(neutralToneMapped(Vector3d::Zero()), 0, 0, 0);
  expectColor(neutralToneMapped(Vector3d::Constant(0.5)), 0.46, 0.46, 0.46);
  // Where pressing begins, both branches agree.
  expectColor(neutralToneMapped(Vector3d::Constant(0.8)), 0.76, 0.76, 0.76);
  expectColor(neutralToneMapped(Vector3d::Constant(2)), 0.96, 0.96, 0.96);
  // 0.02 - (0.02 - 6.25 * 0.0004) = 0.0025.
  expectColor(neutralToneMapped(Vector3d(0.3, 0.02, 0.02)), 0.2825, 0.0025, 0.0025);
  // Peak 1 is pressed to 0.88, and 1 - 1 / (0.15 * 0.12 + 1) of it goes to white.
  const double white = 1 - 1 / 1.018;
  expectColor(neutralToneMapped(Vector3d(1, 0, 0)), 0.88, 0.88 * white, 0.88 * white);
}

TEST(ToneMapping, NeverReachesOneAndKeepsTheOrder) {
  double before = -1;
  for (int i = 0; i <= 400; ++i) {
    const double shown = neutralToneMapped(Vector3d::Constant(0.05 * i))[0];
    EXPECT_GT(shown, before);
    EXPECT_LT(shown, 1);
    before = shown;
  }
}

TEST(ScreenColors, GoThereAndBack) {
  for (int level = 0; level < 256; ++level) {
    EXPECT_NEAR(255 * screenLevel(linearLevel(level / 255.0)), level, 1e-9);
    const auto gray = static_cast<std::uint32_t>(level) * 0x10101U;
    EXPECT_NEAR(linearColor(gray)[1], linearLevel(level / 255.0), 1e-15);
  }
  EXPECT_EQ(screenLevel(-1), 0);
  EXPECT_EQ(screenLevel(7), 1);
  EXPECT_EQ(screenLevel(std::nan("")), 0);
  expectColor(linearColor(0xff0080), 1, 0, linearLevel(128 / 255.0));
}

TEST(Environment, IsWhiteAboveAndHasItsBoxes) {
  expectColor(environmentRadiance(Vector3d::UnitZ(), false), 1, 1.02, 1.06);
  expectColor(environmentRadiance(Vector3d::UnitX(), false), 0.78, 0.80, 0.84);
  expectColor(environmentRadiance(-Vector3d::UnitZ(), true), 0.42, 0.41, 0.40);
  const Vector3d toSun = Vector3d(-0.30, -0.80, 0.95).normalized();
  const Vector3d plain = environmentRadiance(toSun, false);
  expectColor(environmentRadiance(toSun, true), plain[0] + 5, plain[1] + 5 * 0.97, plain[2] + 5 * 0.92);
}

TEST(Environment, ItsMeanOnTheFloorIsTheIntegral) {
  double sum = 0;
  constexpr int kSteps = 100000;
  for (int i = 0; i < kSteps; ++i) {
    const double z = (i + 0.5) / kSteps;
    sum += 2 * z * luminance(environmentRadiance(Vector3d(std::sqrt(1 - z * z), 0, z), false)) / kSteps;
  }
  EXPECT_NEAR(skyMeanOnFloor(), sum, 1e-9);
}

TEST(Sky, HasNoLineAtTheHorizon) {
  for (const style::Theme* theme : {&style::kLight, &style::kDark}) {
    const Lighting light = Lighting::studio(*theme);
    EXPECT_LT((light.sky(Vector3d(1, 0, 1e-4).normalized()) - light.sky(Vector3d(1, 0, -1e-4).normalized())).norm(),
              1e-4);
    EXPECT_EQ(light.sky(Vector3d::UnitZ()), light.zenith);
    EXPECT_EQ(light.sky(-Vector3d::UnitZ()), light.ground);
  }
}

TEST(Sun, FillsADiskOfTwoAndAHalfDegrees) {
  const Lighting light = Lighting::studio(style::kLight);
  double farthest = 0, mean = 0;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      const double angle = std::acos(std::min(1.0, light.toSun.dot(light.toSunPoint((i + 0.5) / 64, (j + 0.5) / 64))));
      farthest = std::max(farthest, angle);
      mean += angle / 4096;
    }
  EXPECT_LT(farthest, 2.5 * M_PI / 180);
  EXPECT_GT(farthest, 2.45 * M_PI / 180);
  EXPECT_NEAR(mean, 2.0 / 3 * 2.5 * M_PI / 180, 2e-3 * M_PI / 180) << "evenly over the disk";
}

TEST(Floor, FadesAndHasLines) {
  const Floor floor{0, {1, 2}, 10, 1};
  EXPECT_EQ(floor.opacityAt({1, 2}), 1);
  EXPECT_EQ(floor.opacityAt({1 + 3.4, 2}), 1);
  EXPECT_GT(floor.opacityAt({1 + 6, 2}), 0.3);
  EXPECT_EQ(floor.opacityAt({1, 2 + 10.01}), 0);
  const Eigen::Vector2d step(0.01, 0.01);
  EXPECT_NEAR(floor.gridAt({2, 2.5}, step, 0.2), 0.2 * 0.75, 1e-12) << "on a line that is half a pixel wide";
  EXPECT_EQ(floor.gridAt({2.5, 2.5}, step, 0.2), 0) << "within a cell";
  EXPECT_EQ(floor.gridAt({2, 2.5}, {0.5, 0.5}, 0.2), 0) << "a cell of two pixels has no lines";
  EXPECT_EQ(gridCell(0.001), 0.1);
  EXPECT_EQ(gridCell(0.01 / 32), 0.01);
}

TEST(Floor, LevelPlatesAreFloorsAndOthersAreNot) {
  const auto box = [](const Vector3d& low, const Vector3d& high) { return Geometry(AxisAlignedBoxShape{low, high}); };
  EXPECT_EQ(levelTop(box({-5, -5, -1}, {5, 5, 0.25})), 0.25);
  EXPECT_FALSE(levelTop(box({-1, -5, -0.1}, {1, 5, 0}))) << "2 m are too narrow";
  EXPECT_FALSE(levelTop(box({-5, -5, -3}, {5, 5, 0}))) << "3 m are too thick";
  TriangleMesh half;
  half.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
  half.triangles = {{0, 1, 2}};
  EXPECT_FALSE(levelTop(Geometry(half))) << "half of its rectangle is open";
  half.triangles.push_back({0, 2, 3});
  EXPECT_EQ(levelTop(Geometry(half)), 0);
  half.vertices[2].z() = 0.5;
  EXPECT_FALSE(levelTop(Geometry(half)).has_value() && *levelTop(Geometry(half)) == 0) << "one corner is raised";
}

}  // namespace
}  // namespace mortise::path_tracing
