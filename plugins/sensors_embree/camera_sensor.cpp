#include "camera_sensor.h"

#include <algorithm>
#include <cmath>

#include "image_check.h"
#include "mortise/base/error.h"

namespace mortise::sensors_embree {

namespace {

/// Pixels of a packet: a square, because rays that are close together take the same ways.
constexpr int kTile = 4;
static_assert(kTile * kTile == kPacket);

/// The fraction of its color that a surface seen edge-on keeps.
constexpr float kAmbient = 0.2f;

/// 0xrrggbb; `shade` from 0 to 1.
inline double packed(const Color& color, float shade) {
  const float scale = 255 * shade;
  const auto level = [scale](float part) { return static_cast<std::int32_t>(part * scale + 0.5f); };
  return static_cast<double>(level(color[0]) << 16 | level(color[1]) << 8 | level(color[2]));
}

/// Pixels a unit of x/z: `given` where that is not -1, else from the field of view over `pixels` pixels.
double focalLength(double given, double fov, int pixels) {
  return given > 0 ? given : 0.5 * pixels / std::tan(0.5 * fov);
}

double principalPoint(double given, int pixels) { return given == -1 ? 0.5 * (pixels - 1) : given; }

}  // namespace

void CameraSettings::bind(SettingBinder& b) {
  constexpr double kDegree = std::numbers::pi / 180;
  bindMount(b, "z points forward, x to the right of the image, y down.");
  b.add("rgb", color, "Colors are measured.");
  b.add("depth", depth, "Depths are measured.");
  b.add("xres", width, "Pixels across.", {.min = 1, .max = 16384});
  b.add("yres", height, "Pixels down.", {.min = 1, .max = 16384});
  b.add("xfov", xfov, "Angle between the left and right border of the image.",
        {.min = 1e-4, .max = 179.9 * kDegree, .unit = "rad"});
  b.add("yfov", yfov, "Angle between the upper and lower border of the image.",
        {.min = 1e-4, .max = 179.9 * kDegree, .unit = "rad"});
  b.add("fx", fx, "Focal length in pixels across, in place of xfov; -1: from xfov.", {.max = 1e9});
  b.add("fy", fy, "Focal length in pixels down, in place of yfov; -1: from yfov.", {.max = 1e9});
  b.add("cx", cx, "Column of the optical axis, the center of the first column being 0; -1: the middle.",
        {.min = -1e6, .max = 1e6});
  b.add("cy", cy, "Row of the optical axis, the center of the first row being 0; -1: the middle.",
        {.min = -1e6, .max = 1e6});
  b.add("zmin", minDepth, "Smallest depth that counts as measured.", {.min = 0, .max = kLargestSetting, .unit = "m"});
  b.add("zmax", maxDepth, "Depth of what is farther away, or nowhere.", {.min = 0, .unit = "m", .infinite = true});
  b.add("zvariance_linear", noise.linear, "Variance of the depth's noise for each meter of depth, m^2/m.",
        {.min = 0, .max = kLargestSetting, .aliases = {"zvarianceLinear"}, .changeable = true});
  b.add("zvariance_constant", noise.constant, "Variance of the depth's noise at any depth, m^2.",
        {.min = 0, .max = kLargestSetting, .aliases = {"zvarianceConstant"}, .changeable = true});
  b.add("zresolution", noise.resolution, "Step to which depths are rounded, after the noise; 0: none.",
        {.min = 0, .max = kLargestSetting, .unit = "m", .changeable = true});
  b.choice("shapes", shapes, {{"visual", VisibleWorld::Shapes::visual}, {"collision", VisibleWorld::Shapes::collision}},
           "What is seen: what bodies look like, with materials and textures, or the shapes that collide.");
  b.add("shading", shading, "Surfaces are lit from the camera; false: bare colors.", {.changeable = true});
  bindView(b);
}

void CameraSettings::check() const {
  checkImage(width, height, fx, fy);
  if (!color && !depth)
    throw Error("the camera has neither color nor depth", settingPosition("rgb"),
                "set 'rgb' or 'depth', or leave the camera out");
  if (!(minDepth > 0 && minDepth < maxDepth))
    throw Error(
        "'zmin' must be above 0 and below 'zmax', found " + Value(minDepth).text() + " and " + Value(maxDepth).text(),
        settingPosition("zmin"));
}

CameraSensor::CameraSensor(const ComponentContext& context) : Configured(context), threads_(settings_->threads) {
  const CameraSettings& s = *settings_;
  model_.width = s.width;
  model_.height = s.height;
  model_.fx = focalLength(s.fx, s.xfov, s.width);
  model_.fy = focalLength(s.fy, s.yfov, s.height);
  model_.cx = principalPoint(s.cx, s.width);
  model_.cy = principalPoint(s.cy, s.height);
  model_.color = s.color;
  model_.depth = s.depth;
  model_.minDepth = s.minDepth;
  model_.maxDepth = s.maxDepth;
}

void CameraSensor::start(const SensorSetup& setup) {
  mount_.start(setup, *settings_);
  model_.link = mount_.link();
  model_.X_LS = mount_.X_LS();
  const std::vector<double>& background = setup.world.background;
  Color color = {0.4f, 0.4f, 1.0f};
  for (std::size_t k = 0; k < 3 && k < background.size(); ++k)
    color[k] = background[k] >= 0 ? static_cast<float>(std::min(background[k], 1.0)) : 0.0f;
  background_ = packed(color, 1);
  // A camera sees its own link too, as in Klamp't.
  world_.start(setup.world, -1, -1, settings_->pointRadius, settings_->shapes, host_);

  const std::size_t pixels = static_cast<std::size_t>(model_.width) * static_cast<std::size_t>(model_.height);
  channels_.clear();
  channels_.reserve(pixels * ((model_.color ? 1 : 0) + (model_.depth ? 1 : 0)));
  inverseLengths_.clear();
  for (const char* kind : {"rgb", "d"}) {
    if (!(*kind == 'r' ? model_.color : model_.depth)) continue;
    for (int j = 0; j < model_.height; ++j)
      for (int i = 0; i < model_.width; ++i)
        channels_.push_back(std::string(kind) + "[" + std::to_string(i) + "," + std::to_string(j) + "]");
  }
  if (!model_.color) return;
  inverseLengths_.reserve(pixels);
  for (int j = 0; j < model_.height; ++j)
    for (int i = 0; i < model_.width; ++i)
      inverseLengths_.push_back(
          static_cast<float>(1 / Vector3d((i - model_.cx) / model_.fx, (j - model_.cy) / model_.fy, 1).norm()));
}

/// Data that are the same for all pixels of one reading.
struct CameraSensor::Image {
  Vector3d first, right, down;  ///< Direction through pixel (0, 0), and what it changes by from pixel to pixel.
  float near;
  double* color;  ///< Or null.
  double* depth;  ///< Or null; infinite where nothing is hit.
};

void CameraSensor::simulate(const SimulationView& view, double, std::span<double> out) {
  const RigidTransform X_WS = mount_.pose(view);
  world_.update(view, X_WS.p);
  const std::size_t pixels = static_cast<std::size_t>(model_.width) * static_cast<std::size_t>(model_.height);
  Image image;
  image.first = X_WS.R * Vector3d(-model_.cx / model_.fx, -model_.cy / model_.fy, 1);
  image.right = X_WS.R.col(0) / model_.fx;
  image.down = X_WS.R.col(1) / model_.fy;
  // Klamp't's picture begins no farther than 0.1 m from the camera, whatever the range of the depth.
  image.near = static_cast<float>(std::min(0.1, model_.minDepth));
  image.color = model_.color ? out.data() : nullptr;
  image.depth = model_.depth ? out.data() + (model_.color ? pixels : 0) : nullptr;
  auto strip = [&](int index) { render(image, index); };
  threads_.run((model_.height + kTile - 1) / kTile, strip);
  if (image.depth == nullptr || settings_->noise.none()) return;
  for (double* depth = image.depth; depth != image.depth + pixels; ++depth)
    if (*depth < model_.maxDepth) *depth = std::min(settings_->noise.apply(*depth, host_.random()), model_.maxDepth);
}

inline float CameraSensor::shade(float slope, std::size_t pixel) const {
  return settings_->shading ? kAmbient + (1 - kAmbient) * std::min(std::abs(slope) * inverseLengths_[pixel], 1.0f)
                            : 1.0f;
}

void CameraSensor::render(const Image& image, int strip) const {
  const int top = strip * kTile, width = model_.width;
  const int rows = std::min(kTile, model_.height - top);
  RayPacket rays;
  PacketHits hits;
  for (int left = 0; left < width; left += kTile) {
    const int columns = std::min(kTile, width - left);
    const Vector3d corner = image.first + left * image.right + top * image.down;
    for (int k = 0; k < kPacket; ++k) {
      const int i = k % kTile, j = k / kTile;
      rays.x[k] = corner[0] + i * image.right[0] + j * image.down[0];
      rays.y[k] = corner[1] + i * image.right[1] + j * image.down[1];
      rays.z[k] = corner[2] + i * image.right[2] + j * image.down[2];
      rays.valid[k] = i < columns && j < rows ? -1 : 0;
    }
    world_.cast(rays, image.near, hits);
    for (int j = 0; j < rows; ++j) {
      const std::size_t pixel =
          static_cast<std::size_t>(top + j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(left);
      for (int i = 0; i < columns; ++i) {
        const int k = kTile * j + i;
        const std::size_t at = pixel + static_cast<std::size_t>(i);
        if (image.color != nullptr)
          image.color[at] = hits.color[k] == nullptr ? background_ : packed(*hits.color[k], shade(hits.slope[k], at));
        if (image.depth != nullptr) image.depth[at] = std::min(hits.t[k], model_.maxDepth);
      }
    }
  }
}

}  // namespace mortise::sensors_embree
