#include "laser_range_sensor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"

namespace mortise::sensors_embree {

namespace {

constexpr const char* kTypes[] = {"sinusoid", "triangular", "sawtooth"};
/// Beams of one work item for the threads.
constexpr int kBeamsAPiece = 16 * kPacket;

/// u modulo `size`, from 0 to below it.
double modulo(double u, double size) {
  const double rest = std::fmod(u, size);
  return rest < 0 ? rest + size : rest;
}

}  // namespace

double Sweep::pattern(Type type, double u) {
  if (!std::isfinite(u)) return 0;  // Of periods so short that time runs out of numbers.
  switch (type) {
    case Type::sinusoid:
      return std::sin(2 * std::numbers::pi * u);
    case Type::triangular:
      return 2 * (1 - std::abs(modulo(u, 2) - 1)) - 1;
    case Type::sawtooth:
      return 2 * modulo(u, 1) - 1;
  }
  return 0;
}

double Sweep::angle(int beam, int count, double time, double duration) const {
  if (magnitude == 0) return 0;
  const double fraction = count > 1 ? static_cast<double>(beam) / (count - 1) : 1;
  if (period == 0) {
    // The last beam stands at the upper end, not at the beginning of the next tooth.
    if (type == Type::sawtooth && count > 1) return magnitude * (2 * fraction - 1);
    return magnitude * pattern(type, fraction);
  }
  const double last = (time + phase) / period;
  double first = (time - duration + phase) / period;
  // The last beam of the reading before has been there already.
  if (count > 1) first += (last - first) / (count - 1);
  return magnitude * pattern(type, beam + 1 < count ? first + fraction * (last - first) : last);
}

namespace {

void bindSweep(SettingBinder& b, Sweep& sweep, const std::string& axis, const std::string& about) {
  const std::string name = axis + "_sweep_", klampt = axis + "Sweep";
  b.add(name + "magnitude", sweep.magnitude, "Angle about " + about + " on each side of straight ahead.",
        {.min = -kLargestSetting,
         .max = kLargestSetting,
         .unit = "rad",
         .aliases = {klampt + "Magnitude"},
         .changeable = true});
  b.add(name + "period", sweep.period, "Seconds of one period of the sweep; 0: each reading is a whole sweep.",
        {.min = 0, .max = kLargestSetting, .unit = "s", .aliases = {klampt + "Period"}, .changeable = true});
  b.add(name + "phase", sweep.phase, "Seconds by which the sweep is ahead; without effect when the period is 0.",
        {.min = -kLargestSetting,
         .max = kLargestSetting,
         .unit = "s",
         .aliases = {klampt + "Phase"},
         .changeable = true});
  b.add(name + "type", sweep.type, "0 or sinusoid, 1 or triangular, 2 or sawtooth.",
        {.aliases = {klampt + "Type"}, .changeable = true});
}

}  // namespace

void LaserSettings::bind(SettingBinder& b) {
  bindMount(b, "z points forward, x to the left, y up.");
  b.add("measurement_count", count, "Beams of a reading.", {.min = 1, .max = 1000000, .aliases = {"measurementCount"}});
  b.add("depth_minimum", minimum, "Where beams begin: nearer things are not seen.",
        {.min = 0, .max = kLargestSetting, .unit = "m", .aliases = {"depthMinimum"}});
  b.add("depth_maximum", maximum, "Reading of a beam that meets nothing within this distance.",
        {.min = 0, .unit = "m", .aliases = {"depthMaximum"}, .infinite = true});
  b.add("depth_variance_linear", noise.linear, "Variance of the noise for each meter of distance, m^2/m.",
        {.min = 0, .max = kLargestSetting, .aliases = {"depthVarianceLinear"}, .changeable = true});
  b.add("depth_variance_constant", noise.constant, "Variance of the noise at any distance, m^2.",
        {.min = 0, .max = kLargestSetting, .aliases = {"depthVarianceConstant"}, .changeable = true});
  b.add("depth_resolution", noise.resolution, "Step to which distances are rounded, after the noise; 0: none.",
        {.min = 0, .max = kLargestSetting, .unit = "m", .aliases = {"depthResolution"}, .changeable = true});
  bindSweep(b, x, "x", "y (to the left and right)");
  bindSweep(b, y, "y", "x (up and down)");
  bindView(b);
}

void LaserSettings::check() const {
  if (!(minimum < maximum))
    throw Error("'depth_minimum' must be below 'depth_maximum', found " + Value(minimum).text() + " and " +
                    Value(maximum).text(),
                settingPosition("depth_minimum"));
}

LaserRangeSensor::LaserRangeSensor(const ComponentContext& context)
    : Configured(context), threads_(settings_->threads) {}

void LaserRangeSensor::start(const SensorSetup& setup) {
  mount_.start(setup, *settings_);
  // A laser does not see the link that carries it, as in Klamp't.
  world_.start(setup.world, mount_.robot(), mount_.link(), settings_->pointRadius, VisibleWorld::Shapes::collision,
               host_);
  channels_.clear();
  for (int i = 0; i < settings_->count; ++i) channels_.push_back("d[" + std::to_string(i) + "]");
  scan_ = {{}, false, settings_->minimum, settings_->maximum, mount_.link(), mount_.X_LS()};
  scan_.directions.resize(static_cast<std::size_t>(settings_->count));
  aim(0, 0);
}

/// The directions of a reading at `time` that covers the `period` before it.
void LaserRangeSensor::aim(double time, double period) {
  scan_.sweeps = settings_->x.period > 0 || settings_->y.period > 0;
  for (int beam = 0; beam < settings_->count; ++beam) {
    const double x = settings_->x.angle(beam, settings_->count, time, period),
                 y = settings_->y.angle(beam, settings_->count, time, period);
    scan_.directions[static_cast<std::size_t>(beam)] =
        Vector3d(std::sin(x), std::cos(x) * std::sin(y), std::cos(x) * std::cos(y));
  }
}

void LaserRangeSensor::simulate(const SimulationView& view, double period, std::span<double> out) {
  const RigidTransform X_WS = mount_.pose(view);
  world_.update(view, X_WS.p);
  const int count = settings_->count;
  const double minimum = settings_->minimum, maximum = settings_->maximum;
  // Before the first reading, at time 0, there was none.
  aim(view.time, std::min(period, view.time));
  auto piece = [&](int index) {
    const int end = std::min(count, (index + 1) * kBeamsAPiece);
    RayPacket rays;
    PacketHits hits;
    for (int first = index * kBeamsAPiece; first < end; first += kPacket) {
      for (int k = 0; k < kPacket; ++k) {
        const int beam = std::min(first + k, end - 1);
        const Vector3d direction = X_WS.R * scan_.directions[static_cast<std::size_t>(beam)];
        rays.x[k] = direction[0];
        rays.y[k] = direction[1];
        rays.z[k] = direction[2];
        rays.valid[k] = first + k < end ? -1 : 0;
      }
      world_.cast(rays, static_cast<float>(minimum), hits);
      for (int k = 0; k < kPacket && first + k < end; ++k) out[static_cast<std::size_t>(first + k)] = hits.t[k];
    }
  };
  threads_.run((count + kBeamsAPiece - 1) / kBeamsAPiece, piece);
  for (double& depth : out) {
    if (std::isfinite(depth)) depth = settings_->noise.apply(depth, host_.random());
    if (!(depth > minimum && depth < maximum)) depth = maximum;
  }
}

}  // namespace mortise::sensors_embree

namespace mortise {

using sensors_embree::Sweep;

Value SettingType<Sweep::Type>::value(Sweep::Type type) { return sensors_embree::kTypes[static_cast<int>(type)]; }

Sweep::Type SettingType<Sweep::Type>::from(const Value& setting, std::string_view name) {
  const Value value = setting.isString() ? Value::fromText(setting.asString()) : setting;
  for (int i = 0; i < 3; ++i)
    if ((value.isNumber() && value.asReal() == i) ||
        (value.isString() && value.asString() == sensors_embree::kTypes[i]))
      return static_cast<Sweep::Type>(i);
  throw Error("'" + std::string(name) + "' is not a kind of sweep: " + setting.text(), setting.position(),
              "available: 0 or sinusoid, 1 or triangular, 2 or sawtooth");
}

}  // namespace mortise
