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
#include "logs/shown_files.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/assemble_world.h"
#include "mortise/logs/log_world.h"
#include "mortise/render/picture_files.h"
#include "mortise/render/world_renderer.h"
#include "mortise/viewer/run_folder.h"
#include "mortise/viewer/snapshot_log.h"

namespace mortise::app {

namespace {

struct RenderOptions {
  int width = 640, height = 480;
  double rate = 30;
  render::CameraView camera;
  std::string shapes = "visual";
};

std::optional<Vector3d> pointOption(const CommandLine& line, const char* name) {
  if (!line.has(name)) return std::nullopt;
  const Value value = parseYaml("[" + line.text(name) + "]", "--" + std::string(name));
  const bool good =
      value.isList() && value.size() == 3 &&
      std::all_of(value.items().begin(), value.items().end(), [](const Value& v) { return v.isNumber(); });
  if (!good)
    throw UsageError("--" + std::string(name) + " takes three numbers, such as 1,-2,0.5, not '" + line.text(name) +
                     "'");
  const std::vector<double> numbers = value.asReals();
  return Vector3d(numbers[0], numbers[1], numbers[2]);
}

RenderOptions renderOptions(const CommandLine& line) {
  RenderOptions options;
  if (line.has("size")) {
    const std::string text = line.text("size");
    int read = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &options.width, &options.height, &read) != 2 ||
        read != static_cast<int>(text.size()) || options.width < 1 || options.height < 1)
      throw UsageError("--size takes width and height in pixels, such as 1280x720, not '" + text + "'");
  }
  options.rate = line.quantity("rate", "Hz", options.rate);
  if (!(options.rate > 0 && options.rate <= 1000))
    throw UsageError("--rate takes pictures a second, above 0 and at most 1000, not '" + line.text("rate") + "'");
  options.camera.position = pointOption(line, "camera");
  options.camera.target = pointOption(line, "target");
  if (const auto up = pointOption(line, "up")) options.camera.up = *up;
  options.camera.fieldOfView = line.quantity("fov", "rad", options.camera.fieldOfView);
  if (!(options.camera.fieldOfView > 0.001 && options.camera.fieldOfView < 3))
    throw UsageError("--fov takes an angle such as '40 deg', not '" + line.text("fov") + "'");
  if (line.has("shapes")) options.shapes = line.text("shapes");
  if (options.shapes != "visual" && options.shapes != "collision")
    throw UsageError("--shapes takes visual or collision, not '" + options.shapes + "'");
  return options;
}

render::WorldRenderer rendererFor(const World& world, const AxisAlignedBounds& bounds, const RenderOptions& options,
                                  Registry& registry, LogSink& log) {
  const double aspect = static_cast<double>(options.width) / options.height;
  return render::WorldRenderer(world, registry, log, options.width, options.height, options.camera.fieldOfView,
                               render::cameraPose(options.camera, bounds, aspect), options.shapes);
}

enum class Output { png, folder, movie };

Output outputKind(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".png") return Output::png;
  if (extension == ".mp4" || extension == ".mkv" || extension == ".mov") return Output::movie;
  if (extension.empty() || std::filesystem::is_directory(file)) return Output::folder;
  throw UsageError("--output takes a .png file, a folder, or a movie (.mp4, .mkv, .mov), not '" + file + "'");
}

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

/// Within the times of a log; `what` is the option that says otherwise.
double timeWithin(const logs::LogWorld& log, const CommandLine& line, const char* what, double otherwise) {
  if (!line.has(what)) return otherwise;
  const double time = line.quantity(what, "s", otherwise), start = log.times().front(), end = log.times().back();
  if (time >= start - 5e-10 && time <= end + 5e-10) return time;
  throw UsageError("--" + std::string(what) + " takes a time that is there, from " + formatReal(start, 9) + " s to " +
                   formatReal(end, 9) + " s, not '" + line.text(what) + "'");
}

int renderLog(const CommandLine& line, const RenderOptions& options, Registry& registry, const std::string& file) {
  mcap::Reader reader(file);
  if (!reader.damage().empty()) line.log().write(LogLevel::warning, "mortise", reader.path() + " " + reader.damage());
  const logs::LogWorld log(reader, options.shapes == "visual" ? logs::LogShapes::visual : logs::LogShapes::collision);
  FormatLoader loader(registry, line.log());
  VisualFiles files(loader,
                    [&line](const std::string& message) { line.log().write(LogLevel::warning, "mortise", message); });
  for (const auto& [geometry, appearance] : log.appearances()) files.know(geometry, appearance);
  const VisualFilesScope appearances(files);
  render::StillView still(log.world());
  const auto show = [&](double time) {
    const std::vector<RigidTransform> poses = log.posesAt(log.indexAt(time));
    for (std::size_t i = 0; i < poses.size(); ++i) still.objectPose(static_cast<int>(i)) = poses[i];
  };
  const double start = log.times().front(), end = log.times().back();
  const std::string output = line.text("output");
  Output kind = outputKind(output);
  if (kind == Output::png) {
    for (const char* name : {"start", "end"})
      if (line.has(name))
        throw UsageError("--" + std::string(name) + " goes with movies and folders; a picture has --at");
  } else if (line.has("at")) {
    throw UsageError("--at goes with a single picture");
  }
  const double from = timeWithin(log, line, "start", start), to = timeWithin(log, line, "end", end);
  if (to < from) throw UsageError("--end is before --start");
  show(kind == Output::png ? timeWithin(log, line, "at", end) : from);
  AxisAlignedBounds bounds = render::boundsOf(log.world(), still.view());
  if (kind != Output::png) {
    show(to);
    const AxisAlignedBounds last = render::boundsOf(log.world(), still.view());
    bounds.include(last.min);
    bounds.include(last.max);
  }
  render::WorldRenderer renderer = rendererFor(log.world(), bounds, options, registry, line.log());
  if (kind == Output::png) {
    render::writePng(renderer.take(still.view()), output);
    return report(line, output, 1);
  }
  const InterruptGuard interrupt;
  const auto sink = kind == Output::movie ? render::movieFile(output, options.width, options.height, options.rate)
                                          : render::pictureFolder(output);
  const int count = static_cast<int>(std::floor((to - from) * options.rate + 1e-6));
  TerminalProgress progress(!line.quiet() && !line.json());
  progress.begin("pictures", std::max(count, 1));
  int made = 0;
  for (; made < std::max(count, 1) && !interrupt.asked()(); ++made) {
    show(from + made / options.rate);
    sink->add(renderer.take(still.view()));
    progress.advanceTo(made + 1);
  }
  progress.end();
  sink->close();
  if (kind == Output::folder)
    if (const std::string older = render::pictureBehind(output, made); !older.empty())
      line.log().write(LogLevel::warning, "mortise",
                       older + " and what follows are from before; remove them before you make a movie of the folder");
  report(line, output, made);
  return interrupt.asked()() ? interrupt.exitCode() : 0;
}

