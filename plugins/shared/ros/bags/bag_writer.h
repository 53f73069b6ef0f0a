#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ros/bags/bag_compression.h"
#include "ros/bags/bag_records.h"
#include "ros/messages/message_type.h"

namespace mortise::ros {

struct BagWriterOptions {
  BagCompression compression = BagCompression::lz4;
  std::size_t chunkSize = 768 * 1024;  ///< Bytes of messages after which a chunk is written.
};

/// Writes a bag of ROS 1. What a killed program leaves has whole chunks, and `rosbag reindex` mends it. Every failure
/// of the file system is an `Error` with the system's reason.
class BagWriter {
 public:
  explicit BagWriter(std::string path, BagWriterOptions options = {});
  BagWriter(const BagWriter&) = delete;
  BagWriter& operator=(const BagWriter&) = delete;

  /// Returns the number of the connection.
  std::uint32_t connect(const std::string& topic, const MessageType& type, bool latched = false);
  void write(std::uint32_t connection, const Time& time, std::span<const std::byte> message);
  /// Writes the index and closes the file.
  void close();

 private:
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct ChunkInfo {
    std::uint64_t position;
    Time start, end;
    std::map<std::uint32_t, std::uint32_t> counts;  ///< Messages by connection.
  };
  void put(std::string_view bytes);
  void putBagHeader(std::uint64_t indexPosition);
  void endChunk();

  std::string path_;
  BagWriterOptions options_;
  std::unique_ptr<std::FILE, FileCloser> file_;
  std::uint64_t position_ = 0;
  std::vector<std::string> connections_;          ///< The record of each.
  std::vector<bool> introduced_;                  ///< Says which of them stand in a chunk already.
  std::string chunk_;                             ///< The one that is being filled.
  std::map<std::uint32_t, std::string> indexes_;  ///< Of that chunk: times and offsets by connection.
  Time start_, end_;
  std::vector<ChunkInfo> chunks_;
};

}  // namespace mortise::ros
