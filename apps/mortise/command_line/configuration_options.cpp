#include "command_line/configuration_options.h"

#include "mortise/base/error.h"
#include "mortise/loading/world_configuration.h"

namespace mortise::app {

ConfigurationFiles configurationFiles(FormatLoader& loader, Diagnostics& diagnostics) {
  return
      [&loader, &diagnostics](const std::string& name) { return readConfigurationFile(loader, name, {}, diagnostics); };
}

Value configurationOption(const std::string& option, const std::string& text) {
  try {
    return configurationFromText(text, "--" + option);
  } catch (const Error& error) {
    throw UsageError("--" + option + ": " + error.message());
  }
}

void declareConfigurations(CommandLine& line, const std::string& otherwise) {
  line.repeatedOption("config", "WHERE",
                      "where the first, second, ... robot is: numbers 0,90deg,0, a .config file, YAML such as {elbow: "
                      "90 deg}, or, of several robots, {left: ..., right: ...} (default: " +
                          otherwise + ")");
}

void readConfigurations(const CommandLine& line, FormatLoader& loader, World& world, Diagnostics& diagnostics) {
  const std::vector<std::string> texts = line.texts("config");
  const ConfigurationFiles files = configurationFiles(loader, diagnostics);
  int next = 0;
  for (const std::string& text : texts) {
    const Value value = configurationOption("config", text);
    if (isByRobot(world, value)) {
      setConfigurations(world, value, files, diagnostics);
      continue;
    }
    if (next == static_cast<int>(world.robots.size()))
      throw Error(std::to_string(texts.size()) + " configurations are given with --config, but the world has " +
                      std::to_string(world.robots.size()) + (next == 1 ? " robot" : " robots"),
                  {}, "the first is for the first robot, the second for the second, ...");
    setConfiguration(world, next++, value, files, diagnostics);
  }
}

VectorXd readConfiguration(const std::string& option, const std::string& text, const Robot& robot, const VectorXd& base,
                           FormatLoader& loader, Diagnostics& diagnostics) {
  return ConfigurationReader(robot).read(configurationOption(option, text), base,
                                         configurationFiles(loader, diagnostics));
}

}  // namespace mortise::app
