#include "mortise/viewer/live_sample.h"

#include <gtest/gtest.h>

#include "mortise/base/random.h"

namespace mortise::viewer {
namespace {

TEST(LiveSample, PackedOnesComeBackToTheBit) {
  RandomStream random(1, "samples");
  const auto numbers = [&](std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
    return values;
  };
  std::vector<LiveSamplePtr> samples;
  for (int i = 0; i < 50; ++i) {
    auto sample = std::make_shared<LiveSample>();
    sample->tick = 10 * i + i % 3;
    sample->time = 0.0125 * i;
    sample->state = numbers(9);
    sample->torques = numbers(0);
    sample->commands = numbers(3);
    sample->contacts = numbers(static_cast<std::size_t>(12 * (i % 4)));
    sample->sensors = {numbers(2), numbers(0), numbers(5)};
    samples.push_back(std::move(sample));
  }
  const PackedSamples packed(samples);
  EXPECT_EQ(packed.lastTick(), samples.back()->tick);
  EXPECT_EQ(packed.firstTime(), 0);
  const std::vector<LiveSamplePtr> back = packed.unpack();
  ASSERT_EQ(back.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(back[i]->tick, samples[i]->tick);
    EXPECT_EQ(back[i]->time, samples[i]->time);
    EXPECT_EQ(back[i]->state, samples[i]->state);
    EXPECT_EQ(back[i]->torques, samples[i]->torques);
    EXPECT_EQ(back[i]->commands, samples[i]->commands);
    EXPECT_EQ(back[i]->contacts, samples[i]->contacts);
    EXPECT_EQ(back[i]->sensors, samples[i]->sensors);
  }
}

TEST(LiveSample, WhatRestsTakesLittle) {
  std::vector<LiveSamplePtr> samples;
  for (int i = 0; i < 50; ++i) {
    auto sample = std::make_shared<LiveSample>();
    sample->tick = i;
    sample->time = 0.01 * i;
    sample->state.assign(70, 0.3f);
    sample->contacts.assign(120, 1.5f);
    samples.push_back(std::move(sample));
  }
  const PackedSamples packed(samples);
  EXPECT_LT(packed.bytes(), packed.unpackedBytes() / 20);
}

}  // namespace
}  // namespace mortise::viewer
