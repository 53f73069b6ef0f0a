#include "mortise/viewer/live_feed.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "mortise/logs/series.h"

namespace mortise::viewer {
namespace {

TEST(LiveFeed, FindsTimesInWhatIsPackedAndCutOff) {
  World world;
  world.objects.emplace_back();
  LiveFeed feed(world, std::size_t{1} << 20);
  std::vector<BodyState> objects(1);
  const auto add = [&](std::int64_t tick) {
    SimulationView view;
    view.world = &world;
    view.tick = tick;
    view.time = 0.01 * static_cast<double>(tick);
    view.objects = objects;
    feed.add(view);
  };
  EXPECT_EQ(feed.tickAt(0.3), 0) << "nothing is there yet";
  constexpr auto kBatch = static_cast<std::int64_t>(LiveFeed::kBatch);
  for (std::int64_t tick = 0; tick < 4 * kBatch; ++tick) add(tick);
  for (const std::int64_t tick : {std::int64_t{0}, std::int64_t{30}, kBatch - 1, kBatch, 3 * kBatch + 7})
    EXPECT_EQ(feed.tickAt(0.01 * static_cast<double>(tick)), tick);
  EXPECT_EQ(feed.tickAt(100), 4 * kBatch - 1);
  // At the end of a batch: all that is left is packed.
  feed.cutAfter(kBatch - 1);
  EXPECT_EQ(feed.tickAt(0.3), 30);
  EXPECT_EQ(feed.tickAt(100), kBatch - 1);
  add(kBatch);
  EXPECT_EQ(feed.tickAt(100), kBatch);
}

TEST(LiveFeed, RobotsThatAreNotSimulatedHaveAColumnADriver) {
  World world;
  RobotDescription arm;
  arm.name = "arm";
  Link& link = arm.links.emplace_back();
  link.name = "link";
  link.axis = Vector3d::UnitZ();
  arm.joints.push_back({JointType::normal, 0, -1});
  arm.drivers.emplace_back().links = {0};
  world.robots.emplace_back();
  world.robots[0].robot = Robot::compile(std::move(arm));
  LiveFeed feed(world, std::size_t{1} << 20);
  const RobotState state(*world.robots[0].robot);
  std::vector<RobotView> robots(1);
  robots[0].state = &state;
  SimulationView view;
  view.world = &world;
  view.robots = robots;
  feed.join(1);
  feed.add(view);
  const std::optional<ViewPacket> packet = feed.next(1);
  ASSERT_TRUE(packet.has_value());
  ASSERT_FALSE(packet->text);
  // Records: channel, length, tick, message.
  std::size_t at = 0;
  bool found = false;
  while (at + 16 <= packet->bytes.size()) {
    std::uint32_t channel = 0, length = 0;
    std::memcpy(&channel, packet->bytes.data() + at, 4);
    std::memcpy(&length, packet->bytes.data() + at + 4, 4);
    if (channel == 3) {
      const logs::SeriesBlock commands = logs::SeriesBlock::decode(packet->bytes.substr(at + 16, length));
      EXPECT_EQ(commands.columns(), 3u);
      for (const float value : commands.sample(0)) EXPECT_TRUE(std::isnan(value));
      found = true;
    }
    at += 16 + (length + 7) / 8 * 8;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace mortise::viewer
