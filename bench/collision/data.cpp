#include "data.h"

#include <filesystem>

#include "mortise/base/diagnostics.h"
#include "mortise/loading/format_loader.h"
#include "shared/plugins.h"

namespace mortise::bench {
namespace {

/// A loader over the plugins of the tree that this program stands in.
FormatLoader& loader() {
  static FormatLoader instance(pluginRegistry(), silentLog());
  return instance;
}

bool there(const std::string& folder, const std::string& path) {
  return !folder.empty() && std::filesystem::exists(std::filesystem::path(folder) / path);
}

}  // namespace

GeometryPtr loadGeometry(const std::string& folder, const std::string& path) {
  Diagnostics diagnostics;
  return there(folder, path) ? loader().load<GeometryPtr>(folder + "/" + path, {}, diagnostics) : nullptr;
}

RobotPtr loadRobot(const std::string& folder, const std::string& path) {
  Diagnostics diagnostics;
  return there(folder, path) ? Robot::compile(loader().load<RobotDescription>(folder + "/" + path, {}, diagnostics))
                             : nullptr;
}

bool loadWorld(const std::string& folder, const std::string& path, World& world) {
  Diagnostics diagnostics;
  if (!there(folder, path)) return false;
  world = loader().world(folder + "/" + path, {}, diagnostics);
  return true;
}

}  // namespace mortise::bench
