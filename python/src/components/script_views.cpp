#include "components/script_views.h"

#include <algorithm>

#include "common/arrays.h"
#include "components/script_object.h"
#include "model/models.h"
#include "model/worlds.h"
#include "mortise/component/role.h"

namespace mortise::python {

MirrorArray::MirrorArray(std::size_t count, bool writable)
    : array(static_cast<py::ssize_t>(count)), data(array.mutable_data()), size(count) {
  std::fill_n(data, size, 0.0);
  if (!writable) array.attr("setflags")(py::arg("write") = false);
}

MirrorReadings::MirrorReadings(std::span<const SensorReading> given) {
  const py::object module = scriptModule();
  readings = module.attr("SensorReadings")();
  for (const SensorReading& reading : given) {
    sensors_.push_back(
        {std::string(reading.name), {reading.roles.begin(), reading.roles.end()}, MirrorArray(reading.values.size())});
    py::tuple channels(reading.channels.size()), roles(reading.roles.size());
    for (std::size_t i = 0; i < reading.channels.size(); ++i) channels[i] = reading.channels[i];
    for (std::size_t i = 0; i < reading.roles.size(); ++i) roles[i] = reading.roles[i];
    const py::str name{std::string(reading.name)};
    // Of several with one name the first is found, as everywhere.
    if (!readings.contains(name))
      readings[name] =
          module.attr("SensorReading")(name, std::string(reading.type), channels, sensors_.back().values.array, roles);
  }
  fill(given);
}

void MirrorReadings::fill(std::span<const SensorReading> given) {
  for (std::size_t i = 0; i < sensors_.size() && i < given.size(); ++i)
    if (given[i].values.size() == sensors_[i].values.size) sensors_[i].values.fill(given[i].values.data());
}

py::object MirrorReadings::ofLinks(std::string_view role, int numLinks) const {
  for (const Sensor& sensor : sensors_)
    if (sensor.values.size == static_cast<std::size_t>(numLinks) &&
        std::find(sensor.roles.begin(), sensor.roles.end(), role) != sensor.roles.end())
      return sensor.values.array;
  return py::none();
}

std::string MirrorReadings::whyNone(std::string_view role, int numLinks, std::string_view attribute) const {
  if (!ofLinks(role, numLinks).is_none()) return {};
  for (const Sensor& sensor : sensors_)
    if (std::find(sensor.roles.begin(), sensor.roles.end(), role) != sensor.roles.end())
      return "input." + std::string(attribute) + " is None: sensor '" + sensor.name + "', which has the role " +
             std::string(role) + ", has " + std::to_string(sensor.values.size) + " values, and the robot " +
             std::to_string(numLinks) + " links; read input.sensors['" + sensor.name + "']";
  return {};
}

MirrorInput::MirrorInput(std::span<const SensorReading> readings, int numLinks, double period)
    : readings_(readings), object_(scriptModule().attr("ControllerInput")()) {
  object_.attr("time") = 0.0;
  object_.attr("tick") = 0;
  object_.attr("period") = period;
  object_.attr("sensors") = readings_.readings;
  object_.attr("q") = readings_.ofLinks(role::kJointPositions, numLinks);
  object_.attr("dq") = readings_.ofLinks(role::kJointVelocities, numLinks);
  object_.attr("estimate") = py::none();
  object_.attr("truth") = py::none();
}

void MirrorInput::fill(double time, std::int64_t tick, std::span<const SensorReading> readings) {
  static PyObject* const timeName = PyUnicode_InternFromString("time");
  static PyObject* const tickName = PyUnicode_InternFromString("tick");
  readings_.fill(readings);
  const auto timeValue = py::reinterpret_steal<py::object>(PyFloat_FromDouble(time));
  const auto tickValue = py::reinterpret_steal<py::object>(PyLong_FromLongLong(tick));
  if (PyObject_SetAttr(object_.ptr(), timeName, timeValue.ptr()) != 0 ||
      PyObject_SetAttr(object_.ptr(), tickName, tickValue.ptr()) != 0)
    throw py::error_already_set();
}

void MirrorInput::fillState(const char* name, const RobotState* state) {
  if (state == nullptr) return;
  if (q_.data == nullptr) {
    q_ = MirrorArray(static_cast<std::size_t>(state->q.size()));
    dq_ = MirrorArray(static_cast<std::size_t>(state->dq.size()));
    object_.attr(name) = py::make_tuple(q_.array, dq_.array);
  }
  q_.fill(state->q.data());
  dq_.fill(state->dq.data());
}

namespace {

constexpr const char* kNumberNames[] = {"kP", "kI", "kD", "position", "velocity", "torque"};
constexpr double ActuatorCommand::*kNumbers[] = {&ActuatorCommand::kP,       &ActuatorCommand::kI,
                                                 &ActuatorCommand::kD,       &ActuatorCommand::position,
                                                 &ActuatorCommand::velocity, &ActuatorCommand::torque};

}  // namespace

MirrorCommands::MirrorCommands(std::size_t drivers, bool writable)
    : object_(scriptModule().attr("ActuatorCommands")()),
      mode_(static_cast<py::ssize_t>(drivers)),
      modes_(mode_.mutable_data()) {
  if (!writable) mode_.attr("setflags")(py::arg("write") = false);
  object_.attr("mode") = mode_;
  for (int k = 0; k < 6; ++k) {
    numbers_[k] = MirrorArray(drivers, writable);
    object_.attr(kNumberNames[k]) = numbers_[k].array;
  }
}

void MirrorCommands::fill(std::span<const ActuatorCommand> commands) {
  const std::size_t count = std::min(commands.size(), numbers_[0].size);
  for (std::size_t i = 0; i < count; ++i) {
    modes_[i] = static_cast<int>(commands[i].mode);
    for (int k = 0; k < 6; ++k) numbers_[k].data[i] = commands[i].*kNumbers[k];
  }
}

void MirrorCommands::read(std::span<ActuatorCommand> commands) const {
  const std::size_t count = std::min(commands.size(), numbers_[0].size);
  for (std::size_t i = 0; i < count; ++i) {
    if (modes_[i] < 0 || modes_[i] > static_cast<int>(ActuatorCommand::Mode::velocity))
      throw Error("commands.mode[" + std::to_string(i) + "] is " + std::to_string(modes_[i]), {},
                  "it is one of commands.OFF, TORQUE, PID and VELOCITY");
    commands[i].mode = static_cast<ActuatorCommand::Mode>(modes_[i]);
    for (int k = 0; k < 6; ++k) commands[i].*kNumbers[k] = numbers_[k].data[i];
  }
}

py::object setupObject(const World* world, int robotIndex, const Robot* robot, double period, const VectorXd* q,
                       const Vector3d& gravity, const py::object& readings) {
  py::object setup = scriptModule().attr("ControllerSetup")();
  setup.attr("robot_index") = robotIndex;
  setup.attr("period") = period;
  setup.attr("gravity") = arrayOf(gravity);
  setup.attr("sensors") = readings;
  setup.attr("q") = q != nullptr ? py::object(arrayOf(*q)) : py::object(py::none());
  setup.attr("world") = world != nullptr ? py::cast(std::make_shared<World>(*world)) : py::object(py::none());
  if (robot == nullptr)
    setup.attr("robot") = py::none();
  else if (world != nullptr && robotIndex >= 0)
    setup.attr("robot") = held(world->robots[static_cast<std::size_t>(robotIndex)].robot);
  else
    setup.attr("robot") = held(Robot::compile(robot->description()));
  return setup;
}

const SimulationView& ViewHandle::use() const {
  if (view == nullptr) throw Error("a view of the simulation is valid during the call that it was made for only");
  return *view;
}

}  // namespace mortise::python
