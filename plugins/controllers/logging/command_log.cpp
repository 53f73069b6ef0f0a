#include "logging/command_log.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/hash/hash.h"

namespace mortise::controllers {

namespace {

static_assert(std::endian::native == std::endian::little, "command logs are written as they are in memory");

constexpr char kMagic[] = "MORTCMD2";
constexpr std::size_t kHeader = 24;
constexpr std::size_t kDriver = 7 * 8;
constexpr std::size_t kBuffer = 1 << 16;
constexpr std::uint64_t kMaxModes = 4;

std::size_t recordSize(int numDrivers) { return 8 + static_cast<std::size_t>(numDrivers) * kDriver + 8; }

/// The driver's part of a record.
void pack(const ActuatorCommand& c, unsigned char* bytes) {
  const auto mode = static_cast<std::uint64_t>(c.mode);
  std::memcpy(bytes, &mode, 8);
  const double numbers[] = {c.kP, c.kI, c.kD, c.position, c.velocity, c.torque};
  std::memcpy(bytes + 8, numbers, sizeof numbers);
}

/// False for what is no command.
bool unpack(const unsigned char* bytes, ActuatorCommand& c) {
  std::uint64_t mode = 0;
  std::memcpy(&mode, bytes, 8);
  double numbers[6];
  std::memcpy(numbers, bytes + 8, sizeof numbers);
  if (mode >= kMaxModes) return false;
  for (const double number : numbers)
    if (!std::isfinite(number)) return false;
  c.mode = static_cast<ActuatorCommand::Mode>(mode);
  c.kP = numbers[0];
  c.kI = numbers[1];
  c.kD = numbers[2];
  c.position = numbers[3];
  c.velocity = numbers[4];
  c.torque = numbers[5];
  return true;
}

std::vector<unsigned char> header(int numDrivers, bool onlyJointCommands, double period) {
  std::vector<unsigned char> bytes(kHeader);
  const std::uint32_t numbers[] = {static_cast<std::uint32_t>(numDrivers), onlyJointCommands ? 1u : 0u};
  std::memcpy(bytes.data(), kMagic, 8);
  std::memcpy(bytes.data() + 8, numbers, sizeof numbers);
  std::memcpy(bytes.data() + 16, &period, 8);
  return bytes;
}

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

void writeAll(int file, const unsigned char* data, std::size_t size, const std::string& path) {
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw Error("cannot write the log '" + path + "': " + std::strerror(errno));
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// Makes a file that was not there; `path` gets a number where it was. Devices and pipes are written as they are.
int create(std::string& path) {
  const std::filesystem::path wanted = path;
  constexpr int kMaximum = 100000;
  for (int number = 1; number < kMaximum; ++number) {
    if (number > 1)
      path =
          (wanted.parent_path() / (wanted.stem().string() + "-" + std::to_string(number) + wanted.extension().string()))
              .string();
    std::error_code none;
    const std::filesystem::file_status there = std::filesystem::status(path, none);
    const bool device = std::filesystem::is_character_file(there) || std::filesystem::is_fifo(there);
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | (device ? 0 : O_CREAT | O_EXCL), 0644);
    if (file >= 0) return file;
    if (errno == EEXIST && !std::filesystem::is_directory(there)) continue;
    const int problem = errno;
    throw Error("cannot write the log '" + path + "': " + std::strerror(problem == EEXIST ? EISDIR : problem), {},
                "is there such a folder?");
  }
  throw Error("cannot write the log '" + wanted.string() + "': there are too many files of this name");
}

}  // namespace

bool sameCommand(const ActuatorCommand& a, const ActuatorCommand& b, bool onlyJointCommands) {
  const bool joint =
      sameBits(a.position, b.position) && sameBits(a.velocity, b.velocity) && sameBits(a.torque, b.torque);
  return joint && (onlyJointCommands ||
                   (a.mode == b.mode && sameBits(a.kP, b.kP) && sameBits(a.kI, b.kI) && sameBits(a.kD, b.kD)));
}

CommandLog readCommandLog(const std::string& path) {
  const std::string content = readFile(path);
  const auto* bytes = reinterpret_cast<const unsigned char*>(content.data());
  const SourcePosition where = inFile(path);
  if (content.size() >= 8 && std::memcmp(bytes, kMagic, 7) == 0 && bytes[7] != kMagic[7])
    throw Error("this log of motor commands has the format of another version of Mortise", where, "make it again");
  if (content.size() < kHeader || std::memcmp(bytes, kMagic, 8) != 0)
    throw Error("this is no log of motor commands", where, "LoggingController writes such logs");
  std::uint32_t numbers[2];
  std::memcpy(numbers, bytes + 8, sizeof numbers);
  if (numbers[0] > 100000) throw Error("the log says it has " + std::to_string(numbers[0]) + " drivers", where);
  CommandLog log;
  log.numDrivers = static_cast<int>(numbers[0]);
  log.onlyJointCommands = numbers[1] == 1;
  std::memcpy(&log.period, bytes + 16, 8);
  if (!std::isfinite(log.period) || log.period <= 0)
    throw Error("the log does not say at what rate it was made", where, "its first 24 bytes are damaged");
  const std::size_t size = recordSize(log.numDrivers);
  std::size_t at = kHeader;
  for (; at + size <= content.size(); at += size) {
    std::uint64_t hash = 0;
    std::memcpy(&hash, bytes + at + size - 8, 8);
    LoggedCommands record;
    std::memcpy(&record.time, bytes + at, 8);
    const double last = log.records.empty() ? -INFINITY : log.records.back().time;
    if (hash != fnv1a(bytes + at, size - 8) || !std::isfinite(record.time) || !(record.time > last)) break;
    record.commands.resize(static_cast<std::size_t>(log.numDrivers));
    bool good = true;
    for (std::size_t i = 0; i < record.commands.size() && good; ++i)
      good = unpack(bytes + at + 8 + i * kDriver, record.commands[i]);
    if (!good) break;
    log.records.push_back(std::move(record));
  }
  log.droppedBytes = content.size() - at;
  return log;
}

void removeDelays(CommandLog& log, double seconds) {
  std::vector<LoggedCommands> kept;
  double shift = 0, before = 0;  // Time of the record before, as it was.
  for (LoggedCommands& record : log.records) {
    bool same = !kept.empty();
    for (std::size_t i = 0; same && i < record.commands.size(); ++i)
      same = sameCommand(record.commands[i], kept.back().commands[i], log.onlyJointCommands);
    if (same) continue;
    const double time = record.time;
    if (!kept.empty() && time - before > seconds) shift += time - before - seconds;
    before = time;
    record.time = time - shift;
    kept.push_back(std::move(record));
  }
  log.records = std::move(kept);
}

CommandLogWriter::~CommandLogWriter() { close(); }

void CommandLogWriter::open(const std::string& path, int numDrivers, bool onlyJointCommands, double period) {
  close();
  wanted_ = path_ = path;
  file_ = create(path_);
  recordSize_ = controllers::recordSize(numDrivers);
  buffer_.resize(std::max<std::size_t>(kBuffer, recordSize_));
  used_ = 0;
  size_ = 0;
  flushed_ = -INFINITY;
  header_ = header(numDrivers, onlyJointCommands, period);
  put(header_.data(), header_.size());
  flush();
}

void CommandLogWriter::restart(int numDrivers, bool onlyJointCommands, double period) {
  if (size_ == kHeader && header_ == header(numDrivers, onlyJointCommands, period)) return;
  open(std::string(wanted_), numDrivers, onlyJointCommands, period);
}

void CommandLogWriter::moveTo(const std::string& path) {
  flush();
  const std::string content = readFile(path_);
  std::string actual = path;
  const int file = create(actual);
  try {
    writeAll(file, reinterpret_cast<const unsigned char*>(content.data()), content.size(), actual);
  } catch (...) {
    ::close(file);
    throw;
  }
  ::close(file_);
  file_ = file;
  path_ = actual;
  wanted_ = path;
}

void CommandLogWriter::put(const void* data, std::size_t size) {
  std::memcpy(buffer_.data() + used_, data, size);
  used_ += size;
  size_ += size;
}

void CommandLogWriter::append(double time, std::span<const ActuatorCommand> commands) {
  const std::size_t size = controllers::recordSize(static_cast<int>(commands.size()));
  if (used_ + size > buffer_.size()) flush();
  unsigned char* record = buffer_.data() + used_;
  put(&time, 8);
  for (const ActuatorCommand& command : commands) {
    unsigned char bytes[kDriver];
    pack(command, bytes);
    put(bytes, sizeof bytes);
  }
  const std::uint64_t hash = fnv1a(record, size - 8);
  put(&hash, 8);
  if (time - flushed_ < 1) return;
  flush();
  flushed_ = time;
}

void CommandLogWriter::flush() {
  if (file_ < 0) return;
  const std::size_t size = used_;
  used_ = 0;
  writeAll(file_, buffer_.data(), size, path_);
}

void CommandLogWriter::close() noexcept {
  if (file_ < 0) return;
  try {
    flush();
  } catch (const std::exception&) {
    // The records until here are whole; a destructor has nobody to tell.
  }
  ::close(file_);
  file_ = -1;
}

void CommandLogWriter::truncate(std::uint64_t size) {
  if (file_ < 0 || size > size_ || size < kHeader) return;
  flush();
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0 || ::lseek(file_, static_cast<off_t>(size), SEEK_SET) < 0)
    throw Error("cannot shorten the log '" + path_ + "': " + std::strerror(errno));
  size_ = size;
  flushed_ = -INFINITY;
}

}  // namespace mortise::controllers
