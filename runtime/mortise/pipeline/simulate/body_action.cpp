#include "mortise/pipeline/simulate/body_action.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/loading/body_reference.h"
#include "mortise/loading/robot_reference.h"
#include "mortise/model/robot_state.h"
#include "mortise/simulation/scene/scene_builder.h"

namespace mortise {

void BodyKeys::bind(SettingBinder& b) {
  b.add("body", body,
        "What is acted on from outside: an object, a link such as arm[elbow], or a robot's floating base.");
  b.add("force", force, "Force on the body, at 'point', for as long as 'for' and 'while' say.", {.unit = "N"});
  b.add("torque", torque, "Torque on the body, like 'force'.", {.unit = "N*m"});
  b.add("impulse", impulse, "Change of momentum, at 'point', in the step of the time.", {.unit = "N*s"});
  b.add("angular_impulse", angularImpulse, "Change of angular momentum in the step of the time.", {.unit = "N*m*s"});
  b.add("velocity", velocity, "Velocity that the body's origin gets, or keeps for as long as 'for' and 'while' say.",
        {.unit = "m/s"});
  b.add("angular_velocity", angularVelocity, "Angular velocity, like 'velocity'.", {.unit = "rad/s"});
  b.add("joint_velocity", jointVelocity, "Velocity of the joint that moves a link (rad/s or m/s), like 'velocity'.");
  b.add("point", point, "Where the force or impulse acts, in the body's frame; by default its center of mass.",
        {.unit = "m"});
  b.choice("axes", bodyAxes, {{"world", false}, {"body", true}}, "Axes of the vectors.");
  b.add("for", duration, "How long.", {.min = 0, .max = 1e9, .unit = "s"});
  b.add("while", condition, "Condition over the robot's sensors while which it acts: \"wrist.force_z > 5\".");
}

bool BodyKeys::any() const {
  return force || torque || impulse || angularImpulse || velocity || angularVelocity || jointVelocity || point ||
         bodyAxes || duration || !condition.isNull();
}

namespace {

using NamedVector = std::pair<const char*, const std::optional<Vector3d>&>;

std::vector<NamedVector> vectorsOf(const BodyKeys& keys) {
  return {{"force", keys.force},       {"torque", keys.torque},
          {"impulse", keys.impulse},   {"angular_impulse", keys.angularImpulse},
          {"velocity", keys.velocity}, {"angular_velocity", keys.angularVelocity},
          {"point", keys.point}};
}

/// Returns the link whose velocity the body has as a floating base; -1: it is none.
int baseLink(const World& world, int id) {
  const World::Entity entity = world.entity(id);
  if (entity.kind != World::Kind::robot && entity.kind != World::Kind::link) return -1;
  const int base = world.robots[static_cast<std::size_t>(entity.index)].robot->floatingBaseLink();
  return entity.kind == World::Kind::robot || entity.link == base ? base : -1;
}

constexpr const char* kBodyForms =
    "write {at: 1 s, body: NAME, force: [1, 0, 0], for: 0.5 s}, {at: 1 s, body: NAME, impulse: [1, 0, 0]} or {at: 1 s, "
    "body: NAME, velocity: [1, 0, 0]}";

/// Checks what an entry says of itself, whatever the body is.
void checkForm(const BodyKeys& keys, const Value& item) {
  const auto placeOf = [&](const char* key) {
    const Value* value = item.find(key);
    return value != nullptr && value->position().known() ? value->position() : item.position();
  };
  const bool forces = keys.force || keys.torque, impulses = keys.impulse || keys.angularImpulse;
  const bool velocities = keys.velocity || keys.angularVelocity || keys.jointVelocity;
  if ((forces ? 1 : 0) + (impulses ? 1 : 0) + (velocities ? 1 : 0) != 1)
    throw Error("an entry of 'commands' that acts on a body gives it forces, impulses or velocities, one of the three",
                item.position(), kBodyForms);
  if (keys.jointVelocity && (keys.velocity || keys.angularVelocity))
    throw Error("'joint_velocity' excludes 'velocity' and 'angular_velocity'", placeOf("joint_velocity"),
                "keep one of them");
  if (forces && !keys.duration && keys.condition.isNull())
    throw Error("a force or torque needs 'for' or 'while': how long it acts", item.position(), kBodyForms);
  if (impulses && (keys.duration || !keys.condition.isNull()))
    throw Error("an impulse acts in one step: it takes neither 'for' nor 'while'",
                placeOf(keys.duration ? "for" : "while"), "give a force for what lasts");
  if (keys.duration && !(*keys.duration > 0))
    throw Error("'for' must be above 0 s", placeOf("for"), "leave the entry out where nothing is to act");
  if (keys.point && !keys.force && !keys.impulse)
    throw Error("'point' says where a force or an impulse acts, and there is none", placeOf("point"), kBodyForms);
  if (keys.bodyAxes && keys.jointVelocity)
    throw Error("'joint_velocity' has no axes: it is about or along the joint's own", placeOf("axes"),
                "leave 'axes' out");
}

/// Throws `Error` for what this body cannot be given.
void checkBody(const BodyAction& action, const World& world, const SourcePosition& where) {
  const BodyKeys& keys = action.keys;
  const World::Entity entity = world.entity(action.id);
  const std::string name = "'" + world.nameOf(action.id) + "'";
  if (entity.kind == World::Kind::terrain) throw Error(name + " is a terrain, which never moves", where);
  const int base = baseLink(world, action.id);
  if (entity.kind == World::Kind::robot && base < 0) {
    const Robot& robot = *world.robots[static_cast<std::size_t>(entity.index)].robot;
    throw Error("robot " + name + " has no floating base", where,
                robot.numLinks() == 0 ? std::string()
                                      : "name one of its links: " + world.nameOf(world.linkId(entity.index, 0)));
  }
  if ((keys.velocity || keys.angularVelocity) && entity.kind == World::Kind::link && base < 0)
    throw Error("the link " + name + " moves as the joints below it do, and takes no velocity of its own", where,
                "give it a 'joint_velocity'");
  if (keys.jointVelocity && (entity.kind != World::Kind::link || base >= 0))
    throw Error(name + " has no joint of its own: 'joint_velocity' is for links", where, "give it a 'velocity'");
}

}  // namespace

BodyAction bodyActionFrom(const BodyKeys& keys, double at, const Value& robot, const Value& item, const World& world) {
  BodyAction action;
  action.keys = keys;
  if (keys.body.isNull()) throw Error("an entry of 'commands' does not say on which 'body' it acts", item.position());
  checkForm(keys, item);
  const SourcePosition where = keys.body.position().known() ? keys.body.position() : item.position();
  try {
    action.id = findBody(world, keys.body);
  } catch (const Error& error) {
    throw Error(error.message(), where, error.hint());
  }
  checkBody(action, world, where);
  const World::Entity entity = world.entity(action.id);
  if (entity.kind == World::Kind::robot || entity.kind == World::Kind::link) action.robot = entity.index;
  if (!robot.isNull() && keys.condition.isNull())
    throw Error("'robot' says whose sensors a condition reads, and there is no 'while'", robot.position(),
                "leave 'robot' out");
  if (!robot.isNull())
    action.robot = findRobot(world, robot);
  else if (action.robot < 0 && world.robots.size() == 1)
    action.robot = 0;
  action.from = at;
  action.until = keys.duration ? at + *keys.duration : std::numeric_limits<double>::infinity();
  if (!keys.condition.isNull()) {
    if (!keys.condition.isScalar())
      throw Error("'while' is no condition", keys.condition.position(), "write \"sensor.channel > 0.5\"");
    action.condition.emplace(keys.condition);
  }
  return action;
}

std::string BodyAction::text(const World& world) const {
  std::string out = world.nameOf(id) + ":";
  for (const auto& [name, vector] : vectorsOf(keys)) {
    if (!vector) continue;
    out += std::string(" ") + name + " [";
    for (int i = 0; i < 3; ++i) out += (i > 0 ? ", " : "") + formatReal((*vector)[i]);
    out += "]";
  }
  if (keys.jointVelocity) out += " joint_velocity " + formatReal(*keys.jointVelocity);
  if (keys.bodyAxes) out += " axes body";
  if (keys.duration) out += " for " + formatReal(*keys.duration) + " s";
  if (condition) out += " while " + condition->text();
  return out;
}

Value BodyAction::record(const World& world) const {
  Value out = Value::map();
  // An id where a name would not say which.
  int namesakes = 0;
  for (int i = 0; i < world.numIds(); ++i) namesakes += world.nameOf(i) == world.nameOf(id) ? 1 : 0;
  out.set("body", namesakes == 1 ? Value(world.nameOf(id)) : Value(id));
  for (const auto& [name, vector] : vectorsOf(keys))
    if (vector) out.set(name, std::vector<double>(vector->begin(), vector->end()));
  if (keys.jointVelocity) out.set("joint_velocity", *keys.jointVelocity);
  if (keys.bodyAxes) out.set("axes", "body");
  if (keys.duration) out.set("for", *keys.duration);
  if (condition) out.set("while", condition->text());
  if (condition && robot >= 0) out.set("robot", world.robotId(robot));
  return out;
}

void requirePossible(const BodyAction& action, Simulation& simulation) {
  const Value settings = simulation.effectiveSettings();
  if (const Value* dynamics = settings.find("dynamics"); dynamics != nullptr && !dynamics->asBool())
    throw Error("backend '" + simulation.backend() + "' has no dynamics: forces, impulses and velocities do nothing",
                {}, "choose a backend with the capability dynamics");
  const World& world = simulation.world();
  const World::Entity entity = world.entity(action.id);
  if (action.keys.jointVelocity) {
    const RobotScene& place = simulation.sceneMap().robots[static_cast<std::size_t>(entity.index)];
    if (place.links[static_cast<std::size_t>(entity.link)].joint < 0)
      throw Error("the joint of '" + world.nameOf(action.id) + "' does not move", {}, "name a link that does");
  }
  if (!action.condition) return;
  SensorCondition condition = *action.condition;
  condition.resolve(action.robot >= 0 ? simulation.sensorReadings(action.robot) : std::span<const SensorReading>());
}

namespace {

/// Returns the id of the thing that moves with a body: a robot for the base of it.
int movedBody(const World& world, int id) {
  const World::Entity entity = world.entity(id);
  return baseLink(world, id) < 0 ? id : world.robotId(entity.index);
}

/// s: times that people write as decimals meet within this.
constexpr double kSameTime = 1e-9;

}  // namespace

std::string sharedVelocity(const BodyAction& a, const BodyAction& b, const World& world) {
  if (movedBody(world, a.id) != movedBody(world, b.id)) return {};
  if (a.keys.velocity && b.keys.velocity) return "velocity";
  if (a.keys.angularVelocity && b.keys.angularVelocity) return "angular_velocity";
  return a.keys.jointVelocity && b.keys.jointVelocity ? "joint_velocity" : "";
}

bool timesOverlap(const BodyAction& a, const BodyAction& b) {
  if (a.atOnce() && b.atOnce()) return std::abs(a.from - b.from) <= kSameTime;
  if (a.atOnce()) return a.from >= b.from - kSameTime && a.from < b.until - kSameTime;
  if (b.atOnce()) return timesOverlap(b, a);
  return std::max(a.from, b.from) < std::min(a.until, b.until) - kSameTime;
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps

void StepRows::dropFrom(std::int64_t tick) {
  while (!rows_.empty() && rows_.back().first >= tick) rows_.pop_back();
  if (!rows_.empty()) rows_.back().second = std::min(rows_.back().second, tick - 1);
}

void StepRows::add(std::int64_t tick, double time, double h) {
  if (rows_.empty()) firstTime_ = time;
  if (rows_.empty() || rows_.back().second != tick - 1)
    rows_.emplace_back(tick, tick);
  else
    rows_.back().second = tick;
  lastTime_ = time + h;
}

std::int64_t StepRows::before(std::int64_t tick) const {
  std::int64_t steps = 0;
  for (const auto& [first, last] : rows_)
    if (first < tick) steps += std::min(last, tick - 1) - first + 1;
  return steps;
}

void BodyActions::add(std::size_t command, std::shared_ptr<const BodyAction> action) {
  Entry entry;
  entry.command = command;
  entry.action = std::move(action);
  actions_.push_back(std::move(entry));
}

void BodyActions::allowStep(const std::shared_ptr<BodyActions>& actions, Simulation& simulation) {
  if (actions->empty()) return;
  if (actions->hooked_ != &simulation) {
    actions->hooked_ = &simulation;
    actions->findRivals(simulation.initialWorld());
    for (Entry& entry : actions->actions_) {
      entry.condition = entry.action->condition;
      const int robot = entry.action->robot;
      if (entry.condition)
        entry.condition->resolve(robot >= 0 ? simulation.sensorReadings(robot) : std::span<const SensorReading>());
    }
    simulation.addHookBefore([actions](Simulation& running) { actions->beforeStep(running); });
  }
  actions->allowed_ = simulation.tick();
}

/// Returns the size of the next step as `stepsIn` counts: the rest of a run is a step of its own, and less than a
/// thousandth of one makes the last longer.
double BodyActions::stepSize(const Simulation& simulation) const {
  const double rest = end_ - simulation.time(), step = simulation.timeStep();
  return rest < 1.001 * step && rest > 1e-9 * step ? rest : step;
}

void BodyActions::beforeStep(Simulation& simulation) {
  if (allowed_ != simulation.tick()) return;
  allowed_ = -1;
  fault_.clear();
  const double time = simulation.time() - start_, h = stepSize(simulation);
  for (Entry& entry : actions_) {
    entry.on.dropFrom(simulation.tick());
    entry.replaced.dropFrom(simulation.tick());
    entry.acts = false;
    try {
      const double part = fraction(entry, simulation, time, h);
      if (!(part > 0)) continue;
      act(*entry.action, simulation, part, h);
    } catch (const std::exception& error) {
      fault_ = "'" + entry.action->text(simulation.initialWorld()) + "': " + error.what();
      continue;
    }
    entry.on.add(simulation.tick(), time, h);
    entry.acts = true;
  }
  for (const auto& [first, second] : rivals_) {
    if (!actions_[first].acts || !actions_[second].acts) continue;
    Entry& loser = actions_[first];
    if (loser.replaced.empty()) loser.replacedBy = static_cast<int>(second);
    // More than two may meet in a step.
    loser.replaced.dropFrom(simulation.tick());
    loser.replaced.add(simulation.tick(), time, h);
  }
}

/// Finds the pairs that may give a body two velocities in one step. Of two that follow each other within a step, the
/// second holds from there on, as it is asked to; one that acts at once would be without any effect.
void BodyActions::findRivals(const World& world) {
  rivals_.clear();
  for (std::size_t i = 0; i < actions_.size(); ++i)
    for (std::size_t j = i + 1; j < actions_.size(); ++j) {
      const BodyAction &a = *actions_[i].action, &b = *actions_[j].action;
      if ((a.atOnce() || timesOverlap(a, b)) && !sharedVelocity(a, b, world).empty()) rivals_.emplace_back(i, j);
    }
}

double BodyActions::fraction(const Entry& entry, const Simulation& simulation, double time, double h) {
  const BodyAction& action = *entry.action;
  // Times are sums of steps.
  const double rounding = 1e-6 * h;
  if (action.atOnce()) return action.from > time + h - rounding || action.from < time - rounding ? 0 : 1;
  // An action shorter than a step acts whole in the step that it begins in: no part of it is lost between two.
  const bool brief = action.keys.duration && *action.keys.duration < simulation.timeStep() - rounding;
  const bool begins = action.from < time + h - rounding && action.from >= time - rounding;
  const double overlap = std::min(time + h, action.until) - std::max(time, action.from);
  if (brief ? !begins : overlap <= rounding) return 0;
  if (entry.condition) {
    const std::span<const SensorReading> sensors =
        action.robot >= 0 ? simulation.sensorReadings(action.robot) : std::span<const SensorReading>();
    // A difference of sums of steps is a little beside the number that people write.
    constexpr double kDigits = 1e12;
    if (!entry.condition->holds(sensors, std::round(time * kDigits) / kDigits)) return 0;
  }
  if (brief) return *action.keys.duration / h;
  return overlap >= h - rounding ? 1 : overlap / h;
}

namespace {

/// Place of a body: its frame, and its center of mass in it.
struct Place {
  RigidTransform X_W;
  Vector3d com = Vector3d::Zero();
};

Place placeOf(Simulation& simulation, int id) {
  const World& world = simulation.world();
  const World::Entity entity = world.entity(id);
  const auto index = static_cast<std::size_t>(entity.index);
  if (entity.kind == World::Kind::object)
    return {simulation.objectState(entity.index).X_WB, world.objects[index].inertia.com};
  const int link = entity.kind == World::Kind::robot ? baseLink(world, id) : entity.link;
  const SimulationView view = simulation.view();
  return {view.robots[index].state->X_WL[static_cast<std::size_t>(link)],
          world.robots[index].robot->link(link).inertia.com};
}

void setVelocity(const BodyAction& action, int id, Simulation& simulation, const Matrix3d& axes) {
  const World& world = simulation.world();
  const BodyKeys& keys = action.keys;
  const World::Entity entity = world.entity(id);
  if (entity.kind == World::Kind::object) {
    BodyState state = simulation.objectState(entity.index);
    if (keys.velocity) state.v_WB = axes * *keys.velocity;
    if (keys.angularVelocity) state.w_WB = axes * *keys.angularVelocity;
    simulation.setObjectState(entity.index, state);
    return;
  }
  const VectorXd q = simulation.configuration(entity.index);
  VectorXd dq = simulation.velocity(entity.index);
  if (keys.jointVelocity) {
    dq[entity.link] = *keys.jointVelocity;
  } else {
    const int base = baseLink(world, id);
    const auto index = static_cast<std::size_t>(entity.index);
    const LinkTwist twist = simulation.view().robots[index].twists[static_cast<std::size_t>(base)];
    setFloatingBaseVelocity(*world.robots[index].robot, keys.velocity ? Vector3d(axes * *keys.velocity) : twist.v_WL,
                            keys.angularVelocity ? Vector3d(axes * *keys.angularVelocity) : twist.w_WL, q, dq);
  }
  simulation.setRobotState(entity.index, q, dq);
}

}  // namespace

void BodyActions::act(const BodyAction& action, Simulation& simulation, double fraction, double h) {
  const BodyKeys& keys = action.keys;
  const int id = simulation.currentId(action.id);
  if (id < 0) throw Error("its body was removed", {}, "let it end before that");
  const Place place = placeOf(simulation, id);
  const Matrix3d axes = keys.bodyAxes ? place.X_W.R : Matrix3d(Matrix3d::Identity());
  const bool impulse = keys.impulse || keys.angularImpulse;
  if (!impulse && !keys.force && !keys.torque) {
    setVelocity(action, id, simulation, axes);
    return;
  }
  const double factor = impulse ? 1 / h : fraction;
  const std::optional<Vector3d>&linear = impulse ? keys.impulse : keys.force,
        &angular = impulse ? keys.angularImpulse : keys.torque;
  const Vector3d force = factor * (axes * linear.value_or(Vector3d::Zero()));
  const Vector3d torque = factor * (axes * angular.value_or(Vector3d::Zero()));
  simulation.applyWrench(id, force, torque, place.X_W * keys.point.value_or(place.com));
}

void BodyActions::addEffect(std::size_t command, const Simulation& simulation, Value& record) const {
  for (const Entry& entry : actions_) {
    if (entry.command != command) continue;
    const std::int64_t steps = entry.on.before(simulation.tick());
    record.set("steps", steps);
    if (steps == 0) continue;
    record.set("from", start_ + entry.on.firstTime());
    record.set("to", start_ + entry.on.lastTime());
    const std::int64_t lost = entry.replaced.before(simulation.tick());
    if (lost == 0) continue;
    record.set("replaced_steps", lost);
    record.set("replaced_by",
               actions_[static_cast<std::size_t>(entry.replacedBy)].action->text(simulation.initialWorld()));
  }
}

std::vector<std::string> BodyActions::idle(const World& world) const {
  std::vector<std::string> texts;
  for (const Entry& entry : actions_)
    if (entry.on.empty() && entry.action->condition) texts.push_back(entry.action->text(world));
  return texts;
}

void BodyActions::warnOfReplaced(const World& world, LogSink& log) {
  for (Entry& entry : actions_) {
    if (entry.said || entry.replaced.empty()) continue;
    entry.said = true;
    log.write(LogLevel::warning, "simulation",
              "'" + entry.action->text(world) +
                  "' did not hold from t = " + formatReal(start_ + entry.replaced.firstTime(), 6) + " s on: '" +
                  actions_[static_cast<std::size_t>(entry.replacedBy)].action->text(world) +
                  "' gave the same body another velocity in the same steps\n  hint: end one before the other begins");
  }
}

}  // namespace mortise
