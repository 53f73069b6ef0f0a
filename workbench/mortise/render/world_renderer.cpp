#include "mortise/render/world_renderer.h"

#include <cmath>
#include <span>

#include "mortise/appearance/visual_files.h"
#include "mortise/base/error.h"
#include "mortise/component/role.h"
#include "mortise/loading/format_loader.h"
#include "mortise/simulation/context/component_host.h"

namespace mortise::render {

namespace {

/// The camera's own limit.
constexpr double kMaxRays = 4096.0 * 2304;

std::uint32_t meanOf(std::span<const double> pixels, std::size_t stride, std::size_t at) {
  std::uint32_t mean = 0;
  for (const int shift : {16, 8, 0}) {
    std::uint32_t sum = 0;
    for (const std::size_t i : {at, at + 1, at + stride, at + stride + 1})
      sum += static_cast<std::uint32_t>(pixels[i]) >> shift & 0xff;
    mean |= (sum + 2) / 4 << shift;
  }
  return mean;
}

}  // namespace

struct WorldRenderer::Parts {
  Parts(int w, int h, int s, LogSink& log)
      : width(w), height(h), scale(s), host("camera", 0, log, nullptr, channels, {}, {}) {}
  int width, height, scale;  ///< Rays across and down a pixel.
  ChannelTable channels;
  ComponentHost host;
  ComponentPtr<Sensor> camera;
  std::vector<double> values;
};

WorldRenderer::WorldRenderer(const World& world, Registry& registry, LogSink& log, int width, int height,
                             double fieldOfView, const RigidTransform& X_WC, const std::string& shapes) {
  const int scale = 4.0 * width * height <= kMaxRays ? 2 : 1;
  parts_ = std::make_unique<Parts>(width, height, scale, log);
  const ComponentInfo& info = registry.requireRole(role::kPictureCamera);
  Value settings = Value::map();
  settings.set("rgb", true);
  settings.set("depth", false);
  settings.set("xres", scale * width);
  settings.set("yres", scale * height);
  const double focal = 0.5 * scale * height / std::tan(0.5 * fieldOfView);
  settings.set("fx", focal);
  settings.set("fy", focal);
  settings.set("zmin", 0.01);
  // Cameras of others may not know it.
  if (info.schema.find("shapes") != nullptr) settings.set("shapes", shapes);
  std::vector<double> rows(12);
  X_WC.toRows(rows.data());
  settings.set("t_sensor", rows);
  settings.set("threads", 2);
  Diagnostics diagnostics;
  settings = registry.completeSettings(info, settings, diagnostics);
  diagnostics.throwIfErrors();
  parts_->camera = registry.create<Sensor>(info, settings, parts_->host);
  FormatLoader loader(registry, log);
  const VisualFilesScope styles(&loader, log);
  parts_->camera->start({world, -1, 0});
  parts_->values.resize(parts_->camera->channels().size());
}

WorldRenderer::~WorldRenderer() = default;

Picture WorldRenderer::take(const SimulationView& view) {
  Parts& p = *parts_;
  p.camera->simulate(view, 0, p.values);
  Picture picture{p.width, p.height, {}, {}, {}};
  picture.pixels.reserve(static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height));
  const auto stride = static_cast<std::size_t>(p.scale) * static_cast<std::size_t>(p.width);
  for (int row = 0; row < p.height; ++row)
    for (int column = 0; column < p.width; ++column) {
      const std::size_t at =
          static_cast<std::size_t>(p.scale * row) * stride + static_cast<std::size_t>(p.scale * column);
      picture.pixels.push_back(p.scale == 1 ? static_cast<std::uint32_t>(p.values[at]) : meanOf(p.values, stride, at));
    }
  return picture;
}

StillView::StillView(const World& world) {
  states_.reserve(world.robots.size());
  for (const WorldRobot& robot : world.robots) {
    states_.emplace_back(*robot.robot);
    states_.back().q = robot.q;
    updateFrames(*robot.robot, states_.back());
    robots_.emplace_back().state = &states_.back();
  }
  for (const RigidObject& object : world.objects) objects_.emplace_back().X_WB = object.X_WO;
  view_.world = &world;
  view_.robots = robots_;
  view_.objects = objects_;
  view_.gravity = world.simulation.gravity;
}

}  // namespace mortise::render
