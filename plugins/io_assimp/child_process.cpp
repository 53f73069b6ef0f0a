#include "child_process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mortise/base/bytes.h"

namespace mortise::io_assimp {

namespace {

/// A message of the child: what follows, how many bytes, the bytes.
enum class Answer : std::uint8_t { result, error };
constexpr std::size_t kHead = sizeof(Answer) + sizeof(std::uint64_t);

constexpr std::size_t kMaxGranted = std::size_t{2} << 30;
bool confined = false;  ///< In a child whose memory is limited.

class Pipe {
 public:
  explicit Pipe(const SourcePosition& where) {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw Error("cannot make a pipe: " + std::string(std::strerror(errno)), where);
  }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int end(int which) const { return ends_[which]; }
  void closeEnd(int which) {
    if (ends_[which] >= 0) ::close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

std::size_t addressSpace() {
  unsigned long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// The child crashes quietly, ends with its parent, and takes no more than its share.
void confine(const ChildLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE}) std::signal(signal, SIG_DFL);
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
#if !defined(__SANITIZE_ADDRESS__)  // Which reserves terabytes for itself.
  const std::size_t maximum = addressSpace() + limits.memory;
  const rlimit memory{maximum, maximum + kMaxGranted};
  ::setrlimit(RLIMIT_AS, &memory);
  confined = true;
#else
  (void)limits;
#endif
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
  }
}

std::vector<std::byte> errorBytes(const Error& error) {
  ByteWriter out;
  out.put(std::string_view(error.message()));
  out.put(std::string_view(error.where().file));
  out.put(error.where().line);
  out.put(error.where().column);
  out.put(std::string_view(error.hint()));
  return std::move(out.bytes());
}

std::string tooMuchMemory(const ChildLimits& limits) {
  return "reading it takes more than " + std::to_string(limits.memory >> 20) +
         " MB of memory, which is far more than its size explains";
}

bool sendAll(int fd, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(fd, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

[[noreturn]] void beChild(int fd, const std::function<std::vector<std::byte>()>& work, const ChildLimits& limits,
                          const SourcePosition& where) {
  confine(limits);
  Answer answer = Answer::result;
  std::vector<std::byte> bytes;
  try {
    bytes = work();
  } catch (const Error& error) {
    answer = Answer::error;
    bytes = errorBytes(error);
  } catch (const std::bad_alloc&) {
    answer = Answer::error;
    bytes = errorBytes(Error(tooMuchMemory(limits), where));
  } catch (const std::exception& error) {
    answer = Answer::error;
    bytes = errorBytes(Error(error.what(), where));
  } catch (...) {
    answer = Answer::error;
    bytes = errorBytes(Error("the library threw something that is not a std::exception", where));
  }
  const std::uint64_t size = bytes.size();
  const bool sent = sendAll(fd, &answer, sizeof(answer)) && sendAll(fd, &size, sizeof(size)) &&
                    sendAll(fd, bytes.data(), bytes.size());
  ::_exit(sent ? 0 : 1);
}

/// Reads until a whole message is there, the child is gone or its time is over; false for the last.
bool receive(int fd, int seconds, std::vector<std::byte>& message) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(seconds);
  std::vector<std::byte> buffer(1 << 16);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{fd, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(left));
    if (ready <= 0) continue;  // Interrupted, or out of time.
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    message.insert(message.end(), buffer.begin(), buffer.begin() + count);
    if (message.size() < kHead) continue;
    std::uint64_t size = 0;
    std::memcpy(&size, message.data() + sizeof(Answer), sizeof(size));
    if (message.size() - kHead >= size) return true;
  }
}

/// Returns how the child ended, in words; empty when it ended by itself or nobody knows.
std::string signalOf(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return {};
  if (!WIFSIGNALED(status)) return {};
  const char* name = ::strsignal(WTERMSIG(status));
  return name == nullptr ? "signal " + std::to_string(WTERMSIG(status)) : std::string(name);
}

[[noreturn]] void rethrow(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const std::string message = in.getString();
  SourcePosition where;
  where.file = in.getString();
  in.get(where.line);
  in.get(where.column);
  throw Error(message, where, in.getString());
}

}  // namespace

void grantMemory(std::size_t bytes) {
  rlimit memory{};
  if (!confined || ::getrlimit(RLIMIT_AS, &memory) != 0) return;
  memory.rlim_cur = bytes < memory.rlim_max - memory.rlim_cur ? memory.rlim_cur + bytes : memory.rlim_max;
  ::setrlimit(RLIMIT_AS, &memory);
}

std::vector<std::byte> runInChild(const std::function<std::vector<std::byte>()>& work, const ChildLimits& limits,
                                  const SourcePosition& where, const std::function<void()>& onTimeout) {
  Pipe pipe(where);
  const pid_t child = ::fork();
  if (child < 0) throw Error("cannot start a process to read it: " + std::string(std::strerror(errno)), where);
  if (child == 0) beChild(pipe.end(1), work, limits, where);
  pipe.closeEnd(1);
  std::vector<std::byte> message;
  const bool inTime = receive(pipe.end(0), limits.seconds, message);
  if (!inTime) ::kill(child, SIGKILL);
  pipe.closeEnd(0);
  const std::string signal = signalOf(child);
  const std::string hint = "the file may be damaged; write it anew or convert it with another program";
  if (!inTime && onTimeout) onTimeout();
  if (!inTime) throw Error("reading it takes more than " + std::to_string(limits.seconds) + " s", where, hint);
  std::uint64_t size = 0;
  if (message.size() >= kHead) std::memcpy(&size, message.data() + sizeof(Answer), sizeof(size));
  if (message.size() < kHead || message.size() - kHead != size)
    throw Error("the library that reads it crashed" + (signal.empty() ? std::string() : " (" + signal + ")"), where,
                hint);
  const std::span<const std::byte> content(message.data() + kHead, size);
  if (static_cast<Answer>(message.front()) == Answer::error) rethrow(content);
  return {content.begin(), content.end()};
}

}  // namespace mortise::io_assimp
