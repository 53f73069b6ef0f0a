#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mortise::ros {

/// A message that came.
struct Received {
  std::string topic;  ///< The topic as it was given to `Transport::subscribe`.
  std::vector<std::byte> bytes;
};

/// The messages that came and were not taken yet: a queue that carriers fill from threads of theirs and that one thread
/// empties. A flood costs no more memory than the limit; the oldest messages are dropped, and counted.
class Inbox {
 public:
  static constexpr std::size_t kDefaultBytes = 16u << 20;

  /// `maxMessages`: 0 has no limit of its own. `maxBytes` counts a message's bytes and what it costs beside them.
  explicit Inbox(std::size_t maxMessages = 0, std::size_t maxBytes = kDefaultBytes)
      : maxMessages_(maxMessages), maxBytes_(maxBytes) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  void push(std::string_view topic, std::span<const std::byte> bytes);
  /// Empties the queue, in the order in which messages came.
  std::vector<Received> take();
  /// Takes the oldest message; false where there is none.
  bool takeOne(Received& message);

  bool empty() const;
  std::size_t bytes() const;
  /// Messages that were dropped since the start.
  std::uint64_t dropped() const;
  /// Messages that came since the start, those included that were dropped.
  std::uint64_t received() const;

 private:
  static std::size_t costOf(const Received& message);
  void dropOldest();

  const std::size_t maxMessages_, maxBytes_;
  mutable std::mutex mutex_;
  std::deque<Received> queue_;
  std::size_t bytes_ = 0;
  std::uint64_t dropped_ = 0, received_ = 0;
};

}  // namespace mortise::ros
