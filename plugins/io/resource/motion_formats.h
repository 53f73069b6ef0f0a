#pragma once

#include "mortise/component/file_format.h"
#include "mortise/plugin/plugin.h"

namespace mortise::io {

/// A format of resources. It reads and writes by kind; who asks for a configuration or a trajectory gets what the file
/// holds converted to that.
class ResourceFormat : public FileFormat {
 public:
  VectorXd readConfiguration(ReadContext& context) final;
  Trajectory readTrajectory(ReadContext& context) final;
  Resource readResource(std::string_view kind, ReadContext& context) final;
  void writeConfiguration(const VectorXd& q, const std::string& path) final;
  void writeTrajectory(const Trajectory& trajectory, const std::string& path) final;
  void writeResource(const Resource& resource, WriteContext& context) final;

 protected:
  /// What the file holds, whatever that is.
  virtual Resource readAny(ReadContext& context) = 0;
  /// The content of a file that holds the resource. Throws `Error` for kinds that the format cannot hold.
  virtual std::string content(const Resource& resource, Diagnostics& diagnostics) = 0;
};

/// Klamp't's text of one kind of resource.
class TextFormat : public ResourceFormat {
 public:
  explicit TextFormat(std::string_view kind) : kind_(kind) {}

 protected:
  Resource readAny(ReadContext& context) override;
  std::string content(const Resource& resource, Diagnostics& diagnostics) override;

 private:
  std::string_view kind_;  ///< Of static storage.
};

/// One vector: its length, then its numbers (.config).
class ConfigurationFormat final : public TextFormat {
 public:
  ConfigurationFormat() : TextFormat("configuration") {}
};

/// Vectors one after another, without times (.configs). As a trajectory they are one second apart.
class ConfigurationListFormat final : public TextFormat {
 public:
  ConfigurationListFormat() : TextFormat("configurations") {}
};

/// Timed configurations, linear in between (.path): a time and a vector again and again.
class PathFormat final : public TextFormat {
 public:
  PathFormat() : TextFormat("trajectory") {}
};

/// Configurations and velocities by turns, without times (.milestones). They are one second apart.
class MilestoneFormat final : public TextFormat {
 public:
  MilestoneFormat() : TextFormat("hermite_trajectory") {}
};

class IKGoalFormat final : public TextFormat {
 public:
  IKGoalFormat() : TextFormat("ik_goal") {}
};

class HoldFormat final : public TextFormat {
 public:
  HoldFormat() : TextFormat("hold") {}
};

class StanceFormat final : public TextFormat {
 public:
  StanceFormat() : TextFormat("stance") {}
};

class Vector3Format final : public TextFormat {
 public:
  Vector3Format() : TextFormat("vector3") {}
};

class Matrix3Format final : public TextFormat {
 public:
  Matrix3Format() : TextFormat("matrix3") {}
};

class TransformFormat final : public TextFormat {
 public:
  TransformFormat() : TextFormat("transform") {}
};

class MatrixFormat final : public TextFormat {
 public:
  MatrixFormat() : TextFormat("matrix") {}
};

class IntegersFormat final : public TextFormat {
 public:
  IntegersFormat() : TextFormat("integers") {}
};

class NumbersFormat final : public TextFormat {
 public:
  NumbersFormat() : TextFormat("numbers") {}
};

/// MultiPath XML.
class MultiPathFormat final : public ResourceFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;

 protected:
  Resource readAny(ReadContext& context) override;
  std::string content(const Resource& resource, Diagnostics& diagnostics) override;
};

/// Grasps as XML; `.grasp` files may also hold the text of a hold or a stance.
class GraspFormat final : public ResourceFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;

 protected:
  Resource readAny(ReadContext& context) override;
  std::string content(const Resource& resource, Diagnostics& diagnostics) override;
};

/// Every resource, and libraries of them, as JSON.
class JsonFormat final : public ResourceFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  std::string contentOf(const std::string& path) override;
  ResourceLibrary readLibrary(ReadContext& context) override;
  void writeLibrary(const ResourceLibrary& library, WriteContext& context) override;

 protected:
  Resource readAny(ReadContext& context) override;
  std::string content(const Resource& resource, Diagnostics& diagnostics) override;
};

/// Resource libraries as XML.
class LibraryFormat final : public FileFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  ResourceLibrary readLibrary(ReadContext& context) override;
  void writeLibrary(const ResourceLibrary& library, WriteContext& context) override;
};

/// Resource libraries as folders.
class FolderFormat final : public FileFormat {
 public:
  ResourceLibrary readLibrary(ReadContext& context) override;
  void writeLibrary(const ResourceLibrary& library, WriteContext& context) override;
};

/// Declares every format of this library that holds resources.
void declareResourceFormats(PluginBuilder& plugin);

}  // namespace mortise::io
