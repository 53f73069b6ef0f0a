#include "operational_space/task.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/configuration/link_setting.h"
#include "mortise/math/rotation.h"
#include "mortise/settings/settings.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

namespace {

/// Checks how many numbers the targets have. `position` names the error's place.
void checkSizes(const OperationalTask& task, const SourcePosition& position) {
  const auto check = [&](const VectorXd& numbers, const char* name, Eigen::Index size) {
    if (numbers.size() != size)
      throw Error("'" + std::string(name) + "' takes " + std::to_string(size) + " numbers, not " +
                      std::to_string(numbers.size()),
                  position);
  };
  if (task.type == TaskType::torque)
    return check(task.torque, "torque", static_cast<Eigen::Index>(task.indices.size()));
  const Eigen::Index size = task.type == TaskType::joint ? static_cast<Eigen::Index>(task.indices.size()) : 3;
  check(task.position, "position", size);
  check(task.velocity, "velocity", size);
  check(task.acceleration, "acceleration", size);
}

/// Zeros in place of velocities and accelerations that are absent.
void fillFeedForward(OperationalTask& task) {
  for (VectorXd* numbers : {&task.velocity, &task.acceleration})
    if (numbers->size() == 0) numbers->setZero(task.position.size());
}

Value listOf(const std::vector<int>& indices) {
  Value list = Value::list();
  for (const int i : indices) list.push_back(i);
  return list;
}

void refuseTwice(std::vector<int> indices, const SourcePosition& where) {
  if (indices.empty()) throw Error("the task is about nothing", where, "name at least one link or driver");
  std::sort(indices.begin(), indices.end());
  if (std::adjacent_find(indices.begin(), indices.end()) != indices.end())
    throw Error("the task names a link or driver twice", where);
}

/// Looks up links and drivers and fills in what was not given.
void resolve(OperationalTask& task, const Robot& robot, const RobotDynamics& dynamics, const VectorXd& q,
             const Value& entry) {
  if (!task.kD) task.kD = 2 * std::sqrt(task.kP);
  const auto positionOf = [&](const char* key) {
    const Value* value = entry.find(key);
    return value != nullptr && !value->isNull() ? value->position() : entry.position();
  };
  const auto defaultPosition = [&](const VectorXd& actual) {
    if (task.position.size() == 0) task.position = actual;
  };
  switch (task.type) {
    case TaskType::joint: {
      task.indices = linksFromSetting(robot, task.links);
      if (task.links.isNull())
        for (int i = 0; i < robot.numLinks(); ++i)
          if (robot.driverOfLink(i) >= 0) task.indices.push_back(i);
      refuseTwice(task.indices, entry.position());
      task.links = listOf(task.indices);
      defaultPosition(q(task.indices));
      break;
    }
    case TaskType::torque: {
      task.indices = driversFromSetting(robot, task.drivers);
      if (task.drivers.isNull())
        for (int i = 0; i < robot.numDrivers(); ++i) task.indices.push_back(i);
      refuseTwice(task.indices, entry.position());
      task.drivers = listOf(task.indices);
      if (task.torque.size() == 0) task.torque.setZero(static_cast<Eigen::Index>(task.indices.size()));
      checkSizes(task, positionOf("torque"));
      return;
    }
    case TaskType::link: {
      task.linkIndex = linkFromSetting(robot, task.link);
      task.link = Value(robot.link(task.linkIndex).name);
      const RigidTransform X_WL = dynamics.X_WL(task.linkIndex);
      defaultPosition(X_WL * task.point);
      if (!task.orientation) task.orientation = TaskOrientation{orthonormalized(X_WL.R)};
      break;
    }
    case TaskType::com:
      defaultPosition(dynamics.centerOfMass());
      break;
  }
  fillFeedForward(task);
  checkSizes(task, positionOf("position"));
}

/// The task that `entry` describes; problems go to `diagnostics`.
std::optional<OperationalTask> taskFromSetting(const Value& entry, const std::string& what, Diagnostics& diagnostics) {
  const Value* type = entry.isMap() ? entry.find("type") : nullptr;
  if (type == nullptr) {
    diagnostics.error(what + " does not say what type it is", entry.position(), "add type: joint, link, com or torque");
    return std::nullopt;
  }
  const std::vector<std::string>& names = taskTypeNames();
  const std::string typeName = type->isScalar() ? type->text() : "";
  const auto found = std::find(names.begin(), names.end(), typeName);
  if (found == names.end()) {
    diagnostics.error(what + " has the unknown type '" + typeName + "'", type->position(),
                      suggestFrom(typeName, names));
    return std::nullopt;
  }
  OperationalTask task;
  task.type = static_cast<TaskType>(found - names.begin());
  const int errors = diagnostics.errorCount();
  const Value complete = schemaOf<TaskSettings>(task).complete(entry, what + " (" + typeName + ")", diagnostics);
  if (diagnostics.errorCount() > errors) return std::nullopt;
  SettingBinder binder;
  task.bind(binder);
  binder.read(complete);
  return task;
}

}  // namespace

