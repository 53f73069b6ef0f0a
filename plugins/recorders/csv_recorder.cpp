#include "csv_recorder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise {

// ---------------------------------------------------------------------------------------------------------------------
// File

CsvFile::CsvFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w")) {
  if (file_ == nullptr)
    throw Error("cannot write '" + path_ + "': " + std::strerror(errno), {},
                "check that the folder exists and is writable");
}

void CsvFile::cell(std::string_view text) {
  if (rowStarted_) buffer_ += ',';
  rowStarted_ = true;
  if (text.find_first_of(",\"\n") == std::string_view::npos) {
    buffer_ += text;
    return;
  }
  buffer_ += '"';
  for (char c : text) {
    if (c == '"') buffer_ += '"';
    buffer_ += c;
  }
  buffer_ += '"';
}

void CsvFile::cell(double value) {
  if (rowStarted_) buffer_ += ',';
  rowStarted_ = true;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  buffer_.append(text, end);
}

void CsvFile::endRow() {
  buffer_ += '\n';
  rowStarted_ = false;
  if (buffer_.size() > 1 << 16) flush();
}

void CsvFile::flush() {
  const bool written = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) == buffer_.size();
  buffer_.clear();
  if (!written || std::fflush(file_.get()) != 0)
    throw Error("cannot write '" + path_ + "': " + std::strerror(errno), {},
                "free some space; what was written so far is kept");
}

void CsvFile::close() {
  if (file_ == nullptr) return;
  flush();
  if (std::fclose(file_.release()) != 0) throw Error("cannot finish '" + path_ + "': " + std::strerror(errno));
}

// ---------------------------------------------------------------------------------------------------------------------
// Recorder

namespace {

/// Names as they are, with the id appended where several entities share one.
std::vector<std::string> uniqueNames(const std::vector<std::pair<std::string, int>>& entities) {
  std::map<std::string, int> count;
  for (const auto& [name, id] : entities) ++count[name];
  std::vector<std::string> names;
  for (const auto& [name, id] : entities)
    names.push_back(count[name] > 1 || name.empty() ? name + "#" + std::to_string(id) : name);
  return names;
}

constexpr const char* kAxes[3] = {"x", "y", "z"};

void cells(CsvFile& file, const Vector3d& v) {
  for (int i = 0; i < 3; ++i) file.cell(v[i]);
}

}  // namespace

CsvRecorder::CsvRecorder(const ComponentContext& context)
    : stateName_(context.settings.string("file", "state.csv")),
      contactName_(context.settings.string("contactFile", "contacts.csv")) {}

void CsvRecorder::open(const RecorderSetup& setup) {
  world_ = &setup.world;
  robots_.assign(setup.world.robots.size(), false);
  objects_.assign(setup.world.objects.size(), false);
  sensors_ = headerWritten_ = false;
  bool contacts = false;
  for (const std::string& what : setup.what) {
    if (what == "robots")
      robots_.assign(robots_.size(), true);
    else if (what == "objects")
      objects_.assign(objects_.size(), true);
    else if (what == "sensors")
      sensors_ = true;
    else if (what == "contacts")
      contacts = true;
    else if (!select(what))
      throw Error("nothing called '" + what + "' can be recorded", {},
                  "record robots, objects, sensors, contacts, or robots and objects by name");
  }
  anyRobot_ = std::find(robots_.begin(), robots_.end(), true) != robots_.end();
  anyObject_ = std::find(objects_.begin(), objects_.end(), true) != objects_.end();
  const auto pathOf = [&](const std::string& name) {
    return name.find('/') != std::string::npos || setup.directory.empty() ? name
                                                                          : setup.directory + "/" + setup.prefix + name;
  };
  if (anyRobot_ || anyObject_ || sensors_) state_ = std::make_unique<CsvFile>(pathOf(stateName_));
  if (!contacts) return;
  contacts_ = std::make_unique<CsvFile>(pathOf(contactName_));
  for (const char* name : {"time", "body1", "body2", "name1", "name2", "numContacts", "cpx_avg", "cpy_avg", "cpz_avg",
                           "cnx_avg", "cny_avg", "cnz_avg", "fx_avg", "fy_avg", "fz_avg", "mx_avg", "my_avg", "mz_avg"})
    contacts_->cell(name);
  contacts_->endRow();
}

/// Every robot and object of this name; false when there is none.
bool CsvRecorder::select(const std::string& name) {
  bool found = false;
  for (std::size_t r = 0; r < robots_.size(); ++r)
    if (world_->robots[r].name == name) robots_[r] = found = true;
  for (std::size_t i = 0; i < objects_.size(); ++i)
    if (world_->objects[i].name == name) objects_[i] = found = true;
  return found;
}

