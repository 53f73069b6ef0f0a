#pragma once

#include <mutex>
#include <set>
#include <string>

#include "mortise/viewer/view_session.h"

namespace mortise::viewer {

/// A session whose content changes while pages look: from a log to the run that goes on from it, or from one simulation
/// of a pipeline to the next. Pages load again then.
class ChangingSession final : public ViewSession {
 public:
  /// From any thread. `session` outlives this, or the next call, which returns when the old one is used no more. Null:
  /// pages look at files only.
  void set(ViewSession* session);

  /// Says whether any page was ever there. From any thread.
  bool wasJoined() const;

  SessionKind kind() const override;
  std::int64_t version() const override;
  std::string join(int page) override;
  std::string answer(int page, const PageMessage& message) override;
  std::optional<ViewPacket> next(int page) override;
  void leave(int page) override;

 private:
  mutable std::mutex mutex_;
  ViewSession* session_ = nullptr;
  std::int64_t version_ = 0;
  bool anyJoined_ = false;
  std::set<int> pages_;          ///< Pages of the session as it is.
  std::set<int> joined_;         ///< Those of them that do not know the version yet.
  std::set<int> outdatedPages_;  ///< Pages of one before, to be told.
};

}  // namespace mortise::viewer
