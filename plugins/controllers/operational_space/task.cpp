#include "operational_space/task.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/math/rotation.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

using Type = OperationalTask::Type;
using Control = OperationalTask::Control;

namespace {

constexpr std::string_view kTypeNames[] = {"joint", "link", "com", "torque"};
constexpr const char* kControlNames[] = {"position", "orientation", "pose"};
constexpr int kLowestPriority = OperationalTask::kLowestPriority;

Schema commonKeys(Type type) {
  Schema schema;
  const bool torque = type == Type::torque;
  schema
      .parameter("type", ParameterType::string, "joint, link, com or torque.",
                 {.choices = {"joint", "link", "com", "torque"}, .required = true})
      .parameter("name", "", "What commands and channels call the task; empty: its type, numbered if need be.")
      .parameter("priority", 1, "1 comes first; tasks of one priority are traded off by their weights.",
                 {.min = 1, .max = kLowestPriority})
      .parameter("weight", 1.0, "Of the squared error within the priority.", {.min = 0})
      .parameter("enabled", true, "Whether the task counts from the start.");
  if (!torque)
    schema.parameter("kP", 100.0, "Acceleration for each unit of error, 1/s^2.", {.min = 0})
        .parameter(
            "kD", ParameterType::real,
            "Acceleration for each unit of error in velocity, 1/s; when absent 2 sqrt(kP), which damps critically.",
            {.min = 0});
  return schema;
}

Schema makeSchema(Type type) {
  Schema schema = commonKeys(type);
  const auto three = [&](const char* name, const char* help, const char* unit, std::vector<std::string> aliases = {}) {
    schema.parameter(name, ParameterType::realList, help, {.unit = unit, .size = 3, .aliases = std::move(aliases)});
  };
  switch (type) {
    case Type::joint:
      schema
          .parameter("links", ParameterType::any, "Names or indices of links; when absent, all that a driver moves.",
                     {.aliases = {"link"}})
          .parameter("position", ParameterType::realList,
                     "Target of each link, rad or m; when absent, where it is at the start.")
          .parameter("velocity", ParameterType::realList, "Fed forward, rad/s or m/s; when absent 0.")
          .parameter("acceleration", ParameterType::realList, "Fed forward, rad/s^2 or m/s^2; when absent 0.");
      break;
    case Type::link:
      schema.parameter("link", ParameterType::any, "Name or index of the link.", {.required = true});
      three("point", "The point of the link, in the link's frame; when absent its origin.", "m");
      schema
          .parameter("control", "position", "What of the link: position (of the point), orientation or pose (both).",
                     {.choices = {"position", "orientation", "pose"}})
          .parameter("axes", "xyz", "Along which axes of the world the position counts.")
          .parameter("rotation_axes", "xyz", "About which axes of the world the orientation counts.",
                     {.aliases = {"rotationAxes"}});
      three("position", "Target of the point, world frame; when absent, where it is at the start.", "m");
      schema.parameter(
          "orientation", ParameterType::realList,
          "Target: nine numbers, the rows of the rotation matrix, or three, axis times angle; when absent, "
          "as at the start.");
      three("velocity", "Of the target point, fed forward, world frame; when absent 0.", "m/s");
      three("acceleration", "Of the target point, fed forward; when absent 0.", "m/s^2");
      three("angular_velocity", "Of the target, fed forward, world frame; when absent 0.", "rad/s",
            {"angularVelocity"});
      three("angular_acceleration", "Of the target, fed forward; when absent 0.", "rad/s^2", {"angularAcceleration"});
      break;
    case Type::com:
      schema.parameter("axes", "xyz", "Along which axes of the world the position counts.");
      three("position", "Target, world frame; when absent, where it is at the start.", "m");
      three("velocity", "Of the target, fed forward; when absent 0.", "m/s");
      three("acceleration", "Of the target, fed forward; when absent 0.", "m/s^2");
      break;
    case Type::torque:
      schema
          .parameter("drivers", ParameterType::any, "Names or indices of drivers; when absent, all.",
                     {.aliases = {"driver"}})
          .parameter("torque", ParameterType::realList, "What each of them should give, N*m or N; when absent 0.");
      break;
  }
  return schema;
}

unsigned axesFromSetting(const Value& value) {
  unsigned bits = 0;
  for (const char c : value.asString()) {
    if (c == ' ' || c == ',') continue;
    const auto at = std::string_view("xyz").find(c);
    if (at == std::string_view::npos || (bits >> at & 1) != 0)
      throw Error("'" + value.asString() + "' is not a choice of axes", value.position(),
                  "name each axis once, such as xyz, xy or z");
    bits |= 1u << at;
  }
  if (bits == 0) throw Error("no axis is left of the task", value.position(), "name some, such as xy");
  return bits;
}

std::string axesText(unsigned bits) {
  std::string text;
  for (int i = 0; i < 3; ++i)
    if (bits >> i & 1) text += "xyz"[i];
  return text;
}

/// Replaces `target` when the key is there.
bool readVector(const Value& map, std::string_view key, Eigen::Ref<VectorXd> target) {
  const Value* value = map.find(key);
  if (value == nullptr || value->isNull()) return false;
  const std::vector<double> numbers = value->asReals();
  if (static_cast<Eigen::Index>(numbers.size()) != target.size())
    throw Error("'" + std::string(key) + "' takes " + std::to_string(target.size()) + " numbers, not " +
                    std::to_string(numbers.size()),
                value->position());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      throw Error("number " + std::to_string(i + 1) + " of '" + std::string(key) + "' is not finite",
                  value->position());
  target = Eigen::Map<const VectorXd>(numbers.data(), target.size());
  return true;
}

bool readOrientation(const Value& map, Matrix3d& R) {
  const Value* value = map.find("orientation");
  if (value == nullptr || value->isNull()) return false;
  const bool nine = value->asReals().size() == 9;
  VectorXd numbers(nine ? 9 : 3);
  if (!nine && value->asReals().size() != 3)
    throw Error("'orientation' takes nine numbers, the rows of a rotation matrix, or three, axis times angle; not " +
                    std::to_string(value->asReals().size()),
                value->position());
  readVector(map, "orientation", numbers);
  if (!nine) {
    R = rotationFromMoment(numbers);
    return true;
  }
  Matrix3d rows;
  rows << numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8];
  if ((rows * rows.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-3 || rows.determinant() < 0)
    throw Error(
        "'orientation' is not a rotation matrix", value->position(),
        "its rows are perpendicular, of unit length and right-handed; three numbers stand for axis times angle");
  R = orthonormalized(rows);
  return true;
}

void readTargets(OperationalTask& task, const Value& map) {
  if (task.type == Type::torque) {
    readVector(map, "torque", task.position);
    return;
  }
  readVector(map, "position", task.position);
  for (auto* v : {&task.velocity, &task.acceleration}) v->setZero();
  readVector(map, "velocity", task.velocity);
  readVector(map, "acceleration", task.acceleration);
  if (task.type != Type::link) return;
  task.angularVelocity.setZero();
  task.angularAcceleration.setZero();
  readOrientation(map, task.orientation);
  readVector(map, "angular_velocity", task.angularVelocity);
  readVector(map, "angular_acceleration", task.angularAcceleration);
}

OperationalTask taskFromSettings(Type type, const Value& settings, const Robot& robot, const RobotDynamics& dynamics,
                                 const VectorXd& q) {
  OperationalTask task;
  task.type = type;
  task.name = settings.at("name").asString();
  task.priority = static_cast<int>(settings.at("priority").asInteger());
  task.weight = settings.at("weight").asReal();
  task.enabled = settings.at("enabled").asBool();
  if (type != Type::torque) {
    task.kP = settings.at("kP").asReal();
    const Value& kD = settings.at("kD");
    task.kD = kD.isNull() ? 2 * std::sqrt(task.kP) : kD.asReal();
  }
  for (const double number : {task.weight, task.kP, task.kD})
    if (!std::isfinite(number)) throw Error("a gain or weight is not finite", settings.position());
  Eigen::Index size = 3;
  switch (type) {
    case Type::joint: {
      const Value& links = settings.at("links");
      task.indices = linksFromSetting(robot, links);
      if (links.isNull())
        for (int i = 0; i < robot.numLinks(); ++i)
          if (robot.driverOfLink(i) >= 0) task.indices.push_back(i);
      size = static_cast<Eigen::Index>(task.indices.size());
      task.position.resize(size);
      for (Eigen::Index i = 0; i < size; ++i) task.position[i] = q[task.indices[i]];
      break;
    }
    case Type::torque: {
      const Value& drivers = settings.at("drivers");
      task.indices = driversFromSetting(robot, drivers);
      if (drivers.isNull())
        for (int i = 0; i < robot.numDrivers(); ++i) task.indices.push_back(i);
      size = static_cast<Eigen::Index>(task.indices.size());
      task.position.setZero(size);
      break;
    }
    case Type::link: {
      task.link = linkFromSetting(robot, settings.at("link"));
      readVector(settings, "point", task.point);
      const std::string control = settings.at("control").asString();
      task.control = control == "pose"       ? Control::pose
                     : control == "position" ? Control::position
                                             : Control::orientation;
      task.axes = axesFromSetting(settings.at("axes"));
      task.rotationAxes = axesFromSetting(settings.at("rotation_axes"));
      const RigidTransform X_WL = dynamics.X_WL(task.link);
      task.position = X_WL * task.point;
      task.orientation = orthonormalized(X_WL.R);
      break;
    }
    case Type::com:
      task.axes = axesFromSetting(settings.at("axes"));
      task.position = dynamics.centerOfMass();
      break;
  }
  if (size == 0) throw Error("the task is about nothing", settings.position(), "name at least one link or driver");
  std::vector<int> sorted = task.indices;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw Error("the task names a link or driver twice", settings.position());
  task.velocity.setZero(size);
  task.acceleration.setZero(size);
  task.error.setZero(task.numRows());
  readTargets(task, settings);
  return task;
}

Value valueOf(const Eigen::Ref<const VectorXd>& v) { return Value(std::vector<double>(v.data(), v.data() + v.size())); }

}  // namespace

