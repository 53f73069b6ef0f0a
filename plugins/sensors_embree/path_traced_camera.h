#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mortise/path_tracing/path_integrator.h"
#include "sensor_mount.h"
#include "traced_world.h"
#include "visible_world.h"
#include "worker_threads.h"

namespace mortise::sensors_embree {

struct PathTracedCameraSettings : MountSettings {
  enum class Theme { light, dark };
  enum class Light { studio, white };
  int width = 320, height = 240;
  double fx = -1, fy = -1, cx = -1, cy = -1;  ///< Pixels of the whole picture.
  int column = 0, row = 0;                    ///< The window's top left pixel in the whole picture.
  int samples = 32, bounces = 1;
  Theme theme = Theme::light;
  Light light = Light::studio;
  path_tracing::Background background = path_tracing::Background::sky;
  std::optional<Vector3d> skyColor;  ///< As screens show it.
  std::optional<double> floorHeight;
  std::array<double, 2> floorCenter = {0, 0};
  double floorReach = 7, gridCell = 0;
  VisibleWorld::Shapes shapes = VisibleWorld::Shapes::visual;
  std::vector<int> hiddenTerrains, linkObjects, linkNumbers;
  void bind(SettingBinder& b);
  void check() const;
};

/// A camera that sees soft shadows, light from all around and reflections, by following paths of light: pictures for
/// people. Each pixel is the same whatever window it is seen in, and with any number of threads.
class PathTracedCamera final : public Configured<Sensor, PathTracedCameraSettings> {
 public:
  explicit PathTracedCamera(const ComponentContext& context);

  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  const CameraModel* camera() const override { return &model_; }

 private:
  struct Pixel {
    double rgb, depth, opacity;
  };
  Pixel pixelAt(const path_tracing::PathIntegrator& integrator, const RigidTransform& X_WS, int column, int row) const;
  double depthAt(const path_tracing::CameraRay& ray) const;

  SensorMount mount_;
  CameraModel model_;
  path_tracing::Lighting lighting_;
  std::optional<path_tracing::Floor> floor_;
  std::vector<std::string> channels_;
  TracedWorld world_;
  WorkerThreads threads_;
};

}  // namespace mortise::sensors_embree
