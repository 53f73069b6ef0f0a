#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mortise/appearance/visual_mesh.h"
#include "mortise/logs/series.h"
#include "mortise/mcap/reader.h"
#include "mortise/model/world.h"

namespace mortise::logs {

/// The shapes of a log's bodies that are drawn: visual ones, or those that collide.
enum class LogShapes { visual, collision };

/// A log's world as shapes that move: every terrain stays a terrain, every object and every link with a shape becomes
/// rigid objects, one a shape, where the log has it. Needs nothing but the log.
class LogWorld {
 public:
  /// Throws `Error` for a log without `world.json` and `scene.glb`, or with damaged ones.
  explicit LogWorld(mcap::Reader& reader, LogShapes shapes = LogShapes::visual);

  const World& world() const { return world_; }
  /// Appearances of its shapes (`VisualFiles::know`); logs of earlier versions give their objects a color instead.
  struct Appearance {
    GeometryPtr geometry;
    VisualShapePtr appearance;
    bool isDefault;  ///< Nobody says a color.
  };
  const std::vector<Appearance>& appearances() const { return appearances_; }
  /// Objects of the world that are links of robots, and their numbers within these.
  const std::vector<int>& linkObjects() const { return linkObjects_; }
  const std::vector<int>& linkNumbers() const { return linkNumbers_; }
  /// Instants of the channel `/mortise/state`, s, increasing.
  const std::vector<double>& times() const { return times_; }
  /// The last recorded instant that is not after `time`; the first one before all.
  std::size_t indexAt(double time) const;
  /// Poses of the world's objects at an instant.
  std::vector<RigidTransform> posesAt(std::size_t index) const;

 private:
  struct LogLink {
    int parent, id;
    bool prismatic;
    Vector3d axis;
    RigidTransform X_PL0;
  };
  void readScene(const std::string& glb, LogShapes shapes);
  void readStates(mcap::Reader& reader);

  World world_;
  std::vector<Appearance> appearances_;
  std::vector<std::vector<LogLink>> robots_;
  std::vector<int> objectIds_;               ///< Of rigid objects.
  std::vector<std::vector<int>> objectsOf_;  ///< By id: the shapes in `world_.objects`.
  std::vector<int> linkObjects_, linkNumbers_;
  std::vector<std::string> kinds_, frames_;
  std::vector<double> times_;
  std::vector<std::vector<float>> states_;
  std::size_t columns_ = 0;
};

}  // namespace mortise::logs
