#include "ros/bags/bag_reader.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "mortise/base/error.h"
#include "ros/bags/bag_compression.h"

namespace mortise::ros {

BagReader::BagReader(std::string path) : path_(std::move(path)), file_(path_, std::ios::binary) {
  if (!file_) throw Error("'" + path_ + "' cannot be read: " + std::strerror(errno));
  file_.seekg(0, std::ios::end);
  size_ = static_cast<std::uint64_t>(file_.tellg());
  file_.seekg(0);
  std::string magic(kBagMagic.size(), '\0');
  file_.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  if (magic == kBagMagic) return;
  throw Error("'" + path_ + "' is no bag of ROS 1, version 2.0", {},
              magic.starts_with("#ROSBAG") || magic.starts_with("#ROSRECORD") ? "convert it with `rosbag fix`" : "");
}

bool BagReader::next(std::string& header, std::string& data) {
  for (std::string* part : {&header, &data}) {
    const auto at = static_cast<std::uint64_t>(file_.tellg());
    std::uint32_t length = 0;
    if (part == &header && at == size_) return false;
    if (size_ - at < sizeof length || !file_.read(reinterpret_cast<char*>(&length), sizeof length) ||
        length > size_ - at - sizeof length) {
      damage_ = "the file is cut short; what is before byte " + std::to_string(at) + " was read";
      return false;
    }
    part->resize(length);
    file_.read(part->data(), static_cast<std::streamsize>(length));
  }
  return true;
}

void BagReader::addConnection(const BagRecord& record) {
  const BagRecord fields(record.data(), {});
  RecordedTopic topic{std::string(record.text("topic")), std::string(fields.text("type")),
                      std::string(fields.text("md5sum"))};
  if (!topic.topic.starts_with('/')) topic.topic.insert(0, 1, '/');
  connections_.emplace(record.number<std::uint32_t>("conn"), std::move(topic));
}

bool BagReader::visitChunk(const BagRecord& chunk, const std::function<bool(const RecordedMessage&)>& visit) {
  const std::string bytes =
      unpackBagChunk(chunk.data(), bagCompressionFrom(chunk.text("compression")), chunk.number<std::uint32_t>("size"));
  for (std::string_view rest = bytes; !rest.empty();) {
    const BagRecord record = takeBagRecord(rest);
    if (record.opcode() == BagOpcode::connection) addConnection(record);
    if (record.opcode() != BagOpcode::message) continue;
    const auto connection = connections_.find(record.number<std::uint32_t>("conn"));
    if (connection == connections_.end()) throw Error("a message is of a connection that the bag does not have");
    const std::span<const std::byte> data(reinterpret_cast<const std::byte*>(record.data().data()),
                                          record.data().size());
    if (!visit({connection->second, nanosecondsOf(record.time("time")), data, Encoding::ros1})) return false;
  }
  return true;
}

void BagReader::messages(const std::function<bool(const RecordedMessage&)>& visit) {
  // Errors of a visitor are its own and no damage of the file.
  std::exception_ptr thrown;
  const auto guarded = [&visit, &thrown](const RecordedMessage& message) {
    try {
      return visit(message);
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  };
  readRecords(guarded);
  if (thrown) std::rethrow_exception(thrown);
}

void BagReader::readRecords(const std::function<bool(const RecordedMessage&)>& visit) {
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(kBagMagic.size()));
  connections_.clear();
  damage_.clear();
  std::string header, data;
  std::uint64_t indexPosition = 0;
  for (;;) {
    const auto at = static_cast<std::uint64_t>(file_.tellg());
    try {
      if (!next(header, data)) {
        if (damage_.empty() && (indexPosition == 0 || indexPosition > size_))
          damage_ = "the file is cut short: it ends before its index";
        return;
      }
      const BagRecord record(header, data);
      if (record.opcode() == BagOpcode::bagHeader) indexPosition = record.number<std::uint64_t>("index_pos");
      if (record.opcode() == BagOpcode::chunk && !visitChunk(record, visit)) return;
      // Connections stand again behind the chunks, where all messages have been.
      if (record.opcode() == BagOpcode::connection) addConnection(record);
    } catch (const Error& error) {
      throw Error("'" + path_ + "', record at byte " + std::to_string(at) + ": " + error.message(), error.where(),
                  error.hint().empty() ? "the bag is damaged; `rosbag reindex` saves what is whole" : error.hint());
    }
  }
}

}  // namespace mortise::ros
