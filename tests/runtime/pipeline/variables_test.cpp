#include "mortise/pipeline/file/variables.h"

#include <gtest/gtest.h>

#include "mortise/base/value_text.h"

namespace mortise {
namespace {

Value expanded(const std::string& yaml, Diagnostics& diagnostics) {
  Value root = parseYaml(yaml, "p.yaml");
  expandVariables(root, diagnostics);
  return root;
}

Value good(const std::string& yaml) {
  Diagnostics diagnostics;
  Value root = expanded(yaml, diagnostics);
  EXPECT_EQ(diagnostics.errorCount(), 0) << diagnostics.all().front().format();
  return root;
}

std::string problem(const std::string& yaml) {
  Diagnostics diagnostics;
  expanded(yaml, diagnostics);
  EXPECT_EQ(diagnostics.errorCount(), 1) << yaml;
  return diagnostics.all().empty() ? "" : diagnostics.all().front().format();
}

TEST(Variables, KeepTheirTypeWhenAlone) {
  const Value root = good("variables: {n: 3, r: 2.5, l: [1, 2], t: text}\na: ${n}\nb: ${r}\nc: ${l}\nd: ${t}\n");
  EXPECT_EQ(root.at("a"), Value(3));
  EXPECT_EQ(root.at("b"), Value(2.5));
  EXPECT_EQ(root.at("c").size(), 2u);
  EXPECT_EQ(root.at("d"), Value("text"));
  EXPECT_EQ(root.at("a").position().describe(), "p.yaml:2:4 (a)");
}

TEST(Variables, AreTextAmongText) {
  const Value root = good("variables: {n: 007, t: x}\na: ${n} ms\nlist: [\"<${t}${t}>\", {deep: \"a${t}\"}]\n");
  EXPECT_EQ(root.at("a"), Value("007 ms"));
  EXPECT_EQ(root.findPath("list.0")->asString(), "<xx>");
  EXPECT_EQ(root.findPath("list.1.deep")->asString(), "ax");
}

TEST(Variables, MayUseEachOther) {
  EXPECT_EQ(good("variables: {a: \"${b}/c\", b: \"${c}\", c: 1}\nx: ${a}\n").at("x"), Value("1/c"));
}

TEST(Variables, DollarsAloneMeanNothing) {
  const Value root = good("a: $5\nb: $${name}\nc: $\nd: $$\n");
  EXPECT_EQ(root.at("a"), Value("$5"));
  EXPECT_EQ(root.at("b"), Value("${name}"));
  EXPECT_EQ(root.at("c"), Value("$"));
  EXPECT_EQ(root.at("d"), Value("$$"));
}

TEST(Variables, MistakesAreLocated) {
  EXPECT_EQ(problem("variables: {speed: 1}\na: ${spede}\n"),
            "p.yaml:2:4 (a): error: there is no variable 'spede'\n  hint: did you mean 'speed'?");
  EXPECT_NE(problem("a: ${x}\n").find("there is no variable 'x'"), std::string::npos);
  EXPECT_NE(problem("a: \"${x\"\n").find("is not closed"), std::string::npos);
  EXPECT_NE(problem("variables: {l: [1]}\na: x${l}\n").find("cannot be part of a text"), std::string::npos);
  EXPECT_NE(problem("variables: 3\n").find("must be a map"), std::string::npos);
}

TEST(Variables, CirclesAndExplosionsEnd) {
  EXPECT_NE(problem("variables: {a: \"${b}\", b: \"${c}\", c: \"${b}\"}\n").find("${b} -> ${c} -> ${b}"),
            std::string::npos);
  EXPECT_NE(problem("variables: {a: \"${a}\"}\nx: 1\n").find("${a} -> ${a}"), std::string::npos);
  std::string yaml = "variables:\n  v0: xxxxxxxxxx\n";
  for (int i = 1; i < 40; ++i)
    yaml += "  v" + std::to_string(i) + ": \"${v" + std::to_string(i - 1) + "}${v" + std::to_string(i - 1) + "}\"\n";
  Diagnostics diagnostics;
  expanded(yaml, diagnostics);
  ASSERT_TRUE(diagnostics.hasErrors());
  EXPECT_NE(diagnostics.all().front().message.find("longer than"), std::string::npos);
}

TEST(Variables, ListsThatDoubleEnd) {
  std::string yaml = "variables:\n  v0: [1, 2, 3, 4]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "\"${v" + std::to_string(i - 1) + "}\"";
    yaml += "  v" + std::to_string(i) + ": [" + before + ", " + before + "]\n";
  }
  const std::string text = problem(yaml);
  EXPECT_NE(text.find("the copies of variables become more than"), std::string::npos) << text;
}

TEST(Variables, LongChainsEndAndManyVariablesAreFast) {
  std::string chain = "variables:\n";
  for (int i = 0; i < 5000; ++i) chain += "  v" + std::to_string(i) + ": ${v" + std::to_string(i + 1) + "}\n";
  const std::string text = problem(chain + "  v5000: 1\n");
  EXPECT_NE(text.find("refer to each other more than 100 deep, from 'v0' on"), std::string::npos) << text;
  // Quadratic work would take a minute here.
  std::string many = "variables:\n";
  for (int i = 0; i < 50000; ++i) many += "  v" + std::to_string(i) + ": " + std::to_string(i) + "\n";
  EXPECT_EQ(good(many + "x: ${v49999}\n").at("x").asInteger(), 49999);
}

}  // namespace
}  // namespace mortise