std::string_view taskTypeName(Type type) { return kTypeNames[static_cast<int>(type)]; }

const Schema& taskSchema(Type type) {
  static const Schema schemas[] = {makeSchema(Type::joint), makeSchema(Type::link), makeSchema(Type::com),
                                   makeSchema(Type::torque)};
  return schemas[static_cast<int>(type)];
}

int OperationalTask::numRows() const {
  if (type == Type::joint || type == Type::torque) return static_cast<int>(indices.size());
  const auto count = [](unsigned bits) { return static_cast<int>((bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1)); };
  if (type == Type::com) return count(axes);
  return (moves(Control::position) ? count(axes) : 0) + (moves(Control::orientation) ? count(rotationAxes) : 0);
}

std::vector<OperationalTask> tasksFromSetting(const Value& list, const Robot& robot, const RobotDynamics& dynamics,
                                              const VectorXd& q, Diagnostics& diagnostics) {
  std::vector<OperationalTask> tasks;
  if (list.isNull()) return tasks;
  if (!list.isList()) {
    diagnostics.error("the tasks are a list, found " + std::string(Value::typeName(list.type())), list.position(),
                      "write one map {type: joint|link|com|torque, ...} for each task");
    return tasks;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value& entry = list[i];
    const std::string what = "task " + std::to_string(i + 1);
    const Value* typeValue = entry.isMap() ? entry.find("type") : nullptr;
    if (typeValue == nullptr) {
      diagnostics.error(what + " does not say what type it is", entry.position(),
                        "add type: joint, link, com or torque");
      continue;
    }
    const std::string typeName = typeValue->isScalar() ? typeValue->text() : "";
    const auto* found = std::find(std::begin(kTypeNames), std::end(kTypeNames), typeName);
    if (found == std::end(kTypeNames)) {
      const std::vector<std::string> names(std::begin(kTypeNames), std::end(kTypeNames));
      diagnostics.error(what + " has the unknown type '" + typeName + "'", typeValue->position(),
                        suggestFrom(typeName, names));
      continue;
    }
    const Type type = static_cast<Type>(found - std::begin(kTypeNames));
    const int errors = diagnostics.errorCount();
    const Value settings = taskSchema(type).complete(entry, what + " (" + typeName + ")", diagnostics);
    if (diagnostics.errorCount() > errors) continue;
    try {
      OperationalTask task = taskFromSettings(type, settings, robot, dynamics, q);
      const auto taken = [&](const std::string& name) {
        return std::any_of(tasks.begin(), tasks.end(), [&](const auto& other) { return other.name == name; });
      };
      if (task.name.empty()) {
        task.name = typeName;
        for (int k = 2; taken(task.name); ++k) task.name = typeName + std::to_string(k);
      } else if (taken(task.name)) {
        throw Error("there is a task '" + task.name + "' already", settings.at("name").position());
      }
      tasks.push_back(std::move(task));
    } catch (const Error& error) {
      SourcePosition where = error.where().known() ? error.where() : entry.position();
      diagnostics.error(what + " (" + typeName + "): " + error.message(), where, error.hint());
    }
  }
  return tasks;
}

