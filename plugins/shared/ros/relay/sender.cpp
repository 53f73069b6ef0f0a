#include "ros/relay/sender.h"

#include <csignal>
#include <pthread.h>

namespace mortise::ros {

Sender::Sender(Transport& transport, std::size_t places) : transport_(transport), ring_(places) {
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Sender::~Sender() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Sender::send(int publication, std::vector<std::byte>& bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (count_ == ring_.size()) {
      first_ = (first_ + 1) % ring_.size();
      --count_;
      ++dropped_;
    }
    Place& place = ring_[(first_ + count_) % ring_.size()];
    place.publication = publication;
    place.bytes.swap(bytes);
    ++count_;
  }
  changed_.notify_one();
}

std::uint64_t Sender::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void Sender::run() {
  Place taken;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopped_ || count_ > 0; });
    if (stopped_) return;
    std::swap(taken, ring_[first_]);
    first_ = (first_ + 1) % ring_.size();
    --count_;
    lock.unlock();
    transport_.publish(taken.publication, taken.bytes);
    lock.lock();
  }
}

}  // namespace mortise::ros
