#include "mortise/json/json_writer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "mortise/base/value_text.h"

namespace mortise {
namespace {

TEST(ToJson, EscapesAndKeepsFullPrecision) {
  Value root = Value::map();
  root.set("a\"b\\", "line\n\ttab\x01");
  root.set("bad", std::string("\xff\xc3"));
  root.set("good", "é");
  root.set("x", 0.1);
  root.set("third", 1.0 / 3);
  root.set("inf", HUGE_VAL);
  root.set("nan", std::nan(""));
  EXPECT_EQ(toJson(root, -1),
            "{\"a\\\"b\\\\\":\"line\\n\\ttab\\u0001\",\"bad\":\"\xef\xbf\xbd\xef\xbf\xbd\",\"good\":\"é\",\"x\":0.1,"
            "\"third\":0.3333333333333333,\"inf\":null,\"nan\":null}");
  EXPECT_EQ(toJson(Value::list(), -1), "[]");
  EXPECT_EQ(toJson(Value(std::vector<double>{1, 2.5}), 2), "[1, 2.5]\n");
}

TEST(ToJson, IsYamlToo) {
  const Value root = parseYaml("{a: [1, 2.5, {b: 'x\ty'}], c: {}, d: null, e: true}", "f");
  EXPECT_EQ(parseYaml(toJson(root), "g"), root);
}

TEST(JsonWriter, PutsCommasAndLinesWhereTheyBelong) {
  const auto write = [](int indent) {
    std::string text;
    JsonWriter json(text, indent);
    json.beginMap();
    json.key("empty");
    json.beginMap();
    json.endMap();
    json.numbers("x", std::vector<double>{1, 0.5});
    json.key("list");
    json.beginList();
    json.beginList(true);
    json.endList();
    json.null();
    json.boolean(true);
    json.integer(-7);
    json.endList();
    json.key("last");
    json.string("y");
    json.endMap();
    return text;
  };
  EXPECT_EQ(write(-1), R"({"empty":{},"x":[1,0.5],"list":[[],null,true,-7],"last":"y"})");
  EXPECT_EQ(write(2),
            "{\n  \"empty\": {},\n  \"x\": [1, 0.5],\n  \"list\": [\n    [],\n    null,\n    true,\n    -7\n  ],\n"
            "  \"last\": \"y\"\n}");
}

TEST(JsonWriter, NumbersThatAreNotFiniteAreNullOrHuge) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::string text;
  JsonWriter(text).numbers("a", std::vector<double>{kInfinity, -kInfinity, std::nan("")});
  EXPECT_EQ(text, R"("a":[null,null,null])");
  text.clear();
  JsonWriter(text, -1, JsonWriter::NotFinite::huge)
      .numbers("a", std::vector<double>{kInfinity, -kInfinity, std::nan("")});
  EXPECT_EQ(text, R"("a":[1e999,-1e999,null])");
}

}  // namespace
}  // namespace mortise
