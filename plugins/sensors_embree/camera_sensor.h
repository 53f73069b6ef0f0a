#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sensor_mount.h"
#include "visible_world.h"
#include "worker_threads.h"

namespace mortise::sensors_embree {

/// A camera with colour, depth or both: Klamp't's CameraSensor, by casting a ray through the centre of every pixel.
class CameraSensor final : public Sensor {
 public:
  explicit CameraSensor(const ComponentContext& context);

  void start(const SensorSetup& setup) override;
  std::span<const std::string> channels() const override { return channels_; }
  void simulate(const SimulationView& view, double period, std::span<double> out) override;
  const CameraModel* camera() const override { return &model_; }
  Value settings() const override;
  bool changeSetting(std::string_view name, const Value& value) override;
  void save(ByteWriter& out) const override;
  void restore(ByteReader& in) override;

 private:
  struct Image;
  void render(const Image& image, int strip) const;
  float shade(float slope, std::size_t pixel) const;

  Host& host_;
  Value settings_;
  SensorMount mount_;
  DepthNoise noise_;
  bool shading_;
  double pointRadius_;
  CameraModel model_;
  double background_ = 0;              ///< 0xrrggbb.
  std::vector<float> inverseLengths_;  ///< One a pixel: of the ray with unit depth.
  std::vector<std::string> channels_;
  VisibleWorld world_;
  WorkerThreads threads_;
};

}  // namespace mortise::sensors_embree
