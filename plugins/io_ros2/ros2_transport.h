#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "dds_domain.h"
#include "ros/transport/transport.h"

namespace mortise::ros2 {

/// Topics of ROS 2, by CycloneDDS.
class Ros2Transport final : public ros::Transport {
 public:
  explicit Ros2Transport(const DomainOptions& options);
  ~Ros2Transport() override;

  ros::Encoding encoding() const override { return ros::Encoding::cdr; }
  int advertise(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality) override;
  bool hasSubscribers(int publication) const override;
  bool publish(int publication, std::span<const std::byte> bytes) override;
  void subscribe(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality,
                 ros::Inbox& inbox) override;
  std::vector<ros::Notice> takeNotices() override;
  void close() override;

 private:
  /// A writer or reader, as its listener, which runs on a thread of DDS, gets to know it.
  struct Endpoint {
    Ros2Transport* transport;
    std::string topic;  ///< The topic as it was given.
    ros::Quality quality;
    ros::Inbox* inbox;  ///< nullptr: it publishes.
    dds_entity_t entity = 0;
  };
  static void onData(dds_entity_t reader, void* endpoint);
  static void onRefusedByWriter(dds_entity_t reader, const dds_requested_incompatible_qos_status_t status,
                                void* endpoint);
  static void onRefusedByReader(dds_entity_t writer, const dds_offered_incompatible_qos_status_t status,
                                void* endpoint);
  /// Each text once.
  void report(std::string text);
  dds_entity_t topicOf(const std::string& topic, const ros::MessageType& type);

  std::shared_ptr<DdsDomain> domain_;
  std::deque<Endpoint> writers_, readers_;
  std::vector<dds_entity_t> topics_;
  std::mutex mutex_;
  std::vector<ros::Notice> notices_;
  std::set<std::string> reported_;
};

/// The name of a topic on DDS: "rt/joint_states". Throws `Error` for a name that ROS 2 does not allow.
std::string ddsTopic(const std::string& topic);

}  // namespace mortise::ros2
