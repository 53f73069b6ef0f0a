#include "ros/bags/recorded_message.h"

#include <fstream>

#include "mortise/base/error.h"
#include "mortise/mcap/reader.h"
#include "ros/bags/bag_reader.h"

namespace mortise::ros {

namespace {

/// A log of ROS 2, or of one of ROS 1 that was converted.
std::string readMcap(const std::string& path, const std::function<bool(const RecordedMessage&)>& visit) {
  mcap::Reader reader(path);
  std::map<std::uint16_t, RecordedTopic> topics;
  std::map<std::uint16_t, Encoding> encodings;
  for (const auto& [id, channel] : reader.channels()) {
    if (channel.messageEncoding != "cdr" && channel.messageEncoding != "ros1") continue;
    const auto schema = reader.schemas().find(channel.schemaId);
    const std::string topic = channel.topic.starts_with('/') ? channel.topic : "/" + channel.topic;
    topics[id] = {topic, schema == reader.schemas().end() ? std::string() : schema->second.name, {}};
    encodings[id] = channel.messageEncoding == "cdr" ? Encoding::cdr : Encoding::ros1;
  }
  if (topics.empty())
    throw Error("'" + path + "' holds no messages of ROS", {},
                "logs that ROS's tools open are written by the recorder mcap_ros2");
  reader.messages({}, [&](const mcap::Message& message) {
    const auto topic = topics.find(message.channelId);
    if (topic == topics.end()) return true;
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(message.data.data()),
                                           message.data.size());
    return visit({topic->second, static_cast<std::int64_t>(message.logTime), bytes, encodings[message.channelId]});
  });
  return reader.damage();
}

}  // namespace

std::string readRecordedMessages(const std::string& path, const std::function<bool(const RecordedMessage&)>& visit) {
  std::string head(mcap::kMagic.size(), '\0');
  std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
  if (head == mcap::kMagic) return readMcap(path, visit);
  BagReader reader(path);
  reader.messages(visit);
  return reader.damage();
}

}  // namespace mortise::ros
