#include "tests/plugins/io_ros2/fast_dds_peer.h"

#ifdef MORTISE_TEST_FAST_DDS

#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

namespace mortise::test {

namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

using Bytes = std::vector<std::byte>;

/// Copies bytes, the header of CDR with them.
class ByteType final : public dds::TopicDataType {
 public:
  explicit ByteType(const std::string& name) {
    setName(name.c_str());
    m_typeSize = 1 << 20;
    m_isGetKeyDefined = false;
  }
  bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
    const Bytes& bytes = *static_cast<Bytes*>(data);
    payload->encapsulation = CDR_LE;
    payload->length = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(payload->data, bytes.data(), bytes.size());
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
    Bytes& bytes = *static_cast<Bytes*>(data);
    bytes.resize(payload->length);
    std::memcpy(bytes.data(), payload->data, payload->length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<std::uint32_t>(static_cast<Bytes*>(data)->size()); };
  }
  void* createData() override { return new Bytes; }
  void deleteData(void* data) override { delete static_cast<Bytes*>(data); }
  bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

}  // namespace

class FastDdsPeer::Entities {
 public:
  explicit Entities(int domain) {
    dds::DomainParticipantQos qos = dds::PARTICIPANT_QOS_DEFAULT;
    qos.transport().use_builtin_transports = false;
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.push_back("127.0.0.1");
    qos.transport().user_transports.push_back(udp);
    for (int i = 0; i < 8; ++i) {
      rtps::Locator_t peer;
      rtps::IPLocator::setIPv4(peer, 127, 0, 0, 1);
      peer.port = static_cast<std::uint32_t>(7410 + 250 * domain + 2 * i);
      qos.wire_protocol().builtin.initialPeersList.push_back(peer);
    }
    participant =
        dds::DomainParticipantFactory::get_instance()->create_participant(static_cast<std::uint32_t>(domain), qos);
  }
  ~Entities() {
    participant->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(participant);
  }
  dds::Topic* topic(const std::string& name, const std::string& type) {
    dds::TypeSupport support(new ByteType(type));
    support.register_type(participant);
    return participant->create_topic(name, type, dds::TOPIC_QOS_DEFAULT);
  }

  dds::DomainParticipant* participant;
  dds::DataWriter* writer = nullptr;
  dds::DataReader* reader = nullptr;
};

bool FastDdsPeer::available() { return true; }

FastDdsPeer::FastDdsPeer(int domain) : entities_(std::make_unique<Entities>(domain)) {}

FastDdsPeer::~FastDdsPeer() = default;

void FastDdsPeer::publish(const std::string& topic, const std::string& type, bool reliable) {
  dds::DataWriterQos qos = dds::DATAWRITER_QOS_DEFAULT;
  qos.reliability().kind = reliable ? dds::RELIABLE_RELIABILITY_QOS : dds::BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind = dds::VOLATILE_DURABILITY_QOS;
  qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.history().depth = 10;
  qos.publish_mode().kind = dds::ASYNCHRONOUS_PUBLISH_MODE;  // Else it sends no fragments.
  entities_->writer = entities_->participant->create_publisher(dds::PUBLISHER_QOS_DEFAULT)
                          ->create_datawriter(entities_->topic(topic, type), qos);
}

void FastDdsPeer::subscribe(const std::string& topic, const std::string& type, bool reliable, bool transientLocal) {
  dds::DataReaderQos qos = dds::DATAREADER_QOS_DEFAULT;
  qos.reliability().kind = reliable ? dds::RELIABLE_RELIABILITY_QOS : dds::BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind = transientLocal ? dds::TRANSIENT_LOCAL_DURABILITY_QOS : dds::VOLATILE_DURABILITY_QOS;
  qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.history().depth = 100;
  entities_->reader = entities_->participant->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT)
                          ->create_datareader(entities_->topic(topic, type), qos);
}

int FastDdsPeer::matchedReaders() const {
  dds::PublicationMatchedStatus status;
  entities_->writer->get_publication_matched_status(status);
  return status.current_count;
}

int FastDdsPeer::matchedWriters() const {
  dds::SubscriptionMatchedStatus status;
  entities_->reader->get_subscription_matched_status(status);
  return status.current_count;
}

void FastDdsPeer::send(std::span<const std::byte> bytes) {
  Bytes copy(bytes.begin(), bytes.end());
  entities_->writer->write(&copy);
}

std::vector<Bytes> FastDdsPeer::take() {
  std::vector<Bytes> all;
  Bytes bytes;
  dds::SampleInfo info;
  while (entities_->reader->take_next_sample(&bytes, &info) == eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK)
    if (info.valid_data) all.push_back(bytes);
  return all;
}

}  // namespace mortise::test

#else

namespace mortise::test {

class FastDdsPeer::Entities {};
bool FastDdsPeer::available() { return false; }
FastDdsPeer::FastDdsPeer(int) {}
FastDdsPeer::~FastDdsPeer() = default;
void FastDdsPeer::publish(const std::string&, const std::string&, bool) {}
void FastDdsPeer::subscribe(const std::string&, const std::string&, bool, bool) {}
int FastDdsPeer::matchedReaders() const { return 0; }
int FastDdsPeer::matchedWriters() const { return 0; }
void FastDdsPeer::send(std::span<const std::byte>) {}
std::vector<std::vector<std::byte> > FastDdsPeer::take() { return {}; }

}  // namespace mortise::test

#endif
