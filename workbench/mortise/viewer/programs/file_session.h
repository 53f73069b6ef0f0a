#pragma once

#include "mortise/viewer/protocol/write_message.h"
#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// A session of pages that look at files: nothing runs, and nothing goes on.
class FileSession final : public ViewSession {
 public:
  SessionKind kind() const override { return SessionKind::log; }
  std::string join(int) override {
    message::Hello hello;
    hello.canGoOn = false;
    return jsonOf(std::move(hello));
  }
  std::string answer(int, const PageMessage& message) override {
    throw Error("a file takes no '" + typeOf(message) + "'", {}, "it can be looked at, nothing else");
  }
  std::optional<ViewPacket> next(int) override { return std::nullopt; }
  void leave(int) override {}
};

}  // namespace mortise::viewer
