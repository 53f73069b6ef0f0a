#include "mortise/viewer/posing/pose_session.h"

#include <Eigen/Geometry>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/viewer/posing/hold_edit.h"
#include "mortise/viewer/posing/message_fields.h"
#include "mortise/viewer/posing/path_edit.h"

namespace mortise::viewer {

namespace {

RigidTransform poseFrom(const Value& message, const char* key) {
  const std::vector<double> v = message.at(key).asReals();
  if (v.size() != 12) throw Error("'" + std::string(key) + "' takes 12 numbers: a rotation by rows and a position");
  RigidTransform X = RigidTransform::fromRows(v.data());
  if (!X.allFinite() || !(std::abs(X.R.determinant() - 1) < 1e-3)) throw Error("'" + std::string(key) + "' is no pose");
  // What comes through a page is single precision.
  Eigen::Quaterniond q(X.R);
  X.R = q.normalized().toRotationMatrix();
  return X;
}

Value describeDriver(const Driver& driver) {
  Value out = Value::map();
  out.set("name", driver.name);
  // Without limits: null.
  out.set("min", std::isfinite(driver.qMin) ? Value(driver.qMin) : Value());
  out.set("max", std::isfinite(driver.qMax) ? Value(driver.qMax) : Value());
  return out;
}

Value holdList(const std::vector<Hold>& holds) {
  Value list = Value::list();
  for (const Hold& hold : holds) {
    Value entry = Value::map(), contacts = Value::list();
    for (const ContactPoint& c : hold.contacts)
      contacts.push_back(
          std::vector<double>{c.p_WC.x(), c.p_WC.y(), c.p_WC.z(), c.n_W.x(), c.n_W.y(), c.n_W.z(), c.friction});
    entry.set("link", hold.link);
    entry.set("contacts", std::move(contacts));
    list.push_back(std::move(entry));
  }
  return list;
}

const char* goalKind(const IKGoal& goal) {
  if (goal.rotation == IKGoal::Rotation::fixed && goal.position == IKGoal::Position::point) return "pose";
  if (goal.rotation == IKGoal::Rotation::free && goal.position == IKGoal::Position::point) return "point";
  return "goal";
}

}  // namespace

PoseSession::PoseSession(std::shared_ptr<const World> world, ResourceLibrary resources, SaveResources save)
    : poser_(std::move(world), std::move(resources)), save_(std::move(save)) {}

ResourceLibrary PoseSession::library() const {
  ResourceLibrary library;
  for (const auto& item : poser_.document().resources) library.items.push_back(*item);
  return library;
}

const std::map<std::string, PoseSession::Handler, std::less<>>& PoseSession::handlers() {
  static const std::map<std::string, Handler, std::less<>> all = {
      {"driver", &PoseSession::onDriver},
      {"drag", &PoseSession::onDrag},
      {"place", &PoseSession::onPlace},
      {"configuration", &PoseSession::onConfiguration},
      {"pin", &PoseSession::onPin},
      {"unpin", &PoseSession::onUnpin},
      {"solve", &PoseSession::onSolve},
      {"store", &PoseSession::onStore},
      {"load", &PoseSession::onLoad},
      {"rename", &PoseSession::onRename},
      {"erase", &PoseSession::onErase},
      {"convert", &PoseSession::onConvert},
      {"path", &PoseSession::onPath},
      {"milestone", &PoseSession::onMilestone},
      {"split", &PoseSession::onSplit},
      {"reverse", &PoseSession::onReverse},
      {"retime", &PoseSession::onRetime},
      {"check", &PoseSession::onCheck},
      {"balance", &PoseSession::onBalance},
      {"touch", &PoseSession::onTouch},
      {"contact", &PoseSession::onContact},
      {"contact_erase", &PoseSession::onContactErase},
      {"discretize", &PoseSession::onDiscretize},
      {"optimize", &PoseSession::onOptimize},
      {"friction", &PoseSession::onFriction},
      {"save", &PoseSession::onSave},
  };
  return all;
}

std::string PoseSession::join(int page) {
  Value robots = Value::list();
  for (const WorldRobot& robot : poser_.world().robots) {
    Value entry = Value::map(), drivers = Value::list();
    for (int d = 0; d < robot.robot->numDrivers(); ++d) drivers.push_back(describeDriver(robot.robot->driver(d)));
    entry.set("name", robot.name);
    entry.set("floating", robot.robot->floatingBaseLink() >= 0);
    entry.set("drivers", std::move(drivers));
    robots.push_back(std::move(entry));
  }
  pages_[page] = {};
  Value result = Value::map();
  result.set("robots", std::move(robots));
  result.set("can_save", static_cast<bool>(save_));
  return state(page, std::move(result));
}

std::string PoseSession::answer(int page, const Value& message) {
  const std::string& type = message.at("type").asString();
  Value result = Value::map();
  if (const Value* number = message.find("n")) result.set("n", *number);
  const std::int64_t gesture = message.integer("gesture", -1);
  if (gesture < 0 || gesture != gesture_) poser_.beginStep();
  gesture_ = gesture;
  try {
    if (type == "undo") {
      poser_.undo();
    } else if (type == "redo") {
      poser_.redo();
    } else {
      const auto found = handlers().find(type);
      if (found == handlers().end()) throw Error("there is no message of type '" + type + "'");
      (this->*found->second)(message, result);
    }
    if (message.boolean("balance", false)) onBalance(message, result);
  } catch (const Error& error) {
    result.set("problem", std::string(error.what()));
  }
  ++version_;
  return state(page, std::move(result));
}

std::optional<ViewPacket> PoseSession::next(int page) {
  if (pages_[page].state == version_) return std::nullopt;
  return ViewPacket{true, state(page, Value::map())};
}

std::string PoseSession::state(int page, Value result) {
  const PoseDocument& document = poser_.document();
  result.set("type", "state");
  Value q = Value::list(), objects = Value::list(), colliding = Value::list(), drivers = Value::list();
  for (std::size_t r = 0; r < document.q.size(); ++r) {
    const Robot& robot = *poser_.world().robots[r].robot;
    q.push_back(inspect::list(document.q[r]));
    std::vector<double> values;
    for (int d = 0; d < robot.numDrivers(); ++d) values.push_back(driverValue(robot, d, document.q[r]));
    drivers.push_back(values);
  }
  for (const RigidTransform& X : document.objects) objects.push_back(inspect::list(X));
  for (const IdPair& pair : poser_.collisions())
    colliding.push_back(std::vector<double>{static_cast<double>(pair.a), static_cast<double>(pair.b)});
  std::vector<double> limits;
  for (const int id : poser_.atLimits()) limits.push_back(id);
  result.set("q", std::move(q));
  result.set("drivers", std::move(drivers));
  result.set("objects", std::move(objects));
  result.set("goals", goalList());
  result.set("collisions", std::move(colliding));
  result.set("limits", limits);
  result.set("touch", poser_.touch());
  result.set("undo", static_cast<std::int64_t>(poser_.undoCount()));
  result.set("redo", static_cast<std::int64_t>(poser_.redoCount()));
  Page& known = pages_[page];
  if (known.resources != poser_.resourceVersion()) result.set("resources", resourceList());
  known = {version_, poser_.resourceVersion()};
  return toJson(result, -1);
}

Value PoseSession::goalList() {
  Value list = Value::list();
  for (const PinnedGoal& pinned : poser_.document().goals) {
    Value entry = Value::map();
    entry.set("robot", pinned.robot);
    entry.set("link", pinned.goal.link);
    entry.set("kind", goalKind(pinned.goal));
    const RigidTransform X_WL = poser_.linkPose(pinned.robot, pinned.goal.link);
    entry.set("at", inspect::list(X_WL * pinned.goal.p_LP));
    const RigidTransform X_WD =
        pinned.goal.destination >= 0 ? poser_.linkPose(pinned.robot, pinned.goal.destination) : RigidTransform();
    entry.set("target", inspect::list(X_WD * pinned.goal.p_DP));
    list.push_back(std::move(entry));
  }
  return list;
}

Value PoseSession::resourceList() const {
  Value list = Value::list();
  for (const auto& item : poser_.document().resources) {
    Value entry = Value::map();
    const FileContent kind = contentOf(item->value);
    entry.set("name", item->name);
    entry.set("kind", contentName(kind));
    entry.set("editable", isEditablePath(item->value));
    if (isEditablePath(item->value)) {
      const Trajectory motion = motionOf(item->value);
      entry.set("milestones", static_cast<std::int64_t>(motion.times.size()));
      entry.set("times", motion.times);
    }
    if (const std::vector<Hold> holds = holdsOf(item->value); !holds.empty()) entry.set("holds", holdList(holds));
    std::vector<std::string> others;
    for (const FileContent other : convertibleKinds(kind))
      if (other != kind) others.emplace_back(contentName(other));
    entry.set("convertible", others);
    list.push_back(std::move(entry));
  }
  return list;
}

int PoseSession::robotOf(const Value& message) const { return static_cast<int>(message.integer("robot", 0)); }

const RobotPtr& PoseSession::modelOf(int robot) const {
  const std::vector<WorldRobot>& robots = poser_.world().robots;
  if (robot < 0 || robot >= static_cast<int>(robots.size())) throw Error("there is no robot " + std::to_string(robot));
  return robots[static_cast<std::size_t>(robot)].robot;
}

void PoseSession::report(const Poser::Outcome& outcome, Value& result) const {
  result.set("solved", outcome.solved);
  result.set("residual", outcome.residual);
}

// ---------------------------------------------------------------------------------------------------------------------
// Poses

void PoseSession::onDriver(const Value& message, Value& result) {
  report(
      poser_.setDriver(robotOf(message), static_cast<int>(indexFrom(message, "driver")), message.at("value").asReal()),
      result);
}

void PoseSession::onDrag(const Value& message, Value& result) {
  report(poser_.drag(robotOf(message), static_cast<int>(indexFrom(message, "link")), pointFrom(message, "point"),
                     pointFrom(message, "target"), message.boolean("base", false)),
         result);
}

void PoseSession::onPlace(const Value& message, Value& result) {
  if (message.contains("object"))
    poser_.placeObject(static_cast<int>(indexFrom(message, "object")), poseFrom(message, "T"));
  else
    report(poser_.placeBase(robotOf(message), poseFrom(message, "T")), result);
}

void PoseSession::onConfiguration(const Value& message, Value&) {
  const std::vector<double> q = message.at("q").asReals();
  poser_.setConfiguration(robotOf(message), Eigen::Map<const VectorXd>(q.data(), static_cast<Eigen::Index>(q.size())));
}

void PoseSession::onPin(const Value& message, Value&) {
  const int robot = robotOf(message), link = static_cast<int>(indexFrom(message, "link"));
  const RigidTransform X_WL = poser_.linkPose(robot, link);
  if (!message.contains("point")) {
    poser_.pin({robot, poseGoal(link, X_WL)});
    return;
  }
  IKGoal goal;
  goal.link = link;
  goal.position = IKGoal::Position::point;
  goal.p_LP = pointFrom(message, "point");
  goal.p_DP = X_WL * goal.p_LP;
  poser_.pin({robot, goal});
}

void PoseSession::onUnpin(const Value& message, Value&) { poser_.unpin(indexFrom(message, "goal")); }

void PoseSession::onSolve(const Value& message, Value& result) { report(poser_.solve(robotOf(message)), result); }

}  // namespace mortise::viewer
