#pragma once

#include <string>

#include "mortise/settings/placed.h"
#include "ros/bags/bag_compression.h"
#include "ros/recording/broadcast_recorder.h"

namespace mortise::rosbag {

struct BagSettings {
  PlacedText file = {"run.bag"};
  ros::BagCompression compression = ros::BagCompression::lz4;
  ros::BroadcastSettings broadcast;
  void bind(SettingBinder& b);
  void check() const { broadcast.check(); }
};

/// A run as a bag of ROS 1: the messages that a broadcast would have sent, with simulated times, none of them left out.
class BagRecorder final : public ros::BroadcastRecorder {
 public:
  explicit BagRecorder(const ComponentContext& context);

 private:
  BagRecorder(Host& host, const BagSettings& settings);
};

struct Ros2LogSettings {
  PlacedText file = {"ros2.mcap"};
  std::string compression = "zstd";
  ros::BroadcastSettings broadcast;
  void bind(SettingBinder& b);
  void check() const { broadcast.check(); }
};

/// The same as an MCAP log that ROS 2's tools open.
class Ros2LogRecorder final : public ros::BroadcastRecorder {
 public:
  explicit Ros2LogRecorder(const ComponentContext& context);

 private:
  Ros2LogRecorder(Host& host, const Ros2LogSettings& settings);
};

}  // namespace mortise::rosbag
