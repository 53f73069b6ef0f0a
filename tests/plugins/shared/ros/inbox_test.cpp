// Messages that wait to be read, and floods of them.

#include "ros/transport/inbox.h"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>

namespace mortise::ros {
namespace {

std::vector<std::byte> numbered(std::uint32_t number, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

std::uint32_t numberOf(const Received& message) {
  std::uint32_t number = 0;
  std::memcpy(&number, message.bytes.data(), sizeof number);
  return number;
}

TEST(RosInbox, KeepsOrderAndTopics) {
  Inbox inbox;
  inbox.push("a", numbered(1, 8));
  inbox.push("b", numbered(2, 8));
  Received first;
  ASSERT_TRUE(inbox.takeOne(first));
  EXPECT_EQ(first.topic, "a");
  EXPECT_EQ(numberOf(first), 1u);
  const std::vector<Received> rest = inbox.take();
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].topic, "b");
  EXPECT_TRUE(inbox.empty());
  EXPECT_EQ(inbox.bytes(), 0u);
  EXPECT_FALSE(inbox.takeOne(first));
}

TEST(RosInbox, FloodDropsTheOldestAndStaysWithinItsBytes) {
  constexpr std::uint32_t kMessages = 20000;
  Inbox inbox;
  for (std::uint32_t i = 0; i < kMessages; ++i) inbox.push("flood", numbered(i, 4000));
  EXPECT_LE(inbox.bytes(), Inbox::kDefaultBytes);
  EXPECT_EQ(inbox.received(), kMessages);
  const std::vector<Received> kept = inbox.take();
  EXPECT_EQ(kept.size() + inbox.dropped(), kMessages);
  EXPECT_GT(kept.size(), 3000u) << "most of the room is used";
  for (std::size_t i = 0; i < kept.size(); ++i)
    ASSERT_EQ(numberOf(kept[i]), kMessages - kept.size() + i) << "the newest, in order";
}

TEST(RosInbox, CountsMessagesAsWell) {
  Inbox inbox(3);
  for (std::uint32_t i = 0; i < 5; ++i) inbox.push("t", numbered(i, 8));
  const std::vector<Received> kept = inbox.take();
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(numberOf(kept[0]), 2u);
  EXPECT_EQ(inbox.dropped(), 2u);
}

TEST(RosInbox, WhatNeverFitsIsDroppedAlone) {
  Inbox inbox(0, 1000);
  inbox.push("t", numbered(1, 100));
  inbox.push("t", numbered(2, 5000));
  EXPECT_EQ(inbox.dropped(), 1u);
  ASSERT_EQ(inbox.take().size(), 1u);
}

TEST(RosInbox, ManyThreadsFillWhatOneEmpties) {
  constexpr std::uint32_t kEach = 2000;
  Inbox inbox(0, 1u << 30);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&inbox, t] {
      for (std::uint32_t i = 0; i < kEach; ++i) inbox.push(std::to_string(t), numbered(i, 16));
    });
  std::vector<std::uint32_t> next(3, 0);
  const auto check = [&next](const std::vector<Received>& messages) {
    for (const Received& message : messages) EXPECT_EQ(numberOf(message), next[std::stoul(message.topic)]++);
  };
  for (int k = 0; k < 100; ++k) check(inbox.take());
  for (std::thread& thread : threads) thread.join();
  check(inbox.take());
  EXPECT_EQ(next, std::vector<std::uint32_t>(3, kEach));
  EXPECT_EQ(inbox.dropped(), 0u);
}

}  // namespace
}  // namespace mortise::ros
