// Settings in settings: maps, entries that hold the settings of somebody else, and places.

#include "mortise/settings/nested_settings.h"

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"
#include "mortise/settings/placed.h"
#include "tests/support/error_text.h"

namespace mortise {
namespace {

using test::errorText;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

enum class Source { world, file };

struct LimitSettings {
  std::optional<double> time;
  std::int64_t rounds = 5;
  void bind(SettingBinder& b) {
    b.add("time", time, "Time.", {.min = 0, .unit = "s", .aliases = {"timeLimit"}});
    b.add("rounds", rounds, "Rounds.", {.min = 1});
  }
  void check() const {
    if (rounds > 100 && !time) throw Error("so many rounds need a 'time'", settingPosition("rounds"), "add 'time'");
  }
};

struct JobSettings {
  std::optional<LimitSettings> limits;
  LimitSettings fallback;
  std::optional<Source> source;
  PlacedText file = {"a.txt"};
  PlacedText name;
  PlacedTexts record = {{{"robots"}, {"objects"}}};
  PlacedTexts more;
  Placed<std::optional<double>> rate;
  Value options;
  void bind(SettingBinder& b) {
    b.add("limits", limits, "Limits.");
    b.add("fallback", fallback, "Other limits.");
    b.choice("source", source, {{"world", Source::world}, {"file", Source::file}}, "Source.");
    b.add("file", file, "File.");
    b.add("name", name, "Name.");
    b.add("record", record, "What.");
    b.add("more", more, "What else.");
    b.add("rate", rate, "Rate.", {.min = 0, .unit = "Hz"});
    b.map("options", options, "Of somebody else.");
  }
};

struct EntrySettings {
  PlacedText type;
  Value others;
  void bind(SettingBinder& b) {
    b.add("type", type, "Type.", {.required = true, .aliases = {"kind"}});
    b.others(others);
  }
};

JobSettings job(const std::string& yaml) { return readSettings<JobSettings>(parseYaml(yaml, "job.yaml"), "a job"); }

TEST(NestedSettings, AreDeclaredAsMaps) {
  const Schema schema = schemaOf<JobSettings>();
  const Parameter& limits = *schema.find("limits");
  EXPECT_EQ(limits.type, ParameterType::map);
  EXPECT_TRUE(limits.defaultValue.isNull());
  const Parameter& fallback = *schema.find("fallback");
  EXPECT_EQ(fallback.defaultValue.at("rounds").asInteger(), 5);
  EXPECT_TRUE(fallback.defaultValue.at("time").isNull());
  const Parameter& source = *schema.find("source");
  EXPECT_EQ(source.type, ParameterType::string);
  EXPECT_EQ(source.options.choices, (std::vector<std::string>{"world", "file"}));
  EXPECT_TRUE(source.defaultValue.isNull());
  EXPECT_EQ(schema.find("options")->type, ParameterType::map);
  EXPECT_EQ(schema.find("record")->defaultValue.size(), 2u);
  EXPECT_EQ(schema.find("rate")->type, ParameterType::real);
  EXPECT_EQ(schema.find("rate")->options.unit, "Hz");
}

TEST(NestedSettings, KeepTheirDefaults) {
  const JobSettings none = job("{}");
  EXPECT_FALSE(none.limits);
  EXPECT_EQ(none.fallback.rounds, 5);
  EXPECT_FALSE(none.source);
  EXPECT_EQ(none.file.text, "a.txt");
  EXPECT_TRUE(none.name.empty());
  EXPECT_EQ(none.record.texts(), (std::vector<std::string>{"robots", "objects"}));
  EXPECT_FALSE(none.more.given);
  EXPECT_FALSE(none.rate.value);
  EXPECT_TRUE(none.options.isNull());
}

TEST(NestedSettings, AreReadWithUnitsAliasesAndPlaces) {
  const JobSettings all =
      job("limits: {timeLimit: 250 ms}\n"
          "fallback: {rounds: 7}\n"
          "source: file\n"
          "name: left\n"
          "record: [q, dq]\n"
          "more: []\n"
          "rate: 2 kHz\n"
          "options: {anything: [1, 2]}\n");
  ASSERT_TRUE(all.limits);
  EXPECT_EQ(all.limits->time, 0.25);
  EXPECT_EQ(all.limits->rounds, 5);
  EXPECT_EQ(all.fallback.rounds, 7);
  EXPECT_EQ(all.source, Source::file);
  EXPECT_EQ(all.name.text, "left");
  EXPECT_EQ(all.name.where.line, 4);
  ASSERT_EQ(all.record.list.size(), 2u);
  EXPECT_EQ(all.record.list[1].text, "dq");
  EXPECT_EQ(all.record.list[1].where.column, 13);
  EXPECT_TRUE(all.more.given);
  EXPECT_TRUE(all.more.list.empty());
  EXPECT_EQ(all.more.where.line, 6);
  EXPECT_EQ(all.rate.value, 2000);
  EXPECT_EQ(all.rate.where.line, 7);
  EXPECT_EQ(all.options.at("anything").size(), 2u);
}

TEST(NestedSettings, SayEverythingThatIsWrongWithItsPlace) {
  const std::string said = errorText([] {
    (void)job(
        "limits: {tme: 3, rounds: 0}\n"
        "fallback: {rounds: 200}\n");
  });
  for (const char* part : {"job.yaml:1:10 (limits.tme): error: unknown key 'tme' of 'limits'", "did you mean 'time'?",
                           "1:26 (limits.rounds): error: 'rounds' of 'limits': must be at least 1", "job.yaml:2:20",
                           "so many rounds need"})
    EXPECT_TRUE(contains(said, part)) << "expected: " << part << "\nsaid: " << said;
  EXPECT_TRUE(contains(errorText([] { (void)job("source: moon"); }), "choices: world, file"));
  EXPECT_TRUE(contains(errorText([] { (void)job("limits: 3"); }), "expected a map"));
}

TEST(NestedSettings, TakeWhatIsRightBesidesWhatIsWrong) {
  Diagnostics diagnostics;
  const Value given = parseYaml("{limits: {tme: 3}, name: left}", "job.yaml");
  const auto settings = settingsFrom<JobSettings>(given, diagnostics);
  EXPECT_EQ(diagnostics.errorCount(), 1);
  EXPECT_EQ(settings.name.text, "left");
  EXPECT_EQ(settings.file.text, "a.txt");  // Keys that are missing keep their defaults.
}

TEST(NestedSettings, AreAbsentWhereTheDeclaredDefaultIsAbsence) {
  // A component may start from other values than those that its schema was declared with.
  JobSettings own;
  own.source = Source::file;
  own.rate.value = 3;
  const auto settings = settingsFrom<JobSettings>(parseYaml("{source: null, rate: null}", "job.yaml"), own);
  EXPECT_FALSE(settings.source);
  EXPECT_FALSE(settings.rate.value);
}

TEST(NestedSettings, LeaveOtherKeysToSomebodyElse) {
  const auto entry =
      readSettings<EntrySettings>(parseYaml("{speed: 3, kind: fast, more: {a: 1}}", "e.yaml"), "an entry");
  EXPECT_EQ(entry.type.text, "fast");
  ASSERT_EQ(entry.others.size(), 2u);
  EXPECT_EQ(entry.others.entries()[0].key, "speed");
  EXPECT_EQ(entry.others.entries()[0].keyPosition.column, 2);
  EXPECT_EQ(entry.others.at("more").at("a").asInteger(), 1);
  EXPECT_TRUE(schemaOf<EntrySettings>().otherKeysAllowed());

  Diagnostics diagnostics;
  EXPECT_FALSE(readSettings<EntrySettings>(parseYaml("{speed: 3}", "e.yaml"), "an entry", diagnostics));
  EXPECT_EQ(diagnostics.errorCount(), 1);
  EXPECT_TRUE(contains(diagnostics.all().front().message, "'type'"));
}

}  // namespace
}  // namespace mortise
