#include "mortise/settings/settings.h"

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "tests/support/error_text.h"

namespace mortise {
namespace {

using test::errorText;

#define EXPECT_REFUSED(call, ...)                                                                \
  for (const char* part : {__VA_ARGS__}) {                                                       \
    const std::string said = errorText([&] { (void)(call); });                                   \
    EXPECT_NE(said.find(part), std::string::npos) << "expected: " << part << "\nsaid: " << said; \
  }

enum class Mode { slow, fast };

struct ProbeSettings {
  double gain = 2;
  int count = 3;
  bool enabled = true;
  std::string label = "probe";
  Vector3d axis = Vector3d(0, 0, 1);
  std::vector<double> weights;
  std::optional<double> limit;
  Mode mode = Mode::slow;
  Value target;
  double start = 1;

  void bind(SettingBinder& b) {
    b.add("gain", gain, "Gain.", {.min = 0, .unit = "s", .aliases = {"kP"}, .changeable = true});
    b.add("count", count, "Count.", {.min = 1, .max = 9, .changeable = true});
    b.add("enabled", enabled, "Whether it acts.", {.changeable = true});
    b.add("label", label, "Label.", {.changeable = true});
    b.add("axis", axis, "Axis.", {.changeable = true});
    b.add("weights", weights, "Weights.", {.min = 0, .changeable = true});
    b.add("limit", limit, "Limit.", {.min = 0, .infinite = true, .changeable = true});
    b.choice("mode", mode, {{"slow", Mode::slow}, {"fast", Mode::fast}}, "Mode.", {.changeable = true});
    b.add("target", target, "Anything.");
    b.add("start", start, "Fixed while running.");
  }
  void check() const {
    if (limit && gain > *limit) throw Error("'gain' is above 'limit'", settingPosition("gain"), "lower the gain");
  }
};

Value completed(const std::string& yaml) {
  Diagnostics diagnostics;
  Value value = schemaOf<ProbeSettings>().complete(parseYaml(yaml, "probe.yaml"), "Probe", diagnostics);
  diagnostics.throwIfErrors();
  return value;
}

TEST(Settings, DeclareTheirTypesDefaultsUnitsAndBounds) {
  const Schema schema = schemaOf<ProbeSettings>();
  ASSERT_EQ(schema.parameters().size(), 10u);
  const Parameter& gain = *schema.find("kP");
  EXPECT_EQ(gain.name, "gain");
  EXPECT_EQ(gain.type, ParameterType::real);
  EXPECT_EQ(gain.defaultValue, Value(2.0));
  EXPECT_EQ(gain.options.unit, "s");
  EXPECT_TRUE(gain.options.changeable);
  EXPECT_EQ(schema.find("axis")->options.size, 3);
  EXPECT_EQ(schema.find("weights")->type, ParameterType::realList);
  EXPECT_TRUE(schema.find("limit")->defaultValue.isNull());
  EXPECT_EQ(schema.find("limit")->type, ParameterType::real);
  EXPECT_EQ(schema.find("mode")->options.choices, (std::vector<std::string>{"slow", "fast"}));
  EXPECT_FALSE(schema.find("start")->options.changeable);
  EXPECT_EQ(Schema::fromValue(schema.toValue()).find("limit")->options.infinite, true);
}

TEST(Settings, AreReadInTheirUnits) {
  const Settings<ProbeSettings> settings(
      completed("{kP: 500 ms, axis: [1, 2, 3], weights: [4, 5], limit: inf, mode: fast, target: [a, b]}"));
  EXPECT_EQ(settings->gain, 0.5);
  EXPECT_EQ(settings->axis, Vector3d(1, 2, 3));
  EXPECT_EQ(settings->weights, (std::vector<double>{4, 5}));
  EXPECT_EQ(settings->limit, std::numeric_limits<double>::infinity());
  EXPECT_EQ(settings->mode, Mode::fast);
  EXPECT_EQ(settings->target.size(), 2u);
  EXPECT_EQ(settings->count, 3);
}

TEST(Settings, RefuseWhatDoesNotGoTogetherWithItsPosition) {
  const std::string both = "gain: 5\nlimit: 2\n";
  EXPECT_REFUSED(Settings<ProbeSettings>(completed(both)), "probe.yaml:1:7", "'gain' is above 'limit'",
                 "lower the gain");
  EXPECT_REFUSED(completed("gain: inf"), "must be finite");
}

TEST(Settings, ChangeWhileRunning) {
  Settings<ProbeSettings> settings(completed("{}"));
  EXPECT_TRUE(settings.change("kP", Value("100 ms")));
  EXPECT_EQ(settings->gain, 0.1);
  EXPECT_TRUE(settings.change("limit", Value(3)));
  EXPECT_TRUE(settings.change("mode", Value("fast")));
  EXPECT_EQ(settings.values().at("mode"), Value("fast"));
  EXPECT_TRUE(settings.change("limit", Value()));
  EXPECT_FALSE(settings->limit.has_value());
  EXPECT_TRUE(settings.has("start"));
  EXPECT_FALSE(settings.change("start", Value(2)));
  EXPECT_FALSE(settings.change("strat", Value(2)));
}

TEST(Settings, StayAsTheyAreWhenAChangeIsRefused) {
  Settings<ProbeSettings> settings(completed("{limit: 4}"));
  EXPECT_REFUSED(settings.change("gain", Value(-1)), "'gain'", "must be at least 0 s");
  EXPECT_REFUSED(settings.change("gain", Value(5)), "'gain' is above 'limit'");
  EXPECT_REFUSED(settings.change("axis", Value(std::vector<double>{1, 2})), "expected a list of 3 numbers, found 2");
  EXPECT_REFUSED(settings.change("mode", Value("fest")), "did you mean 'fast'");
  EXPECT_EQ(settings->gain, 2);
  EXPECT_EQ(settings->axis, Vector3d(0, 0, 1));
}

TEST(Settings, GoBackToWhatTheyWereCreatedWith) {
  Settings<ProbeSettings> settings(completed("{gain: 1}"));
  settings.change("gain", Value(7));
  settings.reset();
  EXPECT_EQ(settings->gain, 1);
}

TEST(Settings, AreCheckedByMoreThanTheirValues) {
  Settings<ProbeSettings> settings(completed("{count: 5}"));
  settings.setCheck([](const ProbeSettings& s) {
    if (s.count > 6) throw Error("too many", settingPosition("count"));
  });
  EXPECT_REFUSED(settings.change("count", Value(7)), "too many");
  EXPECT_EQ(settings->count, 5);
}

TEST(Settings, SaveAndRestoreWhatCanChange) {
  Settings<ProbeSettings> settings(completed("{}"));
  const std::vector<std::pair<const char*, Value>> changes = {{"gain", 0.1},
                                                              {"count", 4},
                                                              {"enabled", false},
                                                              {"label", "x"},
                                                              {"limit", 8.25},
                                                              {"mode", "fast"},
                                                              {"axis", Value(std::vector<double>{1, 0, 0})},
                                                              {"weights", Value(std::vector<double>{1, 2, 3})}};
  for (const auto& [name, value] : changes) EXPECT_TRUE(settings.change(name, value)) << name;
  ByteWriter out;
  settings.save(out);
  Settings<ProbeSettings> other(completed("{start: 5}"));
  ByteReader in(out.bytes());
  other.restore(in);
  EXPECT_TRUE(in.atEnd());
  Value expected = settings.values();
  expected.set("start", 5.0);
  EXPECT_EQ(other.values(), expected);
}

TEST(Settings, RefuseDamagedSnapshots) {
  Settings<ProbeSettings> settings(completed("{limit: 3}"));
  ByteWriter out;
  out.put(-1.0);
  const auto restore = [&] {
    ByteReader in(out.bytes());
    settings.restore(in);
  };
  EXPECT_REFUSED(restore(), "'gain' of the snapshot", "must be at least 0");
  ByteWriter full;
  settings.save(full);
  for (std::size_t size = 0; size < full.bytes().size(); ++size) {
    ByteReader in(std::span(full.bytes()).first(size));
    EXPECT_THROW(settings.restore(in), Error) << size;
  }
  EXPECT_EQ(settings->gain, 2);
}

TEST(Settings, AreReadFromAMapOfAFile) {
  const auto settings = readSettings<ProbeSettings>(parseYaml("{count: 8}", "a.yaml"), "a probe");
  EXPECT_EQ(settings.count, 8);
  EXPECT_REFUSED(readSettings<ProbeSettings>(parseYaml("{cuont: 8, gain: -1}", "a.yaml"), "a probe"),
                 "unknown key 'cuont' of a probe", "did you mean 'count'?", "'gain' of a probe");
}

}  // namespace
}  // namespace mortise
