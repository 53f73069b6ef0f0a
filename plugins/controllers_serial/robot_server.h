#pragma once

/// The network's side of a SerialController: a TCP server on a thread of its own.

#include <memory>
#include <string>

#include "mailbox.h"
#include "remote/address.h"

namespace mortise::controllers_serial {

struct ServerOptions {
  remote::Address address;
  std::size_t maxMessageSize;  ///< Bytes of text.
  double timeout;              ///< s, for a message that was begun, and for a client that takes nothing.
  int numLinks, numDrivers;    ///< Sizes of the robot's commands.
  std::string owner;           ///< The owner, for those who want the same address.
};

/// Listens as long as it lives. The client that came first drives; the others wait for their turn.
class RobotServer {
 public:
  /// Throws `Error` when the address cannot be listened on, and names the owner when it is one of this process.
  /// `mailbox` outlives the server.
  RobotServer(const ServerOptions& options, Mailbox& mailbox);
  ~RobotServer();
  RobotServer(const RobotServer&) = delete;
  RobotServer& operator=(const RobotServer&) = delete;

  /// The address in use: with the port that was free where 0 was asked for.
  const remote::Address& address() const;
  /// Tells the network's thread to look into the mailbox. Never blocks; allocates nothing.
  void wake();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mortise::controllers_serial
