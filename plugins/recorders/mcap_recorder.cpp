#include "mcap_recorder.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "camera_image.h"
#include "mortise/json/json_writer.h"
#include "mortise/logs/foxglove_messages.h"
#include "mortise/logs/foxglove_schemas.h"
#include "mortise/logs/log_scene.h"
#include "mortise/logs/log_sensors.h"
#include "mortise/logs/log_states.h"
#include "mortise/logs/log_time.h"
#include "mortise/logs/samples.h"
#include "recording.h"

namespace mortise::recorders {

namespace {

/// The group of Foxglove's channels: whoever reads Mortise's own need not decompress them.
constexpr int kForOthers = 1;

std::string jsonList(const std::vector<std::string>& names) {
  std::string text;
  JsonWriter json(text);
  json.beginList();
  for (const std::string& name : names) json.string(name);
  json.endList();
  return text;
}

/// Empty when the file cannot be read.
std::string contentsOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the pose of a camera or a laser in the world.
template <typename Model>
RigidTransform sensorPose(const Model& model, const RobotView& robot) {
  return model.link >= 0 ? robot.state->X_WL[static_cast<std::size_t>(model.link)] * model.X_LS : model.X_LS;
}

}  // namespace

void McapSettings::bind(SettingBinder& b) {
  b.add("file", file, "Name of the file, below the run directory, with the run's prefix.");
  b.add("block", block, "Samples of a series in one message, of a simulated second at most. More are smaller.",
        {.min = 1, .max = 10000});
  b.add("snapshot_period", snapshotPeriod,
        "Simulated time between saved states, from which a run can be continued; 0: none.", {.min = 0, .unit = "s"});
  b.add("foxglove", foxglove, "Whether to write the same once more in Foxglove's messages, which other tools open.");
  b.add("foxglove_rate", foxgloveRate, "Messages of Foxglove's kind a simulated second, at most.",
        {.min = 0.001, .unit = "Hz"});
  b.add("arrow_scale", arrowScale, "Length of a contact's arrow in Foxglove's messages, m for each N.", {.min = 0});
  b.add("images", images, "Whether to write what cameras see, as PNG, in Foxglove's messages.");
  b.add("compression", compression, "Of chunks.", {.choices = {"zstd", "none"}});
  b.map("run", run, "How the run was made and where its sensors look; the program fills this in.");
}

std::uint16_t McapRecorder::schema(const std::string& name) {
  for (const auto& [known, id] : schemas_)
    if (known == name) return id;
  schemas_.emplace_back(name, writer_->addSchema(name, "protobuf", logs::schemaOf(name)));
  return schemas_.back().second;
}

McapRecorder::SeriesChannel McapRecorder::seriesChannel(const std::string& topic,
                                                        const std::vector<std::string>& columns) {
  const std::uint16_t id =
      writer_->addChannel(schema("mortise.Series"), topic, "protobuf", {{"columns", jsonList(columns)}});
  return {id, logs::SeriesBlock(columns.size()), 0};
}

McapRecorder::MessageChannel McapRecorder::messageChannel(const std::string& topic, const std::string& type) {
  return {writer_->addChannel(schema(type), topic, "protobuf", {}, kForOthers), 0};
}

void McapRecorder::send(MessageChannel& channel, double time, const std::string& message) {
  const std::uint64_t ns = logs::nanoseconds(time);
  writer_->write({channel.id, channel.written++, ns, ns, message});
}

void McapRecorder::send(SeriesChannel& channel) {
  if (channel.block.samples() == 0) return;
  message_.clear();
  channel.block.encodePacked(message_);
  const std::uint64_t ns = logs::nanoseconds(channel.block.times().back());
  writer_->write({channel.id, channel.written++, ns, ns, message_});
  channel.block.clear();
}

void McapRecorder::open(const RecorderSetup& setup) {
  world_ = &setup.world;
  directory_ = setup.directory;
  mcap::WriterOptions options;
  options.compression = settings_->compression == "none" ? "" : settings_->compression;
  schemas_.clear();
  sensors_.clear();
  cameras_.clear();
  lasers_.clear();
  started_ = false;
  writer_ = std::make_unique<mcap::Writer>(recordPath(setup, settings_->file), options);
  attachWorld(setup.world);
  if (const Value* origin = settings_->run.isMap() ? settings_->run.find("origin") : nullptr)
    writer_->addMetadata({"mortise.origin", {{"run", toJson(*origin, -1)}}});
  if (const Value* sensors = settings_->run.isMap() ? settings_->run.find("sensors") : nullptr;
      sensors != nullptr && sensors->size() > 0)
    writer_->attach({0, 0, "sensors.json", "application/json", toJson(*sensors, -1)});
  frames_ = logs::frameNames(setup.world);
  state_ = seriesChannel("/mortise/state", logs::stateColumns(setup.world));
  contacts_ = seriesChannel("/mortise/contacts", logs::contactColumns());
  jointNames_ = logs::jointNames(setup.world);
  torques_ = seriesChannel("/mortise/torques", logs::torqueColumns(setup.world));
  commands_ = seriesChannel("/mortise/commands", logs::commandColumns(setup.world));
  if (!settings_->foxglove) return;
  scene_ = messageChannel("/scene", "foxglove.SceneUpdate");
  transforms_ = messageChannel("/tf", "foxglove.FrameTransforms");
  joints_ = messageChannel("/joint_states", "foxglove.JointStates");
  arrows_ = messageChannel("/contacts", "foxglove.SceneUpdate");
  log_ = messageChannel("/log", "foxglove.Log");
}

void McapRecorder::attachWorld(const World& world) {
  nodes_ = logs::sceneNodes(world);
  writer_->attach({0, 0, "world.json", "application/json", toJson(logs::sceneDescription(world), -1)});
  writer_->attach({0, 0, "scene.glb", "model/gltf-binary", glbOf(nodes_)});
  if (const std::string text = contentsOf(world.file); !text.empty())
    writer_->attach({0, 0, std::filesystem::path(world.file).filename().string(), "application/xml", text});
}

void McapRecorder::start(const SimulationView& view) {
  started_ = true;
  nextFrame_ = kept_ = view.time;
  for (std::size_t r = 0; r < view.robots.size(); ++r)
    for (std::size_t s = 0; s < view.robots[r].sensors.size(); ++s) {
      const SensorReading& reading = view.robots[r].sensors[s];
      const std::string name = world_->robots[r].name + "/" + std::string(reading.name);
      addLaser(r, s, name);
      if (reading.camera == nullptr) {
        sensors_.push_back(
            {r, s, seriesChannel("/mortise/sensors/" + name, {reading.channels.begin(), reading.channels.end()})});
      } else if (settings_->images && reading.camera->color) {
        cameras_.push_back({r,
                            s,
                            name,
                            messageChannel("/camera/" + name + "/image", "foxglove.CompressedImage"),
                            messageChannel("/camera/" + name + "/calibration", "foxglove.CameraCalibration"),
                            {}});
      }
    }
  if (settings_->foxglove) send(scene_, view.time, logs::sceneUpdate(view.time, nodes_));
  nodes_.clear();
}

/// A sensor that is one of the lasers that the program has described.
void McapRecorder::addLaser(std::size_t robot, std::size_t sensor, const std::string& name) {
  const Value* described = settings_->run.isMap() ? settings_->run.find("sensors") : nullptr;
  if (described == nullptr || !settings_->foxglove) return;
  for (const Value& item : described->items()) {
    if (item.string("topic", "") != "/mortise/sensors/" + name || !item.contains("scan")) continue;
    ScanModel model = logs::scanFrom(item);
    if (!logs::isPlanarScan(model)) return;
    lasers_.push_back({robot, sensor, name, std::move(model), messageChannel("/laser/" + name, "foxglove.LaserScan")});
  }
}

void McapRecorder::write(const SimulationView& view) {
  if (!started_) start(view);
  lastTime_ = view.time;
  writeState(view);
  writeContacts(view);
  writeSensors(view);
  if (!cameras_.empty()) writeImages(view);
  // Half a nanosecond of tolerance: times are sums of steps.
  if (settings_->foxglove && view.time >= nextFrame_ - 5e-10) {
    nextFrame_ = std::max(nextFrame_ + 1 / settings_->foxgloveRate, view.time);
    writeTransforms(view);
    writeJointStates(view);
    writeLasers(view);
    send(arrows_, view.time, logs::contactArrows(view.time, view.contacts, settings_->arrowScale));
  }
  if (std::abs(view.time - kept_) >= 1) {
    kept_ = view.time;
    flushSeries();
    writer_->flush();
  }
}

void McapRecorder::writeState(const SimulationView& view) {
  const auto tick = static_cast<std::uint64_t>(view.tick);
  logs::stateSample(view, state_.block.append(tick, view.time));
  logs::torqueSample(view, torques_.block.append(tick, view.time));
  logs::commandSample(view, commands_.block.append(tick, view.time));
  const auto full = static_cast<std::size_t>(settings_->block);
  if (state_.block.samples() >= full) send(state_);
  if (torques_.block.samples() >= full) send(torques_);
  if (commands_.block.samples() >= full) send(commands_);
}

void McapRecorder::writeContacts(const SimulationView& view) {
  for (const ContactForce& contact : view.contacts)
    logs::contactSample(contact, contacts_.block.append(static_cast<std::uint64_t>(view.tick), view.time));
  if (state_.block.samples() == 0) send(contacts_);
}

void McapRecorder::writeSensors(const SimulationView& view) {
  for (SensorChannel& sensor : sensors_) {
    const std::span<const double> values = view.robots[sensor.robot].sensors[sensor.sensor].values;
    const std::span<float> out = sensor.series.block.append(static_cast<std::uint64_t>(view.tick), view.time);
    logs::sensorSample(values, out);
    if (sensor.series.block.samples() >= static_cast<std::size_t>(settings_->block)) send(sensor.series);
  }
}

void McapRecorder::writeTransforms(const SimulationView& view) {
  std::vector<logs::NamedPose> poses;
  for (std::size_t i = 0; i < view.objects.size(); ++i)
    poses.push_back({frames_[static_cast<std::size_t>(world_->objectId(static_cast<int>(i)))], view.objects[i].X_WB});
  for (std::size_t i = 0; i < world_->terrains.size(); ++i)
    poses.push_back({frames_[static_cast<std::size_t>(world_->terrainId(static_cast<int>(i)))], RigidTransform()});
  for (std::size_t r = 0; r < view.robots.size(); ++r)
    for (std::size_t l = 0; l < view.robots[r].state->X_WL.size(); ++l)
      poses.push_back({frames_[static_cast<std::size_t>(world_->linkId(static_cast<int>(r), static_cast<int>(l)))],
                       view.robots[r].state->X_WL[l]});
  for (const Camera& camera : cameras_) {
    const RobotView& robot = view.robots[camera.robot];
    poses.push_back({camera.frame, sensorPose(*robot.sensors[camera.sensor].camera, robot)});
  }
  for (const Laser& laser : lasers_) {
    poses.push_back({laser.frame, sensorPose(laser.model, view.robots[laser.robot])});
  }
  send(transforms_, view.time, logs::frameTransforms(view.time, poses));
}

void McapRecorder::writeJointStates(const SimulationView& view) {
  Eigen::Index total = 0;
  for (const RobotView& robot : view.robots) total += robot.state->q.size();
  VectorXd q(total), dq(total);
  Eigen::Index at = 0;
  for (const RobotView& robot : view.robots) {
    q.segment(at, robot.state->q.size()) = robot.state->q;
    dq.segment(at, robot.state->q.size()) = robot.state->dq;
    at += robot.state->q.size();
  }
  send(joints_, view.time, logs::jointStates(view.time, jointNames_, q, dq));
}

void McapRecorder::writeLasers(const SimulationView& view) {
  for (Laser& laser : lasers_) {
    const SensorReading& reading = view.robots[laser.robot].sensors[laser.sensor];
    if (reading.values.size() == laser.model.directions.size())
      send(laser.scan, view.time, logs::laserScan(view.time, laser.frame, laser.model, reading.values));
  }
}

void McapRecorder::writeImages(const SimulationView& view) {
  for (Camera& camera : cameras_) {
    const SensorReading& reading = view.robots[camera.robot].sensors[camera.sensor];
    const bool same = camera.last.size() == reading.values.size() &&
                      std::memcmp(camera.last.data(), reading.values.data(), reading.values.size_bytes()) == 0;
    const bool measured =
        std::any_of(reading.values.begin(), reading.values.end(), [](double value) { return value != 0; });
    if (same || !measured) continue;
    camera.last.assign(reading.values.begin(), reading.values.end());
    const std::string png = CameraImage(*reading.camera, camera.last).colorFile();
    send(camera.image, view.time, logs::compressedImage(view.time, camera.frame, png));
    send(camera.calibration, view.time, logs::cameraCalibration(view.time, camera.frame, *reading.camera));
  }
}

void McapRecorder::writeSnapshot(const SimulationView& view, std::span<const std::byte> state) {
  const std::uint64_t ns = logs::nanoseconds(view.time);
  writer_->attach(logs::packedState(ns, view.tick, {reinterpret_cast<const char*>(state.data()), state.size()}));
}

void McapRecorder::note(double time, LogLevel level, const std::string& text) {
  if (settings_->foxglove) send(log_, time, logs::logMessage(time, level, text, "simulation"));
}

void McapRecorder::flushSeries() {
  send(state_);
  send(torques_);
  send(commands_);
  send(contacts_);
  for (SensorChannel& sensor : sensors_) send(sensor.series);
}

void McapRecorder::finish(const Value& ending) {
  flushSeries();
  mcap::Metadata metadata{"mortise.run", {}};
  for (const Value::Entry& entry : ending.entries()) metadata.entries.emplace_back(entry.key, entry.value.text());
  writer_->addMetadata(metadata);
}

void McapRecorder::close() {
  if (writer_ == nullptr) return;
  const std::unique_ptr<mcap::Writer> writer = std::move(writer_);
  if (!directory_.empty())
    if (const std::string lock = contentsOf(directory_ + "/run.lock.yaml"); !lock.empty()) {
      const std::uint64_t ns = logs::nanoseconds(lastTime_);
      writer->attach({ns, ns, "run.lock.yaml", "application/yaml", lock});
    }
  writer->close();
}

}  // namespace mortise::recorders
