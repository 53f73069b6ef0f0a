#include "laser_range_sensor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"

namespace mortise::sensors_embree {

namespace {

constexpr const char* kTypes[] = {"sinusoid", "triangular", "sawtooth"};
constexpr const char* kAxes[] = {"xSweep", "ySweep"};
/// Beams of one piece of work for the threads.
constexpr int kBeamsAPiece = 16 * kPacket;

/// 0, 1 and 2 as in Klamp't's files, or the names.
Sweep::Type sweepType(const std::string& name, const Value& setting) {
  const Value value = setting.isString() ? Value::fromText(setting.asString()) : setting;
  for (int i = 0; i < 3; ++i)
    if ((value.isNumber() && value.asReal() == i) || (value.isString() && value.asString() == kTypes[i]))
      return static_cast<Sweep::Type>(i);
  throw Error("'" + name + "' is no kind of sweep: " + (setting.isScalar() ? setting.text() : "not a single value"),
              setting.position(), "available: 0 or sinusoid, 1 or triangular, 2 or sawtooth");
}

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
  const double share = count > 1 ? static_cast<double>(beam) / (count - 1) : 1;
  if (period == 0) {
    // The last beam stands at the upper end, not at the beginning of the next tooth.
    if (type == Type::sawtooth && count > 1) return magnitude * (2 * share - 1);
    return magnitude * pattern(type, share);
  }
  const double last = (time + phase) / period;
  double first = (time - duration + phase) / period;
  // The last beam of the reading before has been there already.
  if (count > 1) first += (last - first) / (count - 1);
  return magnitude * pattern(type, beam + 1 < count ? first + share * (last - first) : last);
}

LaserRangeSensor::LaserRangeSensor(const ComponentContext& context)
    : host_(context.host),
      settings_(context.settings),
      mount_(settings_),
      count_(static_cast<int>(settings_.at("measurementCount").asInteger())),
      minimum_(settings_.at("depthMinimum").asReal()),
      maximum_(settings_.at("depthMaximum").asReal()),
      noise_{settings_.at("depthVarianceLinear").asReal(), settings_.at("depthVarianceConstant").asReal(),
             settings_.at("depthResolution").asReal()},
      pointRadius_(settings_.at("pointRadius").asReal()),
      threads_(static_cast<int>(settings_.at("threads").asInteger())) {
  if (!(minimum_ < maximum_))
    throw Error("'depthMinimum' must be below 'depthMaximum', found " + settings_.at("depthMinimum").text() + " and " +
                    settings_.at("depthMaximum").text(),
                settings_.at("depthMinimum").position());
  for (int i = 0; i < 2; ++i) {
    const std::string axis = kAxes[i];
    sweeps_[i].magnitude = settings_.at(axis + "Magnitude").asReal();
    sweeps_[i].period = settings_.at(axis + "Period").asReal();
    sweeps_[i].phase = settings_.at(axis + "Phase").asReal();
    const Value& type = settings_.at(axis + "Type");
    if (type.isNull())
      sweeps_[i].type = i == 0 ? Sweep::Type::sawtooth : Sweep::Type::sinusoid;
    else
      sweeps_[i].type = sweepType(axis + "Type", type);
  }
}

void LaserRangeSensor::start(const SensorSetup& setup) {
  mount_.start(setup, settings_);
  // A laser does not see the link that it sits on, as in Klamp't.
  world_.start(setup.world, mount_.robot(), mount_.link(), pointRadius_, host_);
  channels_.clear();
  for (int i = 0; i < count_; ++i) channels_.push_back("d[" + std::to_string(i) + "]");
}

void LaserRangeSensor::simulate(const SimulationView& view, double period, std::span<double> out) {
  const RigidTransform X_WS = mount_.pose(view);
  world_.update(view, X_WS.p);
  auto piece = [&](int index) {
    const int end = std::min(count_, (index + 1) * kBeamsAPiece);
    RayPacket rays;
    PacketHits hits;
    for (int first = index * kBeamsAPiece; first < end; first += kPacket) {
      for (int k = 0; k < kPacket; ++k) {
        const int beam = std::min(first + k, end - 1);
        const double x = sweeps_[0].angle(beam, count_, view.time, period),
                     y = sweeps_[1].angle(beam, count_, view.time, period);
        const Vector3d direction = X_WS.R * Vector3d(std::sin(x), std::cos(x) * std::sin(y), std::cos(x) * std::cos(y));
        rays.x[k] = direction[0];
        rays.y[k] = direction[1];
        rays.z[k] = direction[2];
        rays.valid[k] = first + k < end ? -1 : 0;
      }
      world_.cast(rays, static_cast<float>(minimum_), hits);
      for (int k = 0; k < kPacket && first + k < end; ++k) out[static_cast<std::size_t>(first + k)] = hits.t[k];
    }
  };
  threads_.run((count_ + kBeamsAPiece - 1) / kBeamsAPiece, piece);
  for (double& depth : out) {
    if (std::isfinite(depth)) depth = noise_.apply(depth, host_.random());
    if (!(depth > minimum_ && depth < maximum_)) depth = maximum_;
  }
}

Value LaserRangeSensor::settings() const {
  Value now = settings_;
  now.set("depthVarianceLinear", noise_.linear);
  now.set("depthVarianceConstant", noise_.constant);
  now.set("depthResolution", noise_.resolution);
  for (int i = 0; i < 2; ++i) {
    const std::string axis = kAxes[i];
    now.set(axis + "Magnitude", sweeps_[i].magnitude);
    now.set(axis + "Period", sweeps_[i].period);
    now.set(axis + "Phase", sweeps_[i].phase);
    now.set(axis + "Type", static_cast<int>(sweeps_[i].type));
  }
  return now;
}

bool LaserRangeSensor::changeSetting(std::string_view name, const Value& value) {
  if (name == "depthVarianceLinear") return noise_.linear = changedNumber(name, value, 0), true;
  if (name == "depthVarianceConstant") return noise_.constant = changedNumber(name, value, 0), true;
  if (name == "depthResolution") return noise_.resolution = changedNumber(name, value, 0), true;
  for (int i = 0; i < 2; ++i) {
    const std::string axis = kAxes[i];
    Sweep& sweep = sweeps_[i];
    constexpr double kNone = -kLargestSetting;
    if (name == axis + "Magnitude") return sweep.magnitude = changedNumber(name, value, kNone), true;
    if (name == axis + "Period") return sweep.period = changedNumber(name, value, 0), true;
    if (name == axis + "Phase") return sweep.phase = changedNumber(name, value, kNone), true;
    if (name == axis + "Type") return sweep.type = sweepType(std::string(name), value), true;
  }
  return false;
}

void LaserRangeSensor::save(ByteWriter& out) const {
  noise_.save(out);
  for (const Sweep& sweep : sweeps_) {
    out.put(sweep.magnitude);
    out.put(sweep.period);
    out.put(sweep.phase);
    out.put(static_cast<std::int32_t>(sweep.type));
  }
}

void LaserRangeSensor::restore(ByteReader& in) {
  DepthNoise noise;
  noise.restore(in);
  Sweep sweeps[2];
  for (Sweep& sweep : sweeps) {
    in.get(sweep.magnitude);
    in.get(sweep.period);
    in.get(sweep.phase);
    const auto type = in.get<std::int32_t>();
    checkRestored(sweep.magnitude, -kLargestSetting);
    checkRestored(sweep.period, 0);
    checkRestored(sweep.phase, -kLargestSetting);
    checkRestored(type > 2 ? -1 : type, 0);
    sweep.type = static_cast<Sweep::Type>(type);
  }
  noise_ = noise;
  std::copy(sweeps, sweeps + 2, sweeps_);
}

}  // namespace mortise::sensors_embree