void writeStill(const World& world, const std::string& output, const RenderOptions& options, Registry& registry,
                LogSink& log) {
  const render::StillView still(world);
  render::WorldRenderer renderer = rendererFor(world, render::boundsOf(world, still.view()), options, registry, log);
  render::writePng(renderer.take(still.view()), output);
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
    if (outputKind(line.text("output")) != Output::png)
      throw UsageError("a world is one picture: --output takes a .png file; movies are made of logs and motions");
    for (const char* name : {"at", "start", "end"})
      if (line.has(name)) throw UsageError("--" + std::string(name) + " goes with a log or a motion");
  }
  World world = assembleWorld(loader, files, diagnostics);
  if (!diagnostics.hasErrors()) readConfigurations(line, loader, world, diagnostics);
  printWarnings(line, diagnostics);
  diagnostics.throwIfErrors();
  if (!motionFile.empty()) {
    const viewer::ShownMotion motion = motionFor(loader, motionFile, world, diagnostics);
    const viewer::SnapshotLog log(world, registry, line.log(), motion);
    return renderLog(line, options, registry, log.path());
  }
  writeStill(world, line.text("output"), options, registry, line.log());
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
  if (outputKind(output) != Output::folder)
    throw UsageError("'" + folder + "' is a folder: --output takes a folder for a picture of each of its models");
  for (const char* name : {"at", "start", "end", "config"})
    if (line.has(name)) throw UsageError("--" + std::string(name) + " does not go with a folder of models");
  if (!line.has("size")) options.width = options.height = 256;
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

/// The log that is named, or the only one of the folder of a run; empty: no log is named.
std::string namedLog(const CommandLine& line) {
  const std::string& file = line.positionals().front();
  std::string log;
  std::error_code code;
  if (std::filesystem::is_directory(file, code)) {
    const std::vector<viewer::ViewFile> logs = viewer::logsOfFolder(file);
    if (logs.size() > 1)
      throw UsageError("'" + file + "' holds several logs: name one of them, such as " + logs.front().path);
    if (logs.size() == 1) log = logs.front().path;
  } else if (isLogFile(file)) {
    log = file;
  }
  if (log.empty()) return log;
  if (line.positionals().size() > 1) throw UsageError("one log is rendered at a time");
  if (line.has("config")) throw UsageError("--config goes with a world; a log says where its robots are");
  return log;
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
              "a .png file; of a log or a motion also a folder for pictures, or a movie (.mp4, .mkv, .mov)")
      .option("size", "WxH", "pixels across and down (default 640x480; of a folder of models 256x256)")
      .option("at", "T", "of a log or a motion: the time of the picture (default: the end)")
      .option("start", "T", "of a movie: the time at which it begins")
      .option("end", "T", "of a movie: the time at which it ends")
      .option("rate", "RATE", "of a movie: pictures a simulated second (default 30)")
      .option("camera", "X,Y,Z", "where the camera is (default: so that everything that moves is seen)")
      .option("target", "X,Y,Z", "the point in the middle of the picture (default: the middle of what moves)")
      .option("up", "X,Y,Z", "the direction that points up in the picture (default 0,0,1)")
      .option("fov", "ANGLE", "angle between the picture's upper and lower border (default '0.7 rad')")
      .option("shapes", "WHICH", "what is drawn: visual (default) or collision shapes")
      .flag("strict", "treat warnings about files as errors")
      .withPlugins()
      .epilog(
          "Movies are made by the program ffmpeg, where it is installed.\n\n"
          "Examples:\n"
          "  mortise render data/worlds/blocks.xml -o blocks.png --size 1280x720\n"
          "  mortise sim data/worlds/blocks.xml --duration 2 --mcap run.mcap\n"
          "  mortise render run.mcap -o at_one_second.png --at 1\n"
          "  mortise render run.mcap -o run.mp4\n"
          "  mortise render data/objects -o thumbnails\n"
          "  mortise render data/robots/reacher.rob data/motions/reacher_sweep.path -o sweep.mp4\n");
  declareConfigurations(line, "the world's");
  addResourceOptions(line);
  if (!line.parse(arguments)) return 0;
  if (!line.has("output")) throw UsageError("missing --output FILE");
  const RenderOptions options = renderOptions(line);
  const auto registry = line.makeRegistry();
  const std::string log = namedLog(line);
  if (log.empty() && std::filesystem::is_directory(line.positionals().front()))
    return renderThumbnails(line, options, *registry);
  return log.empty() ? renderWorld(line, options, *registry) : renderLog(line, options, *registry, log);
}

}  // namespace mortise::app
