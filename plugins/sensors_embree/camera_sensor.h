#pragma once

#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "depth_noise.h"
#include "sensor_mount.h"
#include "visible_world.h"
#include "worker_threads.h"

namespace mortise::sensors_embree {

struct CameraSettings : MountSettings {
  bool color = true, depth = true;
  int width = 640, height = 480;
  double xfov = 56 * std::numbers::pi / 180, yfov = 43 * std::numbers::pi / 180;  ///< rad
  double fx = -1, fy = -1, cx = -1, cy = -1;  ///< Pixels; -1: from the fields of view, in the middle.
  double minDepth = 0.4, maxDepth = 4;        ///< m
  DepthNoise noise;
  bool shading = true;
  VisibleWorld::Shapes shapes = VisibleWorld::Shapes::visual;
  void bind(SettingBinder& b);
  void check() const;
};

/// A camera with color, depth or both: Klamp't's CameraSensor, by casting a ray through the center of every pixel.
class CameraSensor final : public Configured<Sensor, CameraSettings> {
 public:
  explicit CameraSensor(const ComponentContext& context);

  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  const CameraModel* camera() const override { return &model_; }

 private:
  struct Image;
  void render(const Image& image, int strip) const;
  float shade(float slope, std::size_t pixel) const;

  SensorMount mount_;
  CameraModel model_;
  double background_ = 0;              ///< 0xrrggbb.
  std::vector<float> inverseLengths_;  ///< One a pixel: of the ray with unit depth.
  std::vector<std::string> channels_;
  VisibleWorld world_;
  WorkerThreads threads_;
};

}  // namespace mortise::sensors_embree
