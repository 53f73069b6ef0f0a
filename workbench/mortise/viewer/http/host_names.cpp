#include "mortise/viewer/http/host_names.h"

#include <algorithm>
#include <cctype>

#include "mortise/base/error.h"

namespace mortise::viewer {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool isPort(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The name without its port; the whole where it has none.
std::string_view withoutPort(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || !isPort(host.substr(colon + 1))) return host;
  const std::string_view name = host.substr(0, colon);
  // Of an address of the sixth version without brackets it would be a part.
  return name.find(':') != std::string_view::npos && !name.ends_with("]") ? host : name;
}

}  // namespace

void HostNames::allow(const std::string& name) {
  const std::string_view host = withoutPort(name);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  const std::string_view inner = bracketed ? host.substr(1, host.size() - 2) : host;
  const std::string_view allowed =
      bracketed ? "0123456789abcdefABCDEF:." : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
  if (inner.empty() || inner.find_first_not_of(allowed) != std::string_view::npos)
    throw Error("'" + name + "' is no name of a host", {},
                "give a name or an address, and a port if it matters, such as robot.local:9000");
  names_.push_back(lower(name));
}

bool HostNames::allows(std::string_view given) const {
  const std::string host = lower(given);
  const std::string_view name = withoutPort(host);
  if (name == "127.0.0.1" || name == "localhost" || name == "[::1]") return true;
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& known) { return known == host || known == name; });
}

bool HostNames::isSameOrigin(std::string_view origin, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (lower(origin) == std::string(scheme) + lower(host)) return true;
  return false;
}

std::string HostNames::sockets() const {
  std::string text = "ws://127.0.0.1:* ws://localhost:*";
  for (const std::string& name : names_)
    for (const char* scheme : {" ws://", " wss://"}) text += scheme + name + (withoutPort(name) == name ? ":*" : "");
  return text;
}

}  // namespace mortise::viewer
