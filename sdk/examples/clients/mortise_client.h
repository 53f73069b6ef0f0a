#pragma once

/// A client for Mortise's SerialController (and Klamp't's) in one header: POSIX sockets and C++17, nothing of Mortise.
///
///   mortise_client::Connection robot("tcp://127.0.0.1:3456");
///   while (auto state = robot.receive()) {
///     if (!state->error.empty()) continue;
///     std::vector<double> q = state->values.at("q");
///     q[0] += 0.01;
///     robot.position(q);
///   }
///
/// docs/remote.md says what the messages mean.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mortise_client {

/// A message from the robot.
struct State {
  double t = 0, dt = 0;  ///< s; of states only.
  /// "qcmd" and "dqcmd" (what the servos track, one number a link; absent while torques are commanded) and every
  /// sensor's values under its name, such as "q" and "dq".
  std::map<std::string, std::vector<double>> values;
  std::string error, message;  ///< Name and text of an error; empty for states.
};

/// Takes a message apart: an object of numbers, strings and lists of numbers. Other values are passed over.
class Reader {
 public:
  explicit Reader(const std::string& text) : at_(text.c_str()) {}

  State state() {
    State state;
    expect('{');
    if (!take('}')) {
      do {
        const std::string key = string();
        expect(':');
        if (space() == '"') {
          const std::string text = string();
          if (key == "error") state.error = text;
          if (key == "message") state.message = text;
        } else if (*at_ == '[') {
          list(state.values[key]);
        } else {
          const double number = scalar();
          if (key == "t") state.t = number;
          if (key == "dt") state.dt = number;
        }
      } while (take(','));
      expect('}');
    }
    return state;
  }

 private:
  char space() {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r') ++at_;
    return *at_;
  }
  bool take(char c) {
    if (space() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw std::runtime_error(std::string("the robot's message has no '") + c + "' where one should be");
  }
  double scalar() {
    for (const char* word : {"true", "false", "null"})
      if (std::strncmp(at_, word, std::strlen(word)) == 0) {
        at_ += std::strlen(word);
        return word[0] == 't';
      }
    char* end = nullptr;
    const double number = std::strtod(at_, &end);  // 1e999 is infinite.
    if (end == at_) throw std::runtime_error("the robot's message has no number where one should be");
    at_ = end;
    return number;
  }
  void list(std::vector<double>& out) {
    expect('[');
    if (take(']')) return;
    do {
      if (space() == '"')
        string();
      else
        out.push_back(scalar());
    } while (take(','));
    expect(']');
  }
  std::string string() {
    expect('"');
    std::string text;
    for (; *at_ != '"'; ++at_) {
      if (*at_ == '\0') throw std::runtime_error("the robot's message ends inside a string");
      if (*at_ == '\\' && at_[1] != '\0') ++at_;  // Good enough for names and messages.
      text += *at_;
    }
    ++at_;
    return text;
  }

  const char* at_;
};

class Connection {
 public:
  /// Connects; tries again for `wait` seconds while nobody listens. Throws std::runtime_error.
  explicit Connection(const std::string& address, double wait = 0) {
    std::string host = address.rfind("tcp://", 0) == 0 ? address.substr(6) : address;
    const std::size_t colon = host.rfind(':');
    if (colon == std::string::npos) throw std::runtime_error("'" + address + "' is not like tcp://127.0.0.1:3456");
    const std::string port = host.substr(colon + 1);
    host = colon == 0 ? "127.0.0.1" : host.substr(0, colon);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(wait);
    while (!connectTo(host, port)) {
      if (std::chrono::steady_clock::now() >= end)
        throw std::runtime_error("nobody listens on " + address + "; start the simulation first");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  ~Connection() {
    if (socket_ >= 0) ::close(socket_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The next message; none when the other end has left.
  std::optional<State> receive() {
    unsigned char header[4];
    if (!receiveAll(header, sizeof(header))) return std::nullopt;
    const std::uint32_t size =
        header[0] | header[1] << 8 | header[2] << 16 | static_cast<std::uint32_t>(header[3]) << 24;
    std::string text(size, '\0');
    if (!receiveAll(text.data(), size)) return std::nullopt;
    return Reader(text).state();
  }

  // Commands return false when the other end has left.

  /// Servos track q and dq (one number a link, rad or m) and add torques (one a driver); empty ones are left out.
  bool position(const std::vector<double>& q, const std::vector<double>& dq = {},
                const std::vector<double>& torque = {}) {
    std::string text = "{\"qcmd\":" + list(q);
    if (!dq.empty()) text += ",\"dqcmd\":" + list(dq);
    if (!torque.empty()) text += ",\"torquecmd\":" + list(torque);
    return send(text + "}");
  }
  /// The commanded configuration moves with dq for `duration` seconds, then holds.
  bool velocity(const std::vector<double>& dq, double duration) {
    return send("{\"dqcmd\":" + list(dq) + ",\"tcmd\":" + number(duration) + "}");
  }
  /// Torques, one a driver, in place of servos.
  bool torque(const std::vector<double>& torque) { return send("{\"torquecmd\":" + list(torque) + "}"); }
  /// Answers a state without a change, for simulations in lockstep.
  bool unchanged() { return send("{}"); }
  /// Any JSON text.
  bool send(const std::string& text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string frame;
    for (int i = 0; i < 4; ++i) frame += static_cast<char>(size >> (8 * i) & 0xff);
    frame += text;
    for (std::size_t sent = 0; sent < frame.size();) {
      const ssize_t count = ::send(socket_, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

 private:
  bool connectTo(const std::string& host, const std::string& port) {
    addrinfo hints = {}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0)
      throw std::runtime_error("there is no host '" + host + "'");
    for (const addrinfo* at = found; at != nullptr && socket_ < 0; at = at->ai_next) {
      socket_ = ::socket(at->ai_family, at->ai_socktype, at->ai_protocol);
      if (socket_ >= 0 && ::connect(socket_, at->ai_addr, at->ai_addrlen) != 0) {
        ::close(socket_);
        socket_ = -1;
      }
    }
    freeaddrinfo(found);
    return socket_ >= 0;
  }
  bool receiveAll(void* data, std::size_t size) {
    for (std::size_t got = 0; got < size;) {
      const ssize_t count = ::recv(socket_, static_cast<char*>(data) + got, size - got, 0);
      if (count <= 0) return false;
      got += static_cast<std::size_t>(count);
    }
    return true;
  }
  static std::string number(double x) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.17g", x);
    return text;
  }
  static std::string list(const std::vector<double>& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? "," : "") + number(values[i]);
    return text + "]";
  }

  int socket_ = -1;
};

}  // namespace mortise_client
