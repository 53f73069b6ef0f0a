#pragma once

/// This process as a node of ROS 1. ROS's headers do not compile as C++20, so `ros_node.cpp` is compiled as C++17, and
/// this header, which both sides include, has nothing of either: bytes, sizes and texts.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mortise::io_ros1 {

struct NodeOptions {
  std::string master;  ///< URI; empty: ROS_MASTER_URI, else http://localhost:11311.
  std::string ip;      ///< Address that peers find this node at; empty: ROS_IP, ROS_HOSTNAME, else the computer's name.
};

struct TopicOptions {
  std::string topic;  ///< "/arm/joint_states"
  std::string type;   ///< "sensor_msgs/JointState"
  std::string md5, definition;
  int depth = 10;
  bool latched = false;
};

struct NodeNotice {
  bool problem = true;
  std::string text;
};

/// Called on a thread of the node.
using BytesHandler = std::function<void(const unsigned char* data, std::size_t size)>;

/// There is one node a process, which everybody joins who wants topics, and which leaves ROS with the last of them.
class RosNode {
 public:
  /// Throws `std::runtime_error` where no master answers, and where the process has a node at another master already;
  /// the text behind a line break is the next step.
  static std::shared_ptr<RosNode> join(const NodeOptions& options);

  RosNode() = default;
  virtual ~RosNode() = default;
  RosNode(const RosNode&) = delete;
  RosNode& operator=(const RosNode&) = delete;

  /// Returns a number for the functions below. Throws `std::runtime_error` for a name that ROS does not allow.
  virtual int advertise(const TopicOptions& options) = 0;
  virtual bool hasSubscribers(int publication) const = 0;
  /// Puts a copy into the queue of the topic; never waits.
  virtual bool publish(int publication, const unsigned char* data, std::size_t size) = 0;
  virtual void endPublication(int publication) = 0;

  virtual int subscribe(const TopicOptions& options, BytesHandler handler) = 0;
  /// The handler is not called afterwards.
  virtual void endSubscription(int subscription) = 0;

  /// Begins to keep notices for a listener, and ends it.
  virtual int listen() = 0;
  virtual std::vector<NodeNotice> takeNotices(int listener) = 0;
  virtual void endListening(int listener) = 0;
};

}  // namespace mortise::io_ros1
