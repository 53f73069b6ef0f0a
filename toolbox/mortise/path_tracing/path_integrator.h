#pragma once

/// Samples of the light that a camera sees of a scene, with whatever finds what rays meet.

#include <optional>

#include "mortise/path_tracing/floor.h"
#include "mortise/path_tracing/lighting.h"
#include "mortise/path_tracing/sobol.h"

namespace mortise::path_tracing {

/// A surface as light sees it.
struct Material {
  Vector3d albedo = Vector3d::Constant(0.5);  ///< Linear.
  double roughness = style::kObjectRoughness;
  double coat = 0;     ///< Share of a clear coat.
  double opacity = 1;  ///< Share of light that does not pass through.
};

/// The point where a ray meets a surface.
struct SurfaceHit {
  double t = 0;           ///< In lengths of the direction.
  Vector3d normal;        ///< Of the surface, of length 1, to either side.
  Vector3d smoothNormal;  ///< The same, as light sees it.
  Material material;
};

/// Finds what rays meet. Any number of threads may ask at a time.
class TracedScene {
 public:
  virtual ~TracedScene() = default;
  /// The nearest meeting with 0 < t < `far`; false: none. `direction` has length 1.
  virtual bool closest(const Vector3d& origin, const Vector3d& direction, double far, SurfaceHit& hit) const = 0;
  /// Says whether anything is met before `far`.
  virtual bool occluded(const Vector3d& origin, const Vector3d& direction, double far) const = 0;
  /// Says whether any body lets light pass.
  virtual bool seenThrough() const { return false; }
};

/// The background that pictures get.
enum class Background {
  sky,         ///< The sky's gradient, and the floor.
  white,       ///< White paper with the floor's shadows.
  transparent  ///< Nothing with the floor's shadows, black.
};

/// A sample of a picture: a linear color from 0 to 1 times its opacity.
struct PixelSample {
  Vector3d color = Vector3d::Zero();
  double opacity = 1;
};

/// A ray through a pixel, and what its direction changes by from pixel to pixel.
struct CameraRay {
  Vector3d origin, direction;  ///< The direction has depth 1 along the optical axis.
  Vector3d right, down;
};

/// Paths of light from the camera backward. The sun, the floor and the environment give light; bodies pass it on, with
/// highlights of the environment alone. Holds references.
class PathIntegrator {
 public:
  /// `bounces`: how often light may be passed on from body to body. `floor`: none where there is no value. `eye`:
  /// where single precision is best.
  PathIntegrator(const TracedScene& scene, const Lighting& lighting, const std::optional<Floor>& floor,
                 const Vector3d& eye, int bounces, Background background);

  PixelSample sample(const CameraRay& ray, PixelSampler& sampler) const;

  /// The shares of the sun's and of the sky's light that arrive at a point of the floor, by one ray each.
  struct FloorLight {
    double sun, sky;
  };
  FloorLight floorLight(const Vector3d& point, PixelSampler& sampler) const;

  /// Radiance of a body toward the ray's origin.
  Vector3d radiance(const Vector3d& origin, const Vector3d& direction, const SurfaceHit& hit,
                    PixelSampler& sampler) const;

 private:
  struct Corner;
  Corner cornerAt(const Vector3d& origin, const Vector3d& direction, const SurfaceHit& hit) const;
  Vector3d direct(const Corner& corner, PixelSampler& sampler) const;
  Vector3d leaving(const Vector3d& direction, bool boxes) const;
  double reachOf(const Vector3d& origin, const Vector3d& direction) const;
  Vector3d reflection(const Corner& corner, const Vector3d& toEye, PixelSampler& sampler, double& taken) const;
  PixelSample floorSample(const CameraRay& ray, double far, PixelSampler& sampler) const;
  bool meets(const Vector3d& origin, const Vector3d& direction, double far, SurfaceHit& hit,
             PixelSampler& sampler) const;
  bool hidden(const Vector3d& origin, const Vector3d& direction, PixelSampler& sampler) const;
  double offsetAt(const Vector3d& point, double distance) const;

  const TracedScene& scene_;
  const Lighting& lighting_;
  const std::optional<Floor>& floor_;
  Vector3d eye_;
  int bounces_;
  Background background_;
  double skyMean_;
};

}  // namespace mortise::path_tracing
