#include "ros/bags/bag_writer.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

/// The first record is padded to this size, so that it can be written again at the end.
constexpr std::size_t kBagHeaderSize = 4096;
constexpr std::uint32_t kIndexVersion = 1;

bool isBefore(const Time& a, const Time& b) { return nanosecondsOf(a) < nanosecondsOf(b); }

template <class T>
void appendNumber(T value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void appendTime(const Time& time, std::string& out) {
  appendNumber(static_cast<std::uint32_t>(time.sec), out);
  appendNumber(time.nanosec, out);
}

}  // namespace

BagWriter::BagWriter(std::string path, BagWriterOptions options)
    : path_(std::move(path)), options_(options), file_(std::fopen(path_.c_str(), "wb")) {
  if (!file_) throw Error("'" + path_ + "' cannot be written: " + std::strerror(errno));
  if (options_.compression == BagCompression::bz2)
    packBagChunk({}, BagCompression::bz2);  // Throws where it is not there.
  put(kBagMagic);
  putBagHeader(0);
}

void BagWriter::put(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    throw Error("'" + path_ + "' cannot be written: " + std::strerror(errno));
  position_ += bytes.size();
}

void BagWriter::putBagHeader(std::uint64_t indexPosition) {
  BagHeader header(BagOpcode::bagHeader);
  header.number("index_pos", indexPosition)
      .number("conn_count", static_cast<std::uint32_t>(connections_.size()))
      .number("chunk_count", static_cast<std::uint32_t>(chunks_.size()));
  std::string record;
  appendBagRecord(header, std::string(kBagHeaderSize - header.bytes().size() - 8, ' '), record);
  put(record);
}

std::uint32_t BagWriter::connect(const std::string& topic, const MessageType& type, bool latched) {
  const auto id = static_cast<std::uint32_t>(connections_.size());
  const std::string name = topic.starts_with('/') ? topic : "/" + topic;
  BagHeader header(BagOpcode::connection);
  header.number("conn", id).text("topic", name);
  BagHeader data;
  data.text("topic", name)
      .text("type", type.ros1Name())
      .text("md5sum", type.md5)
      .text("message_definition", type.ros1Definition)
      .text("callerid", "/mortise");
  if (latched) data.text("latching", "1");
  connections_.emplace_back();
  appendBagRecord(header, data.bytes(), connections_.back());
  introduced_.push_back(false);
  return id;
}

void BagWriter::write(std::uint32_t connection, const Time& time, std::span<const std::byte> message) {
  if (chunk_.empty()) {
    start_ = end_ = time;
  } else {
    start_ = isBefore(time, start_) ? time : start_;
    end_ = isBefore(end_, time) ? time : end_;
  }
  if (!introduced_[connection]) {
    introduced_[connection] = true;
    chunk_ += connections_[connection];
  }
  std::string& index = indexes_[connection];
  appendTime(time, index);
  appendNumber(static_cast<std::uint32_t>(chunk_.size()), index);
  BagHeader header(BagOpcode::message);
  header.number("conn", connection).time("time", time);
  appendBagRecord(header, {reinterpret_cast<const char*>(message.data()), message.size()}, chunk_);
  if (chunk_.size() >= options_.chunkSize) endChunk();
}

void BagWriter::endChunk() {
  if (chunk_.empty()) return;
  ChunkInfo info{position_, start_, end_, {}};
  BagHeader header(BagOpcode::chunk);
  header.text("compression", bagCompressionName(options_.compression))
      .number("size", static_cast<std::uint32_t>(chunk_.size()));
  std::string records;
  appendBagRecord(header, packBagChunk(chunk_, options_.compression), records);
  for (const auto& [connection, index] : indexes_) {
    const auto count = static_cast<std::uint32_t>(index.size() / 12);
    info.counts[connection] = count;
    BagHeader indexHeader(BagOpcode::index);
    indexHeader.number("ver", kIndexVersion).number("conn", connection).number("count", count);
    appendBagRecord(indexHeader, index, records);
  }
  put(records);
  std::fflush(file_.get());
  chunks_.push_back(std::move(info));
  chunk_.clear();
  indexes_.clear();
}

void BagWriter::close() {
  if (!file_) return;
  endChunk();
  const std::uint64_t indexPosition = position_;
  std::string records;
  for (const std::string& connection : connections_) records += connection;
  for (const ChunkInfo& info : chunks_) {
    BagHeader header(BagOpcode::chunkInfo);
    header.number("ver", kIndexVersion)
        .number("chunk_pos", info.position)
        .time("start_time", info.start)
        .time("end_time", info.end)
        .number("count", static_cast<std::uint32_t>(info.counts.size()));
    std::string data;
    for (const auto& [connection, count] : info.counts) {
      appendNumber(connection, data);
      appendNumber(count, data);
    }
    appendBagRecord(header, data, records);
  }
  put(records);
  if (std::fseek(file_.get(), static_cast<long>(kBagMagic.size()), SEEK_SET) != 0)
    throw Error("'" + path_ + "' cannot be written: " + std::strerror(errno));
  putBagHeader(indexPosition);
  if (std::fclose(file_.release()) != 0) throw Error("'" + path_ + "' cannot be written: " + std::strerror(errno));
}

}  // namespace mortise::ros
