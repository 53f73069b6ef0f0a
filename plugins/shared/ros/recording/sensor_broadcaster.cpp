#include "ros/recording/sensor_broadcaster.h"

#include <algorithm>

#include "mortise/component/role.h"
#include "mortise/logs/foxglove_messages.h"
#include "mortise/logs/log_sensors.h"
#include "ros/conversion/clouds.h"

namespace mortise::ros {

namespace {

/// "q[shoulder]" -> "shoulder".
std::string insideBrackets(const std::string& channel) {
  const std::size_t open = channel.find('['), close = channel.rfind(']');
  return open == std::string::npos || close == std::string::npos || close < open
             ? channel
             : channel.substr(open + 1, close - open - 1);
}

bool measuresJoints(const SensorReading& reading) {
  return reading.hasRole(role::kJointPositions) || reading.hasRole(role::kJointVelocities) ||
         reading.hasRole(role::kDriverTorques);
}

const SensorReading& readingOf(const SimulationView& view, const SelectedSensor& sensor) {
  return view.robots[sensor.robot].sensors[sensor.index];
}

/// The frame of the link that the program says the sensor is on; `otherwise` where it does not say.
std::string linkFrameOf(const Value& run, const std::string& sensor, const TopicNames& names, const World& world,
                        std::size_t robot, const std::string& otherwise) {
  const Value* links = run.isMap() ? run.find("links") : nullptr;
  const Value* link = links == nullptr ? nullptr : links->find(sensor);
  const int index = link == nullptr ? -1 : world.robots[robot].robot->description().findLink(link->asString());
  return index < 0 ? otherwise : names.linkFrame(robot, index);
}

}  // namespace

SensorBroadcaster::SensorBroadcaster(Outbox& outbox, const BroadcastSettings& settings, const SimulationView& view,
                                     const SnapshotSelection& selection, const TopicNames& names)
    : selection_(selection), names_(names), wanted_(selection.sensors.size()) {
  if (!settings.broadcasts("sensors")) return;
  for (std::size_t i = 0; i < selection.sensors.size(); ++i)
    if (!measuresJoints(readingOf(view, selection.sensors[i]))) addSensor(outbox, settings, view, i);
  for (const std::size_t robot : selection.robots) addSensed(outbox, settings, view, robot);
}

void SensorBroadcaster::addSensor(Outbox& outbox, const BroadcastSettings& settings, const SimulationView& view,
                                  std::size_t selected) {
  const SelectedSensor& place = selection_.sensors[selected];
  const SensorReading& reading = readingOf(view, place);
  const std::string topic = names_.sensor(place.robot, reading.name);
  const Quality& quality = settings.sensorQuality;
  sensors_.emplace_back();
  Topics& topics = sensors_.back();
  topics.selected = selected;
  topics.layout = sensorLayout(reading);
  topics.channels.assign(reading.channels.begin(), reading.channels.end());
  topics.frame = names_.sensorFrame(place.robot, reading.name);
  using Kind = SensorLayout::Kind;
  if (reading.camera != nullptr) {
    topics.camera = *reading.camera;
    frames_.push_back({place.robot, reading.camera->link, topics.frame, reading.camera->X_LS});
    addImages(outbox, quality, topic, topics);
    return;
  }
  const std::string name = view.world->robots[place.robot].name + "/" + std::string(reading.name);
  findScan(settings.run, name, topics);
  if (topics.scan) {
    const bool planar = logs::isPlanarScan(*topics.scan);
    topics.layout.kind = planar ? Kind::scan : Kind::cloud;
    const RigidTransform X_LF = planar ? topics.scan->X_LS * scanFrame() : topics.scan->X_LS;
    frames_.push_back({place.robot, topics.scan->link, topics.frame, X_LF});
  }
  // Inertial units and load cells are read in the axes of their links.
  if (topics.layout.kind == Kind::imu || topics.layout.kind == Kind::wrench)
    topics.frame = linkFrameOf(settings.run, name, names_, *view.world, place.robot, topics.frame);
  if (topics.layout.kind == Kind::scan) topics.laser.emplace(outbox, topic, quality);
  if (topics.layout.kind == Kind::cloud) topics.cloud.emplace(outbox, topic, quality);
  if (topics.layout.kind == Kind::imu) topics.imu.emplace(outbox, topic, quality);
  if (topics.layout.kind == Kind::wrench) topics.wrench.emplace(outbox, topic, quality);
  if (topics.layout.kind == Kind::numbers) topics.numbers.emplace(outbox, topic, quality);
}

void SensorBroadcaster::addImages(Outbox& outbox, const Quality& quality, const std::string& topic, Topics& topics) {
  if (topics.camera->color) {
    topics.color.emplace(outbox, joinNames(topic, "rgb/image_rect_color"), quality);
    topics.colorInfo.emplace(outbox, joinNames(topic, "rgb/camera_info"), quality);
  }
  if (topics.camera->depth) {
    topics.depth.emplace(outbox, joinNames(topic, "depth_registered/image_rect"), quality);
    topics.depthInfo.emplace(outbox, joinNames(topic, "depth_registered/camera_info"), quality);
  }
}

/// A scanner's beams are what the program that runs the simulation says of them. Those that sweep are other ones in
/// every reading, which it does not say, so that their distances are sent as numbers.
void SensorBroadcaster::findScan(const Value& run, const std::string& sensor, Topics& topics) const {
  const Value* described = run.isMap() ? run.find("sensors") : nullptr;
  if (described == nullptr) return;
  for (const Value& item : described->items()) {
    if (item.string("topic", "") != "/mortise/sensors/" + sensor || !item.contains("scan")) continue;
    ScanModel scan = logs::scanFrom(item);
    if (!scan.sweeps) topics.scan = std::move(scan);
    return;
  }
}

void SensorBroadcaster::addSensed(Outbox& outbox, const BroadcastSettings& settings, const SimulationView& view,
                                  std::size_t robot) {
  SensedState sensed;
  for (std::size_t i = 0; i < selection_.sensors.size(); ++i) {
    if (selection_.sensors[i].robot != robot) continue;
    const SensorReading& reading = readingOf(view, selection_.sensors[i]);
    if (sensed.positions < 0 && reading.hasRole(role::kJointPositions)) sensed.positions = static_cast<int>(i);
    if (sensed.velocities < 0 && reading.hasRole(role::kJointVelocities)) sensed.velocities = static_cast<int>(i);
  }
  if (sensed.positions < 0) return;
  sensed.topic.emplace(outbox, names_.sensedState(robot), settings.quality);
  std::vector<std::string>& joints = sensed.topic->message.name;
  for (const std::string& channel :
       readingOf(view, selection_.sensors[static_cast<std::size_t>(sensed.positions)]).channels)
    joints.push_back(insideBrackets(channel));
  if (sensed.velocities >= 0) {
    std::vector<std::string> measured;
    for (const std::string& channel :
         readingOf(view, selection_.sensors[static_cast<std::size_t>(sensed.velocities)]).channels)
      measured.push_back(insideBrackets(channel));
    sensed.velocityOf = matchNames(joints, measured);
    // A list of velocities has one for each joint or is empty.
    if (std::find(sensed.velocityOf.begin(), sensed.velocityOf.end(), -1) != sensed.velocityOf.end())
      sensed.velocityOf.clear();
  }
  sensed_.push_back(std::move(sensed));
}

void SensorBroadcaster::send(const Snapshot& snapshot) {
  const Time stamp = timeFrom(snapshot.time);
  for (Topics& topics : sensors_) {
    if (topics.camera) {
      const auto heard = [](const auto& publication) { return publication && publication->wanted(); };
      wanted_[topics.selected].store(
          heard(topics.color) || heard(topics.depth) || heard(topics.colorInfo) || heard(topics.depthInfo),
          std::memory_order_relaxed);
    }
    const std::vector<double>& values = snapshot.sensors[topics.selected];
    if (topics.camera && !snapshot.images[topics.selected]) continue;
    if (topics.camera) sendImages(stamp, values, topics);
    if (topics.laser && topics.laser->wanted()) {
      topics.laser->message = laserScan(*topics.scan, values, stamp, topics.frame);
      topics.laser->send();
    }
    if (topics.cloud && topics.cloud->wanted()) {
      topics.cloud->message = cloudMessage(cloudFrom(*topics.scan, values), stamp, topics.frame);
      topics.cloud->send();
    }
    if (topics.imu && topics.imu->wanted()) {
      topics.imu->message = imuMessage(topics.layout, values, snapshot.gravity, stamp, topics.frame);
      topics.imu->send();
    }
    if (topics.wrench && topics.wrench->wanted()) {
      topics.wrench->message = wrenchMessage(topics.layout, values, stamp, topics.frame);
      topics.wrench->send();
    }
    if (topics.numbers && topics.numbers->wanted()) {
      topics.numbers->message = numbersMessage(topics.channels, values);
      topics.numbers->send();
    }
  }
  for (SensedState& sensed : sensed_)
    if (sensed.topic->wanted()) sendSensed(stamp, snapshot, sensed);
}

void SensorBroadcaster::sendImages(const Time& stamp, const std::vector<double>& values, Topics& topics) {
  const auto send = [](auto& publication, auto make) {
    if (!publication || !publication->wanted()) return;
    publication->message = make();
    publication->send();
  };
  const auto info = [&] { return cameraInfo(*topics.camera, stamp, topics.frame); };
  send(topics.colorInfo, info);
  send(topics.color, [&] { return colorImage(*topics.camera, values, stamp, topics.frame); });
  send(topics.depthInfo, info);
  send(topics.depth, [&] { return depthImage(*topics.camera, values, stamp, topics.frame); });
}

void SensorBroadcaster::sendSensed(const Time& stamp, const Snapshot& snapshot, SensedState& sensed) {
  JointState& message = sensed.topic->message;
  message.header.stamp = stamp;
  message.position = snapshot.sensors[static_cast<std::size_t>(sensed.positions)];
  message.velocity.clear();
  for (const int channel : sensed.velocityOf)
    message.velocity.push_back(
        snapshot.sensors[static_cast<std::size_t>(sensed.velocities)][static_cast<std::size_t>(channel)]);
  sensed.topic->send();
}

}  // namespace mortise::ros
