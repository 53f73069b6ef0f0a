#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "mortise/component/file_format.h"
#include "mortise/loading/resource_path.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// Loads files through the registered formats. The format is chosen by extension and content; where several claim a
/// file, the one whose `probe` answers highest. A geometry file is read once a process, under whatever name it is
/// known (`geometry_cache.h`). A loader belongs to one thread; any number of them may work at once.
class FormatLoader final : public ResourceLoader {
 public:
  /// `registry`, `log` and `paths` outlive the loader.
  FormatLoader(Registry& registry, LogSink& log, ResourcePath paths = {});
  ~FormatLoader() override;

  std::string find(std::string_view reference, std::string_view referringFile) override;
  GeometryPtr geometry(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) override;
  RobotDescription robot(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) override;
  RigidObject rigidObject(std::string_view reference, std::string_view referringFile,
                          Diagnostics& diagnostics) override;
  Terrain terrain(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) override;
  World world(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) override;
  VectorXd configuration(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) override;
  Trajectory trajectory(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) override;
  /// A file that holds another kind is converted where it can be; what that loses is a warning.
  Resource resource(std::string_view kind, std::string_view reference, std::string_view referringFile,
                    Diagnostics& diagnostics) override;
  /// A library of resources: an XML or JSON file, or a folder, every file of which is one resource.
  ResourceLibrary library(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics);

  /// A world to edit and save; `World` is what it compiles to.
  WorldDescription worldDescription(std::string_view reference, std::string_view referringFile,
                                    Diagnostics& diagnostics);

  // Writing, by the first format that claims the extension and writes that kind of content. Each throws `Error` with
  // the extensions that would work when there is none.
  void writeGeometry(const Geometry& geometry, const std::string& path);
  void writeConfiguration(const VectorXd& q, const std::string& path);
  void writeTrajectory(const Trajectory& trajectory, const std::string& path);
  void writeRobot(const RobotDescription& robot, const std::string& path, Diagnostics& diagnostics);
  void writeResource(const Resource& resource, const std::string& path, Diagnostics& diagnostics);
  void writeLibrary(const ResourceLibrary& library, const std::string& path, Diagnostics& diagnostics);
  void writeWorld(const WorldDescription& world, const std::string& path, Diagnostics& diagnostics);
  void writeRigidObject(const RigidObject& object, const std::string& path, Diagnostics& diagnostics);
  void writeTerrain(const Terrain& terrain, const std::string& path, Diagnostics& diagnostics);

  /// Everything that formats of this file's extension read ("geometry", "robot", ...), or write.
  std::set<std::string> readableContents(const std::string& path);
  std::set<std::string> writableContents(const std::string& path);

  /// What a file holds ("world", "robot", "rigid_object", ...), by extension and content; empty when nothing reads it.
  std::string contentOf(const std::string& path) override;
  /// Every file that was read so far, as found; for the record of a run's inputs.
  const std::set<std::string>& filesRead() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mortise
