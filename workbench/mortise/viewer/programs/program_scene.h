#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mortise/viewer/protocol/program_messages.h"
#include "mortise/viewer/protocol/program_requests.h"
#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// The things that a program shows in pages beside a world: drawings, controls, styles of bodies, the camera. Pages
/// that come later get all of it, others what has changed. All functions may be called from any thread.
class ProgramScene {
 public:
  /// Adds a drawing, or puts it in the place of that of its name. Throws `Error` for what pages could not draw: an
  /// empty name, a color that is not #rrggbb, numbers that are not finite, indices of triangles that are no points.
  void draw(message::Drawing drawing);
  /// Moves a drawing. Throws `Error` where there is none of the name.
  void place(const std::string& name, const RigidTransform& X_WD);
  RigidTransform poseOf(const std::string& name) const;
  /// Returns false where there was none of the name.
  bool erase(const std::string& name);
  void clearDrawings();
  std::vector<std::string> drawings() const;

  /// Adds a control, or puts it in the place of that of its id. Throws `Error` for a value that its kind does not have.
  void setControl(message::ProgramControl control);
  bool eraseControl(const std::string& id);
  void clearControls();
  /// Throws `Error` that names those there are where there is none of the id.
  message::ProgramControl control(const std::string& id) const;
  std::vector<std::string> controls() const;
  void setTitle(const std::string& title);

  /// Those that look otherwise than their world says.
  void setBodies(std::vector<message::BodyStyle> bodies);
  void lookAt(const Vector3d& position, const Vector3d& target);
  /// Tells all pages of a problem.
  void report(const std::string& problem);

  /// Takes what a page says. Throws `Error` for what fits no control and no drawing.
  void take(const message::ProgramRequest& request);

  void join(int page);
  void leave(int page);
  /// Returns the number of pages that are there.
  int pages() const;
  std::optional<ViewPacket> next(int page);

 private:
  struct Drawn {
    message::Drawing drawing;
    std::int64_t changed = 0, moved = 0;  ///< Versions.
  };
  /// Versions that a page knows.
  struct Page {
    std::int64_t drawings = -1, controls = -1, bodies = -1, camera = -1;
    std::size_t problems = 0;
  };

  void apply(const message::Control& request);
  void apply(const message::Dragged& request);
  void apply(const message::Picked& request);
  message::ProgramControl* find(const std::string& id);
  void requireDrawing(const std::string& name) const;
  void forgetErased();
  std::optional<message::Drawings> newsOf(Page& page) const;

  mutable std::mutex mutex_;
  std::int64_t version_ = 0;  ///< Counts changes.
  std::map<std::string, Drawn> drawings_;
  std::map<std::string, std::int64_t> removed_;  ///< When.
  message::Controls controls_;
  message::Bodies bodies_;
  std::optional<message::Camera> camera_;
  std::int64_t controlsVersion_ = 0, bodiesVersion_ = 0, cameraVersion_ = 0;
  std::vector<std::string> problems_;
  std::map<int, Page> pages_;
};

}  // namespace mortise::viewer
