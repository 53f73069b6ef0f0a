#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/configuration_options.h"
#include "command_line/interrupt.h"
#include "command_line/resource_options.h"
#include "command_line/terminal_progress.h"
#include "logs/render_options.h"
#include "logs/rendered_logs.h"
#include "logs/shown_files.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/logs/log_world.h"
#include "mortise/render/photographer.h"
#include "mortise/render/picture_files.h"
#include "mortise/render/scene_overlays.h"
#include "mortise/render/world_renderer.h"
#include "mortise/viewer/run_folder.h"
#include "mortise/viewer/snapshot_log.h"

namespace mortise::app {

namespace {

int report(const CommandLine& line, const std::string& file, int pictures) {
  if (line.json()) {
    Value result = Value::map();
    result.set("file", file);
    result.set("pictures", pictures);
    print(toJson(result) + "\n");
  } else if (!line.quiet()) {
    print(file + (pictures == 1 ? "\n" : ": " + std::to_string(pictures) + " pictures\n"));
  }
  return 0;
}

/// Within the times of a log; `what` is the option that says otherwise, `given` its time where it says more than that.
double timeWithin(const logs::LogWorld& log, const CommandLine& line, const char* what, double otherwise,
                  std::optional<double> given = std::nullopt) {
  if (!line.has(what)) return otherwise;
  const double time = given ? *given : line.quantity(what, "s", otherwise), start = log.times().front(),
               end = log.times().back();
  if (time >= start - 5e-10 && time <= end + 5e-10) return time;
  throw UsageError("--" + std::string(what) + " takes a time that is there, from " + formatReal(start, 9) + " s to " +
                   formatReal(end, 9) + " s, not '" + line.text(what) + "'");
}

/// Instants of a log whose contacts say how long arrows are.
constexpr int kForceInstants = 50;

/// The contacts of a log, where they are to be drawn.
class LogForces {
 public:
  LogForces(RenderedLogs& logs, bool wanted) : logs_(logs), wanted_(wanted) {}

  /// Chooses the length of arrows for what happens between two times.
  void scale(double from, double to) {
    const int instants = to > from ? kForceInstants : 0;
    for (int i = 0; wanted_ && i <= instants; ++i)
      largest_ = std::max(largest_, render::largestForce(at(from + (to - from) * i / std::max(instants, 1))));
  }
  std::vector<logs::ContactSum> at(double time) {
    if (!wanted_) return {};
    return logs_.contactsAt(time);
  }
  double largest() const { return largest_; }

