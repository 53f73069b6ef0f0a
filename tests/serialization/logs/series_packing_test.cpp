#include "mortise/logs/series_packing.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "mortise/base/error.h"
#include "mortise/logs/series.h"

namespace mortise::logs {
namespace {

struct Samples {
  std::vector<std::uint64_t> ticks;
  std::vector<double> times;
  std::vector<float> values;
  std::size_t columns = 1;

  void add(std::uint64_t tick, double time, std::vector<float> row) {
    ticks.push_back(tick);
    times.push_back(time);
    values.insert(values.end(), row.begin(), row.end());
  }
  std::string packed() const {
    std::string out;
    packSeries(ticks, times, values, columns, out);
    return out;
  }
};

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expectBack(const Samples& given) {
  Samples read;
  unpackSeries(given.packed(), given.columns, read.ticks, read.times, read.values);
  EXPECT_EQ(read.ticks, given.ticks);
  EXPECT_TRUE(sameBits(read.times, given.times));
  EXPECT_TRUE(sameBits(read.values, given.values));
}

/// Groups of changing sizes, with columns that rest, run, and are noise to the last bit.
Samples mixed(unsigned seed) {
  std::mt19937 random(seed);
  Samples samples;
  samples.columns = 4;
  for (std::uint64_t g = 0; g < 60; ++g) {
    const std::uint64_t size = seed % 2 == 0 ? 1 : random() % 5;
    for (std::uint64_t rank = 0; rank < size; ++rank)
      samples.add(10 * g, 0.001 * static_cast<double>(10 * g),
                  {2.5f, 0.1f * static_cast<float>(g), std::bit_cast<float>(static_cast<std::uint32_t>(random())),
                   static_cast<float>(rank)});
  }
  return samples;
}

TEST(SeriesPacking, EveryBitComesBack) {
  for (unsigned seed = 0; seed < 10; ++seed) expectBack(mixed(seed));
  Samples special;
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float value : {0.0f, -0.0f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e-45f, -3.0f})
    special.add(5, 0.25, {value});
  expectBack(special);
  expectBack({});
  Samples narrow;
  narrow.columns = 0;
  narrow.add(1, 0.5, {});
  expectBack(narrow);
}

TEST(SeriesPacking, TimesThatAreNoMultiplesOfTicksAreKept) {
  Samples samples;
  for (std::uint64_t i = 0; i < 20; ++i) samples.add(i, std::sqrt(static_cast<double>(i)), {1});
  expectBack(samples);
  samples = {};
  samples.add(std::uint64_t{1} << 60, std::numeric_limits<double>::quiet_NaN(), {1});
  expectBack(samples);
}

TEST(SeriesPacking, WhatRestsOrRunsTakesNextToNothing) {
  Samples rests;
  rests.columns = 100;
  for (std::uint64_t i = 0; i < 50; ++i) rests.add(i, 0.001 * static_cast<double>(i), std::vector<float>(100, 0.7f));
  EXPECT_LT(rests.packed().size(), 650u) << "100 values and heads, 50 ticks; 20,000 bytes of values";
  Samples runs;
  for (std::uint64_t i = 0; i < 1000; ++i) runs.add(i, 0.001 * static_cast<double>(i), {static_cast<float>(1024 + i)});
  EXPECT_LT(runs.packed().size(), 1000 * 2 + 2 * 1000u) << "two bytes of a head and at most two of a value";
}

TEST(SeriesPacking, BytesAreWhatTheDocumentationSays) {
  Samples samples;
  samples.columns = 2;
  samples.add(4, 1, {1.0f, -0.0f});
  samples.add(8, 2, {std::nextafter(1.0f, 2.0f), 0.0f});
  const double step = 0.25;
  std::string expected = {2, 4, 1, 4, 1, 1};
  expected.append(reinterpret_cast<const char*>(&step), sizeof step);
  expected += {1 | 16, 0};
  // 0x3f800000 is stored as 0x7f000000, and -0, the integer before 0, as 1. Then the first is one up, which is stored
  // as 2, and the second, whose order is 0, is 0.
  expected += std::string{0, 1, 0, 0, 0, 0, 0x7f, 0, 2};
  EXPECT_EQ(samples.packed(), expected);
}

TEST(SeriesPacking, DamagedBytesAreErrors) {
  const Samples samples = mixed(3);
  const std::string full = samples.packed();
  Samples read;
  const auto unpack = [&](std::string_view bytes) {
    unpackSeries(bytes, samples.columns, read.ticks, read.times, read.values);
  };
  for (std::size_t size = 0; size < full.size(); ++size) EXPECT_THROW(unpack(full.substr(0, size)), Error) << size;
  std::mt19937 random(1);
  int errors = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = full;
    damaged[random() % std::min<std::size_t>(damaged.size(), 200)] = static_cast<char>(random());
    try {
      unpack(damaged);
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 100);
  const std::string endless = {1, 0, '\xff', '\xff', '\xff', '\xff', '\x7f', 0};
  EXPECT_THROW(unpack(endless), Error) << "more samples than bytes can hold";
}

TEST(SeriesPacking, MessagesOfBothFormsAreRead) {
  SeriesBlock block(2);
  for (std::uint64_t i = 0; i < 30; ++i) {
    const std::span<float> values = block.append(i, 0.01 * static_cast<double>(i));
    values[0] = 0.5f * static_cast<float>(i);
    values[1] = -3;
  }
  std::string plain, packed;
  block.encode(plain);
  block.encodePacked(packed);
  EXPECT_LT(packed.size(), plain.size() / 2);
  for (const std::string& message : {plain, packed}) {
    const SeriesBlock read = SeriesBlock::decode(message);
    EXPECT_EQ(read.ticks(), block.ticks());
    EXPECT_EQ(read.times(), block.times());
    ASSERT_EQ(read.columns(), 2u);
    for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(read.value(i, 0), block.value(i, 0));
    EXPECT_EQ(read.value(29, 1), -3);
  }
  for (std::size_t size = 3; size < packed.size(); ++size)
    EXPECT_THROW((void)SeriesBlock::decode(packed.substr(0, size)), Error) << size;
}

}  // namespace
}  // namespace mortise::logs
