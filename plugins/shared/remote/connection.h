#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "remote/address.h"
#include "remote/frame.h"

namespace mortise::remote {

/// The client's end of a connection to a controller's server. Belongs to one thread. Every wait is bounded and ends
/// early when `stopRequested`, asked about 20 times a second, says so.
class Connection {
 public:
  using StopRequested = std::function<bool()>;

  /// Connects; while nobody listens, tries again for up to `wait` seconds. Throws `Error` when nobody does, or the host
  /// is not known.
  Connection(const Address& address, double wait, StopRequested stopRequested = {},
             std::size_t maxMessageSize = std::size_t{1} << 28);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Sends a whole frame. False when the other end is gone, or does not take it within 10 s.
  bool send(std::string_view frame);
  /// The next message, valid until the next call; none when there is none within `seconds`, or `closed`.
  std::optional<std::string_view> receive(double seconds);
  /// The other end has left, or sent something that is no message; whatever it sent before has been received.
  bool closed() const { return closed_; }
  /// Returns what came so far: whether it is broken, and the bytes that are no whole message.
  const FrameReader& frames() const { return frames_; }

 private:
  bool waitFor(short events, double seconds) const;

  StopRequested stopRequested_;
  FrameReader frames_;
  int socket_ = -1;
  bool closed_ = false;
};

}  // namespace mortise::remote
