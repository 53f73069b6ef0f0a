#include <gtest/gtest.h>

#include "mortise/base/value_text.h"

namespace mortise {
namespace {

std::string refusal(const std::string& yaml) {
  try {
    (void)parseYaml(yaml, "p.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(YamlReader, MergesMaps) {
  const Value root = parseYaml(
      "base: &base {duration: 1, record: [robots]}\n"
      "more: &more {duration: 2, save: x}\n"
      "a: {<<: *base, save: own}\n"
      "b:\n  save: own\n  <<: [*base, *more]\n"
      "c: {\"<<\": text}\n",
      "p.yaml");
  EXPECT_EQ(root.at("a").size(), 3u);
  EXPECT_EQ(root.findPath("a.duration")->asInteger(), 1);
  EXPECT_EQ(root.findPath("a.save")->asString(), "own");
  EXPECT_EQ(root.findPath("b.duration")->asInteger(), 1) << "of several the first holds";
  EXPECT_EQ(root.findPath("b.save")->asString(), "own") << "the map's own holds, wherever it stands";
  EXPECT_EQ(root.findPath("c.<<")->asString(), "text") << "a quoted key is a key";
  EXPECT_NE(refusal("a: {<<: 3}\n").find("p.yaml:1:5 (a.<<): '<<' merges maps"), std::string::npos)
      << refusal("a: {<<: 3}\n");
  EXPECT_EQ(parseYaml(toYaml(root), "again.yaml"), root);
}

TEST(YamlReader, MissingValuesAreWhereTheyAreMissing) {
  const Value root = parseYaml("a:\n\n# words\nb: 1\nlist:\n  - 1\n  -\n\n  - 3\nlast:\n", "p.yaml");
  EXPECT_EQ(root.at("a").position().describe(), "p.yaml:1:1 (a)");
  EXPECT_EQ(root.findPath("list.1")->position().describe(), "p.yaml:7:3 (list.1)");
  EXPECT_EQ(root.at("last").position().describe(), "p.yaml:10:1 (last)");
  const Value written = parseYaml("a:\n  ~\nb: null\n", "p.yaml");
  EXPECT_EQ(written.at("a").position().describe(), "p.yaml:2:3 (a)");
  EXPECT_EQ(written.at("b").position().describe(), "p.yaml:3:4 (b)");
}

TEST(YamlReader, BracketsThatAreNotClosedAreNamedWhereTheyWereOpened) {
  EXPECT_NE(refusal("stages:\n  - simulate: {duration: 1 s\n  - report\nname: x\n")
                .find("p.yaml:2:15: not valid YAML: this '{' is not closed"),
            std::string::npos)
      << refusal("stages:\n  - simulate: {duration: 1 s\n  - report\nname: x\n");
  EXPECT_NE(refusal("a: {b: [1, 2}\n").find("p.yaml:1:8: not valid YAML: this '[' is not closed"), std::string::npos);
  EXPECT_NE(refusal("a: \"[\"\nb: it's [\nc: |\n  {\nd: [1\n").find("p.yaml:5:4"), std::string::npos)
      << refusal("a: \"[\"\nb: it's [\nc: |\n  {\nd: [1\n");
  EXPECT_EQ(refusal("a: {b: }c\n").find("is not closed"), std::string::npos) << "another mistake keeps its own message";
}

}  // namespace
}  // namespace mortise
