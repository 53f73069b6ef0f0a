#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mortise/base/value_text.h"
#include "mortise/plugin/registry.h"
#include "mortise/simulation/simulation.h"
#include "ros/codec/codec.h"
#include "ros/relay/relay_controller.h"
#include "tests/plugins/ros_relay/loop_transport.h"
#include "tests/plugins/ros_relay/trajectories.h"
#include "tests/support/folder_test.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::ros::test {

/// The network that relays of these tests connect to.
extern std::shared_ptr<Network> network;

constexpr const char* kTrajectories = "/arm/joint_trajectory";

/// An arm of two rods whose relay, `test.LoopRelay`, is on `network`.
class RelayTest : public mortise::test::FolderTest {
 protected:
  RelayTest();
  ~RelayTest() override;

  std::unique_ptr<Simulation> simulation(const std::string& type, const std::string& settings = "{}");
  template <class M>
  static void send(const M& message, const std::string& topic = kTrajectories) {
    std::vector<std::byte> bytes;
    encode(message, network->encoding(), bytes);
    network->send(topic, bytes);
  }

  mortise::test::MemoryLog log;
  std::unique_ptr<Registry> registry = mortise::test::makeRegistry(log);
  World world = mortise::test::smallWorld();
};

}  // namespace mortise::ros::test
