// TransformedSensor, CorruptedSensor and FilteredSensor against their formulas.

#include <cmath>
#include <limits>

#include "tests/plugins/sensors/wrapper_bench.h"

namespace mortise {
namespace {

using test::errorText;

constexpr double kInf = std::numeric_limits<double>::infinity();

class WrapperValues : public test::WrapperBench {};

TEST_F(WrapperValues, TransformScalesShiftsThenLimits) {
  measure(4);
  auto wrapper = wrap("TransformedSensor", "{of: raw, scale: 2, bias: [1, 1, 1, -1], minimum: -3, maximum: 4}");
  EXPECT_EQ(wrapper.sensor->channels().data(), readings[0].channels.data()) << "the channels of the wrapped sensor";
  raw = {1, 5, -5, 0.25};
  read(wrapper);
  EXPECT_EQ(wrapper.values, (std::vector<double>{3, 4, -3, -0.5}));
}

TEST_F(WrapperValues, TransformOfNothingGivenChangesNothing) {
  measure(3);
  auto wrapper = wrap("TransformedSensor", "{of: raw}");
  raw = {1.5, -kInf, 1e300};
  read(wrapper);
  EXPECT_EQ(wrapper.values, raw);
}

TEST_F(WrapperValues, TransformOfInfiniteValuesIsNeverNaN) {
  measure(4);
  auto wrapper = wrap("TransformedSensor", "{of: raw, scale: [2, -1, 0, 1], bias: 1, maximum: [.inf, .inf, .inf, 4]}");
  raw = {kInf, kInf, kInf, kInf};
  read(wrapper);
  EXPECT_EQ(wrapper.values, (std::vector<double>{kInf, -kInf, 1, 4}));
}

TEST_F(WrapperValues, NoiseHasTheVarianceOfEachChannel) {
  measure(4);
  auto wrapper = wrap("CorruptedSensor", "{of: raw, variance: [0.04, 0, 1e-6, 9]}");
  raw = {1, 2, 0, -5};
  std::vector<double> sum(4), square(4);
  constexpr int kCount = 40000;
  for (int k = 0; k < kCount; ++k) {
    read(wrapper);
    for (std::size_t i = 0; i < 4; ++i) {
      const double noise = wrapper.values[i] - raw[i];
      sum[i] += noise;
      square[i] += noise * noise;
    }
  }
  const double variances[] = {0.04, 0, 1e-6, 9};
  for (std::size_t i = 0; i < 4; ++i) {
    // Four standard errors of the mean and of the variance.
    EXPECT_NEAR(sum[i] / kCount, 0, 4 * std::sqrt(variances[i] / kCount)) << i;
    EXPECT_NEAR(square[i] / kCount, variances[i], 4 * variances[i] * std::sqrt(2.0 / kCount)) << i;
  }
}

TEST_F(WrapperValues, NoiseIsRoundedToTheResolution) {
  measure(3);
  auto wrapper = wrap("CorruptedSensor", "{of: raw, variance: [0.01, 0, 0], resolution: [0.25, 0.1, 0]}");
  raw = {1, 0.26, 1.0 / 3};
  for (int k = 0; k < 100; ++k) {
    read(wrapper);
    EXPECT_EQ(wrapper.values[0] * 4, std::round(wrapper.values[0] * 4));
    EXPECT_NEAR(wrapper.values[1], 0.3, 1e-15);
    EXPECT_EQ(wrapper.values[2], raw[2]);
  }
}

TEST_F(WrapperValues, CorruptedInfiniteValuesStay) {
  measure(2);
  auto wrapper = wrap("CorruptedSensor", "{of: raw, variance: 1, resolution: 1e-300}");
  raw = {kInf, 1e200};
  read(wrapper);
  EXPECT_EQ(wrapper.values[0], kInf);
  EXPECT_EQ(wrapper.values[1], 1e200) << "steps too many to count";
}

TEST_F(WrapperValues, StepResponseOfTheFilterIsItsFormula) {
  measure(2);
  auto wrapper = wrap("FilteredSensor", "{of: raw, smoothing: 0.8}");
  raw = {0, 3};
  read(wrapper);
  EXPECT_EQ(wrapper.values, (std::vector<double>{0, 3})) << "starts at the first value";
  raw = {1, -1};
  for (int n = 1; n <= 60; ++n) {
    read(wrapper, n);
    const double left = std::pow(0.8, n);
    EXPECT_NEAR(wrapper.values[0], 1 - left, 1e-15) << n;
    EXPECT_NEAR(wrapper.values[1], -1 + 4 * left, 1e-14) << n;
  }
}

TEST_F(WrapperValues, FilterStartsWhereItIsTold) {
  measure(1);
  auto wrapper = wrap("FilteredSensor", "{of: raw, smoothing: 0.5, initial: 0}");
  raw = {1};
  for (int n = 1; n <= 10; ++n) {
    read(wrapper, n);
    EXPECT_EQ(wrapper.values[0], 1 - std::pow(0.5, n)) << "as Klamp't, which starts at 0";
  }
}

TEST_F(WrapperValues, EndsOfTheFiltersRange) {
  measure(1);
  auto passes = wrap("FilteredSensor", "{of: raw, smoothing: 0}"),
       sticks = wrap("FilteredSensor", "{of: raw, smoothing: 1}");
  raw = {5};
  read(passes), read(sticks);
  raw = {7};
  read(passes), read(sticks);
  EXPECT_EQ(passes.values[0], 7);
  EXPECT_EQ(sticks.values[0], 5);
}

TEST_F(WrapperValues, FilterRecoversFromInfiniteValues) {
  measure(1);
  auto wrapper = wrap("FilteredSensor", "{of: raw, smoothing: 0.5}");
  const double seen[] = {kInf, kInf, 2, 4, -kInf, 8, 10}, expected[] = {kInf, kInf, 2, 3, -kInf, 8, 9};
  for (int n = 0; n < 7; ++n) {
    raw = {seen[n]};
    read(wrapper, n);
    EXPECT_EQ(wrapper.values[0], expected[n]) << n;
  }
}

TEST_F(WrapperValues, ColorsOfACameraAreLeftAlone) {
  CameraModel camera;
  camera.width = 2;
  camera.height = 1;
  camera.color = camera.depth = true;
  measure(4, &camera);
  auto transformed = wrap("TransformedSensor", "{of: raw, scale: 10}");
  auto corrupted = wrap("CorruptedSensor", "{of: raw, resolution: 0.5}");
  auto filtered = wrap("FilteredSensor", "{of: raw, smoothing: 0.5}");
  for (auto* wrapper : {&transformed, &corrupted, &filtered}) {
    EXPECT_EQ(wrapper->sensor->camera(), &camera) << wrapper->type;
    raw = {0xff0000, 0x00ff00, 1, 2};
    read(*wrapper);
    raw = {0x0000ff, 0x123457, 3.1, kInf};
    read(*wrapper);
    EXPECT_EQ(wrapper->values[0], 0x0000ff) << wrapper->type;
    EXPECT_EQ(wrapper->values[1], 0x123457) << wrapper->type;
    EXPECT_EQ(wrapper->values[3], kInf) << wrapper->type;
  }
  EXPECT_EQ(transformed.values[2], 31);
  EXPECT_EQ(corrupted.values[2], 3);
  EXPECT_EQ(filtered.values[2], 2.05);
  camera.depth = false;
  measure(2, &camera);
  EXPECT_NE(errorText([&] { wrap("FilteredSensor", "{of: raw}"); }).find("measures only colors"), std::string::npos);
}

TEST_F(WrapperValues, WrappersWrapWrappers) {
  measure(2);
  auto scaled = wrap("TransformedSensor", "{of: raw, scale: 10}", "scaled");
  offer(scaled);
  auto rounded = wrap("CorruptedSensor", "{of: scaled, resolution: 1}", "rounded");
  offer(rounded);
  auto smooth = wrap("FilteredSensor", "{sensor: rounded, smoothing: 0.5, initial: 0}", "smooth");
  raw = {0.12, -0.38};
  read(scaled), read(rounded), read(smooth);
  EXPECT_EQ(smooth.values, (std::vector<double>{0.5, -2}));
}

TEST_F(WrapperValues, SettingsChangeWhileRunning) {
  measure(2);
  auto wrapper = wrap("TransformedSensor", "{of: raw}");
  raw = {1, 2};
  EXPECT_TRUE(wrapper.sensor->changeSetting("scale", Value("3 4")));
  EXPECT_EQ(wrapper.sensor->settings().at("scale").asReals(), (std::vector<double>{3, 4}));
  EXPECT_EQ(wrapper.sensor->settings().at("of").asString(), "raw");
  read(wrapper);
  EXPECT_EQ(wrapper.values, (std::vector<double>{3, 8}));
  EXPECT_FALSE(wrapper.sensor->changeSetting("of", Value("other")));
  EXPECT_FALSE(wrapper.sensor->changeSetting("color", Value(1)));
  EXPECT_THROW(wrapper.sensor->changeSetting("scale", Value("1 2 3")), Error);
  EXPECT_THROW(wrapper.sensor->changeSetting("scale", Value("wide")), Error);
  EXPECT_THROW(wrapper.sensor->changeSetting("bias", Value(kInf)), Error);
  read(wrapper);
  EXPECT_EQ(wrapper.values, (std::vector<double>{3, 8})) << "what was refused changed nothing";
  auto filter = wrap("FilteredSensor", "{of: raw}");
  EXPECT_THROW(filter.sensor->changeSetting("smoothing", Value(1.5)), Error);
  EXPECT_TRUE(filter.sensor->changeSetting("smoothing", Value(0.25)));
}

TEST_F(WrapperValues, RefusesWhatMakesNoSense) {
  measure(2);
  for (const char* settings : {"{}", "{of: raw, scale: fast}", "{of: raw, scal: 1}"})
    EXPECT_THROW(wrap("TransformedSensor", settings), Error) << settings;
  EXPECT_THROW(wrap("CorruptedSensor", "{of: raw, variance: -1}"), Error);
  EXPECT_THROW(wrap("CorruptedSensor", "{of: raw, resolution: [0.1, -0.1]}"), Error);
  EXPECT_THROW(wrap("CorruptedSensor", "{of: raw, variance: .inf}"), Error);
  EXPECT_THROW(wrap("CorruptedSensor", "{of: raw, variance: .nan}"), Error);
  EXPECT_THROW(wrap("FilteredSensor", "{of: raw, smoothing: 1.01}"), Error);
  EXPECT_THROW(wrap("TransformedSensor", "{of: raw, minimum: 2, maximum: 1}"), Error);
  const std::string count = errorText([&] { wrap("TransformedSensor", "{of: raw, scale: [1, 2, 3]}"); });
  EXPECT_NE(count.find("test.yaml:1"), std::string::npos) << count;
  EXPECT_NE(count.find("3 entries"), std::string::npos) << count;
}

TEST_F(WrapperValues, AMissingSensorIsNamedWithItsNearest) {
  measure(1);
  const std::string text = errorText([&] { wrap("FilteredSensor", "{of: rwa}"); });
  EXPECT_NE(text.find("test.yaml:1:6"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'raw'"), std::string::npos) << text;
  EXPECT_NE(text.find("must be declared before"), std::string::npos) << text;
  readings.clear();
  EXPECT_NE(errorText([&] { wrap("FilteredSensor", "{of: raw}"); }).find("none stands before"), std::string::npos);
}

}  // namespace
}  // namespace mortise