Value withTaskKeys(const OperationalTask& task, const Value& arguments) {
  Value named = arguments;
  for (Value::Entry& entry : named.entries())
    if (const Parameter* parameter = taskSchema(task.type).find(entry.key)) entry.key = parameter->name;
  return named;
}

void setTarget(OperationalTask& task, const Value& arguments) {
  OperationalTask changed = task;
  readTargets(changed, arguments);
  task = std::move(changed);
}

void setGains(OperationalTask& task, const Value& arguments) {
  const auto number = [&](const char* key, double& target) {
    const Value* value = arguments.find(key);
    if (value == nullptr || value->isNull()) return;
    const double given = value->asReal();
    if (!(given >= 0) || !std::isfinite(given))
      throw Error("'" + std::string(key) + "' is a number of at least 0, not " + value->text(), value->position());
    target = given;
  };
  OperationalTask changed = task;
  number("kP", changed.kP);
  number("kD", changed.kD);
  number("weight", changed.weight);
  double priority = changed.priority;
  number("priority", priority);
  if (priority != std::floor(priority) || priority < 1 || priority > kLowestPriority)
    throw Error("'priority' is a whole number from 1 to " + std::to_string(kLowestPriority), arguments.position());
  changed.priority = static_cast<int>(priority);
  task = std::move(changed);
}

