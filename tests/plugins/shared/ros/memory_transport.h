#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "ros/codec/codec.h"
#include "ros/transport/transport.h"

namespace mortise::test {

/// What a `MemoryTransport` was given; it outlives the recorder that owns the transport.
struct Airwaves {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::vector<std::vector<std::byte>>> messages;  ///< By topic.
  std::map<std::string, std::string> types;
  std::map<std::string, ros::Quality> qualities;
  std::vector<ros::Notice> notices;
  bool heard = true;     ///< Somebody subscribes.
  bool stalled = false;  ///< `publish` does not come back.
  bool waiting = false;  ///< A thread waits in `publish`.
  bool keepsAll = false;
  bool closed = false;
  std::string failure;  ///< Thrown by `publish`.

  template <class M>
  std::vector<M> received(const std::string& topic) {
    const std::lock_guard lock(mutex);
    std::vector<M> all;
    for (const auto& bytes : messages[topic]) ros::decode(bytes, ros::Encoding::cdr, all.emplace_back());
    return all;
  }
  std::size_t count(const std::string& topic) {
    const std::lock_guard lock(mutex);
    return messages[topic].size();
  }
  void stall(bool on) {
    const std::lock_guard lock(mutex);
    stalled = on;
    changed.notify_all();
  }
  void waitUntilStuck() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return waiting; });
  }
};

/// A carrier without wires.
class MemoryTransport final : public ros::Transport {
 public:
  explicit MemoryTransport(Airwaves& air) : air_(air) {}

  ros::Encoding encoding() const override { return ros::Encoding::cdr; }
  int advertise(const std::string& topic, const ros::MessageType& type, const ros::Quality& quality) override {
    const std::lock_guard lock(air_.mutex);
    air_.types[topic] = type.ros2Name();
    air_.qualities[topic] = quality;
    topics_.push_back(topic);
    return static_cast<int>(topics_.size()) - 1;
  }
  bool hasSubscribers(int) const override { return air_.heard; }
  bool publish(int publication, std::span<const std::byte> bytes) override {
    std::unique_lock lock(air_.mutex);
    if (!air_.failure.empty()) throw Error(air_.failure);
    air_.waiting = air_.stalled;
    air_.changed.notify_all();
    air_.changed.wait(lock, [this] { return !air_.stalled; });
    air_.waiting = false;
    air_.messages[topics_[static_cast<std::size_t>(publication)]].emplace_back(bytes.begin(), bytes.end());
    return true;
  }
  bool keepsAll() const override { return air_.keepsAll; }
  void subscribe(const std::string&, const ros::MessageType&, const ros::Quality&, ros::Inbox&) override {}
  std::vector<ros::Notice> takeNotices() override {
    const std::lock_guard lock(air_.mutex);
    return std::exchange(air_.notices, {});
  }
  void close() override { air_.closed = true; }

 private:
  Airwaves& air_;
  std::vector<std::string> topics_;
};

}  // namespace mortise::test
