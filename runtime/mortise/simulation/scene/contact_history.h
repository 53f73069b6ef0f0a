#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mortise/component/physics.h"

namespace mortise {

/// Contacts between two ids, or one id and all others, in the last call of `step` or `advance`. Forces and torques are
/// those on the first of them.
struct ContactSummary {
  bool inContact = false;       ///< At the end: surfaces with their paddings touch, or press on each other.
  bool hadContact = false;      ///< At some time in the call.
  bool hadSeparation = false;   ///< At some time in the call there was no contact (with any other: some pair had none).
  bool hadPenetration = false;  ///< At some time bare surfaces met, paddings left out: forces are then less certain.
  int count = 0;                ///< Contacts at the end.
  Vector3d force = Vector3d::Zero();       ///< In the last step, N.
  Vector3d torque = Vector3d::Zero();      ///< In the last step, about `origin`, N m.
  Vector3d meanForce = Vector3d::Zero();   ///< Over the call, N.
  Vector3d meanTorque = Vector3d::Zero();  ///< Over the call, about `origin` as it is now, N m.
  Vector3d origin = Vector3d::Zero();      ///< Origin of the first id's body, world; for a whole robot the world's.
};

/// A range of ids: one id, or a robot with its links.
struct IdRange {
  int first = 0, count = 0;
  bool contains(int id) const { return id >= first && id < first + count; }
};

/// Collects contacts over the steps of one call, for each pair of ids that met.
class ContactHistory {
 public:
  /// A new call begins.
  void begin();
  /// A step begins; its parts follow.
  void beginStep() { stepDuration_ = 0; }
  /// The contacts of a part of a step that took `dt` seconds, in ascending order of (idA, idB), and the pairs whose
  /// bare surfaces meet after it, also ascending.
  void add(std::span<const ContactForce> contacts, std::span<const std::pair<int, int>> crossing, double dt);

  /// Sums over all pairs between `a` and `b`; with an empty `b`, between `a` and everything else.
  ContactSummary summary(IdRange a, IdRange b) const;

 private:
  struct Load {
    Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  ///< On a; torque about the world's origin.
    void add(const Load& other, double factor) {
      force += factor * other.force;
      torque += factor * other.torque;
    }
  };
  struct Pair {
    int a = -1, b = -1;
    bool penetrated = false;
    int parts = 0;      ///< In which there was contact.
    int lastPart = -1;  ///< Number of the last of them.
    int step = -1;      ///< Number of the step to which `now` belongs.
    int count = 0;
    Load now, sum;  ///< Impulses: of the step and of the call.
  };
  Pair& pairOf(int a, int b);

  std::vector<Pair> pairs_;  ///< Ascending.
  double duration_ = 0, stepDuration_ = 0;
  int parts_ = 0, steps_ = 0;
};

}  // namespace mortise
