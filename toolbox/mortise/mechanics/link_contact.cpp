#include "mortise/mechanics/link_contact.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/math/constants.h"
#include "mortise/mechanics/forces/friction_cone.h"

namespace mortise {

void requireLinkContacts(const Robot& robot, std::span<const LinkContact> contacts) {
  const int n = robot.numLinks();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    requireContact(contacts[i].point, i);
    const auto requireLink = [&](int link) {
      if (link < 0 || link >= n)
        throw Error("contact " + std::to_string(i) + " is of link " + std::to_string(link) + ", which robot '" +
                        robot.name() + "' does not have",
                    {}, "links run from 0 to " + std::to_string(n - 1));
    };
    if (contacts[i].link == -1)
      throw Error("contact " + std::to_string(i) + " does not say which link touches", {},
                  "add 'link' to the contact; joints get their torques from it");
    requireLink(contacts[i].link);
    if (contacts[i].target != -1) requireLink(contacts[i].target);
    if (contacts[i].link == contacts[i].target)
      throw Error("contact " + std::to_string(i) + " is of link '" + robot.link(contacts[i].link).name +
                  "' with itself");
  }
}

std::vector<ContactPoint> worldContacts(std::span<const LinkContact> contacts) {
  std::vector<ContactPoint> points;
  for (const LinkContact& contact : contacts)
    if (contact.target < 0) points.push_back(contact.point);
  return points;
}

void contactJacobian(const RobotDynamics& dynamics, const LinkContact& contact, Eigen::Ref<Matrix3X> J) {
  const auto local = [&](int link) {
    const RigidTransform X_WL = dynamics.X_WL(link);
    return Vector3d(X_WL.R.transpose() * (contact.point.p_WC - X_WL.p));
  };
  dynamics.positionJacobian(contact.link, local(contact.link), J);
  if (contact.target < 0) return;
  Matrix3X target(3, J.cols());
  dynamics.positionJacobian(contact.target, local(contact.target), target);
  J -= target;
}

VectorXd torqueLimits(const Robot& robot, double scale) {
  VectorXd limits(robot.numLinks());
  for (int i = 0; i < robot.numLinks(); ++i) {
    const int joint = robot.jointOfLink(i);
    const JointType type = joint >= 0 ? robot.joints()[static_cast<std::size_t>(joint)].type : JointType::normal;
    const bool passive =
        (type == JointType::floating || type == JointType::floatingPlanar) && robot.driverOfLink(i) < 0;
    limits[i] = passive ? 0 : type == JointType::weld ? kInfinity : scale * robot.link(i).torqueMax;
  }
  return limits;
}

std::vector<ForceBound> torqueBounds(const RobotDynamics& dynamics, std::span<const LinkContact> contacts,
                                     const VectorXd& bias, const VectorXd& limits) {
  const int n = dynamics.robot().numLinks();
  MORTISE_REQUIRE_SIZE(bias, n, "one for each link");
  MORTISE_REQUIRE_SIZE(limits, n, "one for each link");
  std::vector<Matrix3X> jacobians(contacts.size(), Matrix3X(3, n));
  for (std::size_t i = 0; i < contacts.size(); ++i) contactJacobian(dynamics, contacts[i], jacobians[i]);
  std::vector<ForceBound> bounds;
  for (int link = 0; link < n; ++link) {
    if (!std::isfinite(limits[link]) || limits[link] == 0) continue;
    ForceBound bound;
    for (const Matrix3X& J : jacobians) bound.a_W.push_back(J.col(link));
    bound.low = bias[link] - limits[link];
    bound.high = bias[link] + limits[link];
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

}  // namespace mortise
