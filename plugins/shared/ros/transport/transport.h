#pragma once

/// What carries messages between programs. A carrier moves bytes and knows no message; `encoding` says how the bytes
/// are laid out.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mortise/base/log.h"
#include "ros/messages/message_type.h"
#include "ros/messages/primitives.h"
#include "ros/transport/inbox.h"
#include "ros/transport/quality.h"

namespace mortise::ros {

/// Something about the connection that people must know: QoS that do not fit, a master that went or came back.
struct Notice {
  LogLevel level = LogLevel::warning;
  std::string text;  ///< A sentence with one next step.
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual Encoding encoding() const = 0;

  /// `topic` without a leading slash or with it: "klampt/joint_state". Returns a number for `publish`. Throws `Error`
  /// for a name that ROS does not allow and where the carrier refuses.
  virtual int advertise(const std::string& topic, const MessageType& type, const Quality& quality) = 0;
  /// Says whether somebody listens now; what nobody hears need not be made.
  virtual bool hasSubscribers(int publication) const = 0;
  /// Never waits for a subscriber: what does not fit into the carrier's queue is dropped there. Returns false for a
  /// message that was dropped at once.
  virtual bool publish(int publication, std::span<const std::byte> bytes) = 0;

  /// The simulated time of what is published next, for carriers that note it.
  virtual void setTime(const Time& time) { static_cast<void>(time); }
  /// True: who publishes waits rather than leave something out, as for a file.
  virtual bool keepsAll() const { return false; }

  /// From now on, and until `close`, what comes on `topic` goes into `inbox`, which outlives that.
  virtual void subscribe(const std::string& topic, const MessageType& type, const Quality& quality, Inbox& inbox) = 0;

  /// What happened to the connection since the last call, each thing said once.
  virtual std::vector<Notice> takeNotices() = 0;

  /// Ends all topics and threads; nothing goes into inboxes afterwards. Bounded: messages that a
  /// subscriber has not taken within a second are given up.
  virtual void close() = 0;
};

}  // namespace mortise::ros
