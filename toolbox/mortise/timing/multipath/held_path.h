#pragma once

/// Supporting contacts of path sections that specify none.

#include <functional>
#include <vector>

#include "mortise/mechanics/link_contact.h"
#include "mortise/model/robot.h"
#include "mortise/motion/multipath.h"

namespace mortise {

/// The contacts of the whole robot at a configuration (one number a link), such as a world's shapes make.
using ContactsAt = std::function<std::vector<LinkContact>(const VectorXd& q)>;

struct HeldPathOptions {
  /// A link of a section without goals is held where it touches all the time and moves by no more than this (m, rad).
  double stays = 0.01, turns = 0.03;
  int samples = 9;  ///< Milestones of a section at which contacts are looked for, its ends among them.
};

struct HeldPath {
  MultiPath path;  ///< With holds in all sections that have contacts.
  struct Section {
    std::vector<int> links;  ///< That hold, with contact points.
    std::vector<int> bare;   ///< At a goal in the world, without contacts: whatever force it takes holds them.
    int contacts = 0;        ///< Points of all holds.
    bool found = false;      ///< From `contactsAt`; false: the file's own.
  };
  std::vector<Section> sections;
};

/// Gives holds to sections without: the links with goals in the world, or, where a section has no goals, those that
/// touch something in all of it and stay where they are (of a palm and its fingers: the palm), are held at the points
/// where they touch. A link without a goal is kept where the neighboring section's goal for it has it, if it is there
/// already, else at its first pose. Links that these carry, and that touch all along and stay as well, such as fingers
/// around a rail, bear forces at their own contacts, and a point of each is kept in place. Contacts are those of the
/// sample with the most points. Sections with contact points of their own stay as they are. Throws `Error` for a
/// section that nothing holds.
HeldPath withHolds(const RobotPtr& robot, const MultiPath& path, const ContactsAt& contactsAt,
                   const HeldPathOptions& options = {});

}  // namespace mortise
