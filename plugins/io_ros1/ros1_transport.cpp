#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "node/ros_node.h"
#include "ros1_settings.h"

namespace mortise::io_ros1 {

namespace {

/// Says what the node says: the text, and behind a line break what to do.
[[noreturn]] void refuse(const std::runtime_error& error) {
  const std::string text = error.what();
  const std::size_t end = text.find('\n');
  throw Error(text.substr(0, end), {}, end == std::string::npos ? "" : text.substr(end + 1));
}

template <typename F>
auto asking(const F& function) {
  try {
    return function();
  } catch (const std::runtime_error& error) {
    refuse(error);
  }
}

TopicOptions optionsOf(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality) {
  TopicOptions options;
  options.topic = topic.starts_with("/") ? topic : "/" + topic;
  options.type = type.ros1Name();
  options.md5 = type.md5;
  options.definition = type.ros1Definition;
  options.depth = quality.depth;
  options.latched = quality.durability == ros::Quality::Durability::transientLocal;
  return options;
}

class Ros1Transport final : public ros::Transport {
 public:
  explicit Ros1Transport(std::shared_ptr<RosNode> node) : node_(std::move(node)), listener_(node_->listen()) {}
  ~Ros1Transport() override { close(); }

  ros::Encoding encoding() const override { return ros::Encoding::ros1; }

  int advertise(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality) override {
    publications_.push_back(asking([&] { return node_->advertise(optionsOf(topic, type, quality)); }));
    return publications_.back();
  }

  bool hasSubscribers(int publication) const override { return node_ != nullptr && node_->hasSubscribers(publication); }

  bool publish(int publication, std::span<const std::byte> bytes) override {
    return node_ != nullptr &&
           node_->publish(publication, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }

  void subscribe(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality,
                 ros::Inbox& inbox) override {
    const auto handler = [topic, &inbox](const unsigned char* data, std::size_t size) {
      inbox.push(topic, {reinterpret_cast<const std::byte*>(data), size});
    };
    subscriptions_.push_back(asking([&] { return node_->subscribe(optionsOf(topic, type, quality), handler); }));
  }

  std::vector<ros::Notice> takeNotices() override {
    std::vector<ros::Notice> notices;
    if (node_ == nullptr) return notices;
    for (NodeNotice& notice : node_->takeNotices(listener_))
      notices.push_back({notice.problem ? LogLevel::warning : LogLevel::info, std::move(notice.text)});
    return notices;
  }

  void close() override {
    if (node_ == nullptr) return;
    for (const int subscription : subscriptions_) node_->endSubscription(subscription);
    for (const int publication : publications_) node_->endPublication(publication);
    node_->endListening(listener_);
    node_.reset();
  }

 private:
  std::shared_ptr<RosNode> node_;
  int listener_;
  std::vector<int> publications_, subscriptions_;
};

}  // namespace

void MasterSettings::bind(SettingBinder& b) {
  b.add("master", master, "Address of the ROS master. When absent: ROS_MASTER_URI, else http://localhost:11311.");
  b.add("ip", ip,
        "Address at which peers find this program. When absent: ROS_IP, else ROS_HOSTNAME, else the host's name.");
}

void MasterSettings::check() const {
  if (!master.empty() && !master.starts_with("http://"))
    throw Error("the address of a ROS master begins with http://, not as in '" + master + "'",
                settingPosition("master"), "write http://HOST:11311");
}

std::unique_ptr<ros::Transport> openRos1(const MasterSettings& settings) {
  return std::make_unique<Ros1Transport>(asking([&] { return RosNode::join({settings.master, settings.ip}); }));
}

}  // namespace mortise::io_ros1
