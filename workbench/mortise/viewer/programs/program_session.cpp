#include "mortise/viewer/programs/program_session.h"

#include <iterator>

#include "mortise/base/error.h"

namespace mortise::viewer {

namespace {

/// The largest number of requests that wait for a program that takes none.
constexpr std::size_t kMaxRequests = 1000;

/// Says whether `next` makes `last` needless: a slider passes many values, and a drag many places.
bool replaces(const message::ProgramRequest& last, const message::ProgramRequest& next) {
  const auto *before = std::get_if<message::Control>(&last), *after = std::get_if<message::Control>(&next);
  if (before != nullptr && after != nullptr) return before->id == after->id && (after->number || after->text);
  const auto *from = std::get_if<message::Dragged>(&last), *to = std::get_if<message::Dragged>(&next);
  return from != nullptr && to != nullptr && from->name == to->name && !from->done;
}

}  // namespace

std::vector<message::ProgramRequest> ProgramSession::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, patience, [&] { return woken_ || !requests_.empty(); });
  woken_ = false;
  std::vector<message::ProgramRequest> taken(std::make_move_iterator(requests_.begin()),
                                             std::make_move_iterator(requests_.end()));
  requests_.clear();
  return taken;
}

void ProgramSession::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  news_.notify_all();
}

std::string ProgramSession::join(int page) {
  scene_.join(page);
  return shown_.join(page);
}

std::string ProgramSession::answer(int page, const PageMessage& message) {
  const auto* request = std::get_if<message::ProgramRequest>(&message);
  if (request == nullptr) return shown_.answer(page, message);
  scene_.take(*request);
  const std::lock_guard lock(mutex_);
  if (!requests_.empty() && replaces(requests_.back(), *request)) requests_.pop_back();
  if (requests_.size() >= kMaxRequests)
    throw Error("the program is busy: it has not yet taken what was done before", {}, "wait, and do it again");
  requests_.push_back(*request);
  news_.notify_one();
  return "";
}

std::optional<ViewPacket> ProgramSession::next(int page) {
  if (std::optional<ViewPacket> news = scene_.next(page)) return news;
  return shown_.next(page);
}

void ProgramSession::leave(int page) {
  scene_.leave(page);
  shown_.leave(page);
}

}  // namespace mortise::viewer
