#pragma once

/// Records of ROS 1 bags, version 2.0 (http://wiki.ros.org/Bags/Format/2.0).

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ros/messages/primitives.h"

namespace mortise::ros {

inline constexpr std::string_view kBagMagic = "#ROSBAG V2.0\n";

/// Kinds of records.
enum class BagOpcode : std::uint8_t {
  message = 2,
  bagHeader = 3,
  index = 4,
  chunk = 5,
  chunkInfo = 6,
  connection = 7,
};

/// Fields of a record's header, in the order in which they are written.
class BagHeader {
 public:
  BagHeader() = default;
  explicit BagHeader(BagOpcode opcode) { number("op", static_cast<std::uint8_t>(opcode)); }

  BagHeader& text(std::string_view name, std::string_view value);
  BagHeader& time(std::string_view name, const Time& value);
  template <class T>
  BagHeader& number(std::string_view name, T value) {
    return text(name, {reinterpret_cast<const char*>(&value), sizeof value});
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

void appendBagRecord(const BagHeader& header, std::string_view data, std::string& out);

/// A record that was read: views into the bytes it was read from.
class BagRecord {
 public:
  /// Throws `Error` for fields that lead out of the header.
  BagRecord(std::string_view header, std::string_view data);

  std::string_view data() const { return data_; }
  BagOpcode opcode() const { return static_cast<BagOpcode>(number<std::uint8_t>("op")); }
  /// Throw `Error` where there is no such field, or of another size.
  std::string_view text(std::string_view name) const;
  Time time(std::string_view name) const;
  template <class T>
  T number(std::string_view name) const {
    T value;
    std::memcpy(&value, sized(name, sizeof value).data(), sizeof value);
    return value;
  }

 private:
  std::string_view sized(std::string_view name, std::size_t size) const;

  std::string_view data_;
  std::vector<std::pair<std::string_view, std::string_view>> fields_;
};

/// Takes the next record off the front of `bytes`. Throws `Error` for one that leads out of them.
BagRecord takeBagRecord(std::string_view& bytes);

Time timeFromBag(std::string_view eightBytes);

}  // namespace mortise::ros
