#include "logs/shown_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/logs/log_world.h"
#include "mortise/mcap/records.h"
#include "mortise/viewer/posing/path_edit.h"

namespace mortise::app {

bool isLogFile(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".mcap") return true;
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code)) return false;  // Whatever is read from a pipe is gone.
  std::ifstream in(file, std::ios::binary);
  std::string head(mcap::kMagic.size(), '\0');
  return in.read(head.data(), static_cast<std::streamsize>(head.size())) && head == mcap::kMagic;
}

bool checkShownLog(const CommandLine& line, mcap::Reader& reader) {
  const auto& attachments = reader.attachments();
  const auto holds = [&](std::string_view name) {
    return std::any_of(attachments.begin(), attachments.end(),
                       [&](const mcap::AttachmentIndex& index) { return index.name == name; });
  };
  if (!reader.damage().empty()) line.log().write(LogLevel::warning, "mortise", reader.path() + " " + reader.damage());
  if (!holds("world.json") || !holds("scene.glb")) {
    if (reader.channels().empty())
      throw Error("the log holds no messages", inFile(reader.path()), "nothing of it can be shown");
    return false;
  }
  const auto& counts = reader.statistics().channelMessages;
  const bool hasStates = std::any_of(reader.channels().begin(), reader.channels().end(), [&](const auto& entry) {
    const auto count = counts.find(entry.first);
    return entry.second.topic == "/mortise/state" && count != counts.end() && count->second > 0;
  });
  if (!hasStates) {
    const logs::LogWorld missing(reader);
  }
  return true;
}

void checkShownTogether(const std::vector<std::pair<std::string, bool>>& logsHoldWorld) {
  if (logsHoldWorld.size() < 2) return;
  for (const auto& [log, holdsWorld] : logsHoldWorld)
    if (!holdsWorld)
      throw UsageError("'" + log + "' is a log of another tool, without a world of Mortise: view it alone");
}

std::string takeMotion(FormatLoader& loader, std::vector<std::string>& files) {
  constexpr FileContent kMotions[] = {FileContent::configurations, FileContent::trajectory,
                                      FileContent::hermiteTrajectory, FileContent::multipath};
  const auto isMotion = [&](const std::string& file) {
    const std::optional<FileContent> content = loader.contentOf(loader.find(file, {}));
    return content && std::find(std::begin(kMotions), std::end(kMotions), *content) != std::end(kMotions);
  };
  const auto motions = std::stable_partition(files.begin(), files.end(), [&](const auto& f) { return !isMotion(f); });
  if (motions == files.end()) return {};
  if (files.end() - motions > 1) throw UsageError("one motion is shown at a time, not '" + files.back() + "' besides");
  if (motions == files.begin()) throw UsageError("a motion is shown with its robot: name the world or the robot, too");
  std::string motion = std::move(files.back());
  files.pop_back();
  return motion;
}

viewer::ShownMotion motionFor(FormatLoader& loader, const std::string& file, const World& world,
                              Diagnostics& diagnostics) {
  const std::string path = loader.find(file, {});
  const Resource read = loader.load(*loader.contentOf(path), path, {}, diagnostics);
  Trajectory motion = viewer::motionOf(read);
  diagnostics.throwIfErrors("'" + file + "' cannot be used");
  if (motion.empty()) throw Error("the motion has no milestones", inFile(path));
  for (int robot = 0; robot < static_cast<int>(world.robots.size()); ++robot) {
    const Eigen::Index links = world.robots[static_cast<std::size_t>(robot)].robot->numLinks();
    if (std::all_of(motion.configurations.begin(), motion.configurations.end(),
                    [&](const VectorXd& q) { return q.size() == links; }))
      return viewer::robotMotion(robot, std::move(motion));
  }
  throw Error("no robot has as many links as the motion has coordinates, " +
                  std::to_string(motion.configurations.front().size()),
              inFile(path), "name the robot that it is for");
}

}  // namespace mortise::app