Value taskToValue(const OperationalTask& task, const Robot& robot) {
  Value map = Value::map();
  map.set("type", taskTypeName(task.type));
  map.set("name", task.name);
  map.set("priority", task.priority);
  map.set("weight", task.weight);
  map.set("enabled", task.enabled);
  if (task.type != Type::torque) {
    map.set("kP", task.kP);
    map.set("kD", task.kD);
  }
  Value indices = Value::list();
  for (const int i : task.indices) indices.push_back(Value(i));
  if (task.type == Type::torque) {
    map.set("drivers", indices);
    map.set("torque", valueOf(task.position));
    return map;
  }
  if (task.type == Type::joint) map.set("links", indices);
  if (task.type == Type::link) {
    map.set("link", robot.link(task.link).name);
    map.set("point", valueOf(task.point));
    map.set("control", kControlNames[static_cast<int>(task.control)]);
    map.set("rotation_axes", axesText(task.rotationAxes));
  }
  if (task.type != Type::joint) map.set("axes", axesText(task.axes));
  map.set("position", valueOf(task.position));
  map.set("velocity", valueOf(task.velocity));
  map.set("acceleration", valueOf(task.acceleration));
  if (task.type == Type::link) {
    map.set("orientation", valueOf(momentFromRotation(task.orientation)));
    map.set("angular_velocity", valueOf(task.angularVelocity));
    map.set("angular_acceleration", valueOf(task.angularAcceleration));
  }
  return map;
}

}  // namespace mortise::controllers
