#pragma once

/// Carriers that write files instead of sending.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/mcap/writer.h"
#include "ros/bags/bag_writer.h"
#include "ros/transport/transport.h"

namespace mortise::ros {

/// What files have in common: everything is kept, and nothing comes from them.
class FileTransport : public Transport {
 public:
  bool hasSubscribers(int) const override { return true; }
  bool keepsAll() const override { return true; }
  void setTime(const Time& time) override { time_ = time; }
  void subscribe(const std::string& topic, const MessageType& type, const Quality& quality, Inbox& inbox) override;
  std::vector<Notice> takeNotices() override { return {}; }

 protected:
  Time time_;  ///< Of what is published next.
};

/// A bag of ROS 1.
class BagTransport final : public FileTransport {
 public:
  BagTransport(std::string path, const BagWriterOptions& options) : writer_(std::move(path), options) {}

  Encoding encoding() const override { return Encoding::ros1; }
  int advertise(const std::string& topic, const MessageType& type, const Quality& quality) override;
  bool publish(int publication, std::span<const std::byte> bytes) override;
  void close() override { writer_.close(); }

 private:
  BagWriter writer_;
};

/// An MCAP log as `ros2 bag` reads it: profile ros2, CDR, definitions as ros2msg.
class Ros2LogTransport final : public FileTransport {
 public:
  /// `compression`: "zstd", or "" for none.
  Ros2LogTransport(std::string path, std::string_view compression);

  Encoding encoding() const override { return Encoding::cdr; }
  int advertise(const std::string& topic, const MessageType& type, const Quality& quality) override;
  bool publish(int publication, std::span<const std::byte> bytes) override;
  void close() override;

 private:
  struct Channel {
    std::uint16_t id = 0;
    std::uint32_t written = 0;
  };
  mcap::Writer writer_;
  std::vector<Channel> channels_;
  std::vector<std::pair<std::string, std::uint16_t>> schemas_;
  bool open_ = true;
};

}  // namespace mortise::ros
