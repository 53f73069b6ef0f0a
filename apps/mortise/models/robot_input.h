#pragma once

/// A robot's file and configurations of it, as the commands of `mortise robot` take them.

#include <memory>
#include <string>

#include "command_line/command_line.h"
#include "mortise/base/diagnostics.h"
#include "mortise/configuration/configuration_reader.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/robot.h"
#include "mortise/plugin/registry.h"

namespace mortise::app {

/// Declares FILE, --strict, --package and the options of plugins.
void declareRobotInput(CommandLine& line);

/// Declares `option` (a name such as "q") as one configuration of the robot; `otherwise` says what holds without it,
/// such as "the file's".
CommandLine& declareConfiguration(CommandLine& line, const std::string& option, const std::string& otherwise);

/// The robot that `declareRobotInput` and `declareConfiguration` declare, read. Loads the robot at once.
class RobotInput {
 public:
  /// Throws `Error` for a file that cannot be used.
  explicit RobotInput(const CommandLine& line);

  const Robot& robot() const { return *robot_; }
  const RobotPtr& pointer() const { return robot_; }
  FormatLoader& loader() { return loader_; }
  Diagnostics& diagnostics() { return diagnostics_; }

  /// The configuration that `option` gives, one number a link; links that it does not mention, and all without the
  /// option, are as in the robot's file. Throws `Error` or `UsageError`.
  VectorXd configuration(const std::string& option);
  /// The same with another base, one number a link.
  VectorXd configuration(const std::string& option, const VectorXd& base);
  /// Velocities or accelerations, one number a link; zeros without the option.
  VectorXd rates(const std::string& option, ConfigurationReader::Quantity quantity);
  /// The index of the link that `name` (a name or an index) means. Throws `Error` with the nearest name.
  int link(const std::string& option, const std::string& name) const;

  /// Prints warnings so far to the log, and throws `Error` if there are errors.
  void finish();

 private:
  const CommandLine* line_;
  Diagnostics diagnostics_;
  std::unique_ptr<Registry> registry_;
  FormatLoader loader_;
  RobotPtr robot_;
};

}  // namespace mortise::app
