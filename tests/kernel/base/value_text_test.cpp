#include "mortise/base/value_text.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/random.h"

namespace mortise {
namespace {

TEST(ParseYaml, FillsInPositionsAndKeyPaths) {
  const Value root = parseYaml("simulation:\n  backend: ode\ncomponents:\n  - {rate: 5}\n", "p.yaml");
  EXPECT_EQ(root.findPath("simulation.backend")->position().describe(), "p.yaml:2:12 (simulation.backend)");
  EXPECT_EQ(root.findPath("components.0.rate")->position().describe(), "p.yaml:4:12 (components.0.rate)");
  EXPECT_EQ(root.find("simulation")->entries()[0].keyPosition.describe(), "p.yaml:2:3 (simulation.backend)");
  EXPECT_EQ(root.findPath("components.0")->position().line, 4);
}

TEST(ParseYaml, KeepsQuotedScalarsStrings) {
  const Value root = parseYaml("{a: '1', b: \"true\", c: 1, d: !!str 2, e: , f: ~, g: yes}", "f");
  EXPECT_TRUE(root.at("a").isString());
  EXPECT_TRUE(root.at("b").isString());
  EXPECT_TRUE(root.at("c").isInteger());
  EXPECT_TRUE(root.at("d").isString());
  EXPECT_TRUE(root.at("e").isNull());
  EXPECT_TRUE(root.at("f").isNull());
  EXPECT_TRUE(root.at("g").isString());
  EXPECT_EQ(parseYaml("h: |\n  7\n", "f").at("h").asString(), "7\n");
}

std::string errorOf(std::string_view text) {
  try {
    parseYaml(text, "f.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseYaml, RefusesDuplicateKeysWithBothLines) {
  const std::string text = errorOf("a: 1\nb: 2\na: 3\n");
  EXPECT_NE(text.find("f.yaml:3:1"), std::string::npos) << text;
  EXPECT_NE(text.find("'a' is given twice; first on line 1"), std::string::npos) << text;
}

TEST(ParseYaml, SyntaxErrorsCarryTheirPosition) {
  for (const char* text :
       {"a: [1, 2\nb: 3\n", "a: {x: 1\n", "a: 1\n  b: 2\n", "a:\n\tb: 1\n", "\"open", "a: 'open\n", "[1, 2]]",
        "a: b: c", "@x", "- a\nb: 1\n", "a: *nowhere\n", "%YAML 9\n---\na: 1\n", "a: 1\n---\nb: 2\n", "{a: 1}}"}) {
    const std::string error = errorOf(text);
    EXPECT_EQ(error.find("f.yaml:"), 0u) << text << " -> " << error;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(error[7]))) << text << " -> " << error;
  }
}

TEST(ParseYaml, RefusesKeysThatAreNotSingleValues) {
  EXPECT_NE(errorOf("? [a, b]\n: 1\n").find("a key must be"), std::string::npos);
  EXPECT_NE(errorOf("? {a: b}\n: 1\n").find("a key must be"), std::string::npos);
  EXPECT_NE(errorOf("~: 1\n").find("a key must be"), std::string::npos);
}

TEST(ParseYaml, HostileInputEndsInAMessage) {
  EXPECT_NE(errorOf(std::string(100000, '[')).find("f.yaml"), std::string::npos);
  EXPECT_NE(errorOf(std::string(100000, '{')).find("f.yaml"), std::string::npos);
  EXPECT_NE(errorOf(std::string("a: 1\0b: 2", 9)).find("control character"), std::string::npos);
  EXPECT_NE(errorOf("a: \x04\nb: 1\n").find("f.yaml:1:4: control character 0x04"), std::string::npos);
  EXPECT_NE(errorOf("a: b\nc: \xff").find("f.yaml:2:4: this is not UTF-8"), std::string::npos);
  EXPECT_NE(errorOf("a: &x [*x]\n").find("alias"), std::string::npos);
  std::string nested;
  for (int i = 0; i < 300; ++i) nested += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_NE(errorOf(nested + std::string(300, ' ') + "b\n").find("nested"), std::string::npos);

  // Each level holds ten copies of the one before.
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string n = std::to_string(i), p = "*a" + std::to_string(i - 1);
    laughs += "a" + n + ": &a" + n + " [" + p;
    for (int j = 1; j < 10; ++j) laughs += ", " + p;
    laughs += "]\n";
  }
  EXPECT_NE(errorOf(laughs).find("expand"), std::string::npos);
}

TEST(ParseYaml, RandomBytesNeverCrash) {
  RandomStream random(1, "yaml");
  const std::string alphabet = "ab:- \n\t[]{},'\"#&*!|>%@`?01.e~\\\r";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const auto size = random.below(40);
    for (std::uint64_t j = 0; j < size; ++j) text += alphabet[random.below(alphabet.size())];
    try {
      const Value value = parseYaml(text, "f");
      // What was understood survives being written and read.
      EXPECT_TRUE(parseYaml(toYaml(value), "g") == value) << text << "\n---\n" << toYaml(value);
    } catch (const Error&) {
    }
  }
}

