#pragma once

/// Balance along a motion.

#include <string>
#include <vector>

#include "mortise/mechanics/balance.h"
#include "mortise/mechanics/contact_file.h"
#include "mortise/mechanics/world_touch.h"
#include "mortise/motion/multipath.h"

namespace mortise {

struct MotionBalance {
  struct Milestone {
    int section = 0, index = 0;
    double time = 0;  ///< Seconds; of motions without times, the index among all milestones.
    int contacts = 0;
    bool balanced = false;
    double margin = 0;
  };
  std::vector<Milestone> milestones;

  int balanced() const;
  /// The smallest margin; -infinite where some milestone has no polygon.
  double smallestMargin() const;
};

/// Balance at every milestone. Contacts are `fixed` where given; else those of the section's holds and, with `world`,
/// those that links with a goal in the section (all links, where it has none) have with the world. Throws `Error` for a
/// motion of another robot, and for a section without contacts to test.
MotionBalance testBalance(const RobotPtr& robot, const MultiPath& motion, const std::vector<LinkContact>& fixed,
                          RobotInWorld* world, const BalanceOptions& options);

/// {milestones: [{section, index, time, contacts, balanced, margin}], balanced, share, margin}: how many of them
/// balance, their share, and the smallest margin.
Value motionBalanceValue(const MotionBalance& balance);
/// For people: a line a section.
std::string motionBalanceText(const MotionBalance& balance);

}  // namespace mortise
