#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mortise::viewer {

/// Names under which a server on this machine is spoken to. A page of another name that leads here (DNS rebinding) is
/// refused, wherever it comes from; the loopback names are ours at any port, as ports are forwarded to others.
class HostNames {
 public:
  /// Further names, each HOST or HOST:PORT. Throws `Error` for what is no name of a host.
  void allow(const std::string& name);
  /// Says whether a header `Host` names this server.
  bool allows(std::string_view host) const;
  /// Says whether a header `Origin` is of a page that the same server sent, as far as `host` tells.
  static bool isSameOrigin(std::string_view origin, std::string_view host);
  /// The sockets that pages may connect to besides their own origin, for their policy of content.
  std::string sockets() const;

 private:
  std::vector<std::string> names_;  ///< In lower case.
};

}  // namespace mortise::viewer
