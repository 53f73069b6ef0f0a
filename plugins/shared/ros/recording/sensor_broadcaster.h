#pragma once

#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ros/conversion/sensors.h"
#include "ros/messages/joints.h"
#include "ros/recording/publication.h"
#include "ros/recording/recorder_settings.h"
#include "ros/recording/snapshot.h"
#include "ros/recording/state_broadcaster.h"
#include "ros/recording/topic_names.h"

namespace mortise::ros {

/// Makes the messages about readings of sensors, each as the message that fits it.
class SensorBroadcaster {
 public:
  /// Advertises. What is given outlives the broadcaster; of the view, only what its readings are is kept.
  SensorBroadcaster(Outbox& outbox, const BroadcastSettings& settings, const SimulationView& view,
                    const SnapshotSelection& selection, const TopicNames& names);

  /// Frames that sensors see in, where they are not those of links.
  const std::vector<FixedFrame>& frames() const { return frames_; }
  void send(const Snapshot& snapshot);
  /// Says whether anybody wants images of this sensor; asked by the thread of the simulation.
  bool imagesWanted(std::size_t sensor) const { return wanted_[sensor].load(std::memory_order_relaxed); }

 private:
  struct Topics {
    std::size_t selected;  ///< Place in the selection.
    SensorLayout layout;
    std::string frame;
    std::optional<CameraModel> camera;
    std::optional<ScanModel> scan;
    std::vector<std::string> channels;
    std::optional<Publication<Image>> color, depth;
    std::optional<Publication<CameraInfo>> colorInfo, depthInfo;
    std::optional<Publication<LaserScan>> laser;
    std::optional<Publication<PointCloud2>> cloud;
    std::optional<Publication<Imu>> imu;
    std::optional<Publication<WrenchStamped>> wrench;
    std::optional<Publication<Float32MultiArray>> numbers;
  };
  /// The readings of encoders and the like, for the message of the sensed state.
  struct SensedState {
    std::optional<Publication<JointState>> topic;
    int positions = -1, velocities = -1;  ///< Places in the selection.
    std::vector<int> velocityOf;          ///< For each joint its channel of velocities; -1: none.
  };
  void addSensor(Outbox& outbox, const BroadcastSettings& settings, const SimulationView& view, std::size_t selected);
  void addImages(Outbox& outbox, const Quality& quality, const std::string& topic, Topics& topics);
  void addSensed(Outbox& outbox, const BroadcastSettings& settings, const SimulationView& view, std::size_t robot);
  void findScan(const Value& run, const std::string& sensor, Topics& topics) const;
  void sendImages(const Time& stamp, const std::vector<double>& values, Topics& topics);
  void sendSensed(const Time& stamp, const Snapshot& snapshot, SensedState& sensed);

  const SnapshotSelection& selection_;
  const TopicNames& names_;
  std::deque<Topics> sensors_;
  std::deque<SensedState> sensed_;
  std::vector<FixedFrame> frames_;
  std::deque<std::atomic<bool>> wanted_;  ///< By place in the selection.
};

}  // namespace mortise::ros
