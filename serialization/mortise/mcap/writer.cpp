#include "mortise/mcap/writer.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <zlib.h>
#include <zstd.h>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/mcap/record_bytes.h"

namespace mortise::mcap {

namespace {

std::uint32_t crcOf(std::uint32_t before, std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string systemReason() { return std::generic_category().message(errno); }

}  // namespace

Writer::Writer(std::string path, WriterOptions options) : path_(std::move(path)), options_(std::move(options)) {
  if (!options_.compression.empty() && options_.compression != "zstd")
    throw Error("chunks are compressed by zstd or not at all, not by '" + options_.compression + "'");
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) throw Error("cannot be written: " + systemReason(), inFile(path_), "choose a folder that can be written");
  std::string head(kMagic);
  RecordBytes out(head);
  out.begin(Opcode::header);
  out.text(options_.profile);
  out.text(options_.library);
  out.end();
  put(head);
}

Writer::~Writer() = default;

void Writer::put(std::string_view bytes, bool data) {
  if (!file_) throw Error("is closed", inFile(path_));
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() || std::fflush(file_.get()) != 0) {
    const std::string reason = systemReason();
    file_.reset();
    throw Error("cannot be written: " + reason, inFile(path_),
                "what was written before can be read up to its last whole chunk");
  }
  position_ += bytes.size();
  if (data)
    dataCrc_ = crcOf(dataCrc_, bytes);
  else
    summaryCrc_ = crcOf(summaryCrc_, bytes);
}

std::uint16_t Writer::addSchema(std::string name, std::string encoding, std::string data) {
  const auto id = static_cast<std::uint16_t>(schemas_.size() + 1);
  schemas_[id] = {id, std::move(name), std::move(encoding), std::move(data)};
  ++statistics_.schemaCount;
  return id;
}

std::uint16_t Writer::addChannel(std::uint16_t schemaId, std::string topic, std::string messageEncoding,
                                 StringMap metadata, int group) {
  const auto id = static_cast<std::uint16_t>(options_.firstChannel + channels_.size());
  channels_[id] = {id, schemaId, std::move(topic), std::move(messageEncoding), std::move(metadata)};
  groups_[id] = group;
  ++statistics_.channelCount;
  return id;
}

void Writer::require(std::uint16_t channelId, std::string& buffer) {
  if (channelWritten_[channelId]) return;
  const auto channel = channels_.find(channelId);
  if (channel == channels_.end()) throw Error("there is no channel " + std::to_string(channelId), inFile(path_));
  RecordBytes out(buffer);
  const std::uint16_t schemaId = channel->second.schemaId;
  if (schemaId != 0 && schemasWritten_.insert({groups_[channelId], schemaId}).second) {
    const auto schema = schemas_.find(schemaId);
    if (schema == schemas_.end()) throw Error("there is no schema " + std::to_string(schemaId), inFile(path_));
    out.schema(schema->second);
  }
  out.channel(channel->second);
  channelWritten_[channelId] = true;
}

void Writer::write(const Message& message) {
  const auto group = groups_.find(message.channelId);
  OpenChunk& chunk = chunks_[group == groups_.end() ? 0 : group->second];
  std::string& buffer = options_.chunks ? chunk.bytes : record_;
  if (!options_.chunks) record_.clear();
  require(message.channelId, buffer);
  Statistics& s = statistics_;
  s.startTime = s.messageCount == 0 ? message.logTime : std::min(s.startTime, message.logTime);
  s.endTime = s.messageCount == 0 ? message.logTime : std::max(s.endTime, message.logTime);
  ++s.messageCount;
  ++s.channelMessages[message.channelId];
  if (options_.chunks) {
    chunk.start = chunk.messages == 0 ? message.logTime : std::min(chunk.start, message.logTime);
    chunk.end = chunk.messages == 0 ? message.logTime : std::max(chunk.end, message.logTime);
    ++chunk.messages;
    RecordBytes index(chunk.indexes[message.channelId]);
    index.number(message.logTime);
    index.number(static_cast<std::uint64_t>(buffer.size()));
  }
  RecordBytes(buffer).message(message);
  if (!options_.chunks)
    put(record_);
  else if (buffer.size() > options_.chunkSize)
    writeChunk(chunk);
}

void Writer::flush() {
  for (auto& [group, chunk] : chunks_)
    if (!chunk.bytes.empty()) writeChunk(chunk);
}

