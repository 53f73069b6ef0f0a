#include "ros2_transport.h"

#include <string_view>
#include <utility>

#include "byte_type.h"
#include "mortise/base/error.h"

namespace mortise::ros2 {

namespace {

struct QosDeleter {
  void operator()(dds_qos_t* qos) const { dds_delete_qos(qos); }
};
using QosPtr = std::unique_ptr<dds_qos_t, QosDeleter>;

struct ListenerDeleter {
  void operator()(dds_listener_t* listener) const { dds_delete_listener(listener); }
};
using ListenerPtr = std::unique_ptr<dds_listener_t, ListenerDeleter>;

QosPtr qosOf(const ros::Quality& quality) {
  QosPtr qos(dds_create_qos());
  const bool reliable = quality.reliability == ros::Quality::Reliability::reliable;
  // A writer never waits: it drops what does not fit into its cache.
  dds_qset_reliability(qos.get(), reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, 0);
  const bool local = quality.durability == ros::Quality::Durability::transientLocal;
  dds_qset_durability(qos.get(), local ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(qos.get(), DDS_HISTORY_KEEP_LAST, quality.depth);
  if (local) dds_qset_durability_service(qos.get(), 0, DDS_HISTORY_KEEP_LAST, quality.depth, -1, -1, -1);
  constexpr dds_data_representation_id_t kRepresentation = DDS_DATA_REPRESENTATION_XCDR1;
  dds_qset_data_representation(qos.get(), 1, &kRepresentation);
  return qos;
}

bool isAllowedPart(std::string_view part) {
  if (part.empty() || (part.front() >= '0' && part.front() <= '9')) return false;
  for (const char c : part)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  return true;
}

/// Says in words what does not fit between a writer and a reader, and what to do about it.
std::string mismatch(std::uint32_t policy, bool weRead) {
  const char* reader = weRead ? "this program" : "the other side";
  const char* writer = weRead ? "the other side" : "this program";
  const std::string remedy = weRead ? "subscribe with " : "publish with ";
  if (policy == DDS_RELIABILITY_QOS_POLICY_ID)
    return std::string("reliability: ") + reader + " wants reliable, " + writer + " offers best_effort; " + remedy +
           (weRead ? "best_effort" : "reliable") + ", or change the other side";
  if (policy == DDS_DURABILITY_QOS_POLICY_ID)
    return std::string("durability: ") + reader + " wants transient_local, " + writer + " offers volatile; " + remedy +
           (weRead ? "volatile" : "transient_local") + ", or change the other side";
  if (policy == DDS_DATA_REPRESENTATION_QOS_POLICY_ID)
    return "data representation: expected XCDR1, as ROS 2 uses it; change the other side";
  return "policy " + std::to_string(policy) + " of DDS; give the other side ROS 2's default QoS";
}

}  // namespace

std::string ddsTopic(const std::string& topic) {
  const std::string_view name = std::string_view(topic).substr(topic.starts_with('/') ? 1 : 0);
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    if (!isAllowedPart(name.substr(at, end - at)))
      throw Error("'" + topic + "' is no name of a topic", {},
                  "use letters, digits, underscores and single slashes; no part begins with a digit");
    if (end == name.size()) break;
    at = end + 1;
  }
  return "rt/" + std::string(name);
}

Ros2Transport::Ros2Transport(const DomainOptions& options) : domain_(DdsDomain::join(options)) {}

Ros2Transport::~Ros2Transport() { close(); }

dds_entity_t Ros2Transport::topicOf(const std::string& topic, const ros::MessageType& type) {
  const dds_entity_t entity = createByteTopic(domain_->participant(), ddsTopic(topic), type.ddsName());
  if (entity < 0)
    throw Error(ddsError("topic '" + topic + "' of type " + type.ros2Name() + " cannot be made", entity), {},
                "a topic has one type in a program; give another name");
  topics_.push_back(entity);
  return entity;
}

int Ros2Transport::advertise(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality) {
  const dds_entity_t entity = topicOf(topic, type);
  writers_.push_back({this, topic, quality, nullptr});
  Endpoint& endpoint = writers_.back();
  const ListenerPtr listener(dds_create_listener(&endpoint));
  dds_lset_offered_incompatible_qos(listener.get(), &onRefusedByReader);
  endpoint.entity = dds_create_writer(domain_->participant(), entity, qosOf(quality).get(), listener.get());
  if (endpoint.entity < 0) throw Error(ddsError("topic '" + topic + "' cannot be published", endpoint.entity));
  return static_cast<int>(writers_.size()) - 1;
}

bool Ros2Transport::hasSubscribers(int publication) const {
  dds_publication_matched_status_t status = {};
  const dds_entity_t writer = writers_[static_cast<std::size_t>(publication)].entity;
  // Transient local messages wait for those who come later.
  return writers_[static_cast<std::size_t>(publication)].quality.durability ==
             ros::Quality::Durability::transientLocal ||
         (dds_get_publication_matched_status(writer, &status) == DDS_RETCODE_OK && status.current_count > 0);
}

bool Ros2Transport::publish(int publication, std::span<const std::byte> bytes) {
  const Endpoint& endpoint = writers_[static_cast<std::size_t>(publication)];
  const dds_return_t code = writeBytes(endpoint.entity, bytes);
  if (code != DDS_RETCODE_OK && code != DDS_RETCODE_TIMEOUT)
    report(ddsError("messages on '" + endpoint.topic + "' are not sent", code));
  return code == DDS_RETCODE_OK;
}

void Ros2Transport::subscribe(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality,
                              ros::Inbox& inbox) {
  const dds_entity_t entity = topicOf(topic, type);
  readers_.push_back({this, topic, quality, &inbox});
  Endpoint& endpoint = readers_.back();
  const ListenerPtr listener(dds_create_listener(&endpoint));
  dds_lset_data_available(listener.get(), &onData);
  dds_lset_requested_incompatible_qos(listener.get(), &onRefusedByWriter);
  endpoint.entity = dds_create_reader(domain_->participant(), entity, qosOf(quality).get(), listener.get());
  if (endpoint.entity < 0) throw Error(ddsError("topic '" + topic + "' cannot be subscribed", endpoint.entity));
}

void Ros2Transport::onData(dds_entity_t reader, void* endpoint) {
  const auto& self = *static_cast<Endpoint*>(endpoint);
  takeBytes(reader, [&self](std::span<const std::byte> bytes) { self.inbox->push(self.topic, bytes); });
}

void Ros2Transport::onRefusedByWriter(dds_entity_t, const dds_requested_incompatible_qos_status_t status,
                                      void* endpoint) {
  const auto& self = *static_cast<Endpoint*>(endpoint);
  self.transport->report("nothing comes on '" + self.topic +
                         "' from a publisher whose QoS does not fit: " + mismatch(status.last_policy_id, true));
}

void Ros2Transport::onRefusedByReader(dds_entity_t, const dds_offered_incompatible_qos_status_t status,
                                      void* endpoint) {
  const auto& self = *static_cast<Endpoint*>(endpoint);
  self.transport->report("a subscriber of '" + self.topic +
                         "' gets nothing, for its QoS does not fit: " + mismatch(status.last_policy_id, false));
}

void Ros2Transport::report(std::string text) {
  const std::lock_guard lock(mutex_);
  if (reported_.insert(text).second) notices_.push_back({LogLevel::warning, std::move(text)});
}

std::vector<ros::Notice> Ros2Transport::takeNotices() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

void Ros2Transport::close() {
  if (!domain_) return;
  for (const Endpoint& reader : readers_) dds_delete(reader.entity);
  // All together have a second for what they still hold.
  const dds_time_t end = dds_time() + DDS_SECS(1);
  for (const Endpoint& writer : writers_) {
    if (writer.quality.reliability == ros::Quality::Reliability::reliable)
      dds_wait_for_acks(writer.entity, std::max<dds_duration_t>(end - dds_time(), 0));
    dds_delete(writer.entity);
  }
  for (const dds_entity_t topic : topics_) dds_delete(topic);
  domain_.reset();
}

}  // namespace mortise::ros2
