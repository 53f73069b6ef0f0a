#pragma once

/// The file that LoggingController writes and replays: what a controller asked of the motors, and when.
///
///   8 bytes  "MORTCMD2"
///   u32      number of drivers
///   u32      1 when only positions, velocities and torques were compared and count (`onlyJointCommands`), else 0
///   f64      time between the controller's updates, s
///   records, each
///     f64      time, s
///     a driver: u64 mode (0 off, 1 torque, 2 PID, 3 velocity), f64 kP, kI, kD, position, velocity, torque
///     u64      FNV-1a hash (64 bits) of the record so far
///
/// Numbers are little-endian, reals IEEE 754. A record stands for all updates until the next one. What follows the last
/// whole record with the right hash is what a crash left, and is dropped.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mortise/component/controller.h"

namespace mortise::controllers {

/// The commands of all drivers from some time on.
struct LoggedCommands {
  double time = 0;  ///< s
  std::vector<ActuatorCommand> commands;
};

struct CommandLog {
  int numDrivers = 0;
  bool onlyJointCommands = false;
  double period = 0;                    ///< Between updates, s.
  std::vector<LoggedCommands> records;  ///< Times increase.
  std::uint64_t droppedBytes = 0;       ///< Behind the last whole record.
};

/// Says whether two commands are the same: bit for bit, or where only joint commands count, in position, velocity and
/// torque.
bool sameCommand(const ActuatorCommand& a, const ActuatorCommand& b, bool onlyJointCommands);

/// Throws `Error` for a file that cannot be read or is no such log.
CommandLog readCommandLog(const std::string& path);

/// Shortens every stretch without change to `seconds` at most, and drops records that say what the one before said.
void removeDelays(CommandLog& log, double seconds);

/// Appends records to a file. Records go through a buffer of fixed size that is handed to the system when it is full
/// and whenever a second of logged time has passed.
class CommandLogWriter {
 public:
  CommandLogWriter() = default;
  ~CommandLogWriter();
  CommandLogWriter(const CommandLogWriter&) = delete;
  CommandLogWriter& operator=(const CommandLogWriter&) = delete;

  /// Writes to `path`, or where there is such a file already, to the first name-2, name-3, ... that there is not; so no
  /// two writers share a file and nothing is overwritten. Throws `Error` when the file cannot be written.
  void open(const std::string& path, int numDrivers, bool onlyJointCommands, double period);
  /// Goes on in `path` (or the name that `open` would take) with a copy of what is written so far.
  void moveTo(const std::string& path);
  /// Begins a log anew, after `open`: in the same file as long as that has no record, else as `open` does.
  void restart(int numDrivers, bool onlyJointCommands, double period);
  bool isOpen() const { return file_ >= 0; }
  const std::string& path() const { return path_; }
  /// The path that was asked for.
  const std::string& wanted() const { return wanted_; }
  /// Allocates nothing. Throws `Error` when the disk is full.
  void append(double time, std::span<const ActuatorCommand> commands);
  void flush();
  void close() noexcept;

  /// Bytes of the file so far, those in the buffer included.
  std::uint64_t size() const { return size_; }
  /// Bytes of each record.
  std::uint64_t recordSize() const { return recordSize_; }
  /// Drops what was written after the file had this size; does nothing when it never had.
  void truncate(std::uint64_t size);

 private:
  void put(const void* data, std::size_t size);

  int file_ = -1;
  std::string path_, wanted_;
  std::vector<unsigned char> buffer_;
  std::size_t used_ = 0;
  std::uint64_t size_ = 0, recordSize_ = 0;
  std::vector<unsigned char> header_;  ///< The header as written.
  double flushed_ = 0;                 ///< Time of the last record that the system has.
};

}  // namespace mortise::controllers
