#include "mortise/base/files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/interruption.h"
#include "mortise/base/position.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

std::string reason(int code) { return std::strerror(code); }

/// Closes a file descriptor when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool closeNow() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// Files, or folders, that are where `path` would be; empty when that folder cannot be read.
std::vector<std::string> siblings(const fs::path& path, bool folders) {
  std::vector<std::string> names;
  std::error_code code;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    std::error_code unknown;
    if (it->is_directory(unknown) == folders) names.push_back(it->path().filename().string());
    if (names.size() >= 10000) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Says whether a file may be meant by this name: one of another kind is not, though a slip may be in the extension. A
/// name without extension means a file without, or one that it lacks the extension of.
bool sameKind(const fs::path& wanted, const fs::path& candidate) {
  const std::string theirs = candidate.extension().string();
  if (!wanted.has_extension()) return theirs.empty() || candidate.stem() == wanted;
  return !theirs.empty() && !nearestName(wanted.extension().string().substr(1), {theirs.substr(1)}).empty();
}

/// The file near `wanted` in its folder; where there is no such folder, the file in a folder whose name is near.
std::string nearPath(const fs::path& wanted) {
  const fs::path name = wanted.filename(), folder = wanted.parent_path();
  std::vector<std::string> files = siblings(wanted, false);
  std::erase_if(files, [&](const std::string& file) { return !sameKind(name, file); });
  if (const std::string near = nearestName(name.string(), files); !near.empty()) return (folder / near).string();
  std::error_code code;
  if (folder.empty() || fs::exists(folder, code)) return {};
  const std::string other = nearestName(folder.filename().string(), siblings(folder, true));
  const fs::path there = folder.parent_path() / other / name;
  return !other.empty() && fs::is_regular_file(there, code) ? there.string() : std::string();
}

/// Says whether a shell opens such a name for a command: `<(...)` and standard input.
bool isOpenDescriptor(const std::string& path) { return path.starts_with("/dev/") || path.starts_with("/proc/"); }

void writeAll(int fd, std::string_view content, const std::string& path) {
  constexpr std::size_t kChunk = 1 << 20;
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), std::min(content.size(), kChunk));
    if (written < 0) {
      if (errno == EINTR) continue;
      throw Error("cannot write: " + reason(errno), inFile(path));
    }
    content.remove_prefix(static_cast<std::size_t>(written));
    if (!content.empty()) interruptionPoint();  // What is small is written whole, whatever is wanted.
  }
}

}  // namespace

std::string nearFile(const std::vector<std::string>& tried) {
  for (const std::string& path : tried) {
    const fs::path wanted(path);
    std::error_code code;
    if (const fs::path target = fs::read_symlink(wanted, code); !code)
      return "'" + path + "' is a link to '" + target.string() + "', which leads to no file";
    if (const std::string near = nearPath(wanted); !near.empty()) return "did you mean '" + near + "'?";
  }
  return {};
}

void refusePipe(const std::string& path, std::string_view referringFile) {
  if (referringFile.empty() && isOpenDescriptor(path)) return;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (fs::is_fifo(status) || fs::is_socket(status))
    throw Error("'" + path + "' is a " + (fs::is_fifo(status) ? "pipe" : "socket") + ", not a file",
                inFile(std::string(referringFile)), "write what it gives to a file, and name that");
}

std::string readFile(const std::string& path) {
  const SourcePosition where = inFile(path);
  if (path.empty()) throw Error("cannot read a file without a name");
  refusePipe(path, {});
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    const int code = errno;
    throw Error("cannot read: " + reason(code), where, code == ENOENT ? nearFile({path}) : std::string());
  }
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode))
    throw Error("cannot read: it is a folder", where, "name a file inside it");
  // Some devices never end. Pipes that a shell opened (`/dev/stdin`, `/dev/fd/63`) are fine.
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))
    throw Error("cannot read: it is a device, not a file", where, "copy what it holds to a file");
  std::string content;
  if (status.st_size > 0) content.reserve(std::min(static_cast<std::size_t>(status.st_size), std::size_t{1} << 32));
  // Not every readable thing knows its size (pipes, /proc), so read until there is no more. By way of a buffer that
  // stays in the processor's cache: a string would be filled with zeros before it could be read into.
  constexpr std::size_t kChunk = 1 << 17;
  constexpr std::size_t kLimit = std::size_t{1} << 32;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kChunk);
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.get(), kChunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error("cannot read: " + reason(errno), where);
    if (count == 0) return content;
    content.append(buffer.get(), static_cast<std::size_t>(count));
    if (content.size() > kChunk) interruptionPoint();
    if (content.size() > kLimit) throw Error("cannot read: it is larger than 4 GiB", where);
  }
}

void writeFile(const std::string& path, std::string_view content) {
  const SourcePosition where = inFile(path);
  if (path.empty()) throw Error("cannot write a file without a name");
  // A device or pipe is written to; a file would replace it. A link keeps pointing where it points.
  std::error_code code;
  std::string target = path;
  if (fs::is_symlink(path, code)) {
    const fs::path resolved = fs::canonical(path, code);
    if (!code) target = resolved.string();
  }
  const fs::file_status status = fs::status(target, code);
  if (fs::is_directory(status)) throw Error("cannot write: it is a folder", where);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const Descriptor device(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) throw Error("cannot write: " + reason(errno), where);
    writeAll(device.get(), content, path);
    return;
  }
  static std::atomic<unsigned> counter{0};
  const std::string temporary =
      target + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1));
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) {
    const int problem = errno;
    throw Error("cannot write: " + reason(problem), where,
                problem == ENOENT ? "create the folder '" + fs::path(target).parent_path().string() + "' first"
                                  : std::string());
  }
  try {
    writeAll(file.get(), content, path);
    if (!file.closeNow()) throw Error("cannot write: " + reason(errno), where);
    if (std::rename(temporary.c_str(), target.c_str()) != 0) throw Error("cannot write: " + reason(errno), where);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace mortise
