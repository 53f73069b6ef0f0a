#pragma once

/// Messages in files, whichever kind of file it is.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ros/messages/message_type.h"

namespace mortise::ros {

struct RecordedTopic {
  std::string topic;  ///< With its leading slash.
  std::string type;   ///< Type as the file says: "sensor_msgs/JointState", "sensor_msgs/msg/JointState".
  std::string md5;    ///< Known in bags of ROS 1.
};

struct RecordedMessage {
  const RecordedTopic& topic;
  std::int64_t time = 0;  ///< The time of the recording, ns.
  std::span<const std::byte> bytes;
  Encoding encoding = Encoding::cdr;
};

/// Visits the messages of a bag of ROS 1 or of an MCAP log of ROS 2, told apart by their first bytes, in the order of
/// the file, until `visit` returns false. Returns what is wrong with the file's end; empty when it is whole. Throws
/// `Error` for files of another kind, and for damage.
std::string readRecordedMessages(const std::string& path, const std::function<bool(const RecordedMessage&)>& visit);

}  // namespace mortise::ros
