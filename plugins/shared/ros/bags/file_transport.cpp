#include "ros/bags/file_transport.h"

#include <algorithm>

#include "mortise/base/error.h"

namespace mortise::ros {

namespace {

mcap::WriterOptions ros2Options(std::string_view compression) {
  mcap::WriterOptions options;
  options.profile = "ros2";
  options.compression = compression;
  return options;
}

/// What `ros2 bag` keeps of a topic's QoS, with the numbers that rmw has for them.
std::string qosProfile(const Quality& quality) {
  const bool reliable = quality.reliability == Quality::Reliability::reliable;
  const bool local = quality.durability == Quality::Durability::transientLocal;
  const std::string forever = "\n    sec: 9223372036\n    nsec: 854775807\n";
  return "- history: 1\n  depth: " + std::to_string(quality.depth) + "\n  reliability: " + (reliable ? "1" : "2") +
         "\n  durability: " + (local ? "1" : "2") + "\n  deadline:" + forever + "  lifespan:" + forever +
         "  liveliness: 1\n  liveliness_lease_duration:" + forever + "  avoid_ros_namespace_conventions: false\n";
}

}  // namespace

void FileTransport::subscribe(const std::string& topic, const MessageType&, const Quality&, Inbox&) {
  throw Error("'" + topic + "' cannot be subscribed in a file that is being written");
}

int BagTransport::advertise(const std::string& topic, const MessageType& type, const Quality& quality) {
  return static_cast<int>(writer_.connect(topic, type, quality.durability == Quality::Durability::transientLocal));
}

bool BagTransport::publish(int publication, std::span<const std::byte> bytes) {
  writer_.write(static_cast<std::uint32_t>(publication), time_, bytes);
  return true;
}

Ros2LogTransport::Ros2LogTransport(std::string path, std::string_view compression)
    : writer_(std::move(path), ros2Options(compression)) {}

int Ros2LogTransport::advertise(const std::string& topic, const MessageType& type, const Quality& quality) {
  const std::string name = type.ros2Name();
  auto schema =
      std::find_if(schemas_.begin(), schemas_.end(), [&name](const auto& each) { return each.first == name; });
  if (schema == schemas_.end())
    schema = schemas_.insert(schema, {name, writer_.addSchema(name, "ros2msg", type.ros2Definition)});
  const std::uint16_t id = writer_.addChannel(schema->second, topic.starts_with('/') ? topic : "/" + topic, "cdr",
                                              {{"offered_qos_profiles", qosProfile(quality)}});
  channels_.push_back({id, 0});
  return static_cast<int>(channels_.size()) - 1;
}

bool Ros2LogTransport::publish(int publication, std::span<const std::byte> bytes) {
  Channel& channel = channels_[static_cast<std::size_t>(publication)];
  const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(nanosecondsOf(time_), 0));
  writer_.write(
      {channel.id, channel.written++, time, time, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
  return true;
}

void Ros2LogTransport::close() {
  if (open_) writer_.close();
  open_ = false;
}

}  // namespace mortise::ros
