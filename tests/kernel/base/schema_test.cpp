#include "mortise/base/schema.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"

namespace mortise {
namespace {

Schema example() {
  Schema schema;
  schema.parameter("gain", 1.0, "Fraction to apply.", {.min = 0, .max = 1})
      .parameter("delay", 0.5, "Waits this long.", {.min = 0, .unit = "s", .aliases = {"wait"}})
      .parameter("count", 3, "How many.", {.min = 1})
      .parameter("mode", "fast", "How.", {.choices = {"fast", "careful"}})
      .parameter("enabled", true, "On or off.")
      .parameter("axis", std::vector<double>{0, 0, 1}, "Direction.", {.size = 3})
      .parameter("angles", ParameterType::realList, "Joint angles.", {.unit = "rad"})
      .parameter("names", ParameterType::stringList, "Names.")
      .parameter("mask", ParameterType::integerList, "Mask.", {.min = 0, .max = 1});
  return schema;
}

Value complete(std::string_view yaml, Diagnostics& diagnostics) {
  return example().complete(parseYaml(yaml, "f.yaml"), "controller acme.X", diagnostics);
}

std::string problems(std::string_view yaml) {
  Diagnostics diagnostics;
  complete(yaml, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += diagnostic.format() + "\n";
  return text;
}

Value good(std::string_view yaml) {
  Diagnostics diagnostics;
  Value value = complete(yaml, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << problems(yaml);
  return value;
}

void expectProblem(std::string_view yaml, std::string_view expected) {
  const std::string text = problems(yaml);
  EXPECT_NE(text.find(expected), std::string::npos) << yaml << " ->\n" << text;
}

TEST(Schema, FormerNamesWorkWithANote) {
  Schema schema;
  schema.parameter("goal_tolerance", 1e-4, "Distance.", {.min = 0, .aliases = {"tol"}, .formerly = {"tolerance"}});
  const auto read = [&](std::string_view yaml, Diagnostics& diagnostics) {
    return Schema::fromValue(schema.toValue()).complete(parseYaml(yaml, "f.yaml"), "stage retime", diagnostics);
  };
  Diagnostics former, alias;
  EXPECT_EQ(read("{tolerance: 0.5}", former).at("goal_tolerance").asReal(), 0.5);
  ASSERT_EQ(former.all().size(), 1u);
  EXPECT_EQ(former.all()[0].severity, Severity::note);
  EXPECT_EQ(former.all()[0].message, "'tolerance' of stage retime is called 'goal_tolerance' now");
  EXPECT_EQ(former.all()[0].where.line, 1);
  EXPECT_EQ(read("{tol: 0.5}", alias).at("goal_tolerance").asReal(), 0.5);
  EXPECT_TRUE(alias.all().empty());
  Diagnostics both;
  read("{tolerance: 0.5, goal_tolerance: 0.1}", both);
  EXPECT_EQ(both.errorCount(), 1);
  EXPECT_THROW(schema.parameter("tolerance", 1.0, "Another."), Error);
}

TEST(Schema, FormerChoicesWorkWithANote) {
  Schema schema;
  ParameterOptions options;
  options.choices = {"largest", "sum"};
  options.formerChoices = {{"maximum", "largest"}};
  schema.parameter({"objective", ParameterType::string, Value("sum"), "What counts.", options});
  for (const Schema& each : {schema, Schema::fromValue(schema.toValue())}) {
    Diagnostics diagnostics;
    const Value complete = each.complete(parseYaml("{objective: maximum}", "f.yaml"), "acme.X", diagnostics);
    EXPECT_EQ(complete.string("objective", ""), "largest");
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].severity, Severity::note);
    EXPECT_EQ(diagnostics.all()[0].message, "'maximum' of 'objective' of acme.X is called 'largest' now");
    EXPECT_EQ(diagnostics.all()[0].where.line, 1);
  }
}

TEST(Schema, FillsInDefaultsInItsOwnOrder) {
  const Value value = good("{enabled: false, gain: 0.25}");
  std::vector<std::string> keys;
  for (const Value::Entry& entry : value.entries()) keys.push_back(entry.key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"gain", "delay", "count", "mode", "enabled", "axis", "angles", "names", "mask"}));
  EXPECT_EQ(value.at("gain").asReal(), 0.25);
  EXPECT_EQ(value.at("delay").asReal(), 0.5);
  EXPECT_EQ(value.at("enabled").asBool(), false);
  EXPECT_TRUE(value.at("angles").isNull());
  EXPECT_EQ(value.at("gain").position().line, 1);
  EXPECT_FALSE(value.at("delay").position().known());
  EXPECT_EQ(good("").at("count").asInteger(), 3);
}

