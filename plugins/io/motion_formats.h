#pragma once

#include "mortise/component/file_format.h"

namespace mortise::io {

/// One vector: its length, then its numbers (.config).
class ConfigurationFormat final : public FileFormat {
 public:
  VectorXd readConfiguration(ReadContext& context) override;
  void writeConfiguration(const VectorXd& q, const std::string& path) override;
};

/// Timed configurations, linear in between (.path): a time and a vector again and again.
class PathFormat final : public FileFormat {
 public:
  Trajectory readTrajectory(ReadContext& context) override;
  void writeTrajectory(const Trajectory& trajectory, const std::string& path) override;
};

/// Vectors one after another, without times (.configs). They come out one second apart.
class ConfigurationListFormat final : public FileFormat {
 public:
  Trajectory readTrajectory(ReadContext& context) override;
};

/// Configurations and velocities by turns, without times (.milestones). The configurations come out one second apart;
/// the velocities are checked and dropped.
class MilestoneFormat final : public FileFormat {
 public:
  Trajectory readTrajectory(ReadContext& context) override;
};

}  // namespace mortise::io
