#pragma once

/// The mailbox between the simulation's thread and the network's thread. Every function holds the lock only while it
/// swaps a few pointers, so that neither thread ever waits for the other's work.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "mortise/base/log.h"
#include "remote/robot_message.h"

namespace mortise::controllers_serial {

/// Number of a client, counted from 1; 0: nobody.
using ClientId = std::uint64_t;

/// Something that a driving client did, in the order in which it did it.
struct ClientEvent {
  enum class Kind { command, left } kind = Kind::command;
  ClientId client = 0;
  remote::RobotCommand command;
};

class Mailbox {
 public:
  /// `everyCommand`: no command is left out, as lockstep needs it; else newer ones take the place of those that nobody
  /// has read yet.
  explicit Mailbox(bool everyCommand) : everyCommand_(everyCommand), events_(kCommands + 1) {}

  // The simulation's side.

  /// The next event; false when there is none. `event`'s memory goes back into use. `stalled`: the network's side waits
  /// for room.
  bool take(ClientEvent& event, bool& stalled);
  /// The newest report, which takes the place of one that was not sent yet.
  void putReport(ClientId client, std::string& frame);
  /// An answer to a message of this client; none is left out.
  void putReply(ClientId client, std::string frame);
  /// Until there is an event, or somebody drives although `client` is 0; at most this long.
  void wait(ClientId client, std::chrono::milliseconds maximum);
  ClientId driver() const;
  /// Forgets commands that nobody has read. Departures stay.
  void discardCommands();
  void setEveryCommand(bool every);
  /// Takes what happened since the last call, for the log.
  bool takeNotes(std::vector<std::pair<LogLevel, std::string>>& notes);

  // The network's side.

  /// False when there is no room for the command yet; else it is swapped against an unused one.
  bool putCommand(ClientId client, remote::RobotCommand& command);
  void setDriver(ClientId client, ClientId left);
  /// The report, if it is new and for this client.
  bool takeReport(ClientId client, std::string& frame);
  bool takeReply(ClientId& client, std::string& frame);
  void note(LogLevel level, std::string text);

 private:
  static constexpr std::size_t kCommands = 32;

  ClientEvent& back() { return events_[(first_ + count_ - 1) % events_.size()]; }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool everyCommand_;
  std::vector<ClientEvent> events_;  ///< A ring; the last place is kept for a departure.
  std::size_t first_ = 0, count_ = 0;
  bool stalled_ = false;
  ClientId driver_ = 0;
  std::string report_;
  ClientId reportFor_ = 0;  ///< 0: there is none.
  std::vector<std::pair<ClientId, std::string>> replies_;
  std::vector<std::pair<LogLevel, std::string>> notes_;
};

}  // namespace mortise::controllers_serial
