#include "command_line/subprocess.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mortise/base/error.h"

extern char** environ;

namespace mortise::app {

namespace {

/// Both ends of a pipe, closed at the end of their life.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) throw Error("cannot make a pipe: " + std::string(std::strerror(errno)));
  }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int readEnd() const { return ends_[0]; }
  int writeEnd() const { return ends_[1]; }
  void closeWriteEnd() { closeEnd(1); }

 private:
  void closeEnd(int i) {
    if (ends_[i] >= 0) close(ends_[i]);
    ends_[i] = -1;
  }
  int ends_[2] = {-1, -1};
};

}  // namespace

ProcessResult runSelf(const std::vector<std::string>& arguments, double seconds) {
  Pipe output, messages;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writeEnd(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.writeEnd(), STDERR_FILENO);
  std::vector<std::string> words = {"mortise"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int failure = posix_spawn(&process, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw Error("cannot start a second process of this program: " + std::string(std::strerror(failure)));
  output.closeWriteEnd();
  messages.closeWriteEnd();

  ProcessResult result;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  struct Stream {
    int descriptor;
    std::string* text;
  };
  std::vector<Stream> open = {{output.readEnd(), &result.output}, {messages.readEnd(), &result.messages}};
  while (!open.empty()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) {
      result.timedOut = true;
      kill(process, SIGKILL);
      break;
    }
    std::vector<pollfd> polled;
    for (const auto& stream : open) polled.push_back({stream.descriptor, POLLIN, 0});
    if (poll(polled.data(), polled.size(), static_cast<int>(left)) < 0 && errno != EINTR) break;
    for (std::size_t i = polled.size(); i-- > 0;) {
      if (polled[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t count = ::read(open[i].descriptor, buffer, sizeof(buffer));
      if (count > 0)
        open[i].text->append(buffer, static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
  return result;
}

}  // namespace mortise::app
