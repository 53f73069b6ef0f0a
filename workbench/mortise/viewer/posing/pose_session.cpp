#include "mortise/viewer/posing/pose_session.h"

#include <cmath>
#include <string_view>

#include "mortise/base/error.h"
#include "mortise/inspect/values.h"
#include "mortise/json/json_writer.h"
#include "mortise/viewer/posing/message_fields.h"

namespace mortise::viewer {

namespace {

/// Without limits: null.
Value describeRange(double min, double max) {
  Value out = Value::map();
  out.set("min", std::isfinite(min) ? Value(min) : Value());
  out.set("max", std::isfinite(max) ? Value(max) : Value());
  return out;
}

Value describeDriver(const Driver& driver) {
  Value out = describeRange(driver.qMin, driver.qMax);
  out.set("name", driver.name);
  return out;
}

Value describeLink(const Link& link) {
  Value out = describeRange(link.qMin, link.qMax);
  out.set("parent", link.parent);
  return out;
}

/// What moves each link: its own driver, or that of the link that it is welded to; -1: none.
Value driversOfLinks(const Robot& robot) {
  std::vector<int> drivers;
  for (int l = 0; l < robot.numLinks(); ++l) {
    const Link& link = robot.link(l);
    const bool welded = link.qMin == link.qMax;
    const int own = robot.driverOfLink(l);
    drivers.push_back(own < 0 && welded && link.parent >= 0 ? drivers[static_cast<std::size_t>(link.parent)] : own);
  }
  return std::vector<double>(drivers.begin(), drivers.end());
}

/// What changes nothing ends no gesture either.
bool isQuestion(std::string_view type) {
  return type == "path" || type == "check" || type == "balance" || type == "mesh" || type == "save";
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
      {"link", &PoseSession::onLink},
      {"drag", &PoseSession::onDrag},
      {"place", &PoseSession::onPlace},
      {"configuration", &PoseSession::onConfiguration},
      {"pin", &PoseSession::onPin},
      {"goal", &PoseSession::onGoal},
      {"unpin", &PoseSession::onUnpin},
      {"solve", &PoseSession::onSolve},
      {"mirror", &PoseSession::onMirror},
      {"store", &PoseSession::onStore},
      {"load", &PoseSession::onLoad},
      {"set", &PoseSession::onSet},
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
      {"clean", &PoseSession::onClean},
      {"fingers", &PoseSession::onFingers},
      {"finger", &PoseSession::onFinger},
      {"simplify", &PoseSession::onSimplify},
      {"mesh", &PoseSession::onMesh},
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
    const int base = poser_.baseLink(static_cast<int>(robots.size()));
    entry.set("base", base < 0 ? "fixed" : base == robot.robot->floatingBaseLink() ? "floating" : "planar");
    entry.set("base_link", base);
    entry.set("drivers", std::move(drivers));
    Value links = Value::list();
    for (const Link& link : robot.robot->links()) links.push_back(describeLink(link));
    entry.set("links", std::move(links));
    entry.set("driver_of_link", driversOfLinks(*robot.robot));
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
  if (!isQuestion(type)) {
    const std::int64_t gesture = message.integer("gesture", -1);
    if (gesture < 0 || gesture != gesture_) poser_.beginStep();
    gesture_ = gesture;
  }
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

void PoseSession::onLink(const Value& message, Value& result) {
  report(poser_.setLink(robotOf(message), static_cast<int>(indexFrom(message, "link")), message.at("value").asReal()),
         result);
}

void PoseSession::onDrag(const Value& message, Value& result) {
  const int robot = robotOf(message), link = static_cast<int>(indexFrom(message, "link"));
  const Vector3d p_LP = pointFrom(message, "point"), target_W = pointFrom(message, "target");
  if (!p_LP.allFinite() || !target_W.allFinite()) throw Error("a point with numbers that are not finite");
  if (message.boolean("hold", false)) poser_.holdPoint(robot, link, p_LP);
  report(poser_.drag(robot, link, p_LP, target_W, message.boolean("base", false)), result);
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

void PoseSession::onMirror(const Value& message, Value&) { poser_.mirror(robotOf(message)); }

}  // namespace mortise::viewer
