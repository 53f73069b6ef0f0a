#pragma once

/// Records to bytes and back: little-endian numbers, texts and maps behind their lengths.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "mortise/mcap/records.h"

namespace mortise::mcap {

static_assert(std::endian::native == std::endian::little,
              "MCAP's numbers are little-endian, and are copied as they are");

/// Appends records to a buffer.
class RecordBytes {
 public:
  explicit RecordBytes(std::string& buffer) : buffer_(buffer) {}

  template <typename T>
  requires std::is_arithmetic_v<T>
  void number(T value) { buffer_.append(reinterpret_cast<const char*>(&value), sizeof(T)); }
  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    buffer_ += text;
  }
  void map(const StringMap& entries);
  void map(const std::map<std::uint16_t, std::uint64_t>& entries);

  /// Begins a record; `end` fills its length in.
  void begin(Opcode opcode) {
    number(static_cast<std::uint8_t>(opcode));
    number(std::uint64_t{0});
    start_ = buffer_.size();
  }
  void end() {
    const std::uint64_t length = buffer_.size() - start_;
    std::memcpy(buffer_.data() + start_ - sizeof length, &length, sizeof length);
  }

  void schema(const Schema& schema);
  void channel(const Channel& channel);
  void message(const Message& message);
  void statistics(const Statistics& statistics);
  void chunkIndex(const ChunkIndex& index);
  void attachmentIndex(const AttachmentIndex& index);
  void metadataIndex(const MetadataIndex& index);

 private:
  std::string& buffer_;
  std::size_t start_ = 0;
};

/// Reads a record's content from its start. Whatever leads out of it throws `Error`.
class RecordCursor {
 public:
  explicit RecordCursor(std::string_view content) : rest_(content) {}

  template <typename T>
  requires std::is_arithmetic_v<T> T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view text() { return take(number<std::uint32_t>()); }
  /// Bytes behind a length of 64 bits.
  std::string_view longBytes() { return take(number<std::uint64_t>()); }
  StringMap stringMap();
  std::map<std::uint16_t, std::uint64_t> numberMap();
  std::string_view rest() { return take(rest_.size()); }
  std::size_t left() const { return rest_.size(); }

  Schema schema();
  Channel channel();
  Message message();
  Metadata metadata();
  Statistics statistics();
  ChunkIndex chunkIndex();
  AttachmentIndex attachmentIndex();
  MetadataIndex metadataIndex();

 private:
  std::string_view take(std::uint64_t size);

  std::string_view rest_;
};

}  // namespace mortise::mcap
