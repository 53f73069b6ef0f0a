/// Light in scenes whose answer is known: furnaces, shadows of balls, floors that nothing covers.

#include "mortise/path_tracing/path_integrator.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mortise::path_tracing {
namespace {

/// The distance at which a ray meets a ball; infinite: nowhere.
double ballAt(const Vector3d& origin, const Vector3d& direction, const Vector3d& center, double radius, bool inner) {
  const Vector3d p = origin - center;
  const double b = p.dot(direction), rest = b * b - p.squaredNorm() + radius * radius;
  if (rest < 0) return std::numeric_limits<double>::infinity();
  const double t = inner ? -b + std::sqrt(rest) : -b - std::sqrt(rest);
  return t > 0 ? t : std::numeric_limits<double>::infinity();
}

/// A ball, or a hollow one seen from within that is open above a height.
class BallScene final : public TracedScene {
 public:
  Vector3d center = Vector3d::Zero();
  double radius = 1, openAbove = std::numeric_limits<double>::infinity();
  bool hollow = false;
  Material material;

  bool closest(const Vector3d& origin, const Vector3d& direction, double far, SurfaceHit& hit) const override {
    hit.t = ballAt(origin, direction, center, radius, hollow);
    const Vector3d at = origin + hit.t * direction;
    if (!(hit.t < far) || (hollow && at.z() > openAbove)) return false;
    hit.normal = hit.smoothNormal = (at - center) / radius;
    hit.material = material;
    return true;
  }
  bool occluded(const Vector3d& origin, const Vector3d& direction, double far) const override {
    SurfaceHit hit;
    return closest(origin, direction, far, hit);
  }
};

Vector3d meanRadiance(const PathIntegrator& integrator, const BallScene& scene, const Vector3d& origin,
                      const Vector3d& direction, int samples) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < samples; ++k) {
    PixelSampler sampler(3, 5, static_cast<std::uint32_t>(k));
    SurfaceHit hit;
    EXPECT_TRUE(scene.closest(origin, direction, 1e9, hit));
    sum += integrator.radiance(origin, direction, hit, sampler);
  }
  return sum / samples;
}

TEST(Furnace, AConvexBodyInWhiteLightShowsItsAlbedo) {
  BallScene scene;
  scene.material.albedo = Vector3d(0.8, 0.5, 0.1);
  const Lighting light = Lighting::whiteRoom(style::kLight);
  const std::optional<Floor> none;
  for (const int bounces : {0, 3}) {
    const PathIntegrator integrator(scene, light, none, Vector3d(0, -3, 0), bounces, Background::sky);
    for (const double x : {0.0, 0.1, 0.3}) {
      const Vector3d found = meanRadiance(integrator, scene, Vector3d(0, -3, 0), Vector3d(x, 1, 0.05).normalized(), 16);
      EXPECT_LT((found - scene.material.albedo).norm(), 1e-12) << x;
    }
  }
}

TEST(Furnace, AHollowBallPassesLightOnAsTheClosedFormSays) {
  // From a point of a hollow ball, cosine-distributed light falls evenly on the whole of it: a share f leaves by the
  // opening, the rest is passed on. After n bounces: f a (1 + a (1 - f) + ... ).
  BallScene scene;
  scene.hollow = true;
  scene.openAbove = 0.4;
  const double f = (1 - 0.4) / 2, a = 0.7;
  scene.material.albedo = Vector3d::Constant(a);
  const Lighting light = Lighting::whiteRoom(style::kLight);
  const std::optional<Floor> none;
  for (const int bounces : {0, 1, 3, 100}) {
    const PathIntegrator integrator(scene, light, none, Vector3d::Zero(), bounces, Background::sky);
    double expected = 0, passed = 1;
    for (int k = 0; k <= bounces; ++k, passed *= a * (1 - f)) expected += f * a * passed;
    const Vector3d found = meanRadiance(integrator, scene, Vector3d::Zero(), Vector3d(0.6, 0, -0.8), 4096);
    EXPECT_NEAR(found[0], expected, 0.006) << bounces << " bounces";
  }
}

TEST(Sunlight, IsIrradianceTimesAlbedoByPi) {
  BallScene scene;
  scene.material.albedo = Vector3d(0.5, 0.4, 0.3);
  Lighting light = Lighting::studio(style::kLight);
  light.environment = 0;
  light.floorLight.setZero();
  const std::optional<Floor> none;
  const Vector3d eye = 5 * light.toSun;
  const PathIntegrator integrator(scene, light, none, eye, 0, Background::sky);
  const Vector3d found = meanRadiance(integrator, scene, eye, -light.toSun, 256);
  // Seen head-on, 0.04 is mirrored, of a dark environment.
  const double cosine = 1 - 0.25 * std::pow(style::kSunRadius, 2);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(found[k], 0.96 * cosine * 3.0 * linearColor(0xfff4e6)[k] * scene.material.albedo[k] / M_PI, 1e-3);
}

/// The share of a disk of radius 1 that another one of radius `r` at a distance covers.
double coveredShare(double r, double distance) {
  if (distance >= 1 + r) return 0;
  if (distance <= r - 1) return 1;
  if (distance <= 1 - r) return r * r;
  const double d2 = distance * distance, r2 = r * r;
  const double a = std::acos((d2 + 1 - r2) / (2 * distance)), b = std::acos((d2 + r2 - 1) / (2 * distance * r));
  const double kite =
      0.5 * std::sqrt((-distance + 1 + r) * (distance + 1 - r) * (distance - 1 + r) * (distance + 1 + r));
  return (a + r2 * b - kite) / M_PI;
}

