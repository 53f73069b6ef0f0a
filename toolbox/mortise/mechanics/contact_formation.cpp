#include "mortise/mechanics/contact_formation.h"

#include <algorithm>
#include <map>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise {

std::vector<ContactPatch> contactFormation(std::span<const LinkContact> contacts) {
  std::map<std::pair<int, int>, ContactPatch> patches;
  for (const LinkContact& contact : contacts) {
    LinkContact ordered = contact;
    if (contact.target >= 0 && contact.target < contact.link) {
      std::swap(ordered.link, ordered.target);
      ordered.point.n_W = -ordered.point.n_W;
    }
    ContactPatch& patch = patches[{ordered.link, ordered.target}];
    patch.link = ordered.link;
    patch.target = ordered.target;
    patch.contacts.push_back(ordered.point);
  }
  std::vector<ContactPatch> formation;
  for (auto& [key, patch] : patches) formation.push_back(std::move(patch));
  return formation;
}

std::vector<LinkContact> contactsOf(const std::vector<ContactPatch>& formation) {
  std::vector<LinkContact> contacts;
  for (const ContactPatch& patch : formation)
    for (const ContactPoint& point : patch.contacts) contacts.push_back({patch.link, point, patch.target});
  return contacts;
}

std::vector<LinkContact> contactsOf(const Stance& stance) {
  std::vector<LinkContact> contacts;
  for (const Hold& hold : stance.holds)
    for (const ContactPoint& point : hold.contacts) contacts.push_back({hold.link, point});
  return contacts;
}

std::vector<LinkContact> contactsOf(const Grasp& grasp) {
  std::vector<LinkContact> contacts;
  for (const Grasp::Contact& contact : grasp.contacts) contacts.push_back({contact.link, contact.point});
  return contacts;
}

IKGoal goalOfContacts(const RobotDynamics& dynamics, const ContactPatch& patch, double same) {
  if (patch.contacts.empty())
    throw Error("link '" + dynamics.robot().link(patch.link).name + "' has no contacts to be held by");
  const RigidTransform X_WL = dynamics.X_WL(patch.link);
  const RigidTransform X_WD = patch.target >= 0 ? dynamics.X_WL(patch.target) : RigidTransform();
  Vector3d middle = Vector3d::Zero();
  for (const ContactPoint& contact : patch.contacts)
    middle += contact.p_WC / static_cast<double>(patch.contacts.size());
  Vector3d along = Vector3d::Zero();
  for (const ContactPoint& contact : patch.contacts)
    if ((contact.p_WC - middle).norm() > along.norm()) along = contact.p_WC - middle;

  IKGoal goal;
  goal.link = patch.link;
  goal.destination = patch.target;
  goal.position = IKGoal::Position::point;
  goal.p_LP = X_WL.inverse() * middle;
  goal.p_DP = X_WD.inverse() * middle;
  if (along.norm() <= same) return goal;
  along.normalize();
  double aside = 0;
  for (const ContactPoint& contact : patch.contacts)
    aside = std::max(aside, (contact.p_WC - middle).cross(along).norm());
  if (aside <= same) {
    goal.rotation = IKGoal::Rotation::axis;
    goal.axis_L = X_WL.R.transpose() * along;
    goal.axis_D = X_WD.R.transpose() * along;
    return goal;
  }
  goal.rotation = IKGoal::Rotation::fixed;
  goal.rotationVector_DL = momentFromRotation(orthonormalized(X_WD.R.transpose() * X_WL.R));
  return goal;
}

Stance stanceOfContacts(const RobotDynamics& dynamics, std::span<const LinkContact> contacts, double same) {
  requireLinkContacts(dynamics.robot(), contacts);
  Stance stance;
  for (const ContactPatch& patch : contactFormation(contacts))
    if (patch.target < 0) stance.holds.push_back({patch.link, patch.contacts, goalOfContacts(dynamics, patch, same)});
  return stance;
}

}  // namespace mortise
