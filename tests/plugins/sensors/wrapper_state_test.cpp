// Saving and restoring of wrappers, hostile bytes, and allocations.

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/plugins/sensors/wrapper_bench.h"
#include "tests/support/allocation_counter.h"

namespace mortise {
namespace {

constexpr std::pair<const char*, const char*> kWrappers[] = {
    {"TransformedSensor", "{of: raw, scale: [1, 2, 3], bias: 0.5, maximum: 4}"},
    {"CorruptedSensor", "{of: raw, variance: [0.1, 0.2, 0], resolution: 0.001}"},
    {"FilteredSensor", "{of: raw, smoothing: 0.7}"},
    {"TimeDelayedSensor", "{of: raw, delay: 0.073, jitter: 0.03}"},
};

class WrapperState : public test::WrapperBench,
                     public testing::WithParamInterface<std::pair<const char*, const char*>> {
 protected:
  Wrapper make() { return wrap(GetParam().first, GetParam().second); }
  void run(Wrapper& wrapper, int from, int to) {
    for (int n = from; n < to; ++n) {
      for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = std::sin(0.1 * n + static_cast<double>(i));
      if (n % 17 == 3) raw[1] = std::numeric_limits<double>::infinity();
      read(wrapper, n);
    }
  }
};

TEST_P(WrapperState, ContinuesBitForBit) {
  measure(3);
  auto first = make();
  run(first, 0, 57);
  // Something of every kind that can change while running.
  first.sensor->changeSetting("smoothing", Value(0.6));
  first.sensor->changeSetting("bias", Value("1 2 3"));
  first.sensor->changeSetting("variance", Value(0.3));
  first.sensor->changeSetting("delay", Value(0.2));
  run(first, 57, 80);
  const std::vector<std::byte> bytes = saved(first);
  auto second = make();
  run(second, 0, 5);
  restore(second, bytes);
  EXPECT_EQ(saved(second), bytes);
  EXPECT_EQ(second.sensor->settings(), first.sensor->settings());
  for (int n = 80; n < 200; ++n) {
    run(first, n, n + 1);
    run(second, n, n + 1);
    ASSERT_EQ(std::memcmp(first.values.data(), second.values.data(), 3 * sizeof(double)), 0) << n;
  }
  EXPECT_EQ(saved(second), saved(first));
}

TEST_P(WrapperState, StartsAnew) {
  measure(3);
  auto wrapper = make(), fresh = make();
  run(wrapper, 0, 40);
  wrapper.sensor->start({world, 0, period, readings});
  wrapper.host->random() = fresh.host->random();
  for (int n = 0; n < 30; ++n) {
    run(wrapper, n, n + 1);
    run(fresh, n, n + 1);
    ASSERT_EQ(wrapper.values, fresh.values) << n;
  }
}

TEST_P(WrapperState, SurvivesHostileBytes) {
  measure(3);
  auto source = make();
  run(source, 0, 40);
  const std::vector<std::byte> good = saved(source);
  auto victim = make();
  RandomStream random(7);
  int refused = 0;
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_THROW(restore(victim, std::span(good).first(length)), Error) << length;
  const std::size_t room = good.size() - sizeof(RandomStream::State);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> bad = good;
    for (std::uint64_t flips = 1 + random.below(4); flips > 0; --flips)
      bad[random.below(room)] = static_cast<std::byte>(random.below(256));
    if (round % 3 == 0) {  // A whole number replaced by one of the worst.
      const std::uint64_t worst[] = {~0ull, 1ull << 62, 0x7ff8000000000000ull, 0x7ff0000000000000ull, 0, 1ull << 31};
      std::memcpy(bad.data() + random.below(room - 8), &worst[random.below(6)], 8);
    }
    try {
      restore(victim, bad);
    } catch (const Error&) {
      ++refused;
    }
    for (int n = 40; n < 44; ++n) {
      run(victim, n, n + 1);
      for (const double value : victim.values) ASSERT_FALSE(std::isnan(value)) << "round " << round;
    }
    restore(victim, good);
  }
  EXPECT_GT(refused, 0);
}

TEST_P(WrapperState, DoesNotAllocate) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "allocations cannot be counted with a sanitizer";
#endif
  measure(3);
  auto wrapper = make();
  run(wrapper, 0, 1);
  const std::size_t before = test::allocationCount;
  run(wrapper, 1, 2000);
  EXPECT_EQ(test::allocationCount - before, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, WrapperState, testing::ValuesIn(kWrappers),
                         [](const auto& wrapper) { return std::string(wrapper.param.first); });

}  // namespace
}  // namespace mortise
