#include "camera_sensor.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::sensors_embree {

namespace {

/// Pixels of a packet: a square, because rays that are close together take the same ways.
constexpr int kTile = 4;
static_assert(kTile * kTile == kPacket);

constexpr double kMaxPixels = 4096.0 * 2304;
/// What a surface seen edge-on keeps of its colour.
constexpr float kAmbient = 0.2f;

/// 0xrrggbb; `shade` from 0 to 1.
inline double packed(const Colour& colour, float shade) {
  const float scale = 255 * shade;
  const auto level = [scale](float part) { return static_cast<std::int32_t>(part * scale + 0.5f); };
  return static_cast<double>(level(colour[0]) << 16 | level(colour[1]) << 8 | level(colour[2]));
}

/// Pixels a unit of x/z: from `fx` where that is given, else from the field of view over `pixels` pixels.
double focalLength(const Value& settings, const char* focal, const char* fov, int pixels) {
  const double given = settings.at(focal).asReal();
  if (given > 0) {
    if (!std::isfinite(given) || given > 1e9)
      throw Error("'" + std::string(focal) + "' must be finite and at most 1e9 pixels", settings.at(focal).position());
    return given;
  }
  if (given != -1)
    throw Error("'" + std::string(focal) + "' must be above 0, found " + settings.at(focal).text(),
                settings.at(focal).position(), "leave it out, or give -1, to have it from the field of view");
  return 0.5 * pixels / std::tan(0.5 * settings.at(fov).asReal());
}

double principalPoint(const Value& settings, const char* name, int pixels) {
  const double given = settings.at(name).asReal();
  if (given == -1) return 0.5 * (pixels - 1);
  if (!(std::abs(given) <= 1e6))
    throw Error("'" + std::string(name) + "' must be a place in or near the image, at most 1e6 pixels away",
                settings.at(name).position());
  return given;
}

}  // namespace

CameraSensor::CameraSensor(const ComponentContext& context)
    : host_(context.host),
      settings_(context.settings),
      mount_(settings_),
      noise_{settings_.at("zvarianceLinear").asReal(), settings_.at("zvarianceConstant").asReal(),
             settings_.at("zresolution").asReal()},
      shading_(settings_.at("shading").asBool()),
      pointRadius_(settings_.at("pointRadius").asReal()),
      threads_(static_cast<int>(settings_.at("threads").asInteger())) {
  model_.width = static_cast<int>(settings_.at("xres").asInteger());
  model_.height = static_cast<int>(settings_.at("yres").asInteger());
  if (static_cast<double>(model_.width) * model_.height > kMaxPixels)
    throw Error("an image of " + std::to_string(model_.width) + " x " + std::to_string(model_.height) +
                    " pixels is too large: at most 4096 x 2304 pixels in all",
                settings_.at("xres").position(), "make 'xres' and 'yres' smaller");
  model_.fx = focalLength(settings_, "fx", "xfov", model_.width);
  model_.fy = focalLength(settings_, "fy", "yfov", model_.height);
  model_.cx = principalPoint(settings_, "cx", model_.width);
  model_.cy = principalPoint(settings_, "cy", model_.height);
  model_.color = settings_.at("rgb").asBool();
  model_.depth = settings_.at("depth").asBool();
  if (!model_.color && !model_.depth)
    throw Error("the camera has neither colour nor depth", settings_.at("rgb").position(),
                "set 'rgb' or 'depth', or leave the camera out");
  model_.minDepth = settings_.at("zmin").asReal();
  model_.maxDepth = settings_.at("zmax").asReal();
  if (!(model_.minDepth > 0 && model_.minDepth < model_.maxDepth))
    throw Error("'zmin' must be above 0 and below 'zmax', found " + settings_.at("zmin").text() + " and " +
                    settings_.at("zmax").text(),
                settings_.at("zmin").position());
}

void CameraSensor::start(const SensorSetup& setup) {
  mount_.start(setup, settings_);
  model_.link = mount_.link();
  model_.X_LS = mount_.X_LS();
  const std::vector<double>& background = setup.world.background;
  Colour colour = {0.4f, 0.4f, 1.0f};
  for (std::size_t k = 0; k < 3 && k < background.size(); ++k)
    colour[k] = background[k] >= 0 ? static_cast<float>(std::min(background[k], 1.0)) : 0.0f;
  background_ = packed(colour, 1);
  // A camera sees its own link too, as in Klamp't.
  world_.start(setup.world, -1, -1, pointRadius_, host_);

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

/// What is the same for all pixels of one reading.
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
  if (image.depth == nullptr || noise_.none()) return;
  for (double* depth = image.depth; depth != image.depth + pixels; ++depth)
    if (*depth < model_.maxDepth) *depth = std::min(noise_.apply(*depth, host_.random()), model_.maxDepth);
}

inline float CameraSensor::shade(float slope, std::size_t pixel) const {
  return shading_ ? kAmbient + (1 - kAmbient) * std::min(std::abs(slope) * inverseLengths_[pixel], 1.0f) : 1.0f;
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
          image.color[at] = hits.colour[k] == nullptr ? background_ : packed(*hits.colour[k], shade(hits.slope[k], at));
        if (image.depth != nullptr) image.depth[at] = std::min(hits.t[k], model_.maxDepth);
      }
    }
  }
}

Value CameraSensor::settings() const {
  Value now = settings_;
  now.set("zvarianceLinear", noise_.linear);
  now.set("zvarianceConstant", noise_.constant);
  now.set("zresolution", noise_.resolution);
  now.set("shading", shading_);
  return now;
}

bool CameraSensor::changeSetting(std::string_view name, const Value& value) {
  if (name == "zvarianceLinear")
    noise_.linear = changedNumber(name, value, 0);
  else if (name == "zvarianceConstant")
    noise_.constant = changedNumber(name, value, 0);
  else if (name == "zresolution")
    noise_.resolution = changedNumber(name, value, 0);
  else if (name == "shading")
    shading_ = changedSwitch(name, value);
  else
    return false;
  return true;
}

void CameraSensor::save(ByteWriter& out) const {
  noise_.save(out);
  out.put(static_cast<std::uint8_t>(shading_));
}

void CameraSensor::restore(ByteReader& in) {
  DepthNoise noise;
  noise.restore(in);
  const auto shading = in.get<std::uint8_t>();
  checkRestored(shading > 1 ? -1 : shading, 0);
  noise_ = noise;
  shading_ = shading == 1;
}

}  // namespace mortise::sensors_embree
