#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "mortise/viewer/programs/program_scene.h"
#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// The session of a program: pages look at what another session shows, with the program's scene over it, and what they
/// say of that scene waits until the program takes it.
class ProgramSession final : public ViewSession {
 public:
  /// Both outlive it.
  ProgramSession(ViewSession& shown, ProgramScene& scene) : shown_(shown), scene_(scene) {}

  /// Returns what pages have said since the last call; waits for it at most so long. From any thread but the server's.
  std::vector<message::ProgramRequest> take(std::chrono::milliseconds patience);
  /// Ends a call of `take` that waits.
  void wake();

  SessionKind kind() const override { return shown_.kind(); }
  std::int64_t version() const override { return shown_.version(); }
  std::string join(int page) override;
  std::string answer(int page, const PageMessage& message) override;
  std::optional<ViewPacket> next(int page) override;
  void leave(int page) override;

 private:
  ViewSession& shown_;
  ProgramScene& scene_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<message::ProgramRequest> requests_;
  bool woken_ = false;
};

}  // namespace mortise::viewer
