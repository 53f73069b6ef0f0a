#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mortise/viewer/protocol/page_message.h"
#include "mortise/viewer/protocol/server_messages.h"

namespace mortise::viewer {

struct ViewPacket {
  bool text = false;  ///< JSON; otherwise bytes.
  std::string bytes;
};

/// The session that pages talk to over their WebSockets: a running simulation, a posed robot. All functions are called
/// on the server's thread. Pages are told apart by numbers that are never used again.
class ViewSession {
 public:
  virtual ~ViewSession() = default;
  /// Returns what the page becomes.
  virtual SessionKind kind() const = 0;
  /// Changes whenever pages that began before have to load again. Pages compare it with that of the list of logs they
  /// began with.
  virtual std::int64_t version() const { return 0; }
  /// A page has joined: what it is told first, as JSON.
  virtual std::string join(int page) = 0;
  /// Takes a message of a page. The answer, as JSON; empty: none. What it throws is told to the page.
  virtual std::string answer(int page, const PageMessage& message) = 0;
  /// Returns what the page is sent next. Asked again when it has drawn what it got before, so that a slow page never
  /// has more than a few packets under way.
  virtual std::optional<ViewPacket> next(int page) = 0;
  virtual void leave(int page) = 0;
};

}  // namespace mortise::viewer
