#include "mortise/mcap/reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <lz4frame.h>
#include <memory>
#include <system_error>
#include <zlib.h>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/mcap/record_bytes.h"
#include "mortise/mcap/unpacking.h"

namespace mortise::mcap {

namespace {

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// A byte of LZ4 unpacks to at most this many.
constexpr std::uint64_t kLz4Expansion = 255;
/// Records are read into memory whole.
constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30;

struct RecordHead {
  Opcode opcode;
  std::uint64_t length;
};

RecordHead headOf(std::string_view bytes) {
  RecordCursor cursor(bytes);
  const auto opcode = static_cast<Opcode>(cursor.number<std::uint8_t>());
  return {opcode, cursor.number<std::uint64_t>()};
}

std::string unpackedLz4(std::string_view packed, std::uint64_t size) {
  checkUnpackedSize(size, kLz4Expansion * packed.size(), packed.size(), kChunkAllowance);
  LZ4F_dctx* raw = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION))) throw Error("lz4: no memory");
  const std::unique_ptr<LZ4F_dctx, std::size_t (*)(LZ4F_dctx*)> context(raw, LZ4F_freeDecompressionContext);
  std::string records(size, '\0');
  std::size_t in = 0, out = 0;
  while (in < packed.size()) {
    std::size_t room = records.size() - out, taken = packed.size() - in;
    const std::size_t more =
        LZ4F_decompress(context.get(), records.data() + out, &room, packed.data() + in, &taken, nullptr);
    if (LZ4F_isError(more)) throw Error(std::string("lz4: ") + LZ4F_getErrorName(more));
    in += taken;
    out += room;
    if (more == 0 || (room == 0 && taken == 0)) break;
  }
  if (out != size) throw Error("unpacks to " + std::to_string(out) + " bytes instead of " + std::to_string(size));
  return records;
}

}  // namespace

Reader::Reader(std::string path) : path_(std::move(path)) {
  refusePipe(path_, path_);  // Records are looked for anywhere in the file.
  file_.open(path_, std::ios::binary);
  if (!file_) throw Error("cannot be opened: " + std::generic_category().message(errno), inFile(path_));
  file_.seekg(0, std::ios::end);
  const auto end = file_.tellg();
  if (end < 0) throw Error("cannot be read: it is no regular file", inFile(path_));
  size_ = static_cast<std::uint64_t>(end);
  if (size_ < kMagic.size() || bytes(0, kMagic.size()) != kMagic)
    throw Error("this is no MCAP file: it does not begin with MCAP's magic bytes", inFile(path_));
  if (readSummary()) return;
  schemas_.clear();
  channels_.clear();
  attachments_.clear();
  metadata_.clear();
  regions_.clear();
  statistics_ = {};
  scan();
}

const Channel* Reader::channel(std::string_view topic) const {
  for (const auto& [id, channel] : channels_)
    if (channel.topic == topic) return &channel;
  return nullptr;
}

std::string Reader::bytes(std::uint64_t offset, std::uint64_t length) {
  if (offset > size_ || length > size_ - offset)
    throw Error("ends at byte " + std::to_string(size_) + ", within a record", inFile(path_));
  if (length > kMaxBytes)
    throw Error("has a record of " + std::to_string(length) + " bytes; more than 4 GiB are not read", inFile(path_));
  std::string data(length, '\0');
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  file_.read(data.data(), static_cast<std::streamsize>(length));
  if (static_cast<std::uint64_t>(file_.gcount()) != length)
    throw Error("cannot be read: " + std::generic_category().message(errno), inFile(path_));
  return data;
}

bool Reader::readSummary() {
  constexpr std::uint64_t kFooter = kRecordHead + 8 + 8 + 4;
  if (size_ < 2 * kMagic.size() + kFooter || bytes(size_ - kMagic.size(), kMagic.size()) != kMagic) {
    damage_ = "has no end: its writer was interrupted";
    return false;
  }
  try {
    const std::uint64_t footerAt = size_ - kMagic.size() - kFooter;
    const std::string footer = bytes(footerAt, kFooter);
    if (headOf(footer).opcode != Opcode::footer) throw Error("has no footer");
    RecordCursor cursor(std::string_view(footer).substr(kRecordHead));
    const auto start = cursor.number<std::uint64_t>();
    cursor.number<std::uint64_t>();
    const auto crc = cursor.number<std::uint32_t>();
    if (start == 0) return false;  // A whole file without summary: it is read record by record.
    if (start > footerAt) throw Error("has a footer that leads out of it");
    const std::string summary = bytes(start, footerAt - start);
    if (crc != 0 && checksum(summary + footer.substr(0, footer.size() - sizeof crc)) != crc)
      throw Error("has a damaged summary: its checksum is wrong");
    const std::string head = bytes(kMagic.size(), std::min<std::uint64_t>(size_ - kMagic.size(), 1 << 16));
    RecordCursor header(std::string_view(head).substr(kRecordHead));
    profile_ = header.text();
    library_ = header.text();
    bool counted = false;
    for (std::size_t at = 0; at + kRecordHead <= summary.size();) {
      const RecordHead record = headOf(std::string_view(summary).substr(at));
      at += kRecordHead;
      if (record.length > summary.size() - at) throw Error("has a summary that ends within a record");
      RecordCursor content(std::string_view(summary).substr(at, record.length));
      at += record.length;
      readSummaryRecord(record.opcode, content);
      counted = counted || record.opcode == Opcode::statistics;
    }
    // What the summary leaves out is found by reading all.
    return counted && (statistics_.messageCount == 0 || !regions_.empty()) &&
           statistics_.chunkCount == regions_.size() && statistics_.attachmentCount == attachments_.size() &&
           statistics_.metadataCount == metadata_.size() && statistics_.channelCount == channels_.size();
  } catch (const Error& error) {
    damage_ = error.message();
    return false;
  }
}

