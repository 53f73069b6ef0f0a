#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "handler_memory.h"
#include "mailbox.h"
#include "remote/frame.h"
#include "robot_server.h"

namespace mortise::controllers_serial {

/// One client, on the network's thread. It reads messages as long as their answers find room, so that a client that
/// takes no answers holds up nobody but itself; reports that it does not take are replaced by newer ones.
class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Clock = std::chrono::steady_clock;

  /// `onEnd` is called once, when the client has left or was sent away.
  ClientConnection(Socket socket, ClientId id, const ServerOptions& options, Mailbox& mailbox,
                   std::function<void(ClientConnection&)> onEnd);

  void begin();
  ClientId id() const { return id_; }
  const std::string& name() const { return name_; }
  /// Why it ended.
  const std::string& reason() const { return reason_; }
  bool drives() const { return drives_; }
  void setDrives(bool drives) { drives_ = drives; }
  /// An answer is sent after those before it.
  void reply(std::string frame);
  void replyError(std::string_view code, std::string_view message);
  /// Sends what there is to send; reads on if it had to stop for want of room.
  void pump();
  /// Sends what is left to be sent, then closes. It is over for `onEnd` at once.
  void dismiss(std::string reason);
  /// Ends a client that takes too long for what it began.
  void checkTime(Clock::time_point now);
  void close();
  bool closed() const { return closed_; }

 private:
  void read();
  void process();
  bool handle(std::string_view text);
  void write();
  void end(std::string reason);

  Socket socket_;
  ClientId id_;
  const ServerOptions& options_;
  Mailbox& mailbox_;
  std::function<void(ClientConnection&)> onEnd_;
  std::string name_, reason_;
  std::shared_ptr<HandlerMemory> readMemory_ = std::make_shared<HandlerMemory>();
  std::shared_ptr<HandlerMemory> writeMemory_ = std::make_shared<HandlerMemory>();
  remote::FrameReader frames_;
  remote::RobotCommand command_;
  std::deque<std::string> replies_;
  std::string writing_;
  bool drives_ = false;
  bool reading_ = false, writes_ = false;
  bool full_ = false;       ///< `command_` waits for room in the mailbox.
  bool dismissed_ = false;  ///< Only answers are still sent; what comes is thrown away.
  bool shut_ = false, closed_ = false, ended_ = false;
  Clock::time_point received_, messageBegan_, writeBegan_;
};

}  // namespace mortise::controllers_serial
