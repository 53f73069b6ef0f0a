#include "models/robot_input.h"

#include "command_line/configuration_options.h"
#include "command_line/resource_options.h"
#include "mortise/base/error.h"
#include "mortise/base/value.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/settings/permissions.h"

namespace mortise::app {

void declareRobotInput(CommandLine& line) {
  line.positional("FILE", "robot file").flag("strict", "treat warnings about files as errors").withPlugins();
  addResourceOptions(line);
}

CommandLine& declareConfiguration(CommandLine& line, const std::string& option, const std::string& otherwise) {
  return line.option(option, "WHERE",
                     "configuration: numbers 0,90deg,0 (one a link or a driver), a .config file, or YAML such as "
                     "{elbow: 90 deg}; links that are not named are as in the file (default: " +
                         otherwise + ")");
}

RobotInput::RobotInput(const CommandLine& line)
    : line_(&line), registry_(line.makeRegistry()), loader_(*registry_, line.log(), resourcePath(line)) {
  diagnostics_.setStrict(line.has("strict"));
  const std::string& file = line.positionals().front();
  RobotDescription description = loader_.load<RobotDescription>(file, {}, diagnostics_);
  diagnostics_.throwIfErrors("'" + file + "' cannot be used");
  robot_ = Robot::compile(std::move(description));
}

VectorXd RobotInput::configuration(const std::string& option) {
  return configuration(option, robot_->initialConfiguration());
}

VectorXd RobotInput::configuration(const std::string& option, const VectorXd& base) {
  if (!line_->has(option)) return base;
  return readConfiguration(option, line_->text(option), *robot_, base, loader_, diagnostics_);
}

VectorXd RobotInput::rates(const std::string& option, ConfigurationReader::Quantity quantity) {
  const VectorXd zero = VectorXd::Zero(robot_->numLinks());
  if (!line_->has(option)) return zero;
  return ConfigurationReader(*robot_, quantity)
      .read(configurationOption(option, line_->text(option)), zero, configurationFiles(loader_, diagnostics_));
}

int RobotInput::link(const std::string& option, const std::string& name) const {
  return linkFromSetting(*robot_, Value(name).setPosition(onCommandLine("--" + option)));
}

void RobotInput::finish() {
  printWarnings(*line_, diagnostics_);
  diagnostics_.throwIfErrors("'" + line_->positionals().front() + "' cannot be used");
}

}  // namespace mortise::app
