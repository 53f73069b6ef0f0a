#include "ros/recording/broadcast_thread.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mortise::ros {

namespace {

// The simulation's thread wakes nobody, for that costs more than the copy: this thread comes and sees, more seldom
// while nothing is there.
constexpr std::chrono::microseconds kShortestWait(500), kLongestWait(4000);

}  // namespace

BroadcastThread::BroadcastThread(Transport& transport, const BroadcastSettings& settings, SnapshotSelection selection,
                                 const SimulationView& view, const std::vector<std::string>& descriptions)
    : transport_(transport),
      selection_(std::move(selection)),
      names_(*view.world, settings.naming, settings.prefix),
      outbox_(transport),
      sensors_(outbox_, settings, view, selection_, names_),
      state_(outbox_, settings, *view.world, selection_, names_, descriptions, sensors_.frames()),
      ring_(static_cast<std::size_t>(settings.queue), emptySnapshot(selection_, view)),
      thread_([this] { run(); }) {}

BroadcastThread::~BroadcastThread() { finish(0); }

Snapshot* BroadcastThread::next() {
  Snapshot* snapshot = ring_.next();
  while (snapshot == nullptr && transport_.keepsAll() && !failed_) {
    std::this_thread::yield();
    snapshot = ring_.next();
  }
  return snapshot;
}

std::vector<Notice> BroadcastThread::takeNotices() {
  if (!hasNotices_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(mutex_);
  hasNotices_ = false;
  return std::exchange(notices_, {});
}

void BroadcastThread::throwIfFailed() {
  if (!failed_) return;
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void BroadcastThread::finish(double seconds) {
  if (!thread_.joinable()) return;
  {
    std::unique_lock lock(mutex_);
    ending_ = true;
    changed_.notify_all();
    const auto ended = [this] { return ended_; };
    if (transport_.keepsAll())
      changed_.wait(lock, ended);
    else
      changed_.wait_for(lock, std::chrono::duration<double>(seconds), ended);
    abandoned_ = true;
    changed_.notify_all();
  }
  thread_.join();
  for (; ring_.oldest() != nullptr; ring_.release()) ++leftOver_;
  passNotices();
}

bool BroadcastThread::sendOldest() {
  const Snapshot* snapshot = ring_.oldest();
  if (snapshot == nullptr) return false;
  transport_.setTime(timeFrom(snapshot->time));
  state_.send(*snapshot);
  sensors_.send(*snapshot);
  ring_.release();
  return true;
}

void BroadcastThread::passNotices() {
  std::vector<Notice> notices = transport_.takeNotices();
  if (notices.empty()) return;
  const std::lock_guard lock(mutex_);
  notices_.insert(notices_.end(), std::make_move_iterator(notices.begin()), std::make_move_iterator(notices.end()));
  hasNotices_.store(true, std::memory_order_release);
}

void BroadcastThread::run() {
  try {
    auto wait = kShortestWait;
    for (;;) {
      passNotices();
      const bool sent = sendOldest();
      std::unique_lock lock(mutex_);
      if (abandoned_ || (!sent && ending_)) break;
      if (sent) {
        wait = kShortestWait;
        continue;
      }
      changed_.wait_for(lock, wait);
      wait = std::min(2 * wait, kLongestWait);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    failed_ = true;
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace mortise::ros
