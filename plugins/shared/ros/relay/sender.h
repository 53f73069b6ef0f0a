#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "ros/transport/transport.h"

namespace mortise::ros {

/// Hands messages to a carrier on a thread of its own, so that a carrier that waits holds nobody up. Messages lie in a
/// ring; where that is full the oldest is dropped, and counted.
class Sender {
 public:
  /// `transport` outlives this.
  explicit Sender(Transport& transport, std::size_t places = 64);
  /// Drops messages that were not sent yet.
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// Takes the bytes and gives memory of earlier ones back. Allocates nothing and never waits for the carrier.
  void send(int publication, std::vector<std::byte>& bytes);
  std::uint64_t dropped() const;

 private:
  struct Place {
    int publication = 0;
    std::vector<std::byte> bytes;
  };
  void run();

  Transport& transport_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Place> ring_;
  std::size_t first_ = 0, count_ = 0;
  std::uint64_t dropped_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace mortise::ros
