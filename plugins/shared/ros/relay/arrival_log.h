#pragma once

/// The file that a relay writes of what came from ROS, and repeats without ROS.
///
///   8 bytes  "MORTROS1"
///   u32      how the messages are laid out: 0 ROS 1, 1 CDR
///   u32      bytes of the robot's name
///   f64      period of the controller, s
///   name
///   records, each
///     i64      tick at which the controller took the message
///     f64      time of this tick, s
///     u32      bytes of the topic's name
///     u32      bytes of the message
///     topic, message
///     u64      FNV-1a hash (64 bits) of the record so far
///
/// Numbers are little-endian. What follows the last whole record with the right hash is what a crash left.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ros/messages/message_type.h"

namespace mortise::ros {

struct Arrival {
  std::int64_t tick = 0;
  double time = 0;  ///< s
  std::string topic;
  std::vector<std::byte> bytes;
};

struct ArrivalLog {
  Encoding encoding = Encoding::ros1;
  std::string robot;
  double period = 0;               ///< Period of the controller, s.
  std::vector<Arrival> arrivals;   ///< Ticks never decrease.
  std::uint64_t droppedBytes = 0;  ///< Behind the last whole record.

  /// Seconds from tick to tick; 0: the log does not tell, for nothing came behind tick 0.
  double timeStep() const;
};

/// Throws `Error` for a file that cannot be read or is no such log.
ArrivalLog readArrivalLog(const std::string& path);

class ArrivalLogWriter {
 public:
  ArrivalLogWriter() = default;
  ~ArrivalLogWriter();
  ArrivalLogWriter(const ArrivalLogWriter&) = delete;
  ArrivalLogWriter& operator=(const ArrivalLogWriter&) = delete;

  /// Writes to `path`, or, where there is such a file, to the first name-2, name-3, ... that there is not; a device
  /// such as /dev/null is written to as it is. Throws `Error` when the file cannot be written.
  void open(const std::string& path, Encoding encoding, const std::string& robot, double period);
  bool isOpen() const { return file_ >= 0; }
  const std::string& path() const { return path_; }
  /// Hands the record to the system at once. Throws `Error` when the disk is full.
  void append(const Arrival& arrival);
  /// Forgets what came at `tick` or later: the run goes on from an earlier state.
  void forgetFrom(std::int64_t tick);
  void close() noexcept;

 private:
  int file_ = -1;
  std::string path_;
  std::int64_t lastTick_ = 0;
  bool empty_ = true;
  std::string record_;
};

}  // namespace mortise::ros
