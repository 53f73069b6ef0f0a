#pragma once

/// The records of an MCAP file, as plain data (https://mcap.dev/spec). Times are nanoseconds.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mortise::mcap {

/// Kinds of records.
enum class Opcode : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  messageIndex = 0x07,
  chunkIndex = 0x08,
  attachment = 0x09,
  attachmentIndex = 0x0a,
  statistics = 0x0b,
  metadata = 0x0c,
  metadataIndex = 0x0d,
  summaryOffset = 0x0e,
  dataEnd = 0x0f,
};

/// The bytes at both ends of a file.
inline constexpr std::string_view kMagic = {"\x89MCAP0\r\n", 8};
/// Opcode and length, before each record's content.
inline constexpr std::size_t kRecordHead = 9;

/// Words by words.
using StringMap = std::vector<std::pair<std::string, std::string>>;

struct Schema {
  std::uint16_t id = 0;
  std::string name;
  std::string encoding;  ///< "protobuf", "jsonschema", ...; empty where there is no schema.
  std::string data;
};

struct Channel {
  std::uint16_t id = 0;
  std::uint16_t schemaId = 0;  ///< 0: none.
  std::string topic;
  std::string messageEncoding;  ///< "protobuf", "json", ...
  StringMap metadata;
};

struct Message {
  std::uint16_t channelId = 0;
  std::uint32_t sequence = 0;
  std::uint64_t logTime = 0, publishTime = 0;
  std::string_view data;
};

struct Attachment {
  std::uint64_t logTime = 0, createTime = 0;
  std::string name, mediaType;
  std::string data;
};

struct Metadata {
  std::string name;
  StringMap entries;
};

struct AttachmentIndex {
  std::uint64_t offset = 0, length = 0;  ///< Place of the whole record in the file.
  std::uint64_t logTime = 0, createTime = 0, dataSize = 0;
  std::string name, mediaType;
};

struct MetadataIndex {
  std::uint64_t offset = 0, length = 0;
  std::string name;
};

struct ChunkIndex {
  std::uint64_t startTime = 0, endTime = 0;
  std::uint64_t offset = 0, length = 0;  ///< Place of the whole chunk record in the file.
  std::map<std::uint16_t, std::uint64_t> messageIndexOffsets;
  std::uint64_t messageIndexLength = 0;
  std::string compression;  ///< "", "zstd" or "lz4".
  std::uint64_t compressedSize = 0, uncompressedSize = 0;
};

struct Statistics {
  std::uint64_t messageCount = 0;
  std::uint16_t schemaCount = 0;
  std::uint32_t channelCount = 0, attachmentCount = 0, metadataCount = 0, chunkCount = 0;
  std::uint64_t startTime = 0, endTime = 0;
  std::map<std::uint16_t, std::uint64_t> channelMessages;
};

}  // namespace mortise::mcap
