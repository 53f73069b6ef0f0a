#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/component/sensor.h"
#include "mortise/plugin/registry.h"
#include "mortise/render/camera_view.h"
#include "mortise/render/picture.h"

namespace mortise::render {

/// Pictures of a world without any display, by the camera that robots have (`CameraSensor`), with edges smoothed by
/// taking four rays a pixel where the picture is not too large for that.
class WorldRenderer final : public PictureMaker {
 public:
  /// `world`, `registry` and `log` outlive the renderer. `shapes`: "visual" or "collision", as the camera has it.
  /// Throws `Error` where there is no camera (the plugin was left out of the build).
  WorldRenderer(const World& world, Registry& registry, LogSink& log, int width, int height, double fieldOfView,
                const RigidTransform& X_WC, const std::string& shapes = "visual");
  ~WorldRenderer() override;

  Picture take(const SimulationView& view) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A world as its file has it, as a view of a simulation that has not begun. Keeps what the view refers to.
class StillView {
 public:
  explicit StillView(const World& world);
  const SimulationView& view() const { return view_; }
  /// By index in the world; takes effect at once.
  RigidTransform& objectPose(int object) { return objects_[static_cast<std::size_t>(object)].X_WB; }

 private:
  std::vector<RobotState> states_;
  std::vector<RobotView> robots_;
  std::vector<BodyState> objects_;
  SimulationView view_;
};

}  // namespace mortise::render
