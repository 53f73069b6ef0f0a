#include "logs/render_options.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise::app {

namespace {

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

/// The value of one of a few words.
template <typename T>
T wordOption(const CommandLine& line, const char* name, T otherwise,
             const std::vector<std::pair<const char*, T>>& words) {
  if (!line.has(name)) return otherwise;
  std::string all;
  for (const auto& [word, value] : words) {
    if (line.text(name) == word) return value;
    all += (all.empty() ? "" : word == words.back().first ? " or " : ", ") + std::string(word);
  }
  throw UsageError("--" + std::string(name) + " takes " + all + ", not '" + line.text(name) + "'");
}

void readSize(const CommandLine& line, RenderOptions& options) {
  if (!line.has("size")) return;
  const std::string text = line.text("size");
  int read = 0;
  render::PhotoOptions& photo = options.photo;
  if (std::sscanf(text.c_str(), "%dx%d%n", &photo.width, &photo.height, &read) != 2 ||
      read != static_cast<int>(text.size()) || photo.width < 1 || photo.height < 1)
    throw UsageError("--size takes width and height in pixels, such as 1280x720, not '" + text + "'");
  if (static_cast<double>(photo.width) * photo.height > render::kMaxPixels)
    throw UsageError("--size takes at most 268435456 pixels in all, such as 16384x16384, not '" + text + "'");
}

void readCamera(const CommandLine& line, RenderOptions& options) {
  render::CameraView& camera = options.photo.camera;
  if (line.has("view")) {
    const std::string text = line.text("view");
    camera.direction = render::presetDirection(text);
    if (!camera.direction) try {
        const render::SavedView saved = render::savedView(text);
        camera.position = saved.position;
        camera.target = saved.target;
        options.time = saved.time;
      } catch (const Error& error) {
        throw UsageError("--view: " + error.message() + (error.hint().empty() ? "" : "; " + error.hint()));
      }
  }
  if (const auto position = pointOption(line, "camera")) camera.position = position;
  if (const auto target = pointOption(line, "target")) camera.target = target;
  if (const auto up = pointOption(line, "up")) camera.up = *up;
  camera.fieldOfView = line.quantity("fov", "rad", camera.fieldOfView);
  if (!(camera.fieldOfView > 0.001 && camera.fieldOfView < 3))
    throw UsageError("--fov takes an angle such as '40 deg', not '" + line.text("fov") + "'");
}

void readStyle(const CommandLine& line, RenderOptions& options) {
  using Style = render::PictureStyle;
  render::PhotoOptions& photo = options.photo;
  photo.asSensors = line.text("quality") == "camera";
  photo.style.quality = wordOption<Style::Quality>(line, "quality", Style::Quality::normal,
                                                   {{"draft", Style::Quality::draft},
                                                    {"default", Style::Quality::normal},
                                                    {"paper", Style::Quality::paper},
                                                    {"camera", Style::Quality::normal}});
  photo.style.background = wordOption<Style::Background>(line, "background", Style::Background::sky,
                                                         {{"sky", Style::Background::sky},
                                                          {"white", Style::Background::white},
                                                          {"transparent", Style::Background::transparent}});
  photo.style.dark = wordOption<bool>(line, "theme", false, {{"light", false}, {"dark", true}});
  photo.style.grid = !line.has("no-grid");
  photo.frames = line.has("frames");
  photo.names = line.has("names");
  options.contacts = line.has("contacts");
  photo.collision = wordOption<bool>(line, "shapes", false, {{"visual", false}, {"collision", true}});
  if (!photo.asSensors) return;
  for (const char* name : {"background", "theme", "no-grid", "frames", "names", "contacts"})
    if (line.has(name))
      throw UsageError("--" + std::string(name) + " does not go with --quality camera, which shows what sensors see");
}

}  // namespace

void declareRenderOptions(CommandLine& line) {
  line.option("size", "WxH", "pixels across and down (default 640x480; of a folder of models 256x256)")
      .option("quality", "HOW",
              "draft (4 paths of light a pixel), default (32), paper (256, for print), or camera (as sensors of robots "
              "see it: quick, without light and floor)")
      .option("background", "WHAT",
              "sky (default), white or transparent; on the latter two the floor shows its shadows")
      .option("theme", "WHICH", "light (default) or dark")
      .option("shapes", "WHICH", "what is drawn: visual (default) or collision shapes")
      .flag("no-grid", "leave out the grid of the floor")
      .flag("overlay",
            "of several logs, or of the folder of a run that has several: draw all, others than the first seen through "
            "in their colors")
      .flag("contacts", "of a log: draw an arrow for the force of each two bodies that touch")
      .flag("frames", "draw the frames of links and objects: x red, y green, z blue")
      .flag("names", "write the names of robots and objects above them")
      .option("at", "T", "of a log or a motion: the time of the picture (default: the end)")
      .option("start", "T", "of a movie: the time at which it begins")
      .option("end", "T", "of a movie: the time at which it ends")
      .option("rate", "RATE", "of a movie: pictures a simulated second (default 30)")
      .option("view", "VIEW",
              "corner, front, back, left, right, top or bottom; or the link that the viewer's page copies, whose view "
              "and time are taken")
      .option("camera", "X,Y,Z", "where the camera is (default: so that everything that moves is seen)")
      .option("target", "X,Y,Z", "the point in the middle of the picture (default: the middle of what moves)")
      .option("up", "X,Y,Z", "the direction that points up in the picture (default 0,0,1)")
      .option("fov", "ANGLE", "angle between the picture's upper and lower border (default '35 deg')");
}

RenderOptions renderOptions(const CommandLine& line) {
  RenderOptions options;
  readSize(line, options);
  options.rate = line.quantity("rate", "Hz", options.rate);
  if (!(options.rate > 0 && options.rate <= 1000))
    throw UsageError("--rate takes pictures a second, above 0 and at most 1000, not '" + line.text("rate") + "'");
  readCamera(line, options);
  readStyle(line, options);
  return options;
}

PictureOutput pictureOutput(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".png") return PictureOutput::png;
  for (const char* movie : {".mp4", ".webm", ".mkv", ".mov"})
    if (extension == movie) return PictureOutput::movie;
  if (extension.empty() || std::filesystem::is_directory(file)) return PictureOutput::folder;
  throw UsageError("--output takes a .png file, a folder, or a movie (.mp4, .webm, .mkv, .mov), not '" + file + "'");
}

}  // namespace mortise::app