TEST(Schema, ConvertsQuantitiesAndTexts) {
  const Value value =
      good("{wait: 20 ms, count: '4', axis: 1 2 3, angles: 90 deg, names: 'a, b c', mask: 1 0 1, gain: '0.5'}");
  EXPECT_DOUBLE_EQ(value.at("delay").asReal(), 0.02);
  EXPECT_EQ(value.at("count").asInteger(), 4);
  EXPECT_EQ(value.at("axis").asReals(), (std::vector<double>{1, 2, 3}));
  EXPECT_DOUBLE_EQ(value.at("angles").asReals().at(0), M_PI / 2);
  EXPECT_EQ(value.at("names").asStrings(), (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(value.at("mask").size(), 3u);
  EXPECT_EQ(good("{angles: [90 deg, 1, 0.5 rev]}").at("angles").size(), 3u);
  EXPECT_EQ(good("{angles: 90deg 1.5}").at("angles").size(), 2u);
  EXPECT_EQ(good("{names: a b}").at("names").size(), 2u);
  EXPECT_EQ(good("{count: 5.0}").at("count").asInteger(), 5);
  EXPECT_EQ(good("{gain: 1}").at("gain").type(), Value::Type::real);
  for (const char* word : {"yes", "on", "1", "true", "'1'", "ON", "True"})
    EXPECT_TRUE(good(std::string("{enabled: ") + word + "}").at("enabled").asBool()) << word;
  for (const char* word : {"no", "off", "0", "false", "'0'", "No"})
    EXPECT_FALSE(good(std::string("{enabled: ") + word + "}").at("enabled").asBool()) << word;
}

TEST(Schema, ReportsWhatIsWrong) {
  expectProblem(
      "{delay: fast}",
      "f.yaml:1:9 (delay): error: 'delay' of controller acme.X: expected a number (s), found the string 'fast'");
  expectProblem("{delay: 3 kg}", "unit 'kg' is not a time; use s, ms, us");
  expectProblem("{gain: 3 kg}", "unit 'kg' is not allowed");
  expectProblem("{gain: 1.5}", "must be between 0 and 1, found 1.5");
  expectProblem("{delay: -1 ms}", "must be at least 0 s, found '-1 ms'");
  expectProblem("{count: 0}", "must be at least 1, found 0");
  expectProblem("{count: 1.5}", "expected an integer, found 1.5");
  expectProblem("{count: 1e30}", "expected an integer, found 1e30");
  expectProblem("{count: [1]}", "expected an integer, found a list of 1");
  expectProblem("{mode: fastt}", "did you mean 'fast'? choices: fast, careful");
  expectProblem("{mode: [fast]}", "expected a string, found a list");
  expectProblem("{enabled: maybe}", "expected true or false, found the string 'maybe'");
  expectProblem("{enabled: 2}", "expected true or false, found 2");
  expectProblem("{axis: [1, 2]}", "expected a list of 3 numbers, found 2");
  expectProblem("{axis: [1, 2, x]}", "f.yaml:1:15 (axis.2)");
  expectProblem("{axis: {x: 1}}", "expected a list of 3 numbers, found a map");
  expectProblem("{gain: nan}", "found nan, which is refused: expected a number");
  expectProblem("{axis: [.nan, 0, 0]}", "f.yaml:1:9 (axis.0)");
  expectProblem("{axis: [.nan, 0, 0]}", "found nan, which is refused: expected a list of 3 numbers");
  expectProblem("{gain: }", "expected a number, found nothing");
  expectProblem("{mask: 0 1 2}", "must be between 0 and 1, found 2");
  expectProblem("{names: [[a]]}", "expected a list of strings");
  expectProblem("[1, 2]", "expected a map of settings of controller acme.X, found a list of 2");
  expectProblem("{gian: 0.5}",
                "f.yaml:1:2 (gian): error: unknown key 'gian' of controller acme.X\n  hint: did you mean "
                "'gain'? known keys: gain, delay, count, mode, enabled, axis, angles, names, mask");
  expectProblem("{delay: 1, wait: 2}", "'delay' of controller acme.X is given twice, as 'delay' and as 'wait'");
}

TEST(Schema, CollectsEveryError) {
  Diagnostics diagnostics;
  complete("{gain: 7, delay: 3 kg, axis: [1, x, y], unknown: 1, mode: slow}", diagnostics);
  EXPECT_EQ(diagnostics.errorCount(), 6);
}

TEST(Schema, RequiredAndOtherKeys) {
  Schema schema;
  schema.parameter("file", ParameterType::string, "What to read.", {.required = true}).allowOtherKeys();
  Diagnostics diagnostics;
  const Value value = schema.complete(parseYaml("{extra: [1]}", "f"), "format x", diagnostics);
  ASSERT_EQ(diagnostics.errorCount(), 1);
  EXPECT_EQ(diagnostics.all()[0].message, "'file' of format x is missing: expected a string");
  EXPECT_EQ(value.at("extra").size(), 1u);
}

TEST(Schema, StringsTakeAnyScalarAsItWasWritten) {
  Schema schema;
  schema.parameter("name", "", "A name.");
  for (const auto& [yaml, text] : std::vector<std::pair<std::string, std::string>>{
           {"007", "007"}, {"yes", "yes"}, {"true", "true"}, {"1e3", "1e3"}, {"'q'", "q"}}) {
    Diagnostics diagnostics;
    EXPECT_EQ(schema.complete(parseYaml("{name: " + yaml + "}", "f"), "x", diagnostics).at("name").asString(), text);
    EXPECT_FALSE(diagnostics.hasErrors());
  }
}

TEST(Schema, RefusesBadDeclarations) {
  EXPECT_THROW(Schema().parameter("a", 2.0, "", {.max = 1}), Error);
  EXPECT_THROW(Schema().parameter("a", "x", "", {.choices = {"y"}}), Error);
  EXPECT_THROW(Schema().parameter("a", 1, "").parameter("a", 2, ""), Error);
  EXPECT_THROW(Schema().parameter("a", 1, "").parameter("b", 2, "", {.aliases = {"a"}}), Error);
  EXPECT_THROW(Schema().parameter("a", std::vector<double>{1, 2}, "", {.size = 3}), Error);
  EXPECT_THROW(Schema().parameter("", 1, ""), Error);
  EXPECT_THROW(Schema().parameter("a", 1, "", {.min = 3, .max = 2}), Error);
}

TEST(Schema, SurvivesBeingWrittenAndRead) {
  const Schema schema = example();
  const Schema copy = Schema::fromValue(parseYaml(toYaml(schema.toValue()), "f"));
  EXPECT_EQ(copy.toValue(), schema.toValue());
  ASSERT_EQ(copy.parameters().size(), schema.parameters().size());
  for (std::size_t i = 0; i < copy.parameters().size(); ++i) {
    EXPECT_EQ(copy.parameters()[i].type, schema.parameters()[i].type);
    EXPECT_EQ(copy.parameters()[i].defaultValue, schema.parameters()[i].defaultValue);
    EXPECT_FALSE(copy.parameters()[i].defaultValue.position().known());
    EXPECT_EQ(copy.parameters()[i].options.min, schema.parameters()[i].options.min);
  }
  EXPECT_THROW(Schema::fromValue(parseYaml("{parameters: [{name: a, type: blue}]}", "f")), Error);
  EXPECT_THROW(Schema::fromValue(parseYaml("{parameters: 3}", "f")), Error);
  EXPECT_THROW(Schema::fromValue(parseYaml("{parameters: [1]}", "f")), Error);
}

TEST(Schema, CompletedValuesCompleteToThemselves) {
  const Schema schema = example();
  Diagnostics diagnostics;
  const Value once = schema.complete(parseYaml("{wait: 1 ms, axis: 1 0 0}", "f"), "x", diagnostics);
  const Value twice = schema.complete(parseYaml(toYaml(once), "g"), "x", diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors());
  EXPECT_EQ(once, twice);
}

}  // namespace
}  // namespace mortise
