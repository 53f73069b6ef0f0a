#include "ros/relay/goal_list.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

/// Time for which goals that have ended stay listed, as in actionlib, s.
constexpr double kListed = 5;
/// More goals than anybody sends in that time in earnest; beyond, the oldest that have ended are forgotten at once.
constexpr std::size_t kMaxEntries = 1000;

bool isUnset(const Time& time) { return time == Time(); }

void putTime(ByteWriter& out, const Time& time) {
  out.put(time.sec);
  out.put(time.nanosec);
}

Time getTime(ByteReader& in) {
  Time time;
  in.get(time.sec);
  in.get(time.nanosec);
  return time;
}

}  // namespace

bool hasEnded(std::uint8_t status) {
  switch (status) {
    case GoalStatus::preempted:
    case GoalStatus::succeeded:
    case GoalStatus::aborted:
    case GoalStatus::rejected:
    case GoalStatus::recalled:
    case GoalStatus::lost:
      return true;
    default:
      return false;
  }
}

void GoalList::clear() {
  entries_.clear();
  made_ = 0;
  canceledUntil_ = Time();
}

bool GoalList::isOver(const Entry& entry) {
  return hasEnded(entry.status.status) || entry.status.status == GoalStatus::recalling;
}

GoalList::Entry* GoalList::find(const std::string& id) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.status.goal_id.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

const GoalStatus* GoalList::add(GoalID id, double now) {
  if (id.id.empty()) {
    const Time time = timeFrom(now);
    id.id = name_ + "-" + std::to_string(++made_) + "-" + std::to_string(time.sec) + "." + std::to_string(time.nanosec);
  } else if (Entry* known = find(id.id)) {
    // Its cancellation came before it.
    if (known->status.status != GoalStatus::recalling) return nullptr;
    known->status.status = GoalStatus::recalled;
    known->endedAt = now;
    return &known->status;
  }
  const bool recalled =
      !isUnset(id.stamp) && !isUnset(canceledUntil_) && nanosecondsOf(id.stamp) <= nanosecondsOf(canceledUntil_);
  if (isUnset(id.stamp)) id.stamp = timeFrom(now);
  if (entries_.size() >= kMaxEntries) {
    // One goal is followed at a time, so that there is one that is not.
    const auto over = std::find_if(entries_.begin(), entries_.end(), isOver);
    if (over != entries_.end()) entries_.erase(over);
  }
  entries_.push_back({{std::move(id), recalled ? GoalStatus::recalled : GoalStatus::pending, ""}, now});
  return &entries_.back().status;
}

std::vector<std::string> GoalList::cancel(const GoalID& request, double now) {
  const bool all = request.id.empty() && isUnset(request.stamp);
  bool known = false;
  std::vector<std::string> meant;
  for (const Entry& entry : entries_) {
    const GoalID& goal = entry.status.goal_id;
    const bool named = goal.id == request.id;
    known = known || named;
    const bool before = !isUnset(request.stamp) && nanosecondsOf(goal.stamp) <= nanosecondsOf(request.stamp);
    if ((all || named || before) && !hasEnded(entry.status.status) && entry.status.status != GoalStatus::recalling)
      meant.push_back(goal.id);
  }
  if (!request.id.empty() && !known && entries_.size() < kMaxEntries) {
    GoalID coming = request;
    if (isUnset(coming.stamp)) coming.stamp = timeFrom(now);
    entries_.push_back({{std::move(coming), GoalStatus::recalling, ""}, now});
  }
  if (nanosecondsOf(request.stamp) > nanosecondsOf(canceledUntil_)) canceledUntil_ = request.stamp;
  return meant;
}

GoalStatus GoalList::set(const std::string& id, GoalStatus::Status status, const std::string& text, double now) {
  Entry* entry = find(id);
  if (entry == nullptr) return {{timeFrom(now), id}, static_cast<std::uint8_t>(status), text};
  entry->status.status = status;
  entry->status.text = text;
  entry->endedAt = now;
  return entry->status;
}

GoalStatus GoalList::statusOf(const std::string& id) const {
  for (const Entry& entry : entries_)
    if (entry.status.goal_id.id == id) return entry.status;
  return {{Time(), id}, GoalStatus::lost, ""};
}

void GoalList::forgetOld(double now) {
  std::erase_if(entries_, [now](const Entry& entry) { return isOver(entry) && now > entry.endedAt + kListed; });
}

void GoalList::fill(std::vector<GoalStatus>& list) const {
  list.resize(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) list[i] = entries_[i].status;
}

void GoalList::save(ByteWriter& out) const {
  out.put(static_cast<std::uint64_t>(entries_.size()));
  for (const Entry& entry : entries_) {
    out.put(std::string_view(entry.status.goal_id.id));
    putTime(out, entry.status.goal_id.stamp);
    out.put(entry.status.status);
    out.put(std::string_view(entry.status.text));
    out.put(entry.endedAt);
  }
  out.put(made_);
  putTime(out, canceledUntil_);
}

void GoalList::restore(ByteReader& in) {
  clear();
  const auto count = in.get<std::uint64_t>();
  if (count > kMaxEntries) throw Error("the snapshot has more goals of an action than there can be");
  for (std::uint64_t i = 0; i < count; ++i) {
    Entry entry;
    entry.status.goal_id.id = in.getString();
    entry.status.goal_id.stamp = getTime(in);
    in.get(entry.status.status);
    entry.status.text = in.getString();
    in.get(entry.endedAt);
    entries_.push_back(std::move(entry));
  }
  in.get(made_);
  canceledUntil_ = getTime(in);
}

}  // namespace mortise::ros
