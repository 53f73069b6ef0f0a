#include "mortise/render/traced_renderer.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "mortise/appearance/picture_style.h"
#include "mortise/base/error.h"
#include "mortise/component/role.h"
#include "mortise/component/sensor.h"
#include "mortise/path_tracing/floor.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise::render {

namespace {

/// A picture is taken window by window, so that its size is not limited by what a sensor can hold.
constexpr int kWindowWidth = 4096, kWindowPixels = 65536;
/// Reading settings costs nothing beside the light, so limits are generous.
constexpr int kMaxThreads = 256;

struct Effort {
  int samples, bounces;
};

Effort effortOf(PictureStyle::Quality quality) {
  if (quality == PictureStyle::Quality::draft) return {4, 0};
  if (quality == PictureStyle::Quality::paper) return {256, 3};
  return {32, 1};
}

const char* backgroundName(PictureStyle::Background background) {
  if (background == PictureStyle::Background::white) return "white";
  return background == PictureStyle::Background::transparent ? "transparent" : "sky";
}

/// The length of equal pieces, none longer than `most`.
int pieceOf(int full, int most) {
  const int pieces = (full + most - 1) / most;
  return (full + pieces - 1) / pieces;
}

Value listOf(const std::vector<int>& numbers) {
  Value list = Value::list();
  for (const int number : numbers) list.push_back(number);
  return list;
}

/// The world's own background, where it has another one than Klamp't's.
Value skyColor(const World& world) {
  const std::vector<double> klampt = {0.4, 0.4, 1.0}, &own = world.background;
  if (own.size() < 3 || std::equal(klampt.begin(), klampt.end(), own.begin())) return {};
  std::vector<double> color(own.begin(), own.begin() + 3);
  for (double& part : color) part = part >= 0 ? std::min(part, 1.0) : 0.0;
  return Value(color);
}

int threadCount(int threads) {
  if (threads > 0) return std::min(threads, kMaxThreads);
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMaxThreads);
}

Value settingsOf(const World& world, const PictureStyle& style, const TracedShot& shot, int width, int height) {
  Value settings = Value::map();
  const double focal = 0.5 * shot.height / std::tan(0.5 * shot.fieldOfView);
  settings.set("xres", width);
  settings.set("yres", height);
  settings.set("fx", focal);
  settings.set("fy", focal);
  settings.set("cx", 0.5 * (shot.width - 1));
  settings.set("cy", 0.5 * (shot.height - 1));
  std::vector<double> rows(12);
  shot.X_WC.toRows(rows.data());
  settings.set("t_sensor", rows);
  const Effort effort = effortOf(style.quality);
  settings.set("samples", effort.samples);
  settings.set("bounces", effort.bounces);
  settings.set("shapes", shot.collision ? "collision" : "visual");
  settings.set("theme", style.dark ? "dark" : "light");
  settings.set("background", backgroundName(style.background));
  if (const Value color = skyColor(world); !color.isNull()) settings.set("sky_color", color);
  settings.set("floor_height", shot.floor.height);
  settings.set("floor_center", std::vector<double>{shot.target.x(), shot.target.y()});
  settings.set("floor_reach", style::kFloorReach * shot.floor.radius);
  const double perPixel = (shot.target - shot.X_WC.p).norm() / focal;
  settings.set("grid_cell", style.grid ? path_tracing::gridCell(perPixel) : 0.0);
  settings.set("hidden_terrains", listOf(shot.floor.terrains));
  settings.set("link_objects", listOf(shot.linkObjects));
  settings.set("link_numbers", listOf(shot.linkNumbers));
  return settings;
}

}  // namespace

struct TracedRenderer::Parts {
  Parts(const TracedShot& shot, LogSink& log)
      : width(shot.width), height(shot.height), host("camera", 0, log, nullptr, channels, {}, {}) {
    windowWidth = pieceOf(width, kWindowWidth);
    windowHeight = pieceOf(height, std::max(1, kWindowPixels / windowWidth));
  }
  int width, height, windowWidth, windowHeight;
  bool transparent = false;
  ChannelTable channels;
  ComponentHost host;
  ComponentPtr<Sensor> camera;
  std::vector<double> values;

  /// Puts the window at a column and row into the picture.
  void copyWindow(int column, int row, Picture& picture) const {
    const auto pixels = static_cast<std::size_t>(windowWidth) * static_cast<std::size_t>(windowHeight);
    for (int j = 0; j < windowHeight && row + j < height; ++j)
      for (int i = 0; i < windowWidth && column + i < width; ++i) {
        const std::size_t from =
            static_cast<std::size_t>(j) * static_cast<std::size_t>(windowWidth) + static_cast<std::size_t>(i);
        const std::size_t to =
            static_cast<std::size_t>(row + j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column + i);
        picture.pixels[to] = static_cast<std::uint32_t>(values[from]);
        picture.depth[to] = static_cast<float>(values[pixels + from]);
        if (transparent) picture.opacity[to] = static_cast<std::uint8_t>(std::lround(255 * values[2 * pixels + from]));
      }
  }
};

TracedRenderer::TracedRenderer(const World& world, Registry& registry, LogSink& log, const PictureStyle& style,
                               const TracedShot& shot, int threads) {
  if (static_cast<double>(shot.width) * shot.height > kMaxPixels)
    throw Error("a picture of " + std::to_string(shot.width) + " x " + std::to_string(shot.height) +
                    " pixels is too large: at most 268435456 in all, such as 16384 x 16384",
                {}, "take a smaller one");
  parts_ = std::make_unique<Parts>(shot, log);
  parts_->transparent = style.background == PictureStyle::Background::transparent;
  const ComponentInfo& info = registry.requireRole(role::kPictureTracer);
  Value settings = settingsOf(world, style, shot, parts_->windowWidth, parts_->windowHeight);
  settings.set("threads", threadCount(threads));
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  parts_->camera = registry.create<Sensor>(info, settings, parts_->host);
  parts_->camera->start({world, -1, 0});
  parts_->values.resize(parts_->camera->channels().size());
}

TracedRenderer::~TracedRenderer() = default;

Picture TracedRenderer::take(const SimulationView& view) {
  Parts& p = *parts_;
  const auto count = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
  Picture picture{p.width, p.height, {}, {}, {}};
  picture.pixels.resize(count);
  picture.depth.resize(count);
  if (p.transparent) picture.opacity.resize(count);
  const int across = (p.width + p.windowWidth - 1) / p.windowWidth,
            down = (p.height + p.windowHeight - 1) / p.windowHeight;
  for (int window = 0; window < across * down; ++window) {
    const int column = window % across * p.windowWidth, row = window / across * p.windowHeight;
    p.camera->changeSetting("column", Value(column));
    p.camera->changeSetting("row", Value(row));
    p.camera->simulate(view, 0, p.values);
    p.copyWindow(column, row, picture);
    if (progress_) progress_(window + 1, across * down);
  }
  return picture;
}

}  // namespace mortise::render
