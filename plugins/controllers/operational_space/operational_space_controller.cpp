#include "operational_space/operational_space_controller.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/base/borrow.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/text/suggest.h"

namespace mortise::controllers {

namespace {

/// Planned motion below this speed counts as less than a motion, rad/s or m/s.
constexpr double kCreep = 5e-4;

/// The content of the file that the setting `file` names.
struct ListsOfFile {
  Value tasks, contacts;
  void bind(SettingBinder& b) {
    b.add("tasks", tasks, "List of tasks.");
    b.add("contacts", contacts, "List of contacts.");
  }
};

/// `arguments` of a command with the keys that the task's entry in a file has, in place of their aliases.
Value withTaskKeys(const OperationalTask& task, const Value& arguments) {
  Value named = arguments;
  const Schema schema = schemaOf<TaskSettings>(task);
  for (Value::Entry& entry : named.entries())
    if (const Parameter* parameter = schema.find(entry.key)) entry.key = parameter->name;
  return named;
}

/// Returns what a command's argument holds under `key`, or the argument itself when it is a word: "disable posture" and
/// "disable {task: posture}".
std::string nameIn(const Value& arguments, std::string_view key) {
  // The command line gives words as a list.
  const bool listed = arguments.isList() && arguments.size() == 1;
  const Value& value = arguments.isMap() ? arguments.at(key) : listed ? arguments[0] : arguments;
  if (value.isList() || value.isMap() || value.isNull())
    throw Error("expected the name of a " + std::string(key) + ", found " + std::string(Value::typeName(value.type())),
                value.position(), "write {" + std::string(key) + ": name}");
  return value.text();
}

/// Refuses keys that are not among `known`.
void refuseOthers(const Value& arguments, const std::vector<std::string>& known) {
  for (const Value::Entry& entry : arguments.entries())
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      throw Error("unknown key '" + entry.key + "'", entry.keyPosition, suggestFrom(entry.key, known));
    }
}

/// Throws when a command names its task and nothing else of `known`.
void requireAny(std::string_view command, const Value& arguments, std::vector<std::string> known) {
  std::erase(known, "task");
  const auto given = [&](const std::string& key) {
    const Value* value = arguments.isMap() ? arguments.find(key) : nullptr;
    return value != nullptr && !value->isNull();
  };
  if (std::none_of(known.begin(), known.end(), given))
    throw Error(std::string(command) + " says nothing but the task", arguments.position(),
                "give it one of these; " + listNames(known));
}

}  // namespace

void OperationalSpaceSettings::bind(SettingBinder& b) {
  b.add("tasks", tasks, "List of tasks, {type: joint|link|com|torque, name, priority, weight, ...}; see below.");
  b.add("contacts", contacts, "List of links that stand on something, {link, points, normal, friction, name}.");
  b.add("file", file, "YAML file with more tasks and contacts, which come before those given here.");
  b.add("gravity", gravity, "Gravity, world frame; when absent, the world's.", {.unit = "m/s^2", .changeable = true});
  b.add("damping", damping, "How fast motion that no task asks for dies away, 1/s.", {.min = 0, .changeable = true});
  b.add("contact_damping", contactDamping, "How fast a link in contact that moves is to stop, 1/s.",
        {.min = 0, .aliases = {"contactDamping"}, .changeable = true});
  b.add(
      "singularity", singularity,
      "Directions in which the effect of a priority's tasks falls below this fraction of what it is far from singular "
      "configurations are damped: the response falls to zero instead of growing. 0: never.",
      {.min = 0, .max = 0.5, .changeable = true});
  b.add("singular_damping", singularDamping, "How fast motion in such directions dies away, 1/s.",
        {.min = 0, .aliases = {"singularDamping"}, .changeable = true});
  b.add("friction_edges", frictionEdges, "Edges of the pyramid that approximates a friction cone from inside.",
        {.min = 3, .max = 16, .aliases = {"frictionEdges"}, .changeable = true});
  b.add("compensate_friction", compensateFriction, "Counts the drivers' viscous friction among the forces.",
        {.aliases = {"compensateFriction"}, .changeable = true});
  b.add("dry_friction_factor", dryFrictionFactor,
        "Fraction of a driver's dry friction that is added to its torque in the direction of the planned motion. "
        "Friction that is overestimated makes a robot tremble, and so may the full value at the very edge of an arm's "
        "reach: use 0.5 there.",
        {.min = 0, .max = 1, .aliases = {"dryFrictionShare"}, .changeable = true});
}

