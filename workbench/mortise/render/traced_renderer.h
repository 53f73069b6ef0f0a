#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "mortise/plugin/registry.h"
#include "mortise/render/floor_placement.h"
#include "mortise/render/picture.h"

namespace mortise::render {

/// The look of pictures that people print and show.
struct PictureStyle {
  enum class Quality { draft, normal, paper };
  enum class Background { sky, white, transparent };
  Quality quality = Quality::normal;
  Background background = Background::sky;
  bool dark = false;
  bool grid = true;  ///< On the floor, where the background is the sky.
};

/// The place of the camera, and the parts of the world that pictures need to know.
struct TracedShot {
  int width = 640, height = 480;
  double fieldOfView = 0;  ///< Between upper and lower border, rad.
  RigidTransform X_WC;     ///< z forward, x right, y down.
  Vector3d target = Vector3d::Zero();
  FloorPlacement floor;
  bool collision = false;  ///< Collision shapes are drawn, whatever bodies look like.
  /// Objects that are links of robots, and their numbers there: worlds out of logs have them.
  std::vector<int> linkObjects, linkNumbers;
};

/// The most pixels that a picture may have.
constexpr double kMaxPixels = 268435456;

/// Pictures with soft shadows and reflections at any size, by the sensor with the role `picture_tracer`: the same
/// light, floor and materials as in the viewer's page. The same scene gives the same bits, with any number of threads.
class TracedRenderer final : public PictureMaker {
 public:
  /// Tells how many windows of a picture are done, of how many.
  using Progress = std::function<void(int, int)>;
  /// `world`, `registry` and `log` outlive the renderer. `threads` 0: one a processor. Throws `Error` where there is no
  /// such sensor (the plugin was left out of the build), and for pictures of too many pixels.
  TracedRenderer(const World& world, Registry& registry, LogSink& log, const PictureStyle& style,
                 const TracedShot& shot, int threads = 0);
  ~TracedRenderer() override;

  void setProgress(Progress progress) { progress_ = std::move(progress); }
  Picture take(const SimulationView& view) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  Progress progress_;
};

}  // namespace mortise::render
