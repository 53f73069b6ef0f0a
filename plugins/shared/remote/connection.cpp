#include "remote/connection.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "mortise/base/error.h"

namespace mortise::remote {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kChunk = 64 * 1024;
constexpr double kSendTimeout = 10;     // s
constexpr double kConnectTimeout = 10;  // s, for a host that does not answer at all.
constexpr int kSlice = 50;              // ms between two checks for a stop.

double secondsUntil(Clock::time_point end) { return std::chrono::duration<double>(end - Clock::now()).count(); }

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const Address& address) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(address.resolvableHost().c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (code != 0)
    throw Error("cannot connect to " + address.text() + ": " + gai_strerror(code), {}, "check the name of the host");
  return {found, &freeaddrinfo};
}

}  // namespace

Connection::Connection(const Address& address, double wait, StopRequested stopRequested, std::size_t maxMessageSize)
    : stopRequested_(std::move(stopRequested)), frames_(maxMessageSize) {
  const Addresses addresses = resolve(address);
  const auto end = after(std::clamp(wait, 0.0, 1e6));
  int reason = 0;
  for (;;) {
    for (const addrinfo* at = addresses.get(); at != nullptr && socket_ < 0; at = at->ai_next) {
      socket_ = ::socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      if (socket_ < 0) {
        reason = errno;
        continue;
      }
      reason = ::connect(socket_, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
      if (reason == EINPROGRESS) {
        socklen_t size = sizeof(reason);
        if (!waitFor(POLLOUT, kConnectTimeout) || getsockopt(socket_, SOL_SOCKET, SO_ERROR, &reason, &size) != 0)
          reason = ETIMEDOUT;
      }
      if (reason != 0) {
        ::close(socket_);
        socket_ = -1;
      }
    }
    if (socket_ >= 0) break;
    const bool stop = stopRequested_ && stopRequested_();
    if (stop || secondsUntil(end) <= 0)
      throw Error("cannot connect to " + address.text() + ": " + std::strerror(reason), {},
                  stop ? "" : "start the simulation or the robot that listens there first, or wait for it");
    std::this_thread::sleep_for(std::chrono::milliseconds(kSlice));
  }
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

bool Connection::waitFor(short events, double seconds) const {
  const auto end = after(std::clamp(seconds, 0.0, 1e6));
  for (;;) {
    pollfd descriptor = {socket_, events, 0};
    const double left = std::max(0.0, secondsUntil(end));
    const int count = ::poll(&descriptor, 1, std::min(kSlice, static_cast<int>(left * 1000) + (left > 0 ? 1 : 0)));
    if (count > 0) return true;
    if (left <= 0 || (stopRequested_ && stopRequested_())) return false;
  }
}

bool Connection::send(std::string_view frame) {
  const auto end = after(kSendTimeout);
  while (!frame.empty() && !closed_) {
    const ssize_t sent = ::send(socket_, frame.data(), frame.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      frame.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!waitFor(POLLOUT, secondsUntil(end))) return false;
    } else if (errno != EINTR) {
      closed_ = true;
    }
  }
  return !closed_;
}

std::optional<std::string_view> Connection::receive(double seconds) {
  const auto end = after(std::clamp(seconds, 0.0, 1e6));
  for (;;) {
    if (auto text = frames_.next()) return text;
    if (frames_.broken()) closed_ = true;
    if (closed_) return std::nullopt;
    const std::span<char> room = frames_.prepare(kChunk);
    const ssize_t size = ::recv(socket_, room.data(), room.size(), 0);
    if (size > 0)
      frames_.commit(static_cast<std::size_t>(size));
    else if (size == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
      closed_ = true;
    else if (!waitFor(POLLIN, secondsUntil(end)))
      return std::nullopt;
  }
}

}  // namespace mortise::remote
