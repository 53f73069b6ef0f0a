#include "json_lines_recorder.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/hex.h"
#include "mortise/base/utf8.h"

namespace mortise {

namespace {

/// Writes JSON to the end of a text, with commas where they belong.
class Json {
 public:
  explicit Json(std::string& text) : text_(text) {}

  void open(char bracket) {
    separate();
    text_ += bracket;
    fresh_ = true;
  }
  void close(char bracket) {
    text_ += bracket;
    fresh_ = false;
  }
  void key(std::string_view name) {
    separate();
    quoted(name);
    text_ += ':';
    fresh_ = true;
  }
  void string(std::string_view value) {
    separate();
    quoted(value);
  }
  void number(double value) {
    separate();
    if (std::isfinite(value))
      appendNumber(text_, value);
    else
      text_ += "null";
  }
  template <typename Numbers>
  void numbers(std::string_view name, const Numbers& values) {
    key(name);
    open('[');
    for (const double value : values) number(value);
    close(']');
  }
  void vector(std::string_view name, const Vector3d& v) { numbers(name, std::span<const double>(v.data(), 3)); }
  void entity(std::string_view idKey, std::string_view nameKey, int id, const World& world) {
    key(idKey);
    number(id);
    key(nameKey);
    string(id >= 0 ? world.nameOf(id) : std::string());
  }

 private:
  void separate() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  void quoted(std::string_view value) {
    text_ += '"';
    for (std::size_t i = 0; i < value.size();) {
      const char c = value[i];
      const auto code = static_cast<unsigned char>(c);
      if (code >= 0x80) {
        // Names come from files; what is no UTF-8 (such as Latin-1) would make the line no JSON.
        const std::size_t length = utf8Length(value, i);
        text_ += length == 0 ? std::string_view("\xef\xbf\xbd") : value.substr(i, length);
        i += std::max<std::size_t>(length, 1);
        continue;
      }
      ++i;
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (code < 0x20) {
        text_ += "\\u00";
        appendHex(text_, c);
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string& text_;
  bool fresh_ = true;
};

std::span<const double> spanOf(const VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

}  // namespace

JsonLinesRecorder::JsonLinesRecorder(const ComponentContext& context)
    : host_(context.host), name_(context.settings.at("file")) {}

void JsonLinesRecorder::open(const RecorderSetup& setup) {
  world_ = &setup.world;
  recording_ = Recording(setup);
  sensors_.clear();
  file_ = std::make_unique<LogFile>(recordPath(setup, name_));
}

void JsonLinesRecorder::writeRobots(const SimulationView& view) {
  Json json(file_->line());
  json.open('[');
  for (std::size_t r = 0; r < view.robots.size(); ++r) {
    const std::vector<bool>& logged = sensors_[r];
    const bool anySensor = recording_.sensors || std::find(logged.begin(), logged.end(), true) != logged.end();
    if (!recording_.robots[r] && !anySensor) continue;
    const Robot& robot = *world_->robots[r].robot;
    const RobotView& seen = view.robots[r];
    json.open('{');
    json.entity("id", "name", world_->robotId(static_cast<int>(r)), *world_);
    if (recording_.robots[r]) {
      commandedState(robot, seen, qCommand_, dqCommand_);
      json.vector("cm", centerOfMass(robot, *seen.state));
      json.numbers("qcmd", spanOf(qCommand_));
      json.numbers("dqcmd", spanOf(dqCommand_));
      json.numbers("q", spanOf(seen.state->q));
      json.numbers("dq", spanOf(seen.state->dq));
      json.numbers("t", seen.driverTorques);
    }
    if (anySensor) {
      json.key("sensors");
      json.open('{');
      for (std::size_t s = 0; s < logged.size(); ++s)
        if (logged[s]) json.numbers(seen.sensors[s].name, seen.sensors[s].values);
      json.close('}');
    }
    json.close('}');
  }
  json.close(']');
}

void JsonLinesRecorder::writeObjects(const SimulationView& view) {
  Json json(file_->line());
  json.open('[');
  for (std::size_t i = 0; i < view.objects.size(); ++i) {
    if (!recording_.objects[i]) continue;
    const BodyState& body = view.objects[i];
    double rows[12];
    body.X_WB.toRows(rows);
    json.open('{');
    json.entity("id", "name", world_->objectId(static_cast<int>(i)), *world_);
    json.numbers("T", std::span<const double>(rows));
    json.vector("v", body.v_WB);
    json.vector("w", body.w_WB);
    json.close('}');
  }
  json.close(']');
}

void JsonLinesRecorder::writeContacts(const SimulationView& view) {
  Json json(file_->line());
  json.open('[');
  for (const ContactForce& contact : view.contacts) {
    json.open('{');
    json.entity("id1", "name1", contact.idA, *world_);
    json.entity("id2", "name2", contact.idB, *world_);
    json.vector("point", contact.point);
    json.vector("normal", contact.normal);
    json.key("depth");
    json.number(contact.depth);
    json.vector("force", contact.force);
    json.close('}');
  }
  json.close(']');
}

void JsonLinesRecorder::writeWrenches(const SimulationView& view) {
  Json json(file_->line());
  json.open('[');
  for (const auto& [ids, pair] : pairContacts(view.contacts)) {
    json.open('{');
    json.entity("id1", "name1", ids.first, *world_);
    json.entity("id2", "name2", ids.second, *world_);
    json.vector("cop", pair.centerOfPressure);
    json.vector("force", pair.force);
    json.vector("torque", pair.momentAbout(pair.centerOfPressure));
    json.close('}');
  }
  json.close(']');
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
}

void JsonLinesRecorder::close() {
  if (file_ == nullptr) return;
  const std::unique_ptr<LogFile> file = std::move(file_);
  file->close();
}

}  // namespace mortise