void CsvRecorder::writeHeader(const SimulationView& view) {
  headerWritten_ = true;
  state_->cell("time");
  const auto perLink = [&](const std::string& prefix, const char* what, const Robot& robot) {
    for (const Link& link : robot.links()) state_->cell(prefix + what + "[" + link.name + "]");
  };
  std::vector<std::pair<std::string, int>> entities;
  for (std::size_t r = 0; r < world_->robots.size(); ++r)
    entities.emplace_back(world_->robots[r].name, world_->robotId(static_cast<int>(r)));
  const std::vector<std::string> robotNames = uniqueNames(entities);
  for (std::size_t r = 0; r < world_->robots.size(); ++r) {
    const Robot& robot = *world_->robots[r].robot;
    const std::string prefix = robotNames[r] + "_";
    if (robots_[r]) {
      for (const char* axis : kAxes) state_->cell(prefix + "cm" + axis);
      for (const char* what : {"qcmd", "dqcmd", "q", "dq"}) perLink(prefix, what, robot);
      for (int i = 0; i < robot.numDrivers(); ++i) state_->cell(prefix + "t[" + std::to_string(i) + "]");
    }
    if (sensors_)
      for (const SensorReading& sensor : view.robots[r].sensors)
        for (const std::string& channel : sensor.channels)
          state_->cell(prefix + std::string(sensor.name) + "[" + channel + "]");
  }
  entities.clear();
  for (std::size_t i = 0; i < world_->objects.size(); ++i)
    entities.emplace_back(world_->objects[i].name, world_->objectId(static_cast<int>(i)));
  const std::vector<std::string> objectNames = uniqueNames(entities);
  for (std::size_t i = 0; i < objectNames.size(); ++i)
    for (const char* what : {"_com", "_", "_r", "_d", "_w"})
      if (objects_[i])
        for (const char* axis : kAxes) state_->cell(objectNames[i] + what + axis);
  state_->endRow();
}

void CsvRecorder::writeRobots(const SimulationView& view) {
  for (std::size_t r = 0; r < view.robots.size(); ++r) {
    const Robot& robot = *world_->robots[r].robot;
    const RobotView& seen = view.robots[r];
    if (robots_[r]) {
      Vector3d moment = Vector3d::Zero();
      for (int i = 0; i < robot.numLinks(); ++i)
        moment += robot.link(i).inertia.mass * (seen.state->X_WL[i] * robot.link(i).inertia.com);
      cells(*state_, robot.totalMass() > 0 ? Vector3d(moment / robot.totalMass()) : Vector3d::Zero());
      // Links without a position command show where they are.
      qCommand_ = seen.state->q;
      dqCommand_ = VectorXd::Zero(robot.numLinks());
      for (int d = 0; d < robot.numDrivers(); ++d) {
        const ActuatorCommand& command = seen.commands[d];
        if (command.mode == ActuatorCommand::Mode::pid) setDriverValue(robot, d, command.position, qCommand_);
        if (command.mode != ActuatorCommand::Mode::pid && command.mode != ActuatorCommand::Mode::velocity) continue;
        const Driver& driver = robot.driver(d);
        for (std::size_t k = 0; k < driver.links.size(); ++k)
          dqCommand_[driver.links[k]] = command.velocity * (driver.type == DriverType::affine ? driver.scale[k] : 1.0);
      }
      for (const VectorXd* v :
           std::initializer_list<const VectorXd*>{&qCommand_, &dqCommand_, &seen.state->q, &seen.state->dq})
        for (Eigen::Index i = 0; i < v->size(); ++i) state_->cell((*v)[i]);
      for (double torque : seen.driverTorques) state_->cell(torque);
    }
    if (sensors_)
      for (const SensorReading& sensor : seen.sensors)
        for (double value : sensor.values) state_->cell(value);
  }
}

void CsvRecorder::writeObjects(const SimulationView& view) {
  for (std::size_t i = 0; i < view.objects.size(); ++i) {
    if (!objects_[i]) continue;
    const BodyState& body = view.objects[i];
    cells(*state_, body.X_WB * world_->objects[i].inertia.com);
    cells(*state_, body.X_WB.p);
    cells(*state_, momentFromRotation(body.X_WB.R));
    cells(*state_, body.v_WB);
    cells(*state_, body.w_WB);
  }
}

void CsvRecorder::writeContacts(const SimulationView& view) {
  struct Sum {
    int count = 0;
    Vector3d point = Vector3d::Zero(), normal = Vector3d::Zero(), force = Vector3d::Zero(),
             pointCrossForce = Vector3d::Zero();
  };
  std::map<std::pair<int, int>, Sum> pairs;
  for (const ContactForce& contact : view.contacts) {
    Sum& sum = pairs[{contact.idA, contact.idB}];
    ++sum.count;
    sum.point += contact.point;
    sum.normal += contact.normal;
    sum.force += contact.force;
    sum.pointCrossForce += contact.point.cross(contact.force);
  }
  for (const auto& [ids, sum] : pairs) {
    const double n = sum.count;
    const Vector3d center = sum.point / n;
    contacts_->cell(view.time);
    contacts_->cell(ids.first);
    contacts_->cell(ids.second);
    contacts_->cell(ids.first >= 0 ? world_->nameOf(ids.first) : "");
    contacts_->cell(ids.second >= 0 ? world_->nameOf(ids.second) : "");
    contacts_->cell(n);
    cells(*contacts_, center);
    cells(*contacts_, sum.normal / n);
    cells(*contacts_, sum.force / n);
    cells(*contacts_, (sum.pointCrossForce - center.cross(sum.force)) / n);
    contacts_->endRow();
  }
}

void CsvRecorder::write(const SimulationView& view) {
  if (state_ != nullptr) {
    if (!headerWritten_) writeHeader(view);
    state_->cell(view.time);
    if (anyRobot_ || sensors_) writeRobots(view);
    if (anyObject_) writeObjects(view);
    state_->endRow();
  }
  if (contacts_ != nullptr) writeContacts(view);
}

void CsvRecorder::close() {
  if (state_ != nullptr) state_->close();
  if (contacts_ != nullptr) contacts_->close();
  state_.reset();
  contacts_.reset();
}

}  // namespace mortise
