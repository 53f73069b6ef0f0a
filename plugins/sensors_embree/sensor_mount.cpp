#include "sensor_mount.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/math/rotation.h"

namespace mortise::sensors_embree {

SensorMount::SensorMount(const Value& settings) {
  const Value& setting = settings.at("Tsensor");
  X_LS_ = RigidTransform::fromRows(setting.asReals().data());
  // Files hold few digits: what is nearly a rotation becomes one.
  if (!X_LS_.allFinite() || !((X_LS_.R.transpose() * X_LS_.R - Matrix3d::Identity()).cwiseAbs().maxCoeff() < 0.01) ||
      !(X_LS_.R.determinant() > 0))
    throw Error("'Tsensor': the first nine numbers are not a rotation", setting.position(),
                "give the rotation row by row, then the position: 1 0 0  0 1 0  0 0 1  x y z");
  X_LS_.R = orthonormalized(X_LS_.R);
}

void SensorMount::start(const SensorSetup& setup, const Value& settings) {
  robot_ = setup.robot;
  const Value& setting = settings.at("link");
  const Robot& robot = *setup.world.robots[static_cast<std::size_t>(robot_)].robot;
  link_ = setting.isNull() ? -1 : linkFromSetting(robot, setting, true);
}

RigidTransform SensorMount::pose(const SimulationView& view) const {
  RigidTransform X_WS = X_LS_;
  if (link_ >= 0)
    X_WS = view.robots[static_cast<std::size_t>(robot_)].state->X_WL[static_cast<std::size_t>(link_)] * X_LS_;
  if (!X_WS.allFinite() || X_WS.p.cwiseAbs().maxCoeff() > 1e12)
    throw Error("the pose of the sensor's link is not finite, or farther away than 1e12 m");
  return X_WS;
}

double DepthNoise::apply(double depth, RandomStream& random) const {
  const double variance = linear * depth + constant;
  if (variance > 0) depth += std::sqrt(variance) * random.gaussian();
  if (resolution > 0) {
    const double steps = std::round(depth / resolution);
    if (std::isfinite(steps)) depth = resolution * steps;
  }
  return depth;
}

void DepthNoise::save(ByteWriter& out) const {
  out.put(linear);
  out.put(constant);
  out.put(resolution);
}

void DepthNoise::restore(ByteReader& in) {
  DepthNoise read;
  for (double* number : {&read.linear, &read.constant, &read.resolution}) {
    in.get(*number);
    checkRestored(*number, 0);
  }
  *this = read;
}

double changedNumber(std::string_view name, const Value& value, double min) {
  const double number = (value.isString() ? Value::fromText(value.asString()) : value).asReal();
  if (!(number >= min && number <= kLargestSetting))
    throw Error("'" + std::string(name) + "' must be between " + Value(min).text() + " and " +
                    Value(kLargestSetting).text() + ", found " + value.text(),
                value.position());
  return number;
}

bool changedSwitch(std::string_view name, const Value& value) {
  const Value read = value.isString() ? Value::fromText(value.asString()) : value;
  if (read.isBool()) return read.asBool();
  if (read.isNumber() && (read.asReal() == 0 || read.asReal() == 1)) return read.asReal() == 1;
  throw Error("'" + std::string(name) + "' is on or off: expected true or false", value.position());
}

void checkRestored(double value, double min) {
  if (!(value >= min && value <= kLargestSetting))
    throw Error("the snapshot holds a setting that this sensor cannot have");
}

}  // namespace mortise::sensors_embree