int OperationalTask::numRows() const {
  if (type == TaskType::joint || type == TaskType::torque) return static_cast<int>(indices.size());
  if (type == TaskType::com) return axes.count();
  return (moves(LinkControl::position) ? axes.count() : 0) +
         (moves(LinkControl::orientation) ? rotationAxes.count() : 0);
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
  const auto taken = [&](const std::string& name) {
    return std::any_of(tasks.begin(), tasks.end(), [&](const auto& other) { return other.name == name; });
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value& entry = list[i];
    std::string what = "task " + std::to_string(i + 1);
    try {
      std::optional<OperationalTask> task = taskFromSetting(entry, what, diagnostics);
      if (!task) continue;
      const std::string typeName(taskTypeName(task->type));
      what += " (" + typeName + ")";
      resolve(*task, robot, dynamics, q, entry);
      task->error.setZero(task->numRows());
      if (task->name.empty()) {
        task->name = typeName;
        for (int k = 2; taken(task->name); ++k) task->name = typeName + std::to_string(k);
      } else if (taken(task->name)) {
        throw Error("there is a task '" + task->name + "' already", entry.at("name").position());
      }
      tasks.push_back(std::move(*task));
    } catch (const Error& error) {
      const SourcePosition where = error.where().known() ? error.where() : entry.position();
      diagnostics.error(what + ": " + error.message(), where, error.hint());
    }
  }
  return tasks;
}

std::vector<std::string> changeableKeys(const OperationalTask& task, bool gains) {
  std::vector<std::string> keys;
  const Schema schema = schemaOf<TaskSettings>(task);
  for (const Parameter& parameter : schema.parameters())
    if (parameter.options.changeable && parameter.name != "enabled" && isGain(parameter.name) == gains)
      keys.push_back(parameter.name);
  return keys;
}

void changeTask(OperationalTask& task, const Value& arguments) {
  OperationalTask changed = task;
  SettingBinder binder;
  changed.bind(binder);
  for (const Value::Entry& entry : arguments.entries()) {
    if (entry.key == "task" || entry.value.isNull()) continue;
    binder.change(entry.key, entry.value);
    checkSizes(changed, entry.value.position());
  }
  task = std::move(changed);
}

void setTarget(OperationalTask& task, const Value& arguments) {
  OperationalTask changed = task;
  changed.velocity.setZero();
  changed.acceleration.setZero();
  changed.angularVelocity.setZero();
  changed.angularAcceleration.setZero();
  changeTask(changed, arguments);
  task = std::move(changed);
}

Value taskToValue(const OperationalTask& task) {
  OperationalTask copy = task;
  SettingBinder binder;
  copy.bind(binder);
  return binder.values();
}

void saveTask(const OperationalTask& task, ByteWriter& out) {
  OperationalTask copy = task;
  SettingBinder binder;
  copy.bind(binder);
  out.put(std::string_view(task.name));
  binder.save(out);
  out.put(std::span<const double>(task.error.data(), task.error.size()));
}

void restoreTask(OperationalTask& task, ByteReader& in) {
  if (in.getString() != task.name)
    throw Error("the snapshot of the controller has other tasks than '" + task.name + "'");
  OperationalTask restored = task;
  SettingBinder binder;
  restored.bind(binder);
  binder.restore(in);
  if (!restored.kD || (task.orientation && !restored.orientation))
    throw Error("the snapshot of task '" + task.name + "' is damaged");
  checkSizes(restored, {});
  if (in.get<std::uint64_t>() != static_cast<std::uint64_t>(task.error.size()))
    throw Error("the snapshot of task '" + task.name + "' is damaged");
  for (double& number : restored.error) number = finiteReal(in);
  task = std::move(restored);
}

double finiteReal(ByteReader& in) {
  const double value = in.get<double>();
  if (!std::isfinite(value)) throw Error("the snapshot of the controller has a number that is not finite");
  return value;
}

}  // namespace mortise::controllers
