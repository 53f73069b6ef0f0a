// TimeDelayedSensor: when what arrives.

#include <cmath>
#include <limits>

#include "tests/plugins/sensors/wrapper_bench.h"

namespace mortise {
namespace {

using test::errorText;

class WrapperDelayed : public test::WrapperBench {};

TEST_F(WrapperDelayed, ARampArrivesAsMuchLaterAsTheDelay) {
  for (const double rate : {1000.0, 100.0, 30.0}) {
    period = 1 / rate;
    measure(1);
    const int readingsLate = 7;
    auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: " + formatReal(readingsLate * period) + "}");
    for (int n = 0; n < 5000; ++n) {
      raw[0] = 5 + n;
      read(wrapper, n);
      ASSERT_EQ(wrapper.values[0], 5 + std::max(0, n - readingsLate)) << "reading " << n << " at " << rate << " Hz";
    }
  }
}

TEST_F(WrapperDelayed, DelaysBetweenReadingsShowAtTheNextOne) {
  measure(1);
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: 23 ms}");  // 2.3 periods.
  for (int n = 0; n < 100; ++n) {
    raw[0] = n;
    read(wrapper, n);
    ASSERT_EQ(wrapper.values[0], std::max(0, n - 3)) << n;
  }
}

TEST_F(WrapperDelayed, NoDelayPassesEverythingOn) {
  measure(2);
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw}");
  for (int n = 0; n < 10; ++n) {
    raw = {1.0 * n, std::numeric_limits<double>::infinity()};
    read(wrapper, n);
    EXPECT_EQ(wrapper.values, raw);
  }
}

TEST_F(WrapperDelayed, ShowsTheInitialValueUntilSomethingArrives) {
  measure(2);
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: 0.03, initial: [8, 9]}");
  raw = {1, 2};
  for (int n = 0; n < 3; ++n) {
    read(wrapper, n);
    EXPECT_EQ(wrapper.values, (std::vector<double>{8, 9})) << n;
  }
  read(wrapper, 3);
  EXPECT_EQ(wrapper.values, raw);
}

TEST_F(WrapperDelayed, JitterStaysInItsBoundsAndFillsThem) {
  measure(1);
  const double delay = 0.1, jitter = 0.04;
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: 0.1, jitter: 0.04}");
  double minimum = 1, maximum = 0, last = 0;
  int repeats = 0;
  for (int n = 0; n < 20000; ++n) {
    raw[0] = n * period;
    read(wrapper, n);
    if (n < 20) continue;
    const double age = n * period - wrapper.values[0];
    // What can have arrived is at least delay - jitter old; what must have arrived by now set out delay + jitter ago,
    // up to a period earlier.
    ASSERT_GE(age, delay - jitter - 1e-9) << n;
    ASSERT_LT(age, delay + jitter + period) << n;
    ASSERT_GE(wrapper.values[0], last) << "in the order in which they set out";
    repeats += wrapper.values[0] == last;
    minimum = std::min(minimum, age);
    maximum = std::max(maximum, age);
    last = wrapper.values[0];
  }
  EXPECT_LT(minimum, 0.09);
  EXPECT_GT(maximum, 0.13);
  EXPECT_GT(repeats, 1000) << "late ones hold up those behind them";
}

TEST_F(WrapperDelayed, TheSameSeedGivesTheSameJitter) {
  measure(1);
  auto one = wrap("TimeDelayedSensor", "{of: raw, delay: 0.05, jitter: 0.05}");
  auto two = wrap("TimeDelayedSensor", "{of: raw, delay: 0.05, jitter: 0.05}");
  for (int n = 0; n < 1000; ++n) {
    raw[0] = n;
    read(one, n), read(two, n);
    ASSERT_EQ(one.values, two.values) << n;
  }
}

TEST_F(WrapperDelayed, ColorsAreDelayedToo) {
  CameraModel camera;
  camera.width = camera.height = 1;
  camera.color = true;
  measure(1, &camera);
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: 0.01}");
  EXPECT_EQ(wrapper.sensor->camera(), &camera);
  raw[0] = 0xff0000;
  read(wrapper, 0);
  raw[0] = 0x00ff00;
  read(wrapper, 1);
  EXPECT_EQ(wrapper.values[0], 0xff0000);
}

TEST_F(WrapperDelayed, TheDelayChangesWhileReadingsAreUnderWay) {
  measure(1);
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: 0.02}");
  const auto run = [&](int from, int to) {
    for (int n = from; n < to; ++n) {
      raw[0] = n;
      read(wrapper, n);
    }
  };
  run(0, 10);
  EXPECT_EQ(wrapper.values[0], 7);
  EXPECT_TRUE(wrapper.sensor->changeSetting("delay", Value("100 ms")));
  run(10, 14);
  EXPECT_EQ(wrapper.values[0], 9) << "what had set out arrives as it was to, then there is a gap";
  run(14, 30);
  EXPECT_EQ(wrapper.values[0], 19);
  EXPECT_TRUE(wrapper.sensor->changeSetting("delay", Value(0)));
  run(30, 35);
  EXPECT_EQ(wrapper.values[0], 24) << "those that have set out come first";
  run(35, 45);
  EXPECT_EQ(wrapper.values[0], 44);
}

TEST_F(WrapperDelayed, ANewRateFindsRoom) {
  measure(1);
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: 0.1}");
  read(wrapper, 0);
  period = 0.0005;
  for (int n = 20; n < 1000; ++n) {
    raw[0] = n * period;
    read(wrapper, n);
  }
  EXPECT_NEAR(wrapper.values[0], 999 * period - 0.1, 1e-12);
}

TEST_F(WrapperDelayed, ADelayForWhichThereIsNoRoomIsRefused) {
  measure(100000);
  const std::string text = errorText([&] { wrap("TimeDelayedSensor", "{of: raw, delay: 20}"); });
  EXPECT_NE(text.find("lower the delay"), std::string::npos) << text;
  EXPECT_THROW(wrap("TimeDelayedSensor", "{of: raw, delay: -1}"), Error);
  EXPECT_THROW(wrap("TimeDelayedSensor", "{of: raw, delay: .inf}"), Error);
  EXPECT_THROW(wrap("TimeDelayedSensor", "{of: raw, jitter: 1e300}"), Error);
  auto wrapper = wrap("TimeDelayedSensor", "{of: raw, delay: 0.1}");
  EXPECT_THROW(wrapper.sensor->changeSetting("delay", Value(1000)), Error);
  read(wrapper, 0);
  read(wrapper, 1);
}

}  // namespace
}  // namespace mortise