 private:
  RenderedLogs& logs_;
  bool wanted_;
  double largest_ = 0;
};

void checkOutput(const CommandLine& line, PictureOutput kind, const RenderOptions& options) {
  if (kind == PictureOutput::png) {
    for (const char* name : {"start", "end"})
      if (line.has(name))
        throw UsageError("--" + std::string(name) + " goes with movies and folders; a picture has --at");
  } else if (line.has("at")) {
    throw UsageError("--at goes with a single picture");
  }
  if (kind == PictureOutput::movie && options.photo.style.background == render::PictureStyle::Background::transparent)
    throw UsageError("movies have no transparent background: --output takes a .png file or a folder with it");
}

/// Shows on the terminal how far a single picture is.
void showProgress(render::Photographer& photographer, TerminalProgress& progress) {
  photographer.setProgress([&progress](int done, int count) {
    if (done == 1) progress.begin("picture", count);
    progress.advanceTo(done);
    if (done == count) progress.end();
  });
}

int renderLogs(const CommandLine& line, const RenderOptions& options, Registry& registry,
               const std::vector<std::string>& logFiles) {
  FormatLoader loader(registry, line.log());
  RenderedLogs rendered(logFiles, options.photo.collision ? logs::LogShapes::collision : logs::LogShapes::visual,
                        loader, line.log());
  const logs::LogWorld& log = rendered.first();
  const VisualFilesScope appearances(rendered.appearances());
  // The world is what was asked for already.
  render::PhotoOptions photo = options.photo;
  photo.collision = false;
  RenderedScene scene(rendered), last(rendered);
  const double start = log.times().front(), end = log.times().back();
  const std::string output = line.text("output");
  const PictureOutput kind = pictureOutput(output);
  checkOutput(line, kind, options);
  const double from = timeWithin(log, line, "start", start), to = timeWithin(log, line, "end", end);
  if (to < from) throw UsageError("--end is before --start");
  LogForces forces(rendered, options.contacts);
  TerminalProgress progress(!line.quiet() && !line.json());
  const auto photographerOf = [&](const std::vector<const SimulationView*>& views) {
    return render::Photographer(rendered.world(), views, photo, registry, line.log(), rendered.linkObjects(),
                                rendered.linkNumbers());
  };
  if (kind == PictureOutput::png) {
    const double time = line.has("at") || !options.time ? timeWithin(log, line, "at", end)
                                                        : timeWithin(log, line, "view", end, options.time);
    const SimulationView& view = scene.at(time);
    render::Photographer photographer = photographerOf({&view});
    showProgress(photographer, progress);
    forces.scale(time, time);
    render::writePng(photographer.take(view, forces.at(time), forces.largest()), output);
    return report(line, output, 1);
  }
  render::Photographer photographer = photographerOf({&scene.at(from), &last.at(to)});
  forces.scale(from, to);
  const InterruptGuard interrupt;
  const auto sink = kind == PictureOutput::movie
                        ? render::movieFile(output, options.photo.width, options.photo.height, options.rate)
                        : render::pictureFolder(output);
  const int count = static_cast<int>(std::floor((to - from) * options.rate + 1e-6));
  progress.begin("pictures", std::max(count, 1));
  int made = 0;
  for (; made < std::max(count, 1) && !interrupt.asked()(); ++made) {
    const double time = from + made / options.rate;
    sink->add(photographer.take(scene.at(time), forces.at(time), forces.largest()));
    progress.advanceTo(made + 1);
  }
  progress.end();
  sink->close();
  if (kind == PictureOutput::folder)
    if (const std::string older = render::pictureBehind(output, made); !older.empty())
      line.log().write(LogLevel::warning, "mortise",
                       older + " and what follows are from before; remove them before you make a movie of the folder");
  report(line, output, made);
  return interrupt.asked()() ? interrupt.exitCode() : 0;
}

void writeStill(const World& world, const std::string& output, const RenderOptions& options, Registry& registry,
                LogSink& log, TerminalProgress* progress = nullptr) {
  const render::StillView still(world);
  render::Photographer photographer(world, {&still.view()}, options.photo, registry, log);
  if (progress != nullptr) showProgress(photographer, *progress);
  render::writePng(photographer.take(still.view()), output);
}

/// A world, or a motion of one of its robots.
int renderWorld(const CommandLine& line, const RenderOptions& options, Registry& registry) {
  FormatLoader loader(registry, line.log(), resourcePath(line));
  const VisualFilesScope appearances(&loader, line.log());
  Diagnostics diagnostics;
  diagnostics.setStrict(line.has("strict"));
  std::vector<std::string> files = line.positionals();
  const std::string motionFile = takeMotion(loader, files);
  if (motionFile.empty()) {
    if (pictureOutput(line.text("output")) != PictureOutput::png)
      throw UsageError("a world is one picture: --output takes a .png file; movies are made of logs and motions");
    for (const char* name : {"at", "start", "end", "contacts"})
      if (line.has(name)) throw UsageError("--" + std::string(name) + " goes with a log or a motion");
  }
  World world = assembleWorld(loader, files, diagnostics);
  if (!diagnostics.hasErrors()) readConfigurations(line, loader, world, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  if (!motionFile.empty()) {
    const viewer::ShownMotion motion = motionFor(loader, motionFile, world, diagnostics);
    const viewer::SnapshotLog log(world, registry, line.log(), motion);
    return renderLogs(line, options, registry, {log.path()});
  }
  TerminalProgress progress(!line.quiet() && !line.json());
  writeStill(world, line.text("output"), options, registry, line.log(), &progress);
  return report(line, line.text("output"), 1);
}

/// The files of a folder that hold worlds, robots, objects, terrains or shapes, in the order of their names.
std::vector<std::string> modelsOf(FormatLoader& loader, const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename().string().starts_with(".")) continue;
    const std::optional<FileContent> content = loader.contentOf(entry.path().string());
    if (content == FileContent::world || content == FileContent::robot || content == FileContent::rigidObject ||
        content == FileContent::terrain || content == FileContent::geometry)
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A picture of each model of a folder: FILE.png in the folder of the output. What cannot be read is a warning.
int renderThumbnails(const CommandLine& line, RenderOptions options, Registry& registry) {
  const std::string &folder = line.positionals().front(), output = line.text("output");
  if (line.positionals().size() > 1) throw UsageError("one folder is rendered at a time");
  if (pictureOutput(output) != PictureOutput::folder)
    throw UsageError("'" + folder + "' is a folder: --output takes a folder for a picture of each of its models");
  for (const char* name : {"at", "start", "end", "config", "contacts"})
    if (line.has(name)) throw UsageError("--" + std::string(name) + " does not go with a folder of models");
  if (!line.has("size")) options.photo.width = options.photo.height = 256;
  FormatLoader loader(registry, line.log(), resourcePath(line));
  const VisualFilesScope appearances(&loader, line.log());
  const std::vector<std::string> files = modelsOf(loader, folder);
  if (files.empty()) throw Error("'" + folder + "' holds no log, world, robot, object, terrain or shape");
  std::filesystem::create_directories(output);
  const InterruptGuard interrupt;
  TerminalProgress progress(!line.quiet() && !line.json());
  progress.begin("pictures", static_cast<std::int64_t>(files.size()));
  int made = 0, seen = 0;
  for (const std::string& file : files) {
    if (interrupt.asked()()) break;
    Diagnostics diagnostics;
    diagnostics.setStrict(line.has("strict"));
    const std::string picture = std::filesystem::path(output) / std::filesystem::path(file).filename();
    try {
      const World world = assembleWorld(loader, {file}, diagnostics);
      diagnostics.throwIfErrors();
      writeStill(world, picture + ".png", options, registry, line.log());
      ++made;
    } catch (const std::exception& error) {
      line.log().write(LogLevel::warning, "mortise", "no picture of '" + file + "': " + error.what());
    }
    progress.advanceTo(++seen);
  }
  progress.end();
  report(line, output, made);
  if (interrupt.asked()()) return interrupt.exitCode();
  return made > 0 ? 0 : 1;
}

/// Says that of several logs the first is drawn.
void noteOthers(const CommandLine& line, const std::vector<viewer::ViewFile>& logs) {
  std::string others;
  for (std::size_t i = 1; i < logs.size(); ++i) others += (i > 1 ? ", " : "") + logs[i].path;
  line.log().write(LogLevel::info, "mortise",
                   "of " + std::to_string(logs.size()) + " logs the first is drawn, " + logs.front().path +
                       "; name another one to draw it: " + others + "; --overlay draws all");
}

/// The logs that are named, or of the folder of a run: the first one, or with --overlay all; none: no log is named.
std::vector<std::string> namedLogs(const CommandLine& line) {
  std::vector<std::string> named;
  std::error_code code;
  for (const std::string& file : line.positionals()) {
    if (isLogFile(file)) {
      named.push_back(file);
    } else if (std::filesystem::is_directory(file, code)) {
      const std::vector<viewer::ViewFile> logs = viewer::logsOfFolder(file);
      if (logs.size() > 1 && !line.has("overlay")) noteOthers(line, logs);
      for (const viewer::ViewFile& log : logs)
        if (line.has("overlay") || &log == logs.data()) named.push_back(log.path);
    }
  }
  if (named.empty()) {
    if (line.has("overlay")) throw UsageError("--overlay goes with logs, or with the folder of a run");
    return named;
  }
  if (named.size() > 1 && !line.has("overlay"))
    throw UsageError("one log is rendered at a time; --overlay draws several into one picture");
  for (const std::string& file : line.positionals())
    if (!isLogFile(file) && !std::filesystem::is_directory(file, code))
      throw UsageError("'" + file + "' is no log: logs are rendered without other files");
  if (line.has("config")) throw UsageError("--config goes with a world; a log says where its robots are");
  return named;
}

}  // namespace

int renderCommand(const Arguments& arguments) {
  CommandLine line("mortise render", "pictures and movies of a world or of a recorded run, without any display");
  line.positional(
          "FILE",
          "a world, or robots, objects and terrains to put together, and a motion of a robot; or a log (.mcap), or "
          "the folder of a run that has one; or a folder of models, each of which gets a picture",
          1, -1)
      .option("output,o", "FILE",
              "a .png file; of a log or a motion also a folder for pictures, or a movie (.mp4, .webm, .mkv, .mov)");
  declareRenderOptions(line);
  line.flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Pictures are made by following paths of light: the same files and options give the same bits. Movies are "
          "made "
          "by the program ffmpeg, where it is installed.\n\n"
          "Examples:\n"
          "  mortise render data/worlds/blocks.xml -o blocks.png --size 1280x720\n"
          "  mortise render data/worlds/blocks.xml -o figure.png --quality paper --background transparent\n"
          "  mortise sim data/worlds/blocks.xml --duration 2 --mcap run.mcap\n"
          "  mortise render run.mcap -o at_one_second.png --at 1\n"
          "  mortise render run.mcap -o run.mp4 --contacts\n"
          "  mortise render data/objects -o thumbnails\n"
          "  mortise render data/robots/reacher.rob data/motions/reacher_sweep.path -o sweep.mp4\n");
  declareConfigurations(line, "the world's");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw UsageError("missing --output FILE");
  const RenderOptions options = renderOptions(line);
  const auto registry = line.makeRegistry();
  const std::vector<std::string> logFiles = namedLogs(line);
  if (!logFiles.empty()) return renderLogs(line, options, *registry, logFiles);
  if (std::filesystem::is_directory(line.positionals().front())) return renderThumbnails(line, options, *registry);
  return renderWorld(line, options, *registry);
}

}  // namespace mortise::app
