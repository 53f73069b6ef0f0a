#pragma once

#include "mortise/component/file_format.h"
#include "mortise/plugin/plugin.h"

namespace mortise::io {

/// A format that writes resources as one text.
class ResourceFormat : public FileFormat {
 public:
  void write(const Resource& value, WriteContext& context) final;

 protected:
  /// The content of a file that holds the resource. Throws `Error` for kinds that the format cannot hold.
  virtual std::string content(const Resource& resource, Diagnostics& diagnostics) = 0;
};

/// Klamp't's text of one kind of resource.
class TextFormat : public ResourceFormat {
 public:
  explicit TextFormat(FileContent kind) : kind_(kind) {}
  Resource read(FileContent content, ReadContext& context) override;

 protected:
  std::string content(const Resource& resource, Diagnostics& diagnostics) override;

 private:
  FileContent kind_;
};

/// One vector: its length, then its numbers (.config).
class ConfigurationFormat final : public TextFormat {
 public:
  ConfigurationFormat() : TextFormat(FileContent::configuration) {}
};

/// Vectors one after another, without times (.configs). As a trajectory they are one second apart.
class ConfigurationListFormat final : public TextFormat {
 public:
  ConfigurationListFormat() : TextFormat(FileContent::configurations) {}
};

/// Timed configurations, linear in between (.path): a time and a vector again and again.
class PathFormat final : public TextFormat {
 public:
  PathFormat() : TextFormat(FileContent::trajectory) {}
};

/// Configurations and velocities by turns, without times (.milestones). They are one second apart.
class MilestoneFormat final : public TextFormat {
 public:
  MilestoneFormat() : TextFormat(FileContent::hermiteTrajectory) {}
};

class IKGoalFormat final : public TextFormat {
 public:
  IKGoalFormat() : TextFormat(FileContent::ikGoal) {}
};

class HoldFormat final : public TextFormat {
 public:
  HoldFormat() : TextFormat(FileContent::hold) {}
};

class StanceFormat final : public TextFormat {
 public:
  StanceFormat() : TextFormat(FileContent::stance) {}
};

class Vector3Format final : public TextFormat {
 public:
  Vector3Format() : TextFormat(FileContent::vector3) {}
};

class Matrix3Format final : public TextFormat {
 public:
  Matrix3Format() : TextFormat(FileContent::matrix3) {}
};

class TransformFormat final : public TextFormat {
 public:
  TransformFormat() : TextFormat(FileContent::transform) {}
};

class MatrixFormat final : public TextFormat {
 public:
  MatrixFormat() : TextFormat(FileContent::matrix) {}
};

class IntegersFormat final : public TextFormat {
 public:
  IntegersFormat() : TextFormat(FileContent::integers) {}
};

class NumbersFormat final : public TextFormat {
 public:
  NumbersFormat() : TextFormat(FileContent::numbers) {}
};

/// MultiPath XML.
class MultiPathFormat final : public ResourceFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  Resource read(FileContent content, ReadContext& context) override;

 protected:
  std::string content(const Resource& resource, Diagnostics& diagnostics) override;
};

/// Grasps as XML; `.grasp` files may also hold the text of a hold or a stance.
class GraspFormat final : public ResourceFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  Resource read(FileContent content, ReadContext& context) override;

 protected:
  std::string content(const Resource& resource, Diagnostics& diagnostics) override;
};

/// Every resource, and libraries of them, as JSON.
class JsonFormat final : public FileFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  std::optional<FileContent> contentOf(const std::string& path) override;
  Resource read(FileContent content, ReadContext& context) override;
  void write(const Resource& value, WriteContext& context) override;
};

/// Resource libraries as XML.
class LibraryFormat final : public FileFormat {
 public:
  double probe(std::string_view path, std::string_view head) const override;
  Resource read(FileContent content, ReadContext& context) override;
  void write(const Resource& value, WriteContext& context) override;
};

/// Resource libraries as folders.
class FolderFormat final : public FileFormat {
 public:
  Resource read(FileContent content, ReadContext& context) override;
  void write(const Resource& value, WriteContext& context) override;
};

/// Declares every format of this library that holds resources.
void declareResourceFormats(PluginBuilder& plugin);

}  // namespace mortise::io
