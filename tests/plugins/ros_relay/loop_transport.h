#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ros/transport/transport.h"

namespace mortise::ros::test {

/// The network of a test: what is published is kept, and the test sends what it likes.
class Network {
 public:
  explicit Network(Encoding encoding) : encoding_(encoding) {}

  Encoding encoding() const { return encoding_; }
  void send(const std::string& topic, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = inboxes_.find(topic);
    if (found != inboxes_.end()) found->second->push(topic, bytes);
  }
  Inbox* inbox(const std::string& topic) {
    const std::lock_guard lock(mutex_);
    const auto found = inboxes_.find(topic);
    return found == inboxes_.end() ? nullptr : found->second;
  }
  std::vector<std::vector<std::byte>> published(const std::string& topic) {
    const std::lock_guard lock(mutex_);
    return published_[topic];
  }

 private:
  friend class LoopTransport;
  Encoding encoding_;
  std::mutex mutex_;
  std::map<std::string, Inbox*> inboxes_;
  std::map<std::string, std::vector<std::vector<std::byte>>> published_;
};

class LoopTransport final : public Transport {
 public:
  explicit LoopTransport(std::shared_ptr<Network> network) : network_(std::move(network)) {}
  ~LoopTransport() override { close(); }

  Encoding encoding() const override { return network_->encoding_; }
  int advertise(const std::string& topic, const MessageType&, const Quality&) override {
    topics_.push_back(topic);
    return static_cast<int>(topics_.size()) - 1;
  }
  bool hasSubscribers(int) const override { return true; }
  bool publish(int publication, std::span<const std::byte> bytes) override {
    const std::lock_guard lock(network_->mutex_);
    network_->published_[topics_[static_cast<std::size_t>(publication)]].emplace_back(bytes.begin(), bytes.end());
    return true;
  }
  void subscribe(const std::string& topic, const MessageType&, const Quality&, Inbox& inbox) override {
    const std::lock_guard lock(network_->mutex_);
    network_->inboxes_[topic] = &inbox;
  }
  std::vector<Notice> takeNotices() override { return {}; }
  void close() override {
    const std::lock_guard lock(network_->mutex_);
    network_->inboxes_.clear();
  }

 private:
  std::shared_ptr<Network> network_;
  std::vector<std::string> topics_;
};

}  // namespace mortise::ros::test