void Reader::readSummaryRecord(Opcode opcode, RecordCursor& content) {
  switch (opcode) {
    case Opcode::schema: {
      Schema schema = content.schema();
      schemas_[schema.id] = std::move(schema);
      break;
    }
    case Opcode::channel: {
      Channel channel = content.channel();
      channels_[channel.id] = std::move(channel);
      break;
    }
    case Opcode::attachmentIndex:
      attachments_.push_back(content.attachmentIndex());
      break;
    case Opcode::metadataIndex:
      metadata_.push_back(content.metadataIndex());
      break;
    case Opcode::statistics:
      statistics_ = content.statistics();
      break;
    case Opcode::chunkIndex: {
      const ChunkIndex index = content.chunkIndex();
      Region region{index.offset, index.length, index.startTime, index.endTime, true, {}};
      for (const auto& [channel, offset] : index.messageIndexOffsets) region.channels.push_back(channel);
      regions_.push_back(std::move(region));
      break;
    }
    default:
      break;
  }
}

void Reader::scan() {
  std::uint64_t at = kMagic.size();
  while (at + kRecordHead <= size_) {
    const RecordHead head = headOf(bytes(at, kRecordHead));
    if (head.opcode == Opcode::dataEnd || head.opcode == Opcode::footer) return;
    if (head.length > size_ - at - kRecordHead) {
      damage_ = "ends at byte " + std::to_string(size_) + ", within a record that begins at byte " +
                std::to_string(at) + ": its writer was interrupted";
      return;
    }
    try {
      scanRecord(head.opcode, at, bytes(at + kRecordHead, head.length));
    } catch (const Error& error) {
      damage_ = "is damaged at byte " + std::to_string(at) + ": " + error.message();
      return;
    }
    at += kRecordHead + head.length;
  }
  if (damage_.empty()) damage_ = "has no end: its writer was interrupted";
}

void Reader::count(const Message& message, Region& region) {
  Statistics& s = statistics_;
  const bool first = s.messageCount == 0;
  s.startTime = first ? message.logTime : std::min(s.startTime, message.logTime);
  s.endTime = first ? message.logTime : std::max(s.endTime, message.logTime);
  ++s.messageCount;
  ++s.channelMessages[message.channelId];
  region.startTime = std::min(region.startTime, message.logTime);
  region.endTime = std::max(region.endTime, message.logTime);
}

void Reader::scanRecord(Opcode opcode, std::uint64_t offset, std::string_view content) {
  const std::uint64_t length = kRecordHead + content.size();
  RecordCursor cursor(content);
  switch (opcode) {
    case Opcode::header:
      profile_ = cursor.text();
      library_ = cursor.text();
      break;
    case Opcode::schema: {
      Schema schema = cursor.schema();
      if (schemas_.insert_or_assign(schema.id, schema).second) ++statistics_.schemaCount;
      break;
    }
    case Opcode::channel: {
      Channel channel = cursor.channel();
      if (channels_.insert_or_assign(channel.id, channel).second) ++statistics_.channelCount;
      break;
    }
    case Opcode::message: {
      if (regions_.empty() || regions_.back().chunk || regions_.back().offset + regions_.back().length != offset ||
          regions_.back().length > (1 << 20))
        regions_.push_back({offset, 0, std::numeric_limits<std::uint64_t>::max(), 0, false, {}});
      regions_.back().length += length;
      count(cursor.message(), regions_.back());
      break;
    }
    case Opcode::chunk: {
      Region region{offset, length, std::numeric_limits<std::uint64_t>::max(), 0, true, {}};
      scanMessages(chunkRecords(content, offset), region);
      regions_.push_back(region);
      ++statistics_.chunkCount;
      break;
    }
    case Opcode::attachment: {
      AttachmentIndex index{offset, length, 0, 0, 0, "", ""};
      index.logTime = cursor.number<std::uint64_t>();
      index.createTime = cursor.number<std::uint64_t>();
      index.name = cursor.text();
      index.mediaType = cursor.text();
      index.dataSize = cursor.number<std::uint64_t>();
      attachments_.push_back(std::move(index));
      ++statistics_.attachmentCount;
      break;
    }
    case Opcode::metadata:
      metadata_.push_back({offset, length, cursor.metadata().name});
      ++statistics_.metadataCount;
      break;
    default:
      break;  // Kinds that are not known may be passed over.
  }
}

