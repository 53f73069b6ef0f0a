#include "mortise/hardware/drive_sensors.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/role.h"

namespace mortise {

bool DriveSensors::Type::has(std::string_view role) const {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

bool DriveSensors::Type::isOfMotors() const {
  return has(role::kJointPositions) || has(role::kJointVelocities) || has(role::kDriverTorques);
}

DriveSensors::DriveSensors(const Robot& robot, const Registry& registry,
                           const std::map<std::string, std::string>& types, const HardwareDescription& hardware)
    : robot_(robot), registry_(registry), place_(hardware.place) {
  for (const HardwareSensor& declared : hardware.sensors) {
    Sensor sensor{declared.name, typeOf(declared, types), {}, {}};
    sensor.channels = channelsOf(declared, sensor.type);
    sensor.values.assign(sensor.channels.size(), 0.0);
    state_.sensors.push_back({sensor.values, true});
    sensors_.push_back(std::move(sensor));
  }
  for (const Sensor& sensor : sensors_)
    readings_.push_back({sensor.name, sensor.type.name, sensor.channels, sensor.values, nullptr, sensor.type.roles});
}

/// A type that somebody wrote; what measures joints or motors goes by the name that people write.
DriveSensors::Type DriveSensors::typeCalled(const std::string& name) const {
  const ComponentInfo* info = registry_.find(Kind::sensor, name);
  if (info == nullptr) return {name, {}};
  Type type{name, rolesOf(*info)};
  if (type.isOfMotors()) type.name = writtenName(*info);
  return type;
}

/// Returns the type that the hardware declares. What has one of the joints' roles and no type goes by the name of the
/// sensor that stands for it in simulations.
DriveSensors::Type DriveSensors::declaredType(const HardwareSensor& sensor) const {
  Type type{sensor.type, sensor.roles};
  if (!type.name.empty()) return type;
  for (const auto& [role, standard] : {std::pair(role::kJointPositions, role::kDefaultPositions),
                                       std::pair(role::kJointVelocities, role::kDefaultVelocities),
                                       std::pair(role::kDriverTorques, role::kDefaultTorques)}) {
    if (!type.has(role)) continue;
    const ComponentInfo* info = registry_.findRole(standard);
    type.name = info != nullptr ? nameInRole(*info, standard) : std::string(role);
    break;
  }
  return type;
}

/// The types that names stand for, weakest first: the hardware's, the robot file's, the user's.
DriveSensors::Type DriveSensors::typeOf(const HardwareSensor& sensor,
                                        const std::map<std::string, std::string>& types) const {
  if (const auto found = types.find(sensor.name); found != types.end()) return typeCalled(found->second);
  if (const Value& own = robot_.description().sensors; own.isList())
    for (const Value& item : own.items()) {
      const Value *type = item.find("type"), *itsName = item.find("name");
      if (type != nullptr && itsName != nullptr && itsName->text() == sensor.name) return typeCalled(type->text());
    }
  return declaredType(sensor);
}

/// Names of values, as sensors of that type call them when they measure everything.
std::vector<std::string> DriveSensors::channelsOf(const HardwareSensor& sensor, const Type& type) const {
  if (!sensor.channels.empty()) return sensor.channels;
  const bool links = sensor.size == robot_.numLinks(), drivers = sensor.size == robot_.numDrivers();
  std::vector<std::string> channels;
  for (int i = 0; i < sensor.size; ++i) {
    if (type.has(role::kJointPositions) && links)
      channels.push_back("q[" + robot_.link(i).name + "]");
    else if (type.has(role::kJointVelocities) && links)
      channels.push_back("dq[" + robot_.link(i).name + "]");
    else if (type.has(role::kDriverTorques) && drivers)
      channels.push_back("t[" + robot_.driver(i).name + "]");
    else
      channels.push_back(sensor.name + "[" + std::to_string(i) + "]");
  }
  return channels;
}

void DriveSensors::start() {
  const auto links = static_cast<std::size_t>(robot_.numLinks());
  std::string came;
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    const Sensor& sensor = sensors_[s];
    came += (came.empty() ? "'" : ", '") + sensor.name + "'";
    if (!sensor.type.has(role::kJointPositions)) continue;
    if (sensor.values.size() == links) {
      positionSensor_ = static_cast<int>(s);
      take();
      return;
    }
    if (sensor.name == "q")
      throw Error("the robot says that it has " + std::to_string(sensor.values.size()) + " links, but '" +
                      robot_.name() + "' has " + std::to_string(links),
                  {}, "name the file of the robot that is at " + place_);
  }
  throw Error("the states from " + place_ + " do not say where the robot is: they have no 'q' of " +
                  std::to_string(links) + " numbers" + (came.empty() ? ", nor any other sensor" : "; there is " + came),
              {},
              "have it send a JointPositionSensor of all links; --sensor NAME=JointPositionSensor says which it is");
}

void DriveSensors::take() {
  if (!std::isfinite(state_.time))
    throw Error("a state from " + place_ + " says " + formatReal(state_.time) +
                " s for its time, which is not a finite number");
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    Sensor& sensor = sensors_[s];
    const HardwareState::Sensor& measured = state_.sensors.at(s);
    // One that was not measured keeps its values, as a sensor does that is slower than the others; but where the robot
    // is, a controller has to know.
    if (!measured.measured && static_cast<int>(s) != positionSensor_) continue;
    requireSound(sensor, measured);
    std::copy(measured.values.begin(), measured.values.end(), sensor.values.begin());
  }
  if (positionSensor_ < 0) return;
  const std::vector<double>& q = sensors_[static_cast<std::size_t>(positionSensor_)].values;
  positions_ = Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
}

void DriveSensors::requireSound(const Sensor& sensor, const HardwareState::Sensor& measured) const {
  const std::string at = " at t = " + formatReal(state_.time, 9) + " s";
  if (!measured.measured)
    throw Error("the state" + at + " has no '" + sensor.name + "': where the robot is, is not known", {},
                "have the robot send it with every state");
  if (measured.values.size() != sensor.values.size())
    throw Error("sensor '" + sensor.name + "' has " + std::to_string(measured.values.size()) + " values" + at +
                ", and had " + std::to_string(sensor.values.size()) + " before");
  for (std::size_t i = 0; i < measured.values.size() && sensor.type.isOfMotors(); ++i)
    if (!std::isfinite(measured.values[i]))
      throw Error("sensor '" + sensor.name + "' says " + formatReal(measured.values[i]) + " for " + sensor.channels[i] +
                      at + ", which is not a finite number",
                  {}, "see what is wrong with it at the robot's end");
}

}  // namespace mortise
