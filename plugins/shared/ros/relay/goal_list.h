#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mortise/base/bytes.h"
#include "ros/messages/follow_joint_trajectory.h"

namespace mortise::ros {

/// The goals that an action server knows, by the rules of actionlib: each has a status, and one that has ended is
/// listed for a while longer, so that those who missed its result learn how it ended. Times are simulated.
class GoalList {
 public:
  /// `name` begins the ids of goals that come without one.
  explicit GoalList(std::string name) : name_(std::move(name)) {}

  /// Forgets everything.
  void clear();
  /// Lists a goal as pending, as recalled where its cancellation came first. Returns nullptr for a goal that is listed
  /// already; else the entry is valid until the next call that changes the list.
  const GoalStatus* add(GoalID id, double now);
  /// Returns the ids of listed goals that have not ended and that a request means: one by its id, those of its stamp
  /// and before, or all where it has neither. What comes later and is meant, `add` lists as recalled.
  std::vector<std::string> cancel(const GoalID& request, double now);
  /// Changes the status of a listed goal. Returns what it is now.
  GoalStatus set(const std::string& id, GoalStatus::Status status, const std::string& text, double now);
  /// The status of a listed goal.
  GoalStatus statusOf(const std::string& id) const;
  /// Forgets what ended long ago.
  void forgetOld(double now);

  /// Says whether nothing is known that later calls depend on.
  bool blank() const { return entries_.empty() && made_ == 0 && canceledUntil_ == Time(); }
  /// Copies all entries into a message, reusing its memory.
  void fill(std::vector<GoalStatus>& list) const;

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Entry {
    GoalStatus status;
    double endedAt = 0;  ///< s; counts for those that have ended.
  };
  /// Says whether nothing will be done for it any more.
  static bool isOver(const Entry& entry);
  Entry* find(const std::string& id);

  std::string name_;
  std::vector<Entry> entries_;
  std::int64_t made_ = 0;  ///< Ids that were made here.
  Time canceledUntil_;     ///< Goals of this stamp and before are recalled when they come.
};

/// Says whether a status is the last one that a goal has.
bool hasEnded(std::uint8_t status);

}  // namespace mortise::ros
