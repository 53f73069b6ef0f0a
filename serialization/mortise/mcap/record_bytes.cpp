#include "mortise/mcap/record_bytes.h"

#include "mortise/base/error.h"

namespace mortise::mcap {

void RecordBytes::map(const StringMap& entries) {
  std::uint32_t size = 0;
  for (const auto& [key, value] : entries) size += static_cast<std::uint32_t>(8 + key.size() + value.size());
  number(size);
  for (const auto& [key, value] : entries) {
    text(key);
    text(value);
  }
}

void RecordBytes::map(const std::map<std::uint16_t, std::uint64_t>& entries) {
  number(static_cast<std::uint32_t>(10 * entries.size()));
  for (const auto& [key, value] : entries) {
    number(key);
    number(value);
  }
}

void RecordBytes::schema(const Schema& schema) {
  begin(Opcode::schema);
  number(schema.id);
  text(schema.name);
  text(schema.encoding);
  text(schema.data);
  end();
}

void RecordBytes::channel(const Channel& channel) {
  begin(Opcode::channel);
  number(channel.id);
  number(channel.schemaId);
  text(channel.topic);
  text(channel.messageEncoding);
  map(channel.metadata);
  end();
}

void RecordBytes::message(const Message& message) {
  begin(Opcode::message);
  number(message.channelId);
  number(message.sequence);
  number(message.logTime);
  number(message.publishTime);
  buffer_ += message.data;
  end();
}

void RecordBytes::statistics(const Statistics& statistics) {
  begin(Opcode::statistics);
  number(statistics.messageCount);
  number(statistics.schemaCount);
  number(statistics.channelCount);
  number(statistics.attachmentCount);
  number(statistics.metadataCount);
  number(statistics.chunkCount);
  number(statistics.startTime);
  number(statistics.endTime);
  map(statistics.channelMessages);
  end();
}

void RecordBytes::chunkIndex(const ChunkIndex& index) {
  begin(Opcode::chunkIndex);
  number(index.startTime);
  number(index.endTime);
  number(index.offset);
  number(index.length);
  map(index.messageIndexOffsets);
  number(index.messageIndexLength);
  text(index.compression);
  number(index.compressedSize);
  number(index.uncompressedSize);
  end();
}

void RecordBytes::attachmentIndex(const AttachmentIndex& index) {
  begin(Opcode::attachmentIndex);
  number(index.offset);
  number(index.length);
  number(index.logTime);
  number(index.createTime);
  number(index.dataSize);
  text(index.name);
  text(index.mediaType);
  end();
}

void RecordBytes::metadataIndex(const MetadataIndex& index) {
  begin(Opcode::metadataIndex);
  number(index.offset);
  number(index.length);
  text(index.name);
  end();
}

std::string_view RecordCursor::take(std::uint64_t size) {
  if (size > rest_.size())
    throw Error("a record ends within a value: " + std::to_string(size) + " bytes are announced, " +
                std::to_string(rest_.size()) + " are there");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

StringMap RecordCursor::stringMap() {
  RecordCursor inner(text());
  StringMap entries;
  while (inner.left() > 0) {
    std::string key(inner.text());
    entries.emplace_back(std::move(key), std::string(inner.text()));
  }
  return entries;
}

std::map<std::uint16_t, std::uint64_t> RecordCursor::numberMap() {
  RecordCursor inner(text());
  std::map<std::uint16_t, std::uint64_t> entries;
  while (inner.left() > 0) {
    const auto key = inner.number<std::uint16_t>();
    entries[key] = inner.number<std::uint64_t>();
  }
  return entries;
}

Schema RecordCursor::schema() {
  Schema schema;
  schema.id = number<std::uint16_t>();
  schema.name = text();
  schema.encoding = text();
  schema.data = text();
  return schema;
}

Channel RecordCursor::channel() {
  Channel channel;
  channel.id = number<std::uint16_t>();
  channel.schemaId = number<std::uint16_t>();
  channel.topic = text();
  channel.messageEncoding = text();
  channel.metadata = stringMap();
  return channel;
}

Message RecordCursor::message() {
  Message message;
  message.channelId = number<std::uint16_t>();
  message.sequence = number<std::uint32_t>();
  message.logTime = number<std::uint64_t>();
  message.publishTime = number<std::uint64_t>();
  message.data = rest();
  return message;
}

Metadata RecordCursor::metadata() {
  Metadata metadata;
  metadata.name = text();
  metadata.entries = stringMap();
  return metadata;
}

Statistics RecordCursor::statistics() {
  Statistics s;
  s.messageCount = number<std::uint64_t>();
  s.schemaCount = number<std::uint16_t>();
  s.channelCount = number<std::uint32_t>();
  s.attachmentCount = number<std::uint32_t>();
  s.metadataCount = number<std::uint32_t>();
  s.chunkCount = number<std::uint32_t>();
  s.startTime = number<std::uint64_t>();
  s.endTime = number<std::uint64_t>();
  s.channelMessages = numberMap();
  return s;
}

ChunkIndex RecordCursor::chunkIndex() {
  ChunkIndex index;
  index.startTime = number<std::uint64_t>();
  index.endTime = number<std::uint64_t>();
  index.offset = number<std::uint64_t>();
  index.length = number<std::uint64_t>();
  index.messageIndexOffsets = numberMap();
  index.messageIndexLength = number<std::uint64_t>();
  index.compression = text();
  index.compressedSize = number<std::uint64_t>();
  index.uncompressedSize = number<std::uint64_t>();
  return index;
}

AttachmentIndex RecordCursor::attachmentIndex() {
  AttachmentIndex index;
  index.offset = number<std::uint64_t>();
  index.length = number<std::uint64_t>();
  index.logTime = number<std::uint64_t>();
  index.createTime = number<std::uint64_t>();
  index.dataSize = number<std::uint64_t>();
  index.name = text();
  index.mediaType = text();
  return index;
}

MetadataIndex RecordCursor::metadataIndex() {
  MetadataIndex index;
  index.offset = number<std::uint64_t>();
  index.length = number<std::uint64_t>();
  index.name = text();
  return index;
}

}  // namespace mortise::mcap
