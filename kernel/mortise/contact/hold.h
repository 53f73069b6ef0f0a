#pragma once

/// Contacts as data: what `.hold`, `.stance` and `.grasp` files hold. W is the world, or the frame of the object that
/// is held.

#include <optional>
#include <utility>
#include <vector>

#include "mortise/contact/ik_goal.h"

namespace mortise {

/// A point where a link touches something.
struct ContactPoint {
  Vector3d p_WC = Vector3d::Zero();  ///< Meters.
  Vector3d n_W = Vector3d::UnitZ();  ///< Unit normal, out of what is touched, into the link.
  double friction = 0;               ///< Coulomb's coefficient.

  bool operator==(const ContactPoint&) const = default;
};

/// One link in contact with the environment, and the constraint that keeps it there.
struct Hold {
  int link = -1;
  std::vector<ContactPoint> contacts;
  IKGoal goal;

  bool operator==(const Hold&) const = default;
};

/// Several links in contact at once, at most one hold a link.
struct Stance {
  std::vector<Hold> holds;

  bool operator==(const Stance&) const = default;
};

/// A stance that also keeps some degrees of freedom at a value, usually of a hand on an object.
struct Grasp {
  struct Contact {
    int link = -1;
    ContactPoint point;
    std::optional<Vector3d> force_W;  ///< Newton, on the link.

    bool operator==(const Contact&) const = default;
  };

  int object = -1;  ///< Index of the rigid object; -1: none.
  int robot = 0;    ///< Index of the robot.
  std::vector<IKGoal> goals;
  std::vector<std::pair<int, double>> fixed;  ///< Degree of freedom and its value (rad or m).
  std::vector<Contact> contacts;

  bool operator==(const Grasp&) const = default;
};

}  // namespace mortise
