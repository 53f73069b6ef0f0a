#include "ros/transport/inbox.h"

#include <iterator>

namespace mortise::ros {

std::size_t Inbox::costOf(const Received& message) {
  // Bytes and topic lie in blocks of memory of their own, which the system rounds up.
  return sizeof(Received) + message.bytes.capacity() + message.topic.capacity() + 64;
}

void Inbox::dropOldest() {
  bytes_ -= costOf(queue_.front());
  queue_.pop_front();
  ++dropped_;
}

void Inbox::push(std::string_view topic, std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  ++received_;
  // One that will never fit is not copied.
  if (bytes.size() > maxBytes_) {
    ++dropped_;
    return;
  }
  Received message{std::string(topic), {bytes.begin(), bytes.end()}};
  const std::size_t cost = costOf(message);
  if (cost > maxBytes_) {
    ++dropped_;
    return;
  }
  while (!queue_.empty() && (bytes_ + cost > maxBytes_ || (maxMessages_ > 0 && queue_.size() >= maxMessages_)))
    dropOldest();
  bytes_ += cost;
  queue_.push_back(std::move(message));
}

std::vector<Received> Inbox::take() {
  std::deque<Received> taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(queue_);
    bytes_ = 0;
  }
  return {std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end())};
}

bool Inbox::takeOne(Received& message) {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return false;
  bytes_ -= costOf(queue_.front());
  message = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

bool Inbox::empty() const {
  const std::lock_guard lock(mutex_);
  return queue_.empty();
}

std::size_t Inbox::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::uint64_t Inbox::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

std::uint64_t Inbox::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

}  // namespace mortise::ros
