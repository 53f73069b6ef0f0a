#include "mortise/json/json_reader.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"

namespace mortise {
namespace {

Value readJson(std::string_view text) {
  JsonReader json(text);
  Value value = json.value();
  json.end();
  return value;
}

bool refused(std::string_view text) {
  try {
    readJson(text);
    return false;
  } catch (const Error&) {
    JsonReader json(text);
    EXPECT_THROW((json.skip(), json.end()), Error) << text << " is refused as a value, but can be skipped";
    return true;
  }
}

TEST(JsonReader, ReadsAllKindsOfValues) {
  const Value value = readJson(R"( {"a": [1, -2.5e3, true, null], "b\u00e9\n": "x\ud83d\ude00\"", "c": {}, "d": []} )");
  EXPECT_EQ(value.at("a")[0].asInteger(), 1);
  EXPECT_EQ(value.at("a")[1].asReal(), -2500);
  EXPECT_TRUE(value.at("a")[2].asBool());
  EXPECT_TRUE(value.at("a")[3].isNull());
  EXPECT_EQ(value.at("b\xc3\xa9\n").asString(), "x\xf0\x9f\x98\x80\"");
  EXPECT_EQ(value.at("c").size(), 0u);
  EXPECT_EQ(value.at("d").size(), 0u);
}

TEST(JsonReader, RefusesWhatIsNotJson) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "[",
                           "]",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{1:2}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{'a':1}",
                           "{,}",
                           "nul",
                           "tru",
                           "NaN",
                           "Infinity",
                           "-Infinity",
                           "+1",
                           ".5",
                           "1.",
                           "01",
                           "-",
                           "1e",
                           "1e+",
                           "0x10",
                           "1 2",
                           "\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\u0041\"",
                           "\"\t\"",
                           "\"\x80\"",
                           "\"\xc0\xaf\"",
                           "\"\xed\xa0\x80\"",
                           "[1]x",
                           "// no\n1",
                           "{\"a\":1 \"b\":2}",
                           "\"\\"})
    EXPECT_TRUE(refused(text)) << text;
  EXPECT_TRUE(refused(std::string_view("\"a\0b\"", 5)));
}

TEST(JsonReader, RefusesDepth) {
  for (const int depth : {33, 1000, 1'000'000}) {
    EXPECT_TRUE(refused(std::string(depth, '[') + std::string(depth, ']'))) << depth;
    std::string maps;
    for (int i = 0; i < depth; ++i) maps += "{\"a\":";
    EXPECT_TRUE(refused(maps)) << depth;
  }
  EXPECT_FALSE(refused(std::string(32, '[') + std::string(32, ']')));
}

TEST(JsonReader, NumbersComeBackToTheBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    double x;
    static_assert(sizeof(x) == sizeof(bits));
    std::memcpy(&x, &bits, sizeof(x));
    if (!std::isfinite(x)) continue;
    std::string text;
    JsonWriter(text).number(x);
    JsonReader json(text);
    const double back = json.number();
    EXPECT_EQ(std::memcmp(&back, &x, sizeof(x)), 0) << text;
  }
  EXPECT_EQ(JsonReader("1e999").number(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(JsonReader("-1e999").number(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(JsonReader("1e-999").number(), 0);
  EXPECT_EQ(JsonReader(std::string(5000, '9')).number(), std::numeric_limits<double>::infinity());
  std::string infinite;
  JsonWriter(infinite, -1, JsonWriter::NotFinite::huge).number(-std::numeric_limits<double>::infinity());
  EXPECT_EQ(infinite, "-1e999");
}

TEST(JsonReader, StringsComeBack) {
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    std::string text;
    for (unsigned k = random() % 20; k > 0; --k) text += static_cast<char>(random() % 128);
    std::string json;
    JsonWriter(json).string(text);
    JsonReader reader(json);
    EXPECT_EQ(reader.string(), text);
    reader.end();
  }
  std::string broken;
  JsonWriter(broken).string(
      "a\xff"
      "b");
  EXPECT_EQ(broken,
            "\"a\xef\xbf\xbd"
            "b\"");
}

TEST(JsonReader, TakesOfFilesWhatOldProgramsWrite) {
  const auto read = [](std::string_view text) {
    JsonReader json(text, {.maxDepth = 2, .file = true, .position = [](std::size_t offset) {
                             return SourcePosition{"a.json", 1, static_cast<int>(offset) + 1, {}};
                           }});
    Value value = json.value();
    json.end();
    return value;
  };
  EXPECT_TRUE(std::isnan(read("[NaN, 1]")[0].asReal()));
  EXPECT_EQ(read("-Infinity").asReal(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read("\xef\xbb\xbf\"\xff\"").asString(), "\xff");
  const auto saysOf = [&read](std::string_view text) {
    try {
      read(text);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(saysOf("[1, 2"), "a.json:1:6: not JSON: expected ',' or ']', found the end of the file");
  EXPECT_EQ(saysOf("[1e999]"), "a.json:1:2: this number is too large");
  EXPECT_EQ(saysOf("[[[1]]]"), "a.json:1:3: nested too deeply: more than 2 lists and objects");
  EXPECT_EQ(saysOf("{\"a\": \"x"), "a.json:1:7: not JSON: this string has no end");
  EXPECT_EQ(saysOf("Inf"), "a.json:1:1: not JSON: expected a value, found 'Inf'");
}

TEST(JsonReader, SaysWhereItStopped) {
  try {
    readJson("{\"q\": [1, 2, x]}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("expected a value at character 14, found 'x'"), std::string::npos)
        << error.message();
  }
}

TEST(JsonReader, SurvivesAnything) {
  std::mt19937 random(11);
  const std::string_view pieces[] = {"{", "}", "[", "]",    ",",    ":", "\"",   "\\",    "u12",   "1",
                                     "-", "e", ".", "true", "null", " ", "\xff", "\"a\"", "\"a\":"};
  int good = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text;
    for (unsigned k = random() % 12; k > 0; --k) text += pieces[random() % std::size(pieces)];
    good += refused(text) ? 0 : 1;
  }
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace mortise
