#include "mortise/planning/motion_file.h"

#include <algorithm>
#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/component/resource.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/planning/plan_report.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

/// Returns the contents that a motion can be written as, in the order of increasing loss.
std::vector<FileContent> kindsFor(bool timed) {
  using enum FileContent;
  if (timed) return {hermiteTrajectory, multipath, trajectory, configurations};
  return {multipath, trajectory, configurations, hermiteTrajectory};
}

MultiPath sectionOf(const std::vector<VectorXd>& path, const HermiteTrajectory* motion) {
  if (motion != nullptr) return multiPathOf(*motion);
  MultiPath multiPath;
  multiPath.sections.emplace_back();
  multiPath.sections.front().milestones = path;
  // A section has at least two milestones.
  if (path.size() == 1) multiPath.sections.front().milestones.push_back(path.front());
  return multiPath;
}

std::string extensionOf(const std::string& file) { return fs::path(file).extension().string(); }

}  // namespace

void requireMotionFormat(FormatLoader& loader, const std::string& file) {
  const std::set<FileContent> writable = loader.writableContents(file);
  for (const FileContent kind : kindsFor(true))
    if (writable.count(kind) > 0) return;
  throw Error("no format writes a motion to '" + file + "'", {}, "use .path, .milestones, .configs, .xml or .json");
}

FileContent motionKindFor(FormatLoader& loader, FileContent from, const std::string& file, const std::string& wanted) {
  requireMotionFormat(loader, file);
  const std::set<FileContent> writable = loader.writableContents(file);
  std::vector<FileContent> kinds = {from};
  for (const FileContent kind : kindsFor(from != FileContent::configurations)) kinds.push_back(kind);
  std::vector<std::string> possible;
  for (const FileContent kind : kinds) {
    if (writable.count(kind) == 0) continue;
    const std::string name(contentName(kind));
    if (wanted.empty() || wanted == name) return kind;
    if (std::find(possible.begin(), possible.end(), name) == possible.end()) possible.push_back(name);
  }
  throw Error("'" + file + "' does not hold " + wanted, {}, listNames(possible));
}

void writeMotion(FormatLoader& loader, const std::string& file, const std::vector<VectorXd>& path,
                 const HermiteTrajectory* motion, double sampleTolerance, const MultiPath::Settings& settings,
                 Diagnostics& diagnostics) {
  requireMotionFormat(loader, file);
  const std::set<FileContent> writable = loader.writableContents(file);
  std::vector<FileContent> kinds = kindsFor(motion != nullptr);
  // JSON holds all of them; a path without times is most useful in a form that all programs read.
  if (extensionOf(file) == ".json" && motion == nullptr) std::rotate(kinds.begin(), kinds.begin() + 1, kinds.end());
  for (const FileContent kind : kinds) {
    if (writable.count(kind) == 0) continue;
    if (kind == FileContent::multipath) {
      MultiPath multiPath = sectionOf(path, motion);
      multiPath.settings = settings;
      loader.write(multiPath, file, diagnostics);
    } else if (kind == FileContent::configurations) {
      loader.write(ConfigurationList{motion != nullptr ? motion->configurations : path}, file, diagnostics);
    } else if (kind == FileContent::trajectory) {
      loader.write(motion != nullptr ? sampled(*motion, sampleTolerance) : milestoneTrajectory(path), file,
                   diagnostics);
    } else if (motion != nullptr) {
      loader.write(*motion, file, diagnostics);
    } else {
      HermiteTrajectory resting;
      const Trajectory timed = milestoneTrajectory(path);
      resting.times = timed.times;
      resting.configurations = path;
      for (const VectorXd& q : path) resting.velocities.push_back(VectorXd::Zero(q.size()));
      loader.write(resting, file, diagnostics);
    }
    return;
  }
}

void writeMotion(FormatLoader& loader, const std::string& file, const MultiPath& path, double sampleTolerance,
                 Diagnostics& diagnostics) {
  requireMotionFormat(loader, file);
  const std::set<FileContent> writable = loader.writableContents(file);
  if (writable.count(FileContent::multipath) > 0) {
    loader.write(path, file, diagnostics);
    return;
  }
  const bool moving = path.timed() && std::all_of(path.sections.begin(), path.sections.end(),
                                                  [](const auto& section) { return !section.velocities.empty(); });
  if (moving) {
    Diagnostics ours;  // Nothing of a motion is lost on the way.
    const auto motion = std::get<HermiteTrajectory>(convertResource(path, FileContent::hermiteTrajectory, ours));
    writeMotion(loader, file, {}, &motion, sampleTolerance, {}, diagnostics);
    return;
  }
  for (const FileContent kind : kindsFor(path.timed())) {
    if (writable.count(kind) == 0) continue;
    loader.write(convertResource(path, kind, diagnostics), file, diagnostics);
    return;
  }
}

std::vector<std::string> writeMotions(FormatLoader& loader, const std::string& file, const PlanResult& result,
                                      const World& world, double sampleTolerance, const MultiPath::Settings& settings,
                                      Diagnostics& diagnostics) {
  std::vector<std::string> files;
  for (const Mover& mover : result.movers) {
    std::vector<VectorXd> path;
    for (const VectorXd& full : result.path) path.push_back(full.segment(mover.first, mover.size));
    HermiteTrajectory motion;
    if (result.motion) motion = ofMover(*result.motion, mover);
    const auto index = static_cast<std::size_t>(mover.index);
    const std::string name = mover.kind == Mover::Kind::robot ? world.robots[index].name : world.objects[index].name;
    std::string own = file;
    if (result.movers.size() > 1) {
      const fs::path full(file);
      own = (full.parent_path() / (full.stem().string() + "_" + name + full.extension().string())).string();
    }
    MultiPath::Settings all = {{mover.kind == Mover::Kind::robot ? "robot" : "object", name}};
    all.insert(all.end(), settings.begin(), settings.end());
    writeMotion(loader, own, path, result.motion ? &motion : nullptr, sampleTolerance, all, diagnostics);
    files.push_back(own);
  }
  return files;
}

}  // namespace mortise