OperationalSpaceController::OperationalSpaceController(const ComponentContext& context)
    : host_(context.host), settings_(context.settings) {
  if (!settings_->file.empty()) {
    const Value content = loadYaml(context.host.findResource(settings_->file));
    if (content.isList()) {
      addLists(content, Value());
    } else {
      const auto lists = readSettings<ListsOfFile>(content, "the file of tasks");
      addLists(lists.tasks, lists.contacts);
    }
  }
  addLists(settings_->tasks, settings_->contacts);
}

void OperationalSpaceController::addLists(const Value& tasks, const Value& contacts) {
  const auto append = [&](const char* key, const Value& list, Value& to) {
    if (list.isNull()) return;
    if (!list.isList())
      throw Error("'" + std::string(key) + "' is a list of maps, found " + std::string(Value::typeName(list.type())),
                  list.position(), "from world XML, name a YAML file with the setting 'file'");
    for (const Value& item : list.items()) to.push_back(item);
  };
  append("tasks", tasks, taskList_);
  append("contacts", contacts, contactList_);
}

void OperationalSpaceController::start(const ControllerSetup& setup) {
  robot_ = &setup.robot;
  gravityOfWorld_ = setup.gravity;
  settings_.reset();
  // The robot outlives this, as does the setup's reference.
  dynamics_ = std::make_unique<ActuatedDynamics>(borrow(*robot_));
  work_ = std::make_unique<TaskRows>(*robot_);
  planned_.setZero(robot_->numLinks());
  dynamics_->robot().setState(setup.q, VectorXd::Zero(robot_->numLinks()));
  Diagnostics diagnostics;
  tasks_ = tasksFromSetting(taskList_, *robot_, dynamics_->robot(), setup.q, diagnostics);
  contacts_ = contactsFromSetting(contactList_, *robot_, diagnostics);
  diagnostics.throwIfErrors();
  arrange();
}

void OperationalSpaceController::arrange() {
  haveContactLevel_ = !contacts_.empty();
  std::vector<SupportPoint> supports;
  int contactRows = 0;
  for (const OperationalContact& contact : contacts_) {
    contactRows += contact.numRows();
    for (const Vector3d& p : contact.points) supports.push_back({contact.link, p, contact.normal, contact.friction});
  }
  dynamics_->setSupports(supports, settings_->frictionEdges);
  std::map<int, int> rowsOf;
  for (const OperationalTask& task : tasks_) rowsOf[task.priority] += task.numRows();
  std::vector<int> rows;
  std::map<int, int> levelOf;
  if (haveContactLevel_) rows.push_back(contactRows);
  for (const auto& [priority, count] : rowsOf) {
    levelOf[priority] = static_cast<int>(rows.size());
    rows.push_back(count);
  }
  rows.push_back(dynamics_->numCoordinates());
  hierarchy_.reserve(dynamics_->numVariables(), rows);
  // Several points of a link say nearly the same; none of it may be given up.
  if (haveContactLevel_) hierarchy_.level(0).damped = false;
  work_->A.setZero(6, dynamics_->numVariables());
  levelOfTask_.clear();
  channels_.clear();
  for (const OperationalTask& task : tasks_) {
    levelOfTask_.push_back(levelOf[task.priority]);
    channels_.push_back(task.name + ".error");
  }
  for (const OperationalContact& contact : contacts_) channels_.push_back(contact.name + ".force");
  const int drivers = dynamics_->numDrivers();
  for (int i = 0; i < drivers; ++i) {
    const Driver& driver = robot_->driver(i);
    hierarchy_.lower()[i] = dynamics_->acts(i) ? driver.torqueMin : 0;
    hierarchy_.upper()[i] = dynamics_->acts(i) ? driver.torqueMax : 0;
  }
  hierarchy_.lower().tail(dynamics_->numForces()).setZero();
}

void OperationalSpaceController::update(const ControllerInput& input, double period,
                                        std::span<ActuatorCommand> commands) {
  if (input.estimate == nullptr)
    throw Error("an operational space controller needs an estimate of the robot's state", {},
                "give the controller an estimator, such as estimator: IntegratedStateEstimator");
  const VectorXd &q = input.estimate->q, &dq = input.estimate->dq;
  if (!q.allFinite() || !dq.allFinite()) throw Error("the estimate of the robot's state is not finite");
  dynamics_->update(q, dq, gravity(), settings_->compensateFriction, period);
  for (int k = 0; k < hierarchy_.numLevels(); ++k) hierarchy_.level(k).rows = 0;
  for (const OperationalContact& contact : contacts_)
    addRows(contact, *dynamics_, settings_->contactDamping, *work_, hierarchy_.level(0));
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    addRows(tasks_[i], *dynamics_, q, dq, *work_, hierarchy_.level(levelOfTask_[i]));
  // Whatever nothing else decides on comes to rest.
  TaskLevel& rest = hierarchy_.level(hierarchy_.numLevels() - 1);
  for (; rest.rows < dynamics_->numCoordinates(); ++rest.rows)
    dynamics_->coordinateRow(rest.rows, -settings_->damping * dynamics_->coordinateRate(rest.rows, dq), rest.rows,
                             rest.A, rest.b);
  const int drivers = dynamics_->numDrivers();
  hierarchy_.singularity = settings_->singularity;
  // Faster than the controller's own rate it could not act.
  const double slowing = period > 0 ? std::min(settings_->singularDamping, 0.5 / period) : settings_->singularDamping;
  dynamics_->restTorques(slowing, dq, hierarchy_.reference().head(drivers));
  hierarchy_.scale() = dynamics_->scales();
  hierarchy_.solve();
  for (int i = 0; i < drivers; ++i) {
    ActuatorCommand& command = commands[i];
    command.mode = ActuatorCommand::Mode::torque;
    command.torque = hierarchy_.solution()[i];
    command.position = command.velocity = 0;
  }
  if (settings_->dryFrictionFactor > 0) addDryFriction(dq, period, commands);
  publish();
}

