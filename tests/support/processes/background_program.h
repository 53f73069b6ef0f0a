#pragma once

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/run_program.h"

namespace mortise::test {

/// A program that runs beside a test, its output in a file; it ends with this object at the latest.
class BackgroundProgram {
 public:
  /// `environment` ("NAME=value") comes on top of this process's own.
  BackgroundProgram(std::vector<std::string> words, std::vector<std::string> environment, std::string output)
      : output_(std::move(output)) {
    std::vector<char*> arguments, variables;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    for (std::string& variable : environment) variables.push_back(variable.data());
    for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
    variables.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), variables.data()) != 0) process_ = -1;
    posix_spawn_file_actions_destroy(&actions);
  }
  ~BackgroundProgram() {
    if (!ended()) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, &status_, 0);
    }
  }
  BackgroundProgram(const BackgroundProgram&) = delete;
  BackgroundProgram& operator=(const BackgroundProgram&) = delete;

  /// Asks it to end and waits for that; false when it does not within `seconds`.
  bool end(int signal, double seconds) {
    if (!ended()) ::kill(process_, signal);
    return waitFor(seconds, [this] { return ended(); });
  }
  bool ended() {
    if (process_ > 0 && ::waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
    return process_ <= 0;
  }
  /// Once it has ended; -1 where a signal ended it.
  int exitCode() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; }
  std::string output() const {
    std::ostringstream text;
    text << std::ifstream(output_).rdbuf();
    return text.str();
  }

  /// Asks again and again; false when it is not so within `seconds`.
  template <typename F>
  static bool waitFor(double seconds, const F& isSo) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!isSo()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }

 private:
  std::string output_;
  pid_t process_ = -1;
  int status_ = -1;
};

namespace detail {

inline sockaddr_in loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace detail

/// A TCP port of this machine that nobody listens on.
inline int freePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = detail::loopback(0);
  socklen_t size = sizeof address;
  if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0) throw std::runtime_error("no port is free");
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

inline bool listensOn(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = detail::loopback(port);
  const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return connected;
}

}  // namespace mortise::test
