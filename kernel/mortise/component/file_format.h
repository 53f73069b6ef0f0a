#pragma once

/// The interface of a file format. A format reads and writes one or more kinds of content; which ones, and for which
/// extensions, it says when it registers, so that files are matched without loading any library.

#include <memory>
#include <string>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/component/host.h"
#include "mortise/component/resource.h"
#include "mortise/geometry/geometry.h"
#include "mortise/model/robot.h"
#include "mortise/model/world.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

struct WorldDescription;

/// Loads what a file refers to, by whatever format can read it, once a process for each file.
class ResourceLoader {
 public:
  virtual ~ResourceLoader();
  /// `reference` as written in `referringFile`. Each throws `Error` that lists every path tried, or the reader's own
  /// error.
  virtual std::string find(std::string_view reference, std::string_view referringFile) = 0;
  virtual GeometryPtr geometry(std::string_view reference, std::string_view referringFile,
                               Diagnostics& diagnostics) = 0;
  virtual RobotDescription robot(std::string_view reference, std::string_view referringFile,
                                 Diagnostics& diagnostics) = 0;
  virtual RigidObject rigidObject(std::string_view reference, std::string_view referringFile,
                                  Diagnostics& diagnostics) = 0;
  virtual Terrain terrain(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) = 0;
  virtual World world(std::string_view reference, std::string_view referringFile, Diagnostics& diagnostics) = 0;
  virtual VectorXd configuration(std::string_view reference, std::string_view referringFile,
                                 Diagnostics& diagnostics) = 0;
  virtual Trajectory trajectory(std::string_view reference, std::string_view referringFile,
                                Diagnostics& diagnostics) = 0;
  /// Anything that `Resource` can hold, by the name of its kind.
  virtual Resource resource(std::string_view kind, std::string_view reference, std::string_view referringFile,
                            Diagnostics& diagnostics);
  /// The kind of what a file holds, by extension and content; empty when nothing reads it.
  virtual std::string contentOf(const std::string& path);
};

struct ReadContext {
  std::string path;          ///< The file, as found.
  ResourceLoader& loader;    ///< For files it refers to.
  Diagnostics& diagnostics;  ///< Warnings and errors with positions; throw `Error` only where reading cannot go on.
  /// The bytes of the file where whoever asks has them already; otherwise null. Use `content`.
  std::shared_ptr<const std::string> bytes = nullptr;

  /// The whole file, read now unless it has been. Throws `Error` with the system's reason.
  std::shared_ptr<const std::string> content() const;
};

struct WriteContext {
  std::string path;          ///< The file to write.
  ResourceLoader& loader;    ///< To look at files that the result may refer to.
  Diagnostics& diagnostics;  ///< What the format cannot hold; throw `Error` where writing cannot go on.
};

class FileFormat {
 public:
  virtual ~FileFormat();

  /// How likely this is the right reader, 0 to 1, from the first bytes of the file. Asked only when several formats
  /// claim an extension (`.obj`, `.xml`).
  virtual double probe(std::string_view path, std::string_view head) const;

  // A format overrides what it can do; the defaults throw `Error` saying so.
  virtual GeometryPtr readGeometry(ReadContext& context);
  virtual RobotDescription readRobot(ReadContext& context);
  virtual RigidObject readRigidObject(ReadContext& context);
  virtual Terrain readTerrain(ReadContext& context);
  virtual World readWorld(ReadContext& context);
  virtual VectorXd readConfiguration(ReadContext& context);
  virtual Trajectory readTrajectory(ReadContext& context);

  virtual void writeGeometry(const Geometry& geometry, const std::string& path);
  virtual void writeConfiguration(const VectorXd& q, const std::string& path);
  virtual void writeTrajectory(const Trajectory& trajectory, const std::string& path);
  /// Shapes whose file is known are written as references, relative to the new file where they can be.
  virtual void writeRobot(const RobotDescription& robot, WriteContext& context);
  /// What `readWorld` compiles, for whoever edits and saves it (`mortise/model/world_description.h`).
  virtual WorldDescription readWorldDescription(ReadContext& context);
  virtual void writeWorld(const WorldDescription& world, WriteContext& context);
  virtual void writeRigidObject(const RigidObject& object, WriteContext& context);
  virtual void writeTerrain(const Terrain& terrain, WriteContext& context);

  /// Which of the kinds that this format reads the file holds; empty: the first one it registered. Asked of formats
  /// that serve several kinds.
  virtual std::string contentOf(const std::string& path);
  /// Everything else, by kind. The defaults know configurations and trajectories, through the functions above.
  virtual Resource readResource(std::string_view kind, ReadContext& context);
  virtual void writeResource(const Resource& resource, WriteContext& context);
  virtual ResourceLibrary readLibrary(ReadContext& context);
  virtual void writeLibrary(const ResourceLibrary& library, WriteContext& context);
};

}  // namespace mortise
