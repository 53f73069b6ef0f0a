#pragma once

/// Contact formations: contacts by pairs of links, and holds from contacts and back.

#include <span>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/mechanics/link_contact.h"

namespace mortise {

/// All contacts of one link with another link of the robot, or with the world.
struct ContactPatch {
  int link = -1;
  int target = -1;  ///< -1: the world.
  std::vector<ContactPoint> contacts;

  bool operator==(const ContactPatch&) const = default;
};

/// Contacts by pairs of links, in the order of links and targets; contacts of a pair keep their order. Of two links
/// that touch each other the lower one is `link`, whatever the contacts say.
std::vector<ContactPatch> contactFormation(std::span<const LinkContact> contacts);

std::vector<LinkContact> contactsOf(const std::vector<ContactPatch>& formation);
std::vector<LinkContact> contactsOf(const Stance& stance);
std::vector<LinkContact> contactsOf(const Grasp& grasp);

/// The goal that keeps a link where it is by its contacts, at the position that `dynamics` has, relative to the target:
/// one point leaves all rotations free, points in a line that about the line, others none (Klamp't's
/// `Hold::SetupIKConstraint`). `same`: meters within which points are the same, or in a line. Throws `Error` without
/// contacts.
IKGoal goalOfContacts(const RobotDynamics& dynamics, const ContactPatch& patch, double same = 1e-4);

/// One hold a link, of its contacts with the world. Links that touch each other have no hold in a stance: Klamp't's
/// files cannot say so. Throws `Error` for contacts without a link.
Stance stanceOfContacts(const RobotDynamics& dynamics, std::span<const LinkContact> contacts, double same = 1e-4);

}  // namespace mortise
