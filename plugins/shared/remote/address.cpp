#include "remote/address.h"

#include <charconv>

#include "mortise/base/error.h"

namespace mortise::remote {

namespace {

[[noreturn]] void fail(std::string_view text, const std::string& why) {
  throw Error("'" + std::string(text.substr(0, 200)) + "' is not an address: " + why, {},
              "write tcp://127.0.0.1:3456, with the port that the controller listens on");
}

}  // namespace

std::string Address::text() const {
  const bool six = host.find(':') != std::string::npos;
  return "tcp://" + (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Address parseAddress(std::string_view text) {
  std::string_view rest = text;
  if (const std::size_t scheme = rest.find("://"); scheme != std::string_view::npos) {
    if (rest.substr(0, scheme) != "tcp") fail(text, "only tcp is spoken here");
    rest.remove_prefix(scheme + 3);
  }
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) fail(text, "it has no port");
  std::string_view host = rest.substr(0, colon);
  const std::string_view port = rest.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string_view::npos)
    fail(text, "an IPv6 number stands in square brackets");
  if (host.find_first_of(" \t\r\n/") != std::string_view::npos || host.size() > 253) fail(text, "no host is called so");
  unsigned number = 0;
  const auto result = std::from_chars(port.data(), port.data() + port.size(), number);
  if (port.empty() || result.ec != std::errc() || result.ptr != port.data() + port.size() || number > 65535)
    fail(text, "a port is a number from 0 to 65535, not '" + std::string(port.substr(0, 40)) + "'");
  return {host.empty() ? "127.0.0.1" : std::string(host), static_cast<std::uint16_t>(number)};
}

}  // namespace mortise::remote
