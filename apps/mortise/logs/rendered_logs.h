#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/appearance/visual_files.h"
#include "mortise/logs/log_contacts.h"
#include "mortise/logs/log_world.h"
#include "mortise/mcap/reader.h"
#include "mortise/render/world_renderer.h"

namespace mortise::app {

/// The logs that are drawn into one picture: the first as it is; what moves in each other one is seen through, in the
/// color that the viewer's page gives it.
class RenderedLogs {
 public:
  /// Warns of damaged files. `loader` and `log` outlive this. Throws `Error` for logs that cannot be drawn.
  RenderedLogs(const std::vector<std::string>& files, logs::LogShapes shapes, ResourceLoader& loader, LogSink& log);

  const World& world() const { return world_; }
  /// The appearances of its shapes.
  VisualFiles& appearances() { return appearances_; }
  /// Objects of the world that have the surface of robots, and their numbers within these.
  const std::vector<int>& linkObjects() const { return linkObjects_; }
  const std::vector<int>& linkNumbers() const { return linkNumbers_; }
  /// The first log.
  const logs::LogWorld& first() const { return *parts_.front().log; }
  /// The poses of all objects at a time, each log at its last instant that is not later.
  std::vector<RigidTransform> posesAt(double time) const;
  /// The contacts of the first log.
  std::vector<logs::ContactSum> contactsAt(double time);

 private:
  struct Part {
    std::unique_ptr<mcap::Reader> reader;
    std::unique_ptr<logs::LogWorld> log;
  };
  void add(Part part);

  std::vector<Part> parts_;
  VisualFiles appearances_;
  World world_;
  std::vector<int> linkObjects_, linkNumbers_;
};

/// The scene of logs at an instant.
class RenderedScene {
 public:
  explicit RenderedScene(const RenderedLogs& logs) : logs_(logs), still_(logs.world()) {}
  const SimulationView& at(double time);

 private:
  const RenderedLogs& logs_;
  render::StillView still_;
};

}  // namespace mortise::app
