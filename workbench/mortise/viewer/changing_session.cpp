#include "mortise/viewer/changing_session.h"

#include "mortise/viewer/protocol/write_message.h"

namespace mortise::viewer {

void ChangingSession::set(ViewSession* session) {
  const std::lock_guard lock(mutex_);
  if (session_ != nullptr)
    for (const int page : pages_) session_->leave(page);
  outdatedPages_.insert(pages_.begin(), pages_.end());
  pages_.clear();
  joined_.clear();
  ++version_;
  session_ = session;
}

bool ChangingSession::wasJoined() const {
  const std::lock_guard lock(mutex_);
  return anyJoined_;
}

SessionKind ChangingSession::kind() const {
  const std::lock_guard lock(mutex_);
  return session_ != nullptr ? session_->kind() : SessionKind::none;
}

std::int64_t ChangingSession::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

std::string ChangingSession::join(int page) {
  const std::lock_guard lock(mutex_);
  anyJoined_ = true;
  pages_.insert(page);
  joined_.insert(page);
  return session_ != nullptr ? session_->join(page) : jsonOf(message::Hello{});
}

std::string ChangingSession::answer(int page, const PageMessage& message) {
  const std::lock_guard lock(mutex_);
  return session_ != nullptr && pages_.contains(page) ? session_->answer(page, message) : "";
}

std::optional<ViewPacket> ChangingSession::next(int page) {
  const std::lock_guard lock(mutex_);
  if (outdatedPages_.erase(page) > 0) return ViewPacket{true, jsonOf(message::Reload{})};
  // A page may have asked for its logs before the session changed, and join after that.
  if (joined_.erase(page) > 0) return ViewPacket{true, jsonOf(message::Version{version_})};
  return session_ != nullptr && pages_.contains(page) ? session_->next(page) : std::nullopt;
}

void ChangingSession::leave(int page) {
  const std::lock_guard lock(mutex_);
  outdatedPages_.erase(page);
  joined_.erase(page);
  if (pages_.erase(page) > 0 && session_ != nullptr) session_->leave(page);
}

}  // namespace mortise::viewer
