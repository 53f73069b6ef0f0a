#include "path_traced_camera.h"

#include <algorithm>
#include <cmath>

#include "image_check.h"
#include "mortise/base/error.h"
#include "mortise/math/constants.h"

namespace mortise::sensors_embree {

namespace {

constexpr int kMaxSide = 1 << 20;

using path_tracing::Background;

/// Noise that is the same for a place of the picture and evenly spread, from 0 to 1 (Jimenez, interleaved gradients).
double ditherAt(int column, int row) {
  const double inner = 0.06711056 * column + 0.00583715 * row, outer = 52.9829189 * (inner - std::floor(inner));
  return outer - std::floor(outer);
}

/// 0xrrggbb of a linear color; rounded up or down so that gradients have no bands.
double packedColor(const Vector3d& linear, double dither) {
  std::uint32_t packed = 0;
  for (int k = 0; k < 3; ++k) {
    // White stays white where rounding takes a little from it.
    const double level = 255 * path_tracing::screenLevel(linear[k]) + dither + 1e-6;
    packed = packed << 8 | static_cast<std::uint32_t>(std::clamp(level, 0.0, 255.0));
  }
  return packed;
}

}  // namespace

void PathTracedCameraSettings::bind(SettingBinder& b) {
  bindMount(b, "z points forward, x to the right of the image, y down.");
  b.add("xres", width, "Pixels across.", {.min = 1, .max = 16384});
  b.add("yres", height, "Pixels down.", {.min = 1, .max = 16384});
  b.add("fx", fx, "Focal length in pixels across; -1: the same as fy.", {.max = 1e9});
  b.add("fy", fy, "Focal length in pixels down; -1: from an angle of 35 degrees between upper and lower border.",
        {.max = 1e9});
  b.add("cx", cx, "Column of the optical axis, the center of the first column being 0; -1: the middle.",
        {.min = -1e6, .max = 1e6});
  b.add("cy", cy, "Row of the optical axis, the center of the first row being 0; -1: the middle.",
        {.min = -1e6, .max = 1e6});
  b.add("column", column, "First column, where the image is a window of a larger picture to which cx and cy belong.",
        {.min = 0, .max = kMaxSide, .changeable = true});
  b.add("row", row, "First row of such a window.", {.min = 0, .max = kMaxSide, .changeable = true});
  b.add("samples", samples, "Paths of light a pixel; four times as many have half of the noise.",
        {.min = 1, .max = 65536});
  b.add("bounces", bounces, "How often light is passed on from body to body.", {.min = 0, .max = 64});
  b.choice("theme", theme, {{"light", Theme::light}, {"dark", Theme::dark}}, "Colors of sky and floor.");
  b.choice(
      "light", light, {{"studio", Light::studio}, {"white", Light::white}},
      "A sun and what is around; or white from everywhere, in which bodies show their colors and what covers them.");
  b.choice("background", background,
           {{"sky", Background::sky}, {"white", Background::white}, {"transparent", Background::transparent}},
           "What is seen behind everything; on white and on nothing the floor shows its shadows alone.");
  b.choice("shapes", shapes, {{"visual", VisibleWorld::Shapes::visual}, {"collision", VisibleWorld::Shapes::collision}},
           "What is seen: what bodies look like, with materials and textures, or the shapes that collide.");
  b.add("sky_color", skyColor, "One color of the sky, red, green and blue from 0 to 1; absent: the theme's.",
        {.min = 0, .max = 1});
  b.add("floor_height", floorHeight, "Height of the floor; absent: there is none.",
        {.min = -kLargestSetting, .max = kLargestSetting, .unit = "m"});
  b.add("floor_center", floorCenter, "Place around which the floor is.",
        {.min = -kLargestSetting, .max = kLargestSetting, .unit = "m"});
  b.add("floor_reach", floorReach, "Distance at which the floor has faded into the sky.",
        {.min = 1e-6, .max = kLargestSetting, .unit = "m"});
  b.add("grid_cell", gridCell, "Width of a cell of the floor's grid; 0: there is none.",
        {.min = 0, .max = kLargestSetting, .unit = "m"});
  b.add("hidden_terrains", hiddenTerrains, "Terrains that the floor stands for, by number in the world.", {.min = 0});
  b.add("link_objects", linkObjects, "Objects that have the surface of robots, by number in the world.", {.min = 0});
  b.add("link_numbers", linkNumbers,
        "Numbers of these within their robots, whose links are by turns darker and lighter.", {.min = 0});
  bindView(b);
}

void PathTracedCameraSettings::check() const {
  checkImage(width, height, fx, fy);
  if (linkNumbers.size() != linkObjects.size())
    throw Error("'link_numbers' has " + std::to_string(linkNumbers.size()) + " entries, 'link_objects' " +
                    std::to_string(linkObjects.size()),
                settingPosition("link_numbers"), "give both as many");
}

PathTracedCamera::PathTracedCamera(const ComponentContext& context)
    : Configured(context), threads_(settings_->threads) {
  const PathTracedCameraSettings& s = *settings_;
  model_.width = s.width;
  model_.height = s.height;
  model_.fy = s.fy > 0 ? s.fy : 0.5 * s.height / std::tan(0.5 * style::kFieldOfView);
  model_.fx = s.fx > 0 ? s.fx : model_.fy;
  model_.cx = s.cx == -1 ? 0.5 * (s.width - 1) : s.cx;
  model_.cy = s.cy == -1 ? 0.5 * (s.height - 1) : s.cy;
  model_.color = model_.depth = true;
  model_.minDepth = 0;
  model_.maxDepth = kInfinity;
  const style::Theme& theme = s.theme == PathTracedCameraSettings::Theme::dark ? style::kDark : style::kLight;
  lighting_ = s.light == PathTracedCameraSettings::Light::white ? path_tracing::Lighting::whiteRoom(theme)
                                                                : path_tracing::Lighting::studio(theme);
  if (s.skyColor) {
    for (int k = 0; k < 3; ++k) lighting_.zenith[k] = path_tracing::linearLevel((*s.skyColor)[k]);
    lighting_.horizon = lighting_.ground = lighting_.zenith;
  }
  if (s.floorHeight)
    floor_ = path_tracing::Floor{*s.floorHeight, {s.floorCenter[0], s.floorCenter[1]}, s.floorReach, s.gridCell};
}

void PathTracedCamera::start(const SensorSetup& setup) {
  const PathTracedCameraSettings& s = *settings_;
  mount_.start(setup, s);
  model_.link = mount_.link();
  model_.X_LS = mount_.X_LS();
  TracedStyles styles;
  styles.theme = s.theme == PathTracedCameraSettings::Theme::dark ? style::kDark : style::kLight;
  styles.hiddenTerrains = s.hiddenTerrains;
  for (std::size_t i = 0; i < s.linkObjects.size(); ++i) styles.linkNumbers[s.linkObjects[i]] = s.linkNumbers[i];
  styles.pointRadius = s.pointRadius;
  styles.collision = s.shapes == VisibleWorld::Shapes::collision;
  world_.start(setup.world, styles, host_);
  channels_.clear();
  for (const char* kind : {"rgb", "d", "opacity"})
    for (int j = 0; j < s.height; ++j)
      for (int i = 0; i < s.width; ++i)
        channels_.push_back(std::string(kind) + "[" + std::to_string(i) + "," + std::to_string(j) + "]");
}

void PathTracedCamera::simulate(const SimulationView& view, double, std::span<double> out) {
  const RigidTransform X_WS = mount_.pose(view);
  world_.update(view, X_WS.p);
  const path_tracing::PathIntegrator integrator(world_, lighting_, floor_, X_WS.p, settings_->bounces,
                                                settings_->background);
  const auto width = static_cast<std::size_t>(model_.width), pixels = width * static_cast<std::size_t>(model_.height);
  auto line = [&](int j) {
    for (std::size_t i = 0; i < width; ++i) {
      const Pixel pixel = pixelAt(integrator, X_WS, settings_->column + static_cast<int>(i), settings_->row + j);
      const std::size_t at = static_cast<std::size_t>(j) * width + i;
      out[at] = pixel.rgb;
      out[pixels + at] = pixel.depth;
      out[2 * pixels + at] = pixel.opacity;
    }
  };
  threads_.run(model_.height, line);
}

double PathTracedCamera::depthAt(const path_tracing::CameraRay& ray) const {
  path_tracing::SurfaceHit hit;
  const double length = ray.direction.norm();
  double depth = kInfinity;
  if (world_.closest(ray.origin, ray.direction / length, kInfinity, hit)) depth = hit.t / length;
  if (floor_ && ray.direction.z() < 0 && ray.origin.z() > floor_->height) {
    const double t = (floor_->height - ray.origin.z()) / ray.direction.z();
    if (floor_->opacityAt((ray.origin + t * ray.direction).head<2>()) > 0) depth = std::min(depth, t);
  }
  return depth;
}

PathTracedCamera::Pixel PathTracedCamera::pixelAt(const path_tracing::PathIntegrator& integrator,
                                                  const RigidTransform& X_WS, int column, int row) const {
  const int samples = settings_->samples;
  path_tracing::CameraRay ray;
  ray.origin = X_WS.p;
  ray.right = X_WS.R.col(0) / model_.fx;
  ray.down = X_WS.R.col(1) / model_.fy;
  const auto aim = [&](double x, double y) {
    ray.direction = X_WS.R.col(2) + (column + x - model_.cx) * ray.right + (row + y - model_.cy) * ray.down;
  };
  Vector3d color = Vector3d::Zero();
  double opacity = 0;
  for (int k = 0; k < samples; ++k) {
    path_tracing::PixelSampler sampler(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row),
                                       static_cast<std::uint32_t>(k));
    const auto shift = sampler.next();
    aim(style::kFilter * path_tracing::tentOffset(shift[0]), style::kFilter * path_tracing::tentOffset(shift[1]));
    const path_tracing::PixelSample sample = integrator.sample(ray, sampler);
    color += sample.color;
    opacity += sample.opacity;
  }
  opacity = std::clamp(opacity / samples, 0.0, 1.0);
  color /= samples;
  if (opacity > 0) color /= opacity;
  aim(0, 0);
  const double dither = ditherAt(column, row);
  return {packedColor(color, dither), depthAt(ray), std::floor(255 * opacity + dither) / 255};
}

}  // namespace mortise::sensors_embree
