// Requests of pages about contacts of a posed robot: pick them, and see what they bear.

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/error.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/balance.h"
#include "mortise/mechanics/contact_torques.h"
#include "mortise/viewer/posing/hold_edit.h"
#include "mortise/viewer/posing/pose_session.h"

namespace mortise::viewer {

namespace {

/// The largest share of each driver's links; not finite where none has a limit.
std::vector<message::FiniteOrNull> driverUtilization(const Robot& robot, const VectorXd& utilization) {
  std::vector<message::FiniteOrNull> list;
  for (int d = 0; d < robot.numDrivers(); ++d) {
    double largest = -1;
    for (const int link : robot.driver(d).links)
      if (std::isfinite(utilization[link])) largest = std::max(largest, utilization[link]);
    list.push_back({largest < 0 ? std::numeric_limits<double>::infinity() : largest});
  }
  return list;
}

/// Torques at rest, with the contact forces that ask least of the motors, where there are such forces.
message::Torques torquesAtRest(RobotDynamics& dynamics, const std::vector<LinkContact>& contacts,
                               const Vector3d& gravity_W) {
  const Robot& robot = dynamics.robot();
  VectorXd bias(robot.numLinks());
  dynamics.gravityForces(gravity_W, bias);
  const ContactTorques torques = solveContactTorques(dynamics, contacts, bias, {.limits = torqueLimits(robot)});
  message::Torques out;
  out.balanced = torques.balanced;
  if (!torques.balanced) return out;
  out.withinLimits = torques.withinLimits;
  out.utilization = driverUtilization(robot, torques.utilization);
  if (torques.largestLink >= 0) {
    out.largestUtilization = torques.largestUtilization;
    out.largestLink = robot.link(torques.largestLink).name;
  }
  return out;
}

message::PosedBalance describe(const mortise::Balance& tested) {
  const SupportPolygon& region = tested.polygon;
  message::PosedBalance out;
  out.balanced = tested.balanced;
  out.margin = {tested.margin};
  for (const Eigen::Vector2d& corner : region.corners()) out.polygon.push_back({corner.x(), corner.y()});
  for (const Eigen::Vector2d& ray : region.rays()) out.rays.push_back({ray.x(), ray.y()});
  out.bounded = region.bounded();
  for (const SupportPolygon::HalfPlane& side : region.halfPlanes())
    out.halfPlanes.push_back({side.normal.x(), side.normal.y(), side.offset});
  out.area = {region.area()};
  out.com = tested.com_W;
  out.axes = {region.x_W(), region.y_W()};
  if (tested.balanced) out.forces = tested.forces_W;
  return out;
}

/// Returns the surface of a click: what a ray meets, or the face there. Of a patch: what four rays have between them.
PickedSurface surfaceFrom(const message::Contact& m, Poser& poser) {
  if (m.patch) return poser.pickPatch(m.origin, *m.patch, m.id);
  return poser.pick({m.origin, *m.direction}, m.face, m.id);
}

}  // namespace

void PoseSession::on(const message::Contact& m, Turn& turn) {
  const Robot& model = *modelOf(turn.robot);
  const PickedSurface surface = surfaceFrom(m, poser_);
  int link = surface.id - poser_.world().linkId(turn.robot, 0);
  const bool own = link >= 0 && link < model.numLinks();
  if (!own) link = m.link;
  if (link < 0)
    throw Error("no link is selected that could touch " + poser_.world().nameOf(surface.id), {},
                "select the link that is held, or pick a point on a link");
  std::vector<ContactPoint> contacts;
  // Normals point into the link.
  for (std::size_t i = 0; i < surface.points_W.size(); ++i)
    contacts.push_back({surface.points_W[i], (own ? -1 : 1) * surface.normals_W[i], m.friction});
  const IKGoal goal = poseGoal(link, poser_.linkPose(turn.robot, link));
  if (m.resource) {
    const auto at = static_cast<std::size_t>(*m.resource);
    const ResourceItem item = poser_.resource(at);
    poser_.replace(at, {item.name, "", withContacts(item.value, link, contacts, goal)});
    return;
  }
  Hold hold;
  hold.link = link;
  poser_.add({poser_.freeName("hold"), "", withContacts(hold, link, contacts, goal)});
  turn.result.added = static_cast<int>(poser_.document().resources.size()) - 1;
}

void PoseSession::on(const message::ContactErase& m, Turn&) {
  const ResourceItem item = poser_.resource(m.at());
  poser_.replace(m.at(),
                 {item.name, "",
                  withoutContact(item.value, static_cast<std::size_t>(m.hold), static_cast<std::size_t>(m.contact))});
}

void PoseSession::on(const message::Clean& m, Turn& turn) {
  const ResourceItem item = poser_.resource(m.at());
  ContactCleaning options;
  options.distance = m.distance.value_or(options.distance);
  options.normal = m.normal.value_or(options.normal);
  const auto count = [](const Resource& resource) {
    std::size_t sum = 0;
    for (const Hold& hold : holdsOf(resource)) sum += hold.contacts.size();
    return std::to_string(sum);
  };
  Resource clean = withCleanContacts(item.value, options);
  turn.result.text = count(clean) + " of " + count(item.value) + " contacts are left";
  poser_.replace(m.at(), {item.name, "", std::move(clean)});
}

void PoseSession::on(const message::Friction& m, Turn&) {
  const ResourceItem item = poser_.resource(m.at());
  poser_.replace(m.at(), {item.name, "", withFriction(item.value, m.value)});
}

void PoseSession::on(const message::Touch& m, Turn&) { poser_.setTouch(m.distance); }

void PoseSession::on(const message::Balance& m, Turn& turn) {
  reportBalance(
      m.resource ? holdsOf(poser_.resource(static_cast<std::size_t>(*m.resource)).value) : std::vector<Hold>(), turn);
}

/// Tells whether the robot stands on what it touches, or on the contacts of holds: the polygon that its center of mass
/// must be over, and the torques that its motors need.
void PoseSession::reportBalance(const std::vector<Hold>& holds, Turn& turn) {
  const Robot& model = *modelOf(turn.robot);
  std::vector<LinkContact> contacts;
  for (const Hold& hold : holds)
    for (const ContactPoint& point : hold.contacts) contacts.push_back({hold.link, point});
  if (holds.empty()) contacts = poser_.contacts(turn.robot);
  requireLinkContacts(model, contacts);
  RobotDynamics dynamics(modelOf(turn.robot));
  dynamics.setPosition(configurationOf(turn.robot));
  BalanceOptions options;
  options.gravity_W = poser_.world().simulation.gravity;
  const mortise::Balance tested = testBalance(dynamics, contacts, options);
  message::PosedBalance balance = describe(tested);
  for (const LinkContact& contact : contacts) balance.points.push_back(contact.point.p_WC);
  balance.fixed = model.floatingBaseLink() < 0;
  balance.torques = torquesAtRest(dynamics, contacts, options.gravity_W);
  balance.touch = poser_.touch();
  turn.result.balance = std::move(balance);
}

}  // namespace mortise::viewer