class ShadowOfABall : public testing::Test {
 protected:
  ShadowOfABall() {
    scene.center = kDistance * light.toSun;
    scene.radius = kRadius;
  }
  /// Sunlight at a point so far beside the middle of the shadow, on a plane across.
  double sunAt(double beside, int samples = 1024) const {
    const std::optional<Floor> none;
    const PathIntegrator integrator(scene, light, none, Vector3d::Zero(), 0, Background::sky);
    double sum = 0;
    for (int k = 0; k < samples; ++k) {
      PixelSampler sampler(1, 2, static_cast<std::uint32_t>(k));
      sum += integrator.floorLight(beside * light.sunX, sampler).sun;
    }
    return sum / samples;
  }

  static constexpr double kDistance = 4, kRadius = 0.4;
  Lighting light = Lighting::studio(style::kLight);
  BallScene scene;
};

TEST_F(ShadowOfABall, HasAPenumbraOfTheSunsSize) {
  // A point at x sees the ball's middle atan(x / D) beside the sun's, and its rim asin(r / sqrt(D^2 + x^2)) from that.
  const auto edge = [](double sun) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double x = 0.5 * (low + high);
      const double angle = std::atan(x / kDistance) - std::asin(kRadius / std::hypot(kDistance, x));
      (angle < sun ? low : high) = x;
    }
    return low;
  };
  const double sun = std::atan(style::kSunRadius), inner = edge(-sun), outer = edge(sun);
  EXPECT_NEAR(outer - inner, 2 * kDistance * sun, 0.01 * kDistance * sun) << "wide as the sun is, seen from the ball";
  EXPECT_EQ(sunAt(0), 0);
  EXPECT_EQ(sunAt(inner - 1e-3), 0);
  EXPECT_GT(sunAt(inner + 0.02), 0);
  EXPECT_LT(sunAt(outer - 0.02), 1);
  EXPECT_EQ(sunAt(outer + 1e-3), 1);
}

TEST_F(ShadowOfABall, IsAsDarkAsTheBallCoversTheSun) {
  for (double x = 0.2; x <= 0.62; x += 0.03) {
    const double rim = std::tan(std::asin(kRadius / std::hypot(kDistance, x)));
    const double covered = coveredShare(rim / style::kSunRadius, x / kDistance / style::kSunRadius);
    EXPECT_NEAR(sunAt(x), 1 - covered, 0.015) << x;
  }
}

TEST(FloorLight, IsWholeWhereNothingCoversIt) {
  BallScene scene;
  scene.center = Vector3d(0, 0, -50);
  const Lighting light = Lighting::studio(style::kLight);
  const std::optional<Floor> none;
  const PathIntegrator integrator(scene, light, none, Vector3d::Zero(), 0, Background::sky);
  double sun = 0, sky = 0;
  for (int k = 0; k < 1024; ++k) {
    PixelSampler sampler(0, 0, static_cast<std::uint32_t>(k));
    const auto arrived = integrator.floorLight(Vector3d::Zero(), sampler);
    sun += arrived.sun / 1024;
    sky += arrived.sky / 1024;
  }
  EXPECT_EQ(sun, 1);
  EXPECT_NEAR(sky, 1, 1e-3);
}

TEST(Backgrounds, ShowTheFloorsShadowsAlone) {
  // A ball rests on the floor; the camera sees the floor right below it, and far from it.
  BallScene scene;
  scene.center = Vector3d(0, 0, 1);
  const Lighting light = Lighting::studio(style::kLight);
  const std::optional<Floor> floor = Floor{0, {0, 0}, 100, 0};
  const auto mean = [&](const Vector3d& target, Background background) {
    const Vector3d eye(6, -6, 3);
    const PathIntegrator integrator(scene, light, floor, eye, 0, background);
    PixelSample sum{Vector3d::Zero(), 0};
    for (int k = 0; k < 256; ++k) {
      PixelSampler sampler(0, 0, static_cast<std::uint32_t>(k));
      const PixelSample one =
          integrator.sample({eye, target - eye, Vector3d(1e-3, 0, 0), Vector3d(0, 0, -1e-3)}, sampler);
      sum.color += one.color / 256;
      sum.opacity += one.opacity / 256;
    }
    return sum;
  };
  const Vector3d far(-20, 20, 0), near(0.9, 0.1, 0), above(0, 0, 40);
  EXPECT_NEAR(mean(far, Background::transparent).opacity, 0, 0.01);
  EXPECT_GT(mean(near, Background::transparent).opacity, 0.2);
  EXPECT_EQ(mean(near, Background::transparent).color.norm(), 0) << "shadows are black";
  EXPECT_EQ(mean(above, Background::transparent).opacity, 0);
  EXPECT_EQ(mean(scene.center, Background::transparent).opacity, 1);
  EXPECT_NEAR(mean(near, Background::white).color[1], 1 - mean(near, Background::transparent).opacity, 1e-9);
  EXPECT_EQ(mean(far, Background::sky).opacity, 1);
  EXPECT_LT((mean(far, Background::sky).color - light.floor).norm(), 0.01);
}

}  // namespace
}  // namespace mortise::path_tracing