void OperationalSpaceController::addDryFriction(const VectorXd& dq, double period,
                                                std::span<ActuatorCommand> commands) {
  dynamics_->accelerations(hierarchy_.solution(), planned_);
  planned_ = dq + period * planned_;
  for (int i = 0; i < dynamics_->numDrivers(); ++i) {
    const Driver& driver = robot_->driver(i);
    if (driver.dryFriction == 0 || !dynamics_->acts(i)) continue;
    // Never more than friction takes in the simulation or on the robot, so that nothing is driven by it.
    const double direction = std::clamp(driverVelocity(*robot_, i, planned_) / kCreep, -1.0, 1.0);
    commands[i].torque = std::clamp(commands[i].torque + settings_->dryFrictionFactor * driver.dryFriction * direction,
                                    hierarchy_.lower()[i], hierarchy_.upper()[i]);
  }
}

void OperationalSpaceController::publish() {
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    host_.publish(channels_[i], std::span<const double>(tasks_[i].error.data(), tasks_[i].error.size()));
  int support = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Vector3d force = Vector3d::Zero();
    for (std::size_t k = 0; k < contacts_[c].points.size(); ++k)
      force += dynamics_->supportForce(support++, hierarchy_.solution());
    host_.publish(channels_[tasks_.size() + c], std::span<const double>(force.data(), 3));
  }
}

OperationalTask& OperationalSpaceController::taskOf(const Value& arguments) {
  const std::string name = nameIn(arguments, "task");
  std::vector<std::string> names;
  for (OperationalTask& task : tasks_) {
    if (task.name == name) return task;
    names.push_back(task.name);
  }
  throw Error("there is no task '" + name + "'", arguments.position(), suggestFrom(name, names));
}

void OperationalSpaceController::addContact(const Value& arguments) {
  OperationalContact contact = contactFromSetting(arguments, *robot_, "add_contact");
  for (const OperationalContact& other : contacts_)
    if (other.name == contact.name)
      throw Error("there is a contact '" + contact.name + "' already", arguments.position(), "give it a name");
  refuseTooMany(contacts_, contact, arguments.position());
  contacts_.push_back(std::move(contact));
  arrange();
}

void OperationalSpaceController::removeContact(const Value& arguments) {
  const std::string name = nameIn(arguments, "contact");
  std::vector<std::string> names;
  for (const OperationalContact& contact : contacts_) names.push_back(contact.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error("there is no contact '" + name + "'", arguments.position(), suggestFrom(name, names));
  }
  contacts_.erase(contacts_.begin() + (found - names.begin()));
  arrange();
}

bool OperationalSpaceController::command(std::string_view name, const Value& given) {
  if (name == "set_target" || name == "set_gains") {
    OperationalTask& task = taskOf(given);
    const Value arguments = withTaskKeys(task, given);
    const bool gains = name == "set_gains";
    std::vector<std::string> keys = changeableKeys(task, gains);
    keys.insert(keys.begin(), "task");
    refuseOthers(arguments, keys);
    requireAny(name, arguments, keys);
    const int priority = task.priority;
    if (gains)
      changeTask(task, arguments);
    else
      setTarget(task, arguments);
    if (task.priority != priority) arrange();
  } else if (name == "enable" || name == "disable") {
    taskOf(given).enabled = name == "enable";
  } else if (name == "add_contact") {
    addContact(given);
  } else if (name == "remove_contact") {
    removeContact(given);
  } else {
    return false;
  }
  return true;
}

