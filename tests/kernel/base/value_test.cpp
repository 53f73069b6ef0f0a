#include "mortise/base/value.h"

#include <cmath>
#include <gtest/gtest.h>

#include "mortise/base/value_text.h"

namespace mortise {
namespace {

using Type = Value::Type;

TEST(ValueFromText, TypesScalarsByTheirText) {
  EXPECT_EQ(Value::fromText("12").type(), Type::integer);
  EXPECT_EQ(Value::fromText("-12").asInteger(), -12);
  EXPECT_EQ(Value::fromText("+7").asInteger(), 7);
  EXPECT_EQ(Value::fromText("0x1F").asInteger(), 31);
  EXPECT_EQ(Value::fromText("-9223372036854775808").asInteger(), std::numeric_limits<std::int64_t>::min());
  EXPECT_DOUBLE_EQ(Value::fromText("1e-3").asReal(), 1e-3);
  EXPECT_EQ(Value::fromText("1E5").type(), Type::real);
  EXPECT_DOUBLE_EQ(Value::fromText("1E5").asReal(), 1e5);
  EXPECT_DOUBLE_EQ(Value::fromText("-.5").asReal(), -0.5);
  EXPECT_DOUBLE_EQ(Value::fromText("3.").asReal(), 3);
  EXPECT_DOUBLE_EQ(Value::fromText("+.25e+2").asReal(), 25);
  EXPECT_EQ(Value::fromText("true").asBool(), true);
  EXPECT_EQ(Value::fromText("False").asBool(), false);
  EXPECT_TRUE(Value::fromText("~").isNull());
  EXPECT_TRUE(Value::fromText("null").isNull());
}

TEST(ValueFromText, KnowsInfinityAndNan) {
  for (const char* text : {"inf", ".inf", "Inf", "+inf", ".INF", "Infinity"}) {
    EXPECT_EQ(Value::fromText(text).type(), Type::real) << text;
    EXPECT_EQ(Value::fromText(text).asReal(), HUGE_VAL) << text;
  }
  EXPECT_EQ(Value::fromText("-inf").asReal(), -HUGE_VAL);
  EXPECT_EQ(Value::fromText("-.inf").asReal(), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(Value::fromText("nan").asReal()));
  EXPECT_TRUE(std::isnan(Value::fromText(".NaN").asReal()));
}

TEST(ValueFromText, NumbersBeyondDoubleAndIntegerRange) {
  EXPECT_EQ(Value::fromText("1e400").asReal(), HUGE_VAL);
  EXPECT_EQ(Value::fromText("-1e400").asReal(), -HUGE_VAL);
  EXPECT_EQ(Value::fromText("1e-400").asReal(), 0);
  EXPECT_EQ(Value::fromText("9223372036854775808").type(), Type::real);
  EXPECT_DOUBLE_EQ(Value::fromText("9223372036854775808").asReal(), 0x1p63);
  EXPECT_TRUE(Value::fromText("0x").isString());
  EXPECT_TRUE(Value::fromText("0x-1").isString());
  EXPECT_TRUE(Value::fromText("0xfffffffffffffffffffff").isString());
}

TEST(ValueFromText, EverythingElseIsAString) {
  for (const char* text :
       {"yes", "no", "on",    "off",  "1.2.3", "1e",   "1e+",  "--1",    "+-1",      "-",     "+",  ".",
        "-.",  "e5", "1_000", "0b11", "12 ms", "info", "nano", "truely", "nullable", "+true", " 1", "1 "})
    EXPECT_EQ(Value::fromText(text).type(), Type::string) << text;
  EXPECT_TRUE(Value::fromText("12", true).isString());
  EXPECT_TRUE(Value::fromText("true", true).isString());
  EXPECT_TRUE(Value::fromText("").isString());
}

TEST(ValueFromText, RemembersHowItWasWritten) {
  EXPECT_EQ(Value::fromText("007").text(), "007");
  EXPECT_EQ(Value::fromText("1e-3").text(), "1e-3");
  EXPECT_EQ(Value(0.1).text(), "0.1");
  EXPECT_EQ(Value(1e22).text(), "1e+22");
  EXPECT_EQ(Value().text(), "null");
  EXPECT_THROW(Value::list().text(), Error);
}

TEST(Value, AccessOfTheWrongTypeSaysWhatWasFoundAndWhere) {
  Value value("fast");
  value.setPosition({"a.yaml", 3, 7, "speed"});
  try {
    value.asReal();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.yaml:3:7 (speed): expected a number, found the string 'fast'");
  }
  EXPECT_THROW(Value(1.5).asInteger(), Error);
  EXPECT_THROW(Value(HUGE_VAL).asInteger(), Error);
  EXPECT_THROW(Value(0x1p63).asInteger(), Error);
  EXPECT_EQ(Value(20.0).asInteger(), 20);
  EXPECT_THROW(Value(1).asBool(), Error);
  EXPECT_THROW(Value(1).asString(), Error);
  EXPECT_THROW(Value::map().asReals(), Error);
  EXPECT_EQ(Value(2).asReals(), std::vector<double>{2});
  EXPECT_EQ(Value("a").asStrings(), std::vector<std::string>{"a"});
}

TEST(Value, MapsKeepOrderAndNameTheNearestKey) {
  Value map;
  map.set("zeta", 1);
  map.set("alpha", 2);
  map.set("zeta", 3);
  ASSERT_EQ(map.entries().size(), 2u);
  EXPECT_EQ(map.entries()[0].key, "zeta");
  EXPECT_EQ(map.at("zeta").asInteger(), 3);
  try {
    map.at("alhpa");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.hint(), "did you mean 'alpha'?");
  }
  EXPECT_TRUE(map.erase("zeta"));
  EXPECT_FALSE(map.erase("zeta"));
  EXPECT_THROW(Value(1).set("a", 1), Error);
  EXPECT_THROW(Value("x").push_back(1), Error);
}

TEST(Value, Paths) {
  Value root = parseYaml("a: {b: [10, {c: 5}]}\nacme.Name: {gain: 2}\n", "f");
  EXPECT_EQ(root.findPath("a.b.1.c")->asInteger(), 5);
  EXPECT_EQ(root.findPath("acme.Name.gain")->asInteger(), 2);
  EXPECT_EQ(root.findPath(""), &root);
  for (const char* path : {"a.c", "a.b.2", "a.b.x", "a.b.-1", "a.b.1.c.d", ".", "a.", "..", "a..b"})
    EXPECT_EQ(root.findPath(path), nullptr) << path;

  root.setPath("a.b.0", 11);
  root.setPath("new.deep.key", "x");
  EXPECT_EQ(root.findPath("a.b.0")->asInteger(), 11);
  EXPECT_EQ(root.findPath("new.deep.key")->asString(), "x");
  EXPECT_THROW(root.setPath("a.b.7", 1), Error);
  EXPECT_THROW(root.setPath("a.b.0.x", 1), Error);
  EXPECT_THROW(root.setPath("", 1), Error);
  EXPECT_THROW(root.setPath("a..b", 1), Error);
}

TEST(Value, EqualityIgnoresPositionsButNotTypesOrOrder) {
  EXPECT_EQ(parseYaml("{a: 1, b: [x]}", "f"), parseYaml("a: 1\n\nb:\n- x\n", "g"));
  EXPECT_FALSE(parseYaml("{a: 1, b: 2}", "f") == parseYaml("{b: 2, a: 1}", "f"));
  EXPECT_FALSE(Value(1) == Value(1.0));
  EXPECT_EQ(Value(std::nan("")), Value(std::nan("")));
}

TEST(Value, ConvenienceFallsBackWhenAbsentOrNull) {
  const Value map = parseYaml("{a: 2, n: ~, s: t, b: true}", "f");
  EXPECT_EQ(map.real("a", 9), 2);
  EXPECT_EQ(map.real("x", 9), 9);
  EXPECT_EQ(map.real("n", 9), 9);
  EXPECT_EQ(map.integer("a", 9), 2);
  EXPECT_EQ(map.string("s", "d"), "t");
  EXPECT_EQ(map.boolean("b", false), true);
  EXPECT_THROW(map.real("s", 0), Error);
}

}  // namespace
}  // namespace mortise
