#include "csv_recorder.h"

#include <exception>
#include <initializer_list>
#include <span>

#include "mortise/math/rotation.h"

namespace mortise::recorders {

namespace {

// Names of columns: those of Klamp't's SimLogger and SimTest, and, behind them, `depth_max`.
constexpr const char* kContactColumns[] = {
    "time",    "body1",   "body2",  "name1",  "name2",  "numContacts", "cpx_avg", "cpy_avg", "cpz_avg",  "cnx_avg",
    "cny_avg", "cnz_avg", "fx_avg", "fy_avg", "fz_avg", "mx_avg",      "my_avg",  "mz_avg",  "depth_max"};
constexpr const char* kWrenchColumns[] = {"time", "body1", "body2", "cop x", "cop y", "cop z", "fx",
                                          "fy",   "fz",    "tx",    "ty",    "tz",    "id1",   "id2"};

constexpr const char* kAxes[3] = {"x", "y", "z"};

void writeColumns(CsvFile& file, std::span<const char* const> names) {
  for (const char* name : names) file.cell(name);
  file.endRow();
}

/// Writes the names of the columns of robots, objects and sensors that are recorded, in the order in which
/// `CsvRecorder::writeRobots` and `writeObjects` write the values of a row.
void writeStateColumns(CsvFile& file, const World& world, const Recording& recording, const SensorSelection& sensors,
                       const SimulationView& view) {
  file.cell("time");
  const auto perLink = [&](const std::string& prefix, const char* what, const Robot& robot) {
    for (const Link& link : robot.links()) file.cell(prefix + what + "[" + link.name + "]");
  };
  std::vector<std::pair<std::string, int>> entities;
  for (std::size_t r = 0; r < world.robots.size(); ++r)
    entities.emplace_back(world.robots[r].name, world.robotId(static_cast<int>(r)));
  const std::vector<std::string> robotNames = uniqueNames(entities);
  for (std::size_t r = 0; r < world.robots.size(); ++r) {
    const Robot& robot = *world.robots[r].robot;
    const std::string prefix = robotNames[r] + "_";
    if (recording.robots[r]) {
      for (const char* axis : kAxes) file.cell(prefix + "cm" + axis);
      for (const char* what : {"qcmd", "dqcmd", "q", "dq"}) perLink(prefix, what, robot);
      for (int i = 0; i < robot.numDrivers(); ++i) file.cell(prefix + "t[" + std::to_string(i) + "]");
    }
    for (std::size_t s = 0; s < sensors[r].size(); ++s) {
      if (!sensors[r][s]) continue;
      const SensorReading& sensor = view.robots[r].sensors[s];
      for (const std::string& channel : sensor.channels)
        file.cell(prefix + std::string(sensor.name) + "[" + channel + "]");
    }
  }
  entities.clear();
  for (std::size_t i = 0; i < world.objects.size(); ++i)
    entities.emplace_back(world.objects[i].name, world.objectId(static_cast<int>(i)));
  const std::vector<std::string> objectNames = uniqueNames(entities);
  for (std::size_t i = 0; i < objectNames.size(); ++i)
    for (const char* what : {"_com", "_", "_r", "_d", "_w"})
      if (recording.objects[i])
        for (const char* axis : kAxes) file.cell(objectNames[i] + what + axis);
  file.endRow();
}

void cells(CsvFile& file, const Vector3d& v) {
  for (int i = 0; i < 3; ++i) file.cell(v[i]);
}

}  // namespace

void CsvSettings::bind(SettingBinder& b) {
  b.add("file", file, "File for robots, objects and sensors, below the run directory, with the run's prefix.");
  b.add(
      "contact_file", contactFile,
      "File for contacts: one row for each pair of ids in contact, with means over their contacts and the depth of the "
      "deepest.",
      {.aliases = {"contactFile"}});
  b.add(
      "wrench_file", wrenchFile,
      "File for wrenches: one row for each pair of ids in contact, with the center of pressure, the total force on the "
      "first and the torque about that center.",
      {.aliases = {"wrenchFile"}});
}

void CsvRecorder::open(const RecorderSetup& setup) {
  world_ = &setup.world;
  recording_ = Recording(setup);
  headerWritten_ = false;
  if (recording_.anyState()) state_ = std::make_unique<CsvFile>(recordPath(setup, settings_->file));
  if (recording_.contacts) {
    contacts_ = std::make_unique<CsvFile>(recordPath(setup, settings_->contactFile));
    writeColumns(*contacts_, kContactColumns);
  }
  if (recording_.wrenches) {
    wrenches_ = std::make_unique<CsvFile>(recordPath(setup, settings_->wrenchFile));
    writeColumns(*wrenches_, kWrenchColumns);
  }
}

void CsvRecorder::startRows(const SimulationView& view) {
  sensors_ = loggedSensors(recording_, view, host_);
  headerWritten_ = true;
  writeStateColumns(*state_, *world_, recording_, sensors_, view);
}

void CsvRecorder::writeRobots(const SimulationView& view) {
  for (std::size_t r = 0; r < view.robots.size(); ++r) {
    const Robot& robot = *world_->robots[r].robot;
    const RobotView& seen = view.robots[r];
    if (recording_.robots[r]) {
      cells(*state_, centerOfMass(robot, *seen.state));
      commandedState(robot, seen, qCommand_, dqCommand_);
      for (const VectorXd* v :
           std::initializer_list<const VectorXd*>{&qCommand_, &dqCommand_, &seen.state->q, &seen.state->dq})
        for (Eigen::Index i = 0; i < v->size(); ++i) state_->cell((*v)[i]);
      for (double torque : seen.driverTorques) state_->cell(torque);
    }
    for (std::size_t s = 0; s < sensors_[r].size(); ++s)
      if (sensors_[r][s])
        for (const double value : seen.sensors[s].values) state_->cell(value);
  }
}

void CsvRecorder::writeObjects(const SimulationView& view) {
  for (std::size_t i = 0; i < view.objects.size(); ++i) {
    if (!recording_.objects[i]) continue;
    const BodyState& body = view.objects[i];
    cells(*state_, body.X_WB * world_->objects[i].inertia.com);
    cells(*state_, body.X_WB.p);
    cells(*state_, momentFromRotation(body.X_WB.R));
    cells(*state_, body.v_WB);
    cells(*state_, body.w_WB);
  }
}

void CsvRecorder::writeContacts(const SimulationView& view) {
  for (const auto& [ids, pair] : pairContacts(view.contacts)) {
    contacts_->cell(view.time);
    contacts_->cell(ids.first);
    contacts_->cell(ids.second);
    contacts_->cell(ids.first >= 0 ? world_->nameOf(ids.first) : "");
    contacts_->cell(ids.second >= 0 ? world_->nameOf(ids.second) : "");
    contacts_->cell(pair.count);
    cells(*contacts_, pair.point);
    cells(*contacts_, pair.normal);
    cells(*contacts_, pair.force / pair.count);
    cells(*contacts_, pair.moment / pair.count);
    contacts_->cell(pair.depth);
    contacts_->endRow();
  }
}

void CsvRecorder::writeWrenches(const SimulationView& view) {
  for (const auto& [ids, pair] : pairContacts(view.contacts)) {
    wrenches_->cell(view.time);
    wrenches_->cell(ids.first >= 0 ? world_->nameOf(ids.first) : "");
    wrenches_->cell(ids.second >= 0 ? world_->nameOf(ids.second) : "");
    cells(*wrenches_, pair.centerOfPressure);
    cells(*wrenches_, pair.force);
    cells(*wrenches_, pair.momentAbout(pair.centerOfPressure));
    wrenches_->cell(ids.first);
    wrenches_->cell(ids.second);
    wrenches_->endRow();
  }
}

void CsvRecorder::write(const SimulationView& view) {
  if (state_ != nullptr) {
    if (!headerWritten_) startRows(view);
    state_->cell(view.time);
    if (recording_.anyRobot || recording_.anySensor()) writeRobots(view);
    if (recording_.anyObject) writeObjects(view);
    state_->endRow();
  }
  if (contacts_ != nullptr) writeContacts(view);
  if (wrenches_ != nullptr) writeWrenches(view);
  for (CsvFile* file : {state_.get(), contacts_.get(), wrenches_.get()})
    if (file != nullptr) file->endTick(view.time);
}

/// Closes all files, also when one of them fails.
void CsvRecorder::close() {
  const std::unique_ptr<CsvFile> files[] = {std::move(state_), std::move(contacts_), std::move(wrenches_)};
  std::exception_ptr first;
  for (const auto& file : files) {
    if (file == nullptr) continue;
    try {
      file->close();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace mortise::recorders