std::vector<std::pair<std::string, std::string>> OperationalSpaceController::commands() const {
  return {
      {"set_target",
       "{task: NAME, position: [...], orientation: [...], velocity: [...], acceleration: [...], angular_velocity: "
       "[...], "
       "angular_acceleration: [...]} or, of a torque task, {task: NAME, torque: [...]}: positions that are left out "
       "stay, "
       "velocities and accelerations become 0"},
      {"set_gains", "{task: NAME, kP: 1/s^2, kD: 1/s, weight: w, priority: n}: those that are given"},
      {"enable", "{task: NAME}: the task counts again"},
      {"disable", "{task: NAME}: the task no longer counts"},
      {"add_contact",
       "{link: NAME, points: [[x, y, z], ...], normal: [x, y, z], friction: mu, name: NAME}: the link "
       "stands on something from now on"},
      {"remove_contact", "{contact: NAME}: it no longer does"}};
}

Value OperationalSpaceController::settings() const {
  Value map = settings_.values();
  const Vector3d g = gravity();
  map.set("gravity", Value(std::vector<double>{g.x(), g.y(), g.z()}));
  for (const char* onlyAtStart : {"tasks", "file"}) map.erase(onlyAtStart);
  Value contacts = Value::list();
  for (const OperationalTask& task : tasks_) {
    const Value entries = taskToValue(task);
    for (const Value::Entry& entry : entries.entries())
      if (entry.key != "name") map.set(task.name + "." + entry.key, entry.value);
  }
  for (const OperationalContact& contact : contacts_) contacts.push_back(contactToValue(contact, *robot_));
  map.set("contacts", contacts);
  return map;
}

bool OperationalSpaceController::hasSetting(std::string_view name) const {
  return settings_.has(name) || settings().contains(name);
}

bool OperationalSpaceController::changeSetting(std::string_view name, const Value& value) {
  const int edges = settings_->frictionEdges;
  if (settings_.change(name, value)) {
    if (settings_->frictionEdges != edges) arrange();
    return true;
  }
  // TASK.KEY
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  std::string key(name.substr(dot + 1));
  const auto task = std::find_if(tasks_.begin(), tasks_.end(),
                                 [&](const OperationalTask& t) { return t.name == name.substr(0, dot); });
  if (task == tasks_.end()) return false;
  const Schema schema = schemaOf<TaskSettings>(*task);
  const Parameter* parameter = schema.find(key);
  if (parameter == nullptr || !parameter->options.changeable) return false;
  key = parameter->name;
  if (key == "enabled") return command(value.asBool() ? "enable" : "disable", Value(task->name));
  Value arguments = Value::map();
  arguments.setPosition(value.position());
  arguments.set("task", task->name);
  arguments.set(key, value);
  return command(isGain(key) ? "set_gains" : "set_target", arguments);
}

void OperationalSpaceController::save(ByteWriter& out) const {
  settings_.save(out);
  for (const OperationalTask& task : tasks_) saveTask(task, out);
  saveContacts(contacts_, out);
  // Where the solver starts from changes its last digits.
  out.put(std::span<const double>(hierarchy_.solution().data(), hierarchy_.solution().size()));
  for (const AtLimit at : hierarchy_.startLimits()) out.put(static_cast<std::int8_t>(at));
}

void OperationalSpaceController::restore(ByteReader& in) {
  const OperationalSpaceSettings before = *settings_;
  settings_.restore(in);
  try {
    restoreTasks(in);
  } catch (...) {
    settings_.edit() = before;
    throw;
  }
}

void OperationalSpaceController::restoreTasks(ByteReader& in) {
  std::vector<OperationalTask> tasks = tasks_;
  for (OperationalTask& task : tasks) restoreTask(task, in);
  std::vector<OperationalContact> contacts = restoreContacts(*robot_, in);
  // Nothing changes before all of it is known to be whole.
  std::uint64_t variables = static_cast<std::uint64_t>(dynamics_->numDrivers());
  for (const OperationalContact& contact : contacts)
    variables += contact.points.size() * static_cast<std::size_t>(contact.friction > 0 ? settings_->frictionEdges : 1);
  ByteReader ahead = in;
  if (ahead.get<std::uint64_t>() != variables)
    throw Error("the snapshot of the controller is of another robot, or damaged");
  for (std::uint64_t i = 0; i < variables; ++i) finiteReal(ahead);
  for (std::uint64_t i = 0; i < variables; ++i)
    if (const auto number = ahead.get<std::int8_t>(); number < -1 || number > 1)
      throw Error("the snapshot of the controller's torques is damaged");
  tasks_ = std::move(tasks);
  contacts_ = std::move(contacts);
  arrange();
  in.get(std::span<double>(hierarchy_.start().data(), hierarchy_.start().size()));
  for (AtLimit& at : hierarchy_.startLimits()) at = static_cast<AtLimit>(in.get<std::int8_t>());
}

}  // namespace mortise::controllers
