#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "recording.h"

namespace mortise::recorders {

struct ImageSettings {
  std::vector<std::string> outputs = {"color", "depth"};
  PlacedText folder = {"images"};
  double depthUnit = 0.001;  ///< m
  bool inWorld = false;      ///< The frame of points.
  int every = 1;
  bool unchanged = false;
  void bind(SettingBinder& b);
  void check() const;
  bool writes(const std::string& output) const;
};

/// Images of cameras as files: colors and depths as PNG, point clouds as PCD.
class ImageRecorder final : public Recorder {
 public:
  explicit ImageRecorder(const ComponentContext& context) : host_(context.host), settings_(context.settings) {}
  void open(const RecorderSetup& setup) override;
  void write(const SimulationView& view) override;
  void close() override {}

 private:
  struct Camera {
    std::size_t robot = 0, sensor = 0;
    std::string fileName;      ///< Starts the names of its files.
    std::vector<double> last;  ///< The last image that differed from the one before; empty: none yet.
    RigidTransform X_WC;       ///< At the last recorded tick.
    std::int64_t images = 0;   ///< That were there to be written.
  };
  void findCameras(const SimulationView& view);
  void writeImage(Camera& camera, const SimulationView& view, const RigidTransform& X_WC);

  Host& host_;
  Settings<ImageSettings> settings_;

  std::string directory_;
  Recording recording_;
  bool found_ = false, warned_ = false;
  std::vector<Camera> cameras_;
  std::int64_t lastTick_ = 0;
};

}  // namespace mortise::recorders
