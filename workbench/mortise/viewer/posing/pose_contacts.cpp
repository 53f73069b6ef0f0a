// What pages do with contacts of a posed robot: pick them, and see what they bear.

#include <algorithm>
#include <array>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/inspect/values.h"
#include "mortise/mechanics/balance.h"
#include "mortise/mechanics/contact_torques.h"
#include "mortise/viewer/posing/hold_edit.h"
#include "mortise/viewer/posing/message_fields.h"
#include "mortise/viewer/posing/pose_session.h"

namespace mortise::viewer {

namespace {

constexpr double kFriction = 0.5;  ///< Of contacts that are picked, as RobotPose has it.

/// The largest share of each driver's links, null where none has a limit.
Value driverShares(const Robot& robot, const VectorXd& shares) {
  Value list = Value::list();
  for (int d = 0; d < robot.numDrivers(); ++d) {
    double largest = -1;
    for (const int link : robot.driver(d).links)
      if (std::isfinite(shares[link])) largest = std::max(largest, shares[link]);
    list.push_back(largest < 0 ? Value() : Value(largest));
  }
  return list;
}

/// Torques at rest, with the contact forces that ask least of the motors; {balanced: false} where no forces exist.
Value torquesAtRest(RobotDynamics& dynamics, const std::vector<LinkContact>& contacts, const Vector3d& gravity_W) {
  const Robot& robot = dynamics.robot();
  VectorXd bias(robot.numLinks());
  dynamics.gravityForces(gravity_W, bias);
  const ContactTorques torques = solveContactTorques(dynamics, contacts, bias, {.limits = torqueLimits(robot)});
  Value value = Value::map();
  value.set("balanced", torques.balanced);
  if (!torques.balanced) return value;
  value.set("within_limits", torques.withinLimits);
  value.set("shares", driverShares(robot, torques.shares));
  if (torques.largestLink >= 0) {
    value.set("largest_share", torques.largestShare);
    value.set("largest_link", robot.link(torques.largestLink).name);
  }
  return value;
}

/// Of a click: what a ray meets, or the face there. Of a patch: what four rays have between them.
PickedSurface surfaceFrom(const Value& message, Poser& poser) {
  const Vector3d origin = pointFrom(message, "origin");
  if (!origin.allFinite()) throw Error("a ray takes an origin of finite numbers");
  if (const Value* patch = message.find("patch")) {
    if (!patch->isList() || patch->size() != 4) throw Error("'patch' takes four directions");
    std::array<Vector3d, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<double> v = (*patch)[i].asReals();
      if (v.size() != 3 || !Vector3d(v.data()).allFinite())
        throw Error("'patch' takes four directions of three finite numbers");
      corners[i] = Vector3d(v.data());
    }
    return poser.pickPatch(origin, corners, static_cast<int>(indexFrom(message, "id")));
  }
  const Ray ray{origin, pointFrom(message, "direction")};
  if (!ray.direction.allFinite() || ray.direction.isZero())
    throw Error("a ray takes a direction of finite numbers that are not all 0");
  return poser.pick(ray, message.boolean("face", false), static_cast<int>(message.integer("id", -1)));
}

}  // namespace

void PoseSession::onContact(const Value& message, Value& result) {
  const int robot = robotOf(message);
  const Robot& model = *modelOf(robot);
  const PickedSurface surface = surfaceFrom(message, poser_);
  const int first = poser_.world().linkId(robot, 0);
  int link = surface.id - first;
  const bool own = link >= 0 && link < model.numLinks();
  if (!own) link = static_cast<int>(message.integer("link", -1));
  if (link < 0)
    throw Error("no link is selected that could touch " + poser_.world().nameOf(surface.id), {},
                "select the link that is held, or pick a point on a link");
  const double friction = message.real("friction", kFriction);
  if (!std::isfinite(friction) || friction < 0) throw Error("'friction' takes a number that is not below 0");
  std::vector<ContactPoint> contacts;
  // Normals point into the link.
  for (std::size_t i = 0; i < surface.points_W.size(); ++i)
    contacts.push_back({surface.points_W[i], (own ? -1 : 1) * surface.normals_W[i], friction});
  const IKGoal goal = poseGoal(link, poser_.linkPose(robot, link));
  if (message.contains("resource")) {
    const std::size_t at = indexFrom(message, "resource");
    const ResourceItem item = poser_.resource(at);
    poser_.replace(at, {item.name, "", withContacts(item.value, link, contacts, goal)});
    return;
  }
  Hold hold;
  hold.link = link;
  poser_.add({poser_.freeName("hold"), "", withContacts(hold, link, contacts, goal)});
  result.set("added", static_cast<std::int64_t>(poser_.document().resources.size()) - 1);
}

void PoseSession::onContactErase(const Value& message, Value&) {
  const std::size_t at = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(at);
  poser_.replace(
      at, {item.name, "", withoutContact(item.value, indexFrom(message, "hold"), indexFrom(message, "contact"))});
}

void PoseSession::onClean(const Value& message, Value& result) {
  const std::size_t at = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(at);
  ContactCleaning options;
  options.distance = message.real("distance", options.distance);
  options.normal = message.real("normal", options.normal);
  const auto count = [](const Resource& resource) {
    std::size_t sum = 0;
    for (const Hold& hold : holdsOf(resource)) sum += hold.contacts.size();
    return std::to_string(sum);
  };
  Resource clean = withCleanContacts(item.value, options);
  result.set("text", count(clean) + " of " + count(item.value) + " contacts are left");
  poser_.replace(at, {item.name, "", std::move(clean)});
}

void PoseSession::onFriction(const Value& message, Value&) {
  const std::size_t at = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(at);
  poser_.replace(at, {item.name, "", withFriction(item.value, message.at("value").asReal())});
}

void PoseSession::onTouch(const Value& message, Value&) { poser_.setTouch(message.at("distance").asReal()); }

/// Whether the robot stands on what it touches, or on the contacts of a hold or stance: the polygon that its center of
/// mass must be over, and the torques that its motors need.
void PoseSession::onBalance(const Value& message, Value& result) {
  const int robot = robotOf(message);
  const Robot& model = *modelOf(robot);
  const PoseDocument& document = poser_.document();
  std::vector<LinkContact> contacts;
  std::vector<Hold> holds;
  // Beside another message it is `held`, which may be gone by now.
  if (message.at("type").asString() == "balance") {
    if (message.contains("resource")) holds = holdsOf(poser_.resource(indexFrom(message, "resource")).value);
  } else if (message.contains("held")) {
    const std::size_t held = indexFrom(message, "held");
    if (held < document.resources.size()) holds = holdsOf(document.resources[held]->value);
  }
  for (const Hold& hold : holds)
    for (const ContactPoint& point : hold.contacts) contacts.push_back({hold.link, point});
  if (holds.empty()) contacts = poser_.contacts(robot);
  requireLinkContacts(model, contacts);
  RobotDynamics dynamics(modelOf(robot));
  dynamics.setPosition(document.q[static_cast<std::size_t>(robot)]);
  BalanceOptions options;
  options.gravity_W = poser_.world().simulation.gravity;
  Value balance = balanceValue(testBalance(dynamics, contacts, options));
  Value points = Value::list();
  for (const LinkContact& contact : contacts) points.push_back(inspect::list(contact.point.p_WC));
  balance.set("points", std::move(points));
  balance.set("fixed", model.floatingBaseLink() < 0);
  balance.set("torques", torquesAtRest(dynamics, contacts, options.gravity_W));
  balance.set("touch", poser_.touch());
  result.set("balance", std::move(balance));
}

}  // namespace mortise::viewer
