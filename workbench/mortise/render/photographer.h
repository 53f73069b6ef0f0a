#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/logs/log_contacts.h"
#include "mortise/render/camera_view.h"
#include "mortise/render/overlay_canvas.h"
#include "mortise/render/traced_renderer.h"

namespace mortise::render {

/// The options of pictures.
struct PhotoOptions {
  int width = 640, height = 480;
  CameraView camera;
  PictureStyle style;
  bool collision = false;  ///< Collision shapes are drawn, whatever bodies look like.
  bool asSensors = false;  ///< As the cameras of robots see it: quick, without light and floor.
  bool frames = false;     ///< Frames of links and objects are drawn over it.
  bool names = false;      ///< Names of robots and objects are.
};

/// The place from which the viewer's page saw a scene, out of the address that its link has.
struct SavedView {
  std::optional<Vector3d> position, target;
  std::optional<double> time;  ///< s
};
/// Reads `t=` and `view=` behind the address's #. Throws `Error` for an address without either, and for numbers that
/// are none.
SavedView savedView(std::string_view address);

/// Takes the pictures of a world or of its motion from one place: chooses the camera, the floor and the light.
class Photographer {
 public:
  /// `views`: instants between which everything that moves is to be seen; the first is what the floor is placed by.
  /// References outlive this.
  Photographer(const World& world, const std::vector<const SimulationView*>& views, const PhotoOptions& options,
               Registry& registry, LogSink& log, std::vector<int> linkObjects = {}, std::vector<int> linkNumbers = {});

  void setProgress(TracedRenderer::Progress progress);
  /// `largest`: the force whose arrow is as long as the scene allows, N.
  Picture take(const SimulationView& view, const std::vector<logs::ContactSum>& contacts = {}, double largest = 0);

 private:
  const World& world_;
  PhotoOptions options_;
  PictureCamera camera_;
  double size_ = 1;
  std::vector<int> linkObjects_;
  std::unique_ptr<PictureMaker> maker_;
  TracedRenderer* traced_ = nullptr;
};

}  // namespace mortise::render