void Writer::writeChunk(OpenChunk& chunk) {
  std::string_view records = chunk.bytes;
  if (options_.compression == "zstd") {
    compressed_.resize(ZSTD_compressBound(chunk.bytes.size()));
    const std::size_t size = ZSTD_compress(compressed_.data(), compressed_.size(), chunk.bytes.data(),
                                           chunk.bytes.size(), options_.compressionLevel);
    if (ZSTD_isError(size)) throw Error(std::string("zstd: ") + ZSTD_getErrorName(size), inFile(path_));
    records = std::string_view(compressed_.data(), size);
  }
  ChunkIndex index;
  index.startTime = chunk.start;
  index.endTime = chunk.end;
  index.offset = position_;
  index.compression = options_.compression;
  index.compressedSize = records.size();
  index.uncompressedSize = chunk.bytes.size();
  record_.clear();
  RecordBytes out(record_);
  out.begin(Opcode::chunk);
  out.number(chunk.start);
  out.number(chunk.end);
  out.number(static_cast<std::uint64_t>(chunk.bytes.size()));
  out.number(crcOf(0, chunk.bytes));
  out.text(options_.compression);
  out.number(static_cast<std::uint64_t>(records.size()));
  record_ += records;
  out.end();
  index.length = record_.size();
  if (options_.messageIndex) {
    const std::uint64_t begin = record_.size();
    for (const auto& [channel, entries] : chunk.indexes) {
      if (entries.empty()) continue;
      index.messageIndexOffsets[channel] = position_ + record_.size();
      out.begin(Opcode::messageIndex);
      out.number(channel);
      out.text(entries);
      out.end();
    }
    index.messageIndexLength = record_.size() - begin;
  }
  put(record_);
  if (options_.chunkIndex) chunkIndexes_.push_back(std::move(index));
  ++statistics_.chunkCount;
  chunk.bytes.clear();
  for (auto& [channel, entries] : chunk.indexes) entries.clear();
  chunk.start = chunk.end = chunk.messages = 0;
}

void Writer::attach(const Attachment& attachment) {
  flush();
  AttachmentIndex index{
      position_,           0, attachment.logTime, attachment.createTime, attachment.data.size(), attachment.name,
      attachment.mediaType};
  record_.clear();
  RecordBytes out(record_);
  out.begin(Opcode::attachment);
  out.number(attachment.logTime);
  out.number(attachment.createTime);
  out.text(attachment.name);
  out.text(attachment.mediaType);
  out.number(static_cast<std::uint64_t>(attachment.data.size()));
  record_ += attachment.data;
  out.number(crcOf(0, std::string_view(record_).substr(kRecordHead)));
  out.end();
  index.length = record_.size();
  put(record_);
  ++statistics_.attachmentCount;
  if (options_.attachmentIndex) attachmentIndexes_.push_back(std::move(index));
}

void Writer::addMetadata(const Metadata& metadata) {
  flush();
  MetadataIndex index{position_, 0, metadata.name};
  record_.clear();
  RecordBytes out(record_);
  out.begin(Opcode::metadata);
  out.text(metadata.name);
  out.map(metadata.entries);
  out.end();
  index.length = record_.size();
  put(record_);
  ++statistics_.metadataCount;
  if (options_.metadataIndex) metadataIndexes_.push_back(std::move(index));
}

void Writer::writeSummary() {
  const std::uint64_t start = position_;
  std::string groups;
  const auto group = [&](Opcode opcode, const std::string& bytes) {
    if (bytes.empty()) return;
    RecordBytes out(groups);
    out.begin(Opcode::summaryOffset);
    out.number(static_cast<std::uint8_t>(opcode));
    out.number(position_);
    out.number(static_cast<std::uint64_t>(bytes.size()));
    out.end();
    put(bytes, false);
  };
  const auto all = [&](Opcode opcode, bool wanted, const auto& records, const auto& write) {
    std::string bytes;
    RecordBytes out(bytes);
    if (wanted)
      for (const auto& record : records) write(out, record);
    group(opcode, bytes);
  };
  all(Opcode::schema, options_.repeatSchemas, schemas_, [](RecordBytes& out, const auto& s) { out.schema(s.second); });
  all(Opcode::channel, options_.repeatChannels, channels_,
      [](RecordBytes& out, const auto& c) { out.channel(c.second); });
  if (options_.statistics) {
    std::string bytes;
    RecordBytes(bytes).statistics(statistics_);
    group(Opcode::statistics, bytes);
  }
  all(Opcode::metadataIndex, true, metadataIndexes_, [](RecordBytes& out, const auto& i) { out.metadataIndex(i); });
  all(Opcode::attachmentIndex, true, attachmentIndexes_,
      [](RecordBytes& out, const auto& i) { out.attachmentIndex(i); });
  all(Opcode::chunkIndex, true, chunkIndexes_, [](RecordBytes& out, const auto& i) { out.chunkIndex(i); });
  const std::uint64_t offsets = position_;
  if (options_.summaryOffsets) put(groups, false);
  std::string footer;
  RecordBytes out(footer);
  out.begin(Opcode::footer);
  out.number(offsets == start ? std::uint64_t{0} : start);
  out.number(options_.summaryOffsets ? offsets : std::uint64_t{0});
  out.number(std::uint32_t{0});
  out.end();
  // The checksum is over everything before it, the footer's own beginning included.
  const std::uint32_t crc = crcOf(summaryCrc_, std::string_view(footer).substr(0, footer.size() - sizeof(crc)));
  std::memcpy(footer.data() + footer.size() - sizeof crc, &crc, sizeof crc);
  footer += kMagic;
  put(footer, false);
}

void Writer::close() {
  if (!file_) return;
  flush();
  record_.clear();
  RecordBytes out(record_);
  out.begin(Opcode::dataEnd);
  out.number(dataCrc_);
  out.end();
  put(record_);
  writeSummary();
  if (std::fclose(file_.release()) != 0)
    throw Error("cannot be written: " + systemReason(), inFile(path_),
                "what was written before can be read up to its last whole chunk");
}

}  // namespace mortise::mcap
