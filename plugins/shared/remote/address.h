#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mortise::remote {

/// The place of a controller's server: host name or number, and port.
struct Address {
  std::string host;  ///< "127.0.0.1", "localhost", "::1", "robot.example"; never empty.
  std::uint16_t port = 0;

  /// Returns what the resolver is asked for: "localhost" is 127.0.0.1 everywhere (RFC 6761), also without /etc/hosts.
  std::string resolvableHost() const { return host == "localhost" ? "127.0.0.1" : host; }
  std::string text() const;  ///< "tcp://127.0.0.1:3456"
};

/// "tcp://host:port", "host:port", "tcp://[::1]:port" and ":port", whose host is 127.0.0.1. Throws `Error` for others.
Address parseAddress(std::string_view text);

}  // namespace mortise::remote