TEST(ParseYaml, EmptyTextIsNull) {
  EXPECT_TRUE(parseYaml("", "f").isNull());
  EXPECT_TRUE(parseYaml("# nothing\n", "f").isNull());
}

TEST(ToYaml, ReadsBackEqual) {
  Value root = Value::map();
  root.set("integer", 3);
  root.set("real", 3.0);
  root.set("tiny", 1e-300);
  root.set("large", 1e300);
  root.set("infinite", -HUGE_VAL);
  root.set("nan", std::nan(""));
  root.set("null", Value());
  root.set("empty list", Value::list());
  root.set("empty map", Value::map());
  root.set("key: with # odd", "value: with # odd");
  root.set(std::string(2000, 'k'), 1);
  for (const char* text :
       {"",    " ",    "true",  "1",           "1e3",         "null",         "~",         "yes",  "- x",     "a: b",
        "#c",  "it's", "\"q\"", "back\\slash", "line\nbreak", "tab\t",        "trailing ", "é",    "${name}", "[1]",
        "{a}", "*a",   "&a",    "!t",          "%d",          "@x",           "---",       "...",  "-",       "--x",
        "?",   "|",    ">",     "a,b",         "\x01\x7f",    "\xe2\x80\xa8", "\xc2\x85",  "0x10", ".5"})
    root.set("s" + std::to_string(root.size()), text);
  Value list = Value::list();
  list.push_back(Value(std::vector<double>{1, 0.5, 2}));
  Value inner = Value::map();
  inner.set("a", Value(std::vector<std::string>{"x", "1", "a, b"}));
  Value nested = Value::list();
  nested.push_back(inner);
  nested.push_back(Value::list());
  inner.set("nested", nested);
  list.push_back(inner);
  Value strings = Value::list();
  for (int i = 0; i < 100; ++i) strings.push_back("a long string number " + std::to_string(i));
  list.push_back(strings);
  root.set("list", list);
  const std::string text = toYaml(root);
  EXPECT_EQ(parseYaml(text, "f"), root) << text;
  for (const Value& scalar : {Value(1), Value(1.0), Value("a b"), Value(), Value(true), Value::list(), Value::map()})
    EXPECT_EQ(parseYaml(toYaml(scalar), "f"), scalar) << toYaml(scalar);
}

TEST(FormatReal, IsTheShortestTextThatReadsBack) {
  EXPECT_EQ(formatReal(0.1), "0.1");
  EXPECT_EQ(formatReal(1), "1");
  EXPECT_EQ(formatReal(-0.0), "-0");
  EXPECT_EQ(formatReal(HUGE_VAL), "inf");
  EXPECT_EQ(formatReal(-HUGE_VAL), "-inf");
  EXPECT_EQ(formatReal(std::nan("")), "nan");
  RandomStream random(3);
  for (int i = 0; i < 1000; ++i) {
    const double value = random.gaussian() * std::pow(10, random.uniform(-300, 300));
    EXPECT_EQ(std::stod(formatReal(value)), value);
  }
}

}  // namespace
}  // namespace mortise
