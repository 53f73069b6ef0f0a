#include "ros/relay/arrival_log.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/hash/hash.h"

namespace mortise::ros {

namespace {

static_assert(std::endian::native == std::endian::little, "logs of messages are written as they are in memory");

constexpr char kMagic[] = "MORTROS1";
constexpr std::size_t kStart = 8 + 4 + 4 + 8;  ///< Bytes of the file before the robot's name.
constexpr std::size_t kHead = 8 + 8 + 4 + 4;   ///< Bytes of a record before the topic's name.

template <typename T>
void put(std::string& out, T number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <typename T>
T get(const std::string& from, std::size_t at) {
  T number;
  std::memcpy(&number, from.data() + at, sizeof number);
  return number;
}

void writeAll(int file, const std::string& text, const std::string& path) {
  const char* data = text.data();
  std::size_t size = text.size();
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw Error("cannot write the log '" + path + "': " + std::strerror(errno));
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// Reads the record at `at` and moves it behind; false where there is no whole one.
bool takeRecord(const std::string& content, std::size_t& at, std::int64_t lastTick, Arrival& arrival) {
  if (content.size() - at < kHead + 8) return false;
  const auto topic = get<std::uint32_t>(content, at + 16), bytes = get<std::uint32_t>(content, at + 20);
  const std::size_t size = kHead + std::size_t{topic} + bytes;
  if (size > content.size() - at - 8) return false;
  if (get<std::uint64_t>(content, at + size) != fnv1a(content.data() + at, size)) return false;
  arrival.tick = get<std::int64_t>(content, at);
  arrival.time = get<double>(content, at + 8);
  if (!std::isfinite(arrival.time) || arrival.tick < lastTick) return false;
  arrival.topic = content.substr(at + kHead, topic);
  arrival.bytes.resize(bytes);
  if (bytes > 0) std::memcpy(arrival.bytes.data(), content.data() + at + kHead + topic, bytes);
  at += size + 8;
  return true;
}

/// Says whether something is neither file nor folder: a terminal, /dev/null, a named pipe.
bool isDevice(const std::string& path) {
  std::error_code code;
  return std::filesystem::is_other(path, code);
}

int openDevice(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    throw Error("cannot write the log '" + path + "': " + std::strerror(errno), {}, "name a file, or leave it out");
  return file;
}

/// Makes a file that was not there; `path` gets a number where it was.
int create(std::string& path) {
  const std::filesystem::path wanted = path;
  constexpr int kMaximum = 100000;
  for (int number = 1; number < kMaximum; ++number) {
    if (number > 1) {
      const std::string name = wanted.stem().string() + "-" + std::to_string(number) + wanted.extension().string();
      path = (wanted.parent_path() / name).string();
    }
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0644);
    if (file >= 0) return file;
    if (errno == EEXIST && number == 1 && isDevice(path)) return openDevice(path);
    if (errno == EEXIST && !std::filesystem::is_directory(path)) continue;
    throw Error("cannot write the log '" + path + "': " + std::strerror(errno == EEXIST ? EISDIR : errno), {},
                "is there such a folder?");
  }
  throw Error("cannot write the log '" + wanted.string() + "': there are too many files of this name");
}

}  // namespace

ArrivalLog readArrivalLog(const std::string& path) {
  const std::string content = readFile(path);
  const SourcePosition where = inFile(path);
  if (content.size() < kStart || std::memcmp(content.data(), kMagic, 8) != 0)
    throw Error("this is no log of messages from ROS", where, "relays of ROS write such logs");
  const auto encoding = get<std::uint32_t>(content, 8), name = get<std::uint32_t>(content, 12);
  if (encoding > 1 || name > content.size() - kStart)
    throw Error("the first bytes of this log of messages from ROS are damaged", where, "record it again");
  ArrivalLog log;
  log.encoding = encoding == 0 ? Encoding::ros1 : Encoding::cdr;
  log.period = get<double>(content, 16);
  log.robot = content.substr(kStart, name);
  std::size_t at = kStart + name;
  for (Arrival arrival; takeRecord(content, at, log.arrivals.empty() ? 0 : log.arrivals.back().tick, arrival);)
    log.arrivals.push_back(std::move(arrival));
  log.droppedBytes = content.size() - at;
  return log;
}

double ArrivalLog::timeStep() const {
  if (arrivals.empty() || arrivals.back().tick <= 0) return 0;
  const Arrival &first = arrivals.front(), &last = arrivals.back();
  // A run that began with another step, in a saved state, is known by two of its ticks.
  if (first.tick != last.tick) return (last.time - first.time) / static_cast<double>(last.tick - first.tick);
  return last.time / static_cast<double>(last.tick);
}

ArrivalLogWriter::~ArrivalLogWriter() { close(); }

void ArrivalLogWriter::open(const std::string& path, Encoding encoding, const std::string& robot, double period) {
  close();
  path_ = path;
  file_ = create(path_);
  empty_ = true;
  lastTick_ = 0;
  std::string header(kMagic, 8);
  put(header, std::uint32_t{encoding == Encoding::ros1 ? 0u : 1u});
  put(header, static_cast<std::uint32_t>(robot.size()));
  put(header, period);
  writeAll(file_, header + robot, path_);
}

void ArrivalLogWriter::append(const Arrival& arrival) {
  record_.clear();
  put(record_, arrival.tick);
  put(record_, arrival.time);
  put(record_, static_cast<std::uint32_t>(arrival.topic.size()));
  put(record_, static_cast<std::uint32_t>(arrival.bytes.size()));
  record_ += arrival.topic;
  record_.append(reinterpret_cast<const char*>(arrival.bytes.data()), arrival.bytes.size());
  put(record_, fnv1a(record_.data(), record_.size()));
  writeAll(file_, record_, path_);
  lastTick_ = arrival.tick;
  empty_ = false;
}

void ArrivalLogWriter::forgetFrom(std::int64_t tick) {
  if (file_ < 0 || empty_ || tick > lastTick_ || isDevice(path_)) return;  // What a device got it keeps.
  const std::string content = readFile(path_);
  std::size_t at = kStart + get<std::uint32_t>(content, 12), end = at;
  std::int64_t last = 0;
  empty_ = true;
  for (Arrival arrival; takeRecord(content, at, last, arrival) && arrival.tick < tick; end = at) {
    last = arrival.tick;
    empty_ = false;
  }
  lastTick_ = last;
  if (::ftruncate(file_, static_cast<off_t>(end)) != 0 || ::lseek(file_, static_cast<off_t>(end), SEEK_SET) < 0)
    throw Error("cannot shorten the log '" + path_ + "': " + std::strerror(errno));
}

void ArrivalLogWriter::close() noexcept {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

}  // namespace mortise::ros
