#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ros/bags/bag_records.h"
#include "ros/bags/recorded_message.h"

namespace mortise::ros {

/// Reads a bag of ROS 1, version 2.0, chunk by chunk; an index is not needed, so that what a killed `rosbag record`
/// left is read up to its last whole chunk.
class BagReader {
 public:
  /// Throws `Error` for a file that is no bag, of another version, or cannot be opened.
  explicit BagReader(std::string path);

  /// Calls `visit` with all messages in the order of the file, until it returns false; views live until then. Throws
  /// `Error` for chunks that are damaged. `damage` tells of a file that is cut short.
  void messages(const std::function<bool(const RecordedMessage&)>& visit);
  /// What is wrong with the file's end, as a sentence; empty when it is whole. Known after `messages`.
  const std::string& damage() const { return damage_; }

 private:
  /// A record that stands in the file itself. False at the file's end.
  bool next(std::string& header, std::string& data);
  void readRecords(const std::function<bool(const RecordedMessage&)>& visit);
  bool visitChunk(const BagRecord& chunk, const std::function<bool(const RecordedMessage&)>& visit);
  void addConnection(const BagRecord& record);

  std::string path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
  std::map<std::uint32_t, RecordedTopic> connections_;
  std::string damage_;
};

}  // namespace mortise::ros
