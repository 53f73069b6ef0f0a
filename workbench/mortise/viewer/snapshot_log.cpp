#include "mortise/viewer/snapshot_log.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unistd.h>

#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/component/recorder.h"
#include "mortise/loading/format_loader.h"
#include "mortise/logs/log_file.h"
#include "mortise/render/world_renderer.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise::viewer {

namespace {

constexpr double kRate = 100;  ///< Instants of a motion, Hz.
constexpr int kMaxInstants = 10000;

void writeMotion(const World& world, const ShownMotion& motion, Recorder& recorder) {
  World moving = world;
  const double length = motion.end - motion.start;
  const int count = std::clamp(static_cast<int>(std::ceil(length * kRate)), 1, kMaxInstants);
  for (int i = 0; i <= count; ++i) {
    const double time = length * i / count;
    motion.place(motion.start + time, moving);
    const render::StillView still(moving);
    SimulationView view = still.view();
    view.time = time;
    view.tick = i;
    recorder.write(view);
  }
}

void writeStill(const World& world, Registry& registry, LogSink& log, const std::optional<ShownMotion>& motion,
                const std::string& file) {
  ChannelTable channels;
  ComponentHost host("viewer", 0, log, nullptr, channels, {}, {});
  const ComponentInfo* found = logs::recorderOfFile(registry, file);
  if (found == nullptr) throw Error("no recorder writes .mcap files, which the viewer shows", {}, "install one");
  const ComponentInfo& info = *found;
  Value settings = Value::map();
  settings.set("file", file);
  settings.set("foxglove", false);
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  const ComponentPtr<Recorder> recorder = registry.create<Recorder>(info, settings, host);
  FormatLoader loader(registry, log);
  const VisualFilesScope looks(&loader, log);
  recorder->open({world, "", "", {"robots", "objects"}});
  if (motion)
    writeMotion(world, *motion, *recorder);
  else
    recorder->write(render::StillView(world).view());
  recorder->finish(Value::map());
  recorder->close();
}

}  // namespace

ShownMotion robotMotion(int robot, Trajectory path) {
  ShownMotion motion{path.startTime(), path.endTime(), {}};
  motion.place = [robot, path = std::move(path)](double time, World& world) {
    VectorXd& q = world.robots[static_cast<std::size_t>(robot)].q;
    VectorXd rate = q;
    path.evaluate(time, q, rate);
  };
  return motion;
}

SnapshotLog::SnapshotLog(const World& world, Registry& registry, LogSink& log,
                         const std::optional<ShownMotion>& motion) {
  folder_ = (std::filesystem::temp_directory_path() / "mortise_view_XXXXXX").string();
  if (::mkdtemp(folder_.data()) == nullptr) throw Error("no temporary folder can be made", {}, "check TMPDIR");
  path_ = folder_ + "/still.mcap";
  try {
    writeStill(world, registry, log, motion, path_);
  } catch (...) {
    std::error_code code;
    std::filesystem::remove_all(folder_, code);
    throw;
  }
}

SnapshotLog::~SnapshotLog() {
  std::error_code code;
  std::filesystem::remove_all(folder_, code);
}

}  // namespace mortise::viewer
