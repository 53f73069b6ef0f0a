#include "mailbox.h"

#include <utility>

namespace mortise::controllers_serial {

namespace {

/// Notes that nobody reads, because the simulation stands still, do not pile up.
constexpr std::size_t kMaxNotes = 100;

}  // namespace

bool Mailbox::take(ClientEvent& event, bool& stalled) {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return false;
  std::swap(event, events_[first_]);
  first_ = (first_ + 1) % events_.size();
  --count_;
  stalled = std::exchange(stalled_, false);
  return true;
}

void Mailbox::putReport(ClientId client, std::string& frame) {
  const std::lock_guard lock(mutex_);
  report_.swap(frame);
  reportFor_ = client;
}

void Mailbox::putReply(ClientId client, std::string frame) {
  const std::lock_guard lock(mutex_);
  replies_.emplace_back(client, std::move(frame));
}

void Mailbox::wait(ClientId client, std::chrono::milliseconds maximum) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, maximum, [&] { return count_ > 0 || (client == 0 && driver_ != 0); });
}

ClientId Mailbox::driver() const {
  const std::lock_guard lock(mutex_);
  return driver_;
}

void Mailbox::discardCommands() {
  const std::lock_guard lock(mutex_);
  const bool left = count_ > 0 && back().kind == ClientEvent::Kind::left;
  const ClientId client = left ? back().client : 0;
  count_ = 0;
  reportFor_ = 0;
  if (!left) return;
  ++count_;
  back().kind = ClientEvent::Kind::left;
  back().client = client;
}

void Mailbox::setEveryCommand(bool every) {
  const std::lock_guard lock(mutex_);
  everyCommand_ = every;
}

bool Mailbox::takeNotes(std::vector<std::pair<LogLevel, std::string>>& notes) {
  const std::lock_guard lock(mutex_);
  notes.clear();
  notes.swap(notes_);
  return !notes.empty();
}

bool Mailbox::putCommand(ClientId client, remote::RobotCommand& command) {
  const std::lock_guard lock(mutex_);
  const bool replaces = !everyCommand_ && count_ > 0 && back().kind == ClientEvent::Kind::command &&
                        back().client == client && !back().command.setting && !command.setting;
  if (!replaces) {
    if (count_ >= kCommands) {
      stalled_ = true;
      return false;
    }
    ++count_;
  }
  back().kind = ClientEvent::Kind::command;
  back().client = client;
  std::swap(back().command, command);
  changed_.notify_all();
  return true;
}

void Mailbox::setDriver(ClientId client, ClientId left) {
  const std::lock_guard lock(mutex_);
  // One departure tells as much as two in a row.
  if (left != 0 && (count_ == 0 || back().kind != ClientEvent::Kind::left)) {
    ++count_;
    back().kind = ClientEvent::Kind::left;
  }
  if (left != 0) back().client = left;
  driver_ = client;
  changed_.notify_all();
}

bool Mailbox::takeReport(ClientId client, std::string& frame) {
  const std::lock_guard lock(mutex_);
  if (reportFor_ == 0 || reportFor_ != client) return false;
  reportFor_ = 0;
  frame.swap(report_);
  return true;
}

bool Mailbox::takeReply(ClientId& client, std::string& frame) {
  const std::lock_guard lock(mutex_);
  if (replies_.empty()) return false;
  client = replies_.front().first;
  frame = std::move(replies_.front().second);
  replies_.erase(replies_.begin());
  return true;
}

void Mailbox::note(LogLevel level, std::string text) {
  const std::lock_guard lock(mutex_);
  if (notes_.size() < kMaxNotes) notes_.emplace_back(level, std::move(text));
}

}  // namespace mortise::controllers_serial
