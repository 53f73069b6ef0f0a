#pragma once

/// Contacts from files: Klamp't's .stance, .hold, .grasp and contact points, and lists as people write them.

#include <optional>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/component/file_format.h"
#include "mortise/contact/hold.h"
#include "mortise/dynamics/robot_dynamics.h"
#include "mortise/mechanics/link_contact.h"

namespace mortise {

/// The content of a file of contacts.
struct ContactFile {
  std::vector<LinkContact> contacts;  ///< In the file's order; link -1 where the file does not say which.
  std::vector<IKGoal> goals;          ///< Goals of holds for their links.
  std::optional<Grasp> grasp;         ///< Grasp of a grasp file, as it is.

  std::vector<ContactPoint> points() const;
};

/// One contact of a list: {point, normal, friction, link, target, frame}.
const Schema& contactSchema();

/// Reads stances, holds, grasps, contact points, libraries of them, and YAML or JSON with a list of contacts (or a map
/// with the key `contacts`): maps as `contactSchema` has them, or Klamp't's seven numbers x y z nx ny nz friction.
/// `dynamics` has the robot and its position, for contacts in the frame of their link; `friction`, when given, takes
/// the place of every contact's own. The file is found relative to `referringFile`. Normals get length 1. Throws
/// `Error` with the position of what is wrong.
ContactFile readContactFile(ResourceLoader& loader, const std::string& name, const RobotDynamics& dynamics,
                            std::optional<double> friction, Diagnostics& diagnostics,
                            const std::string& referringFile = {});

/// {contacts: [{point, normal, friction, link, target}]}, as `readContactFile` reads it; links by name, and left out
/// where they are not known or the world.
Value contactsValue(const Robot& robot, const std::vector<LinkContact>& contacts);
/// For people: a line for each pair of links that touch.
std::string contactsText(const Robot& robot, const std::vector<LinkContact>& contacts);

/// A warning for every goal that `q` misses by more than `tolerance` (m or rad): the contacts are not where the links
/// are.
void checkGoals(const RobotPtr& robot, const std::vector<IKGoal>& goals, const VectorXd& q, double tolerance,
                Diagnostics& diagnostics);

}  // namespace mortise
