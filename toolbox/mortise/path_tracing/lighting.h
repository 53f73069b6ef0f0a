#pragma once

/// The light of pictures: sky, environment, sun, and how radiance becomes a color on a screen.

#include <cstdint>

#include "mortise/appearance/picture_style.h"
#include "mortise/math/transform.h"

namespace mortise::path_tracing {

/// Linear red, green and blue of a color 0xrrggbb as screens show it.
Vector3d linearColor(std::uint32_t rgb);
/// From 0 to 1, linear to what screens show and back.
double screenLevel(double linear);
double linearLevel(double screen);
double luminance(const Vector3d& linear);

/// Khronos's neutral tone mapping: colors below about 0.8 stay as they are, brighter ones are pressed below 1.
Vector3d neutralToneMapped(Vector3d color);

/// The light around the scene, linear.
struct Lighting {
  Vector3d zenith, horizon, ground;  ///< What the camera sees.
  Vector3d floor, grid;
  double gridFraction = 0;
  Vector3d sun;                ///< Irradiance of a surface that faces it; zero: there is none.
  Vector3d toSun, sunX, sunY;  ///< Direction to its middle, and two across.
  double environment = 1;      ///< Factor of its light.
  bool floorLights = true;     ///< What comes from below is the floor's light; else the environment's.
  bool white = false;          ///< The environment is 1 all around.
  Vector3d floorLight;         ///< Radiance of the floor as bodies get it.

  /// The light that the picture style declares.
  static Lighting studio(const style::Theme& theme);
  /// White light from all around, without sun, reflections and tone mapping: what bodies show is their albedo, darkened
  /// where others cover them.
  static Lighting whiteRoom(const style::Theme& theme);

  Vector3d sky(const Vector3d& direction) const;
  /// Radiance of the environment for surfaces, without its boxes.
  Vector3d fromAround(const Vector3d& direction) const;
  /// Radiance of the environment for reflections, with its boxes.
  Vector3d reflected(const Vector3d& direction) const;
  /// The direction to a point of the sun's disk; u and v from 0 to 1.
  Vector3d toSunPoint(double u, double v) const;
  /// Radiance to a color from 0 to 1, linear.
  Vector3d shown(const Vector3d& radiance) const;
};

/// The environment's formula, linear radiance.
Vector3d environmentRadiance(const Vector3d& direction, bool boxes);
/// Mean luminance of the environment without boxes for a level floor: over directions by the cosine.
double skyMeanOnFloor();

/// 0 below `low`, 1 above `high`, smooth between.
double smoothstep(double low, double high, double value);

}  // namespace mortise::path_tracing
