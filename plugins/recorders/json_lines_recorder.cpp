#include "json_lines_recorder.h"

#include <algorithm>

#include "mortise/json/json_writer.h"

namespace mortise::recorders {

namespace {

std::span<const double> spanOf(const Vector3d& v) { return {v.data(), 3}; }
std::span<const double> spanOf(const VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

void writeEntity(JsonWriter& json, std::string_view idKey, std::string_view nameKey, int id, const World& world) {
  json.key(idKey);
  json.integer(id);
  json.key(nameKey);
  json.string(id >= 0 ? world.nameOf(id) : std::string());
}

}  // namespace

void JsonLinesRecorder::open(const RecorderSetup& setup) {
  world_ = &setup.world;
  recording_ = Recording(setup);
  sensors_.clear();
  file_ = std::make_unique<LogFile>(recordPath(setup, settings_->file));
}

void JsonLinesRecorder::writeRobots(const SimulationView& view) {
  JsonWriter json(file_->line());
  json.beginList();
  for (std::size_t r = 0; r < view.robots.size(); ++r) {
    const std::vector<bool>& logged = sensors_[r];
    const bool anySensor = recording_.sensors || std::find(logged.begin(), logged.end(), true) != logged.end();
    if (!recording_.robots[r] && !anySensor) continue;
    const Robot& robot = *world_->robots[r].robot;
    const RobotView& seen = view.robots[r];
    json.beginMap();
    writeEntity(json, "id", "name", world_->robotId(static_cast<int>(r)), *world_);
    if (recording_.robots[r]) {
      commandedState(robot, seen, qCommand_, dqCommand_);
      json.numbers("cm", spanOf(centerOfMass(robot, *seen.state)));
      json.numbers("qcmd", spanOf(qCommand_));
      json.numbers("dqcmd", spanOf(dqCommand_));
      json.numbers("q", spanOf(seen.state->q));
      json.numbers("dq", spanOf(seen.state->dq));
      json.numbers("t", seen.driverTorques);
    }
    if (anySensor) {
      json.key("sensors");
      json.beginMap();
      for (std::size_t s = 0; s < logged.size(); ++s)
        if (logged[s]) json.numbers(seen.sensors[s].name, seen.sensors[s].values);
      json.endMap();
    }
    json.endMap();
  }
  json.endList();
}

void JsonLinesRecorder::writeObjects(const SimulationView& view) {
  JsonWriter json(file_->line());
  json.beginList();
  for (std::size_t i = 0; i < view.objects.size(); ++i) {
    if (!recording_.objects[i]) continue;
    const BodyState& body = view.objects[i];
    double rows[12];
    body.X_WB.toRows(rows);
    json.beginMap();
    writeEntity(json, "id", "name", world_->objectId(static_cast<int>(i)), *world_);
    json.numbers("T", std::span<const double>(rows));
    json.numbers("v", spanOf(body.v_WB));
    json.numbers("w", spanOf(body.w_WB));
    json.endMap();
  }
  json.endList();
}

void JsonLinesRecorder::writeContacts(const SimulationView& view) {
  JsonWriter json(file_->line());
  json.beginList();
  for (const ContactForce& contact : view.contacts) {
    json.beginMap();
    writeEntity(json, "id1", "name1", contact.idA, *world_);
    writeEntity(json, "id2", "name2", contact.idB, *world_);
    json.numbers("point", spanOf(contact.point));
    json.numbers("normal", spanOf(contact.normal));
    json.key("depth");
    json.number(contact.depth);
    json.numbers("force", spanOf(contact.force));
    json.endMap();
  }
  json.endList();
}

void JsonLinesRecorder::writeWrenches(const SimulationView& view) {
  JsonWriter json(file_->line());
  json.beginList();
  for (const auto& [ids, pair] : pairContacts(view.contacts)) {
    json.beginMap();
    writeEntity(json, "id1", "name1", ids.first, *world_);
    writeEntity(json, "id2", "name2", ids.second, *world_);
    json.numbers("cop", spanOf(pair.centerOfPressure));
    json.numbers("force", spanOf(pair.force));
    json.numbers("torque", spanOf(pair.momentAbout(pair.centerOfPressure)));
    json.endMap();
  }
  json.endList();
}

void JsonLinesRecorder::write(const SimulationView& view) {
  if (sensors_.empty() && recording_.anySensor()) sensors_ = loggedSensors(recording_, view, host_);
  sensors_.resize(view.robots.size());
  std::string& line = file_->line();
  line += "{\"time\":";
  appendNumber(line, view.time);
  line += ",\"tick\":" + std::to_string(view.tick);
  if (recording_.anyRobot || recording_.anySensor()) {
    line += ",\"robots\":";
    writeRobots(view);
  }
  if (recording_.anyObject) {
    line += ",\"objects\":";
    writeObjects(view);
  }
  if (recording_.contacts) {
    line += ",\"contacts\":";
    writeContacts(view);
  }
  if (recording_.wrenches) {
    line += ",\"wrenches\":";
    writeWrenches(view);
  }
  line += '}';
  file_->endLine();
  file_->endTick(view.time);
}

void JsonLinesRecorder::close() {
  if (file_ == nullptr) return;
  const std::unique_ptr<LogFile> file = std::move(file_);
  file->close();
}

}  // namespace mortise::recorders
