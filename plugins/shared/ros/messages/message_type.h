#pragma once

/// What ROS calls a message, and how its definition reads; all of it follows from the visitor of the message's struct.

#include <cstdint>
#include <string>
#include <string_view>

namespace mortise::ros {

/// How bytes of messages are laid out: ROS 1's own format, or CDR of DDS as ROS 2 uses it (XCDR1, little endian).
enum class Encoding : std::uint8_t { ros1, cdr };

struct MessageType {
  std::string package, name;                   ///< "sensor_msgs", "JointState".
  std::string md5;                             ///< ROS 1's sum of the definition, 32 hexadecimal digits.
  std::string ros1Definition, ros2Definition;  ///< Texts of the .msg files, with those of all messages within it.

  std::string ros1Name() const { return package + "/" + name; }      ///< "sensor_msgs/JointState".
  std::string ros2Name() const { return package + "/msg/" + name; }  ///< "sensor_msgs/msg/JointState".
  std::string ddsName() const { return package + "::msg::dds_::" + name + "_"; }
};

/// Returns the type of the message struct `M`, made once. Defined for the messages of `all_messages.h`.
template <class M>
const MessageType& messageType();

/// Finds a type by its name of ROS 1 or ROS 2 ("sensor_msgs/JointState", "sensor_msgs/msg/JointState"); nullptr where
/// it is none of ours.
const MessageType* findMessageType(std::string_view name);

}  // namespace mortise::ros