std::string Reader::chunkRecords(std::string_view content, std::uint64_t offset) const {
  try {
    RecordCursor cursor(content);
    cursor.number<std::uint64_t>();
    cursor.number<std::uint64_t>();
    const auto size = cursor.number<std::uint64_t>();
    const auto crc = cursor.number<std::uint32_t>();
    const std::string compression(cursor.text());
    const std::string_view packed = cursor.longBytes();
    std::string records;
    if (compression.empty())
      records = packed;
    else if (compression == "zstd")
      records = unpackZstd(packed, size, kChunkAllowance);
    else if (compression == "lz4")
      records = unpackedLz4(packed, size);
    else
      throw Error("it is compressed by '" + compression + "', which is not known (zstd and lz4 are)");
    if (crc != 0 && checksum(records) != crc) throw Error("its checksum is wrong");
    return records;
  } catch (const Error& error) {
    throw Error("the chunk at byte " + std::to_string(offset) + " cannot be read: " + error.message(), inFile(path_));
  }
}

void Reader::scanMessages(std::string_view records, Region& region) {
  std::size_t at = 0;
  while (at + kRecordHead <= records.size()) {
    const RecordHead head = headOf(records.substr(at));
    at += kRecordHead;
    if (head.length > records.size() - at) throw Error("a chunk ends within a record");
    const std::string_view content = records.substr(at, head.length);
    if (head.opcode == Opcode::message)
      count(RecordCursor(content).message(), region);
    else if (head.opcode == Opcode::schema || head.opcode == Opcode::channel)
      scanRecord(head.opcode, 0, content);
    at += head.length;
  }
}

Attachment Reader::attachment(const AttachmentIndex& index) {
  const std::string record = bytes(index.offset, index.length);
  try {
    if (index.length < kRecordHead + 4 || headOf(record).opcode != Opcode::attachment)
      throw Error("there is none where the summary says");
    RecordCursor cursor(std::string_view(record).substr(kRecordHead));
    Attachment attachment;
    attachment.logTime = cursor.number<std::uint64_t>();
    attachment.createTime = cursor.number<std::uint64_t>();
    attachment.name = cursor.text();
    attachment.mediaType = cursor.text();
    attachment.data = cursor.longBytes();
    const auto crc = cursor.number<std::uint32_t>();
    if (crc != 0 && checksum(std::string_view(record).substr(kRecordHead, record.size() - kRecordHead - 4)) != crc)
      throw Error("its checksum is wrong");
    return attachment;
  } catch (const Error& error) {
    throw Error("attachment '" + index.name + "' cannot be read: " + error.message(), inFile(path_));
  }
}

Metadata Reader::metadata(const MetadataIndex& index) {
  const std::string record = bytes(index.offset, index.length);
  if (index.length < kRecordHead || headOf(record).opcode != Opcode::metadata)
    throw Error("metadata '" + index.name + "' cannot be read: there is none where the summary says", inFile(path_));
  return RecordCursor(std::string_view(record).substr(kRecordHead)).metadata();
}

std::optional<Attachment> Reader::attachment(std::string_view name) {
  for (auto index = attachments_.rbegin(); index != attachments_.rend(); ++index)
    if (index->name == name) return attachment(*index);
  return std::nullopt;
}

void Reader::messages(const Query& query, const std::function<bool(const Message&)>& visit) {
  std::vector<bool> wanted(std::numeric_limits<std::uint16_t>::max() + 1, query.topics.empty());
  for (const auto& [id, channel] : channels_)
    if (std::find(query.topics.begin(), query.topics.end(), channel.topic) != query.topics.end()) wanted[id] = true;
  for (const Region& region : regions_) {
    if (region.startTime > query.end || region.endTime < query.start) continue;
    if (!region.channels.empty() &&
        std::none_of(region.channels.begin(), region.channels.end(), [&](std::uint16_t c) { return wanted[c]; }))
      continue;
    std::string records = bytes(region.offset, region.length);
    if (region.chunk) records = chunkRecords(std::string_view(records).substr(kRecordHead), region.offset);
    for (std::size_t at = 0; at + kRecordHead <= records.size();) {
      const RecordHead head = headOf(std::string_view(records).substr(at));
      at += kRecordHead;
      if (head.length > records.size() - at)
        throw Error("the chunk at byte " + std::to_string(region.offset) + " ends within a record", inFile(path_));
      if (head.opcode == Opcode::message) {
        const Message message = RecordCursor(std::string_view(records).substr(at, head.length)).message();
        if (wanted[message.channelId] && message.logTime >= query.start && message.logTime <= query.end &&
            !visit(message))
          return;
      }
      at += head.length;
    }
  }
}

}  // namespace mortise::mcap
