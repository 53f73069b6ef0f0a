// The smaller parts of the room: errors, diagnostics, units, suggestions, random numbers, byte buffers.

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "mortise/base/bytes.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/position.h"
#include "mortise/base/random.h"
#include "mortise/base/units.h"
#include "mortise/hash/byte_hash.h"
#include "mortise/hash/hash.h"
#include "mortise/text/hex.h"
#include "mortise/text/normalize.h"
#include "mortise/text/suggest.h"
#include "mortise/text/utf8.h"

namespace mortise {
namespace {

TEST(Error, SaysWhereWhatAndWhatNext) {
  const Error error("no such backend 'bulet'", {"p.yaml", 5, 12, "simulation.backend"}, "did you mean 'bullet'?");
  EXPECT_STREQ(error.what(),
               "p.yaml:5:12 (simulation.backend): no such backend 'bulet'\n  hint: did you mean 'bullet'?");
  EXPECT_STREQ(Error("x").what(), "x");
  EXPECT_EQ((SourcePosition{"f", 3, 0, {}}.describe()), "f:3");
  EXPECT_EQ((SourcePosition{"", 0, 0, "a.b"}.describe()), "a.b");
}

TEST(Diagnostics, ListsEveryErrorAndOnlyErrors) {
  Diagnostics diagnostics;
  diagnostics.note("by the way");
  diagnostics.warning("odd", {"f", 1, 2, {}});
  EXPECT_NO_THROW(diagnostics.throwIfErrors());
  diagnostics.error("bad", {"f", 3, 4, {}}, "fix it");
  diagnostics.error(Error("worse", {"g", 1, 0, {}}));
  EXPECT_EQ(diagnostics.errorCount(), 2);
  EXPECT_EQ(diagnostics.warningCount(), 1);
  try {
    diagnostics.throwIfErrors("two problems");
    FAIL();
  } catch (const DiagnosticsError& error) {
    EXPECT_STREQ(error.what(), "two problems\nf:3:4: error: bad\n  hint: fix it\ng:1: error: worse");
    EXPECT_EQ(error.list().size(), 4u);
    // Collected again, each keeps its own position.
    Diagnostics outer;
    outer.error(static_cast<const Error&>(error));
    EXPECT_EQ(outer.errorCount(), 2);
    EXPECT_EQ(outer.all().size(), 4u);
  }
}

TEST(Diagnostics, StrictTurnsWarningsIntoErrors) {
  Diagnostics diagnostics;
  diagnostics.warning("before");
  diagnostics.setStrict(true);
  diagnostics.warning("after");
  EXPECT_EQ(diagnostics.errorCount(), 1);
  diagnostics.append(diagnostics);
  EXPECT_EQ(diagnostics.all().size(), 4u);
  EXPECT_EQ(diagnostics.errorCount(), 3);
}

double quantity(std::string_view text, std::string_view unit) {
  std::string problem;
  const auto value = parseQuantity(text, unit, problem);
  EXPECT_TRUE(value.has_value()) << text << ": " << problem;
  return value.value_or(std::nan(""));
}

std::string problemOf(std::string_view text, std::string_view unit) {
  std::string problem = "no problem";
  EXPECT_FALSE(parseQuantity(text, unit, problem).has_value()) << text;
  return problem;
}

TEST(Units, ConvertExactlyAsTheDecimalTextWould) {
  EXPECT_EQ(quantity("3 ms", "s"), 0.003);
  EXPECT_EQ(quantity("1ms", "s"), 0.001);
  EXPECT_EQ(quantity("250 us", "s"), 0.00025);
  EXPECT_EQ(quantity("2 min", "s"), 120);
  EXPECT_EQ(quantity("1.5 kHz", "Hz"), 1500);
  EXPECT_EQ(quantity("7 mm", "m"), 0.007);
  EXPECT_EQ(quantity("-20 cm", "m"), -0.2);
  EXPECT_EQ(quantity("180 deg", "rad"), M_PI);
  EXPECT_EQ(quantity("90°", "rad"), M_PI / 2);
  EXPECT_EQ(quantity("1 rev", "rad"), 2 * M_PI);
  EXPECT_DOUBLE_EQ(quantity("60 rpm", "rad/s"), 2 * M_PI);
  EXPECT_DOUBLE_EQ(quantity("30 deg/s", "rad/s"), M_PI / 6);
  EXPECT_EQ(quantity("2 g", "kg"), 0.002);
  EXPECT_EQ(quantity("2 kN", "N"), 2000);
  EXPECT_EQ(quantity("2 N m", "N*m"), 2);
  EXPECT_EQ(quantity("2 Nm", "N*m"), 2);
  EXPECT_EQ(quantity("9.8 m/s2", "m/s^2"), 9.8);
  EXPECT_EQ(quantity("9.8 m/s²", "m/s^2"), 9.8);
  EXPECT_EQ(quantity("36 km/h", "m/s"), 10);
  EXPECT_EQ(quantity("5 N/mm", "N/m"), 5000);
  EXPECT_EQ(quantity("5 N*s/m", "N*s/m"), 5);
  EXPECT_EQ(quantity("3 kW", "W"), 3000);
  EXPECT_EQ(quantity("3 kJ", "J"), 3000);
  EXPECT_EQ(quantity("90 deg", "deg"), 90);
  EXPECT_DOUBLE_EQ(quantity("1 rad", "deg"), 180 / M_PI);
  EXPECT_EQ(quantity(" 4 ", "s"), 4);
  EXPECT_EQ(quantity("+4", "s"), 4);
  EXPECT_EQ(quantity("inf", "s"), HUGE_VAL);
  EXPECT_EQ(quantity("1e-3 s", "s"), 1e-3);
  EXPECT_EQ(quantity("4 widgets", "widgets"), 4);
}

TEST(Units, NameTheAllowedOnes) {
  EXPECT_EQ(problemOf("5 kg", "s"), "unit 'kg' is not a time; use s, ms, us, ns, min, h");
  EXPECT_EQ(problemOf("5 ms", "Hz"), "unit 'ms' is not a frequency; use Hz, kHz, MHz, 1/s");
  EXPECT_EQ(problemOf("5 m", ""), "unit 'm' is not allowed; this is a number without unit");
  EXPECT_EQ(problemOf("fast", "s"), "'fast' is not a number");
  for (const char* text :
       {"", " ", "s", "--1", "+-1", "1 2", "1 s s", "info", "nanosecond", "infinity s x", "1e400 s", "0x10", "1,5 s"})
    problemOf(text, "s");
}

TEST(Suggest, FindsLikelySlipsOnly) {
  const std::vector<std::string> names = {"ode", "bullet", "JointTrackingController", "acme.Gravity"};
  EXPECT_EQ(nearestName("bulet", names), "bullet");
  EXPECT_EQ(nearestName("BULLET", names), "bullet");
  EXPECT_EQ(nearestName("blulet", names), "bullet");
  EXPECT_EQ(nearestName("od", names), "ode");
  EXPECT_EQ(nearestName("oed", names), "ode");
  EXPECT_EQ(nearestName("JointTracking", names), "JointTrackingController");
  EXPECT_EQ(nearestName("Gravity", names), "acme.Gravity");
  EXPECT_EQ(nearestName("gravty", names), "acme.Gravity");
  EXPECT_EQ(nearestName("mujoco", names), "");
  EXPECT_EQ(nearestName("", names), "");
  EXPECT_EQ(nearestName("x", {"y"}), "");
  EXPECT_EQ(nearestName("x", {}), "");
  EXPECT_EQ(nearestName("ab", {"ac", "ad"}), "ac");
  EXPECT_EQ(nearestName(std::string(100000, 'a'), names), "");
  EXPECT_EQ(didYouMean("bulet", names), "did you mean 'bullet'?");
  EXPECT_EQ(didYouMean("zzz", names), "");
  EXPECT_EQ(listNames({"a", "b"}), "available: a, b");
  EXPECT_EQ(listNames({}), "none available");
  EXPECT_EQ(listNames({"a", "b", "c", "d"}, 2), "available: a, b and 2 more");
}

TEST(RandomStream, DependsOnSeedAndIdAlone) {
  EXPECT_EQ(RandomStream(1, "a").bits(), RandomStream(1, "a").bits());
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const char* id : {"", "a", "b", "aa"}) first.insert(RandomStream(seed, id).bits());
  EXPECT_EQ(first.size(), 400u);
}

TEST(RandomStream, FollowsTheReferenceGenerator) {
  // First outputs of xoshiro256** from the state {1, 2, 3, 4}, by the authors' C code.
  RandomStream random;
  random.setState({1, 2, 3, 4});
  for (const std::uint64_t expected :
       {11520ULL, 0ULL, 1509978240ULL, 1215971899390074240ULL, 1216172134540287360ULL, 607988272756665600ULL})
    EXPECT_EQ(random.bits(), expected);
}

TEST(RandomStream, HasTheRightMoments) {
  RandomStream random(7, "moments");
  double sum = 0, squares = 0, uniform = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double x = random.gaussian();
    sum += x;
    squares += x * x;
    const double u = random.uniform(-2, 2);
    ASSERT_GE(u, -2);
    ASSERT_LT(u, 2);
    uniform += u;
    ASSERT_LT(random.below(7), 7u);
  }
  EXPECT_NEAR(sum / n, 0, 0.02);
  EXPECT_NEAR(squares / n, 1, 0.02);
  EXPECT_NEAR(uniform / n, 0, 0.02);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(RandomStream, StateCanBePutBack) {
  RandomStream random(3);
  random.gaussian();
  const RandomStream::State state = random.state();
  const double next = random.gaussian();
  random.setState(state);
  EXPECT_EQ(random.gaussian(), next);
}

TEST(HashBytes, EveryBitCounts) {
  const std::string text = "mortise";
  const auto hash = hashBytes(text.data(), text.size());
  EXPECT_EQ(hashBytes(text.data(), text.size()), hash);
  EXPECT_NE(hashBytes(text.data(), text.size(), 1), hash);
  for (std::size_t i = 0; i < text.size() * 8; ++i) {
    std::string other = text;
    other[i / 8] = static_cast<char>(other[i / 8] ^ (1 << (i % 8)));
    EXPECT_NE(hashBytes(other.data(), other.size()), hash);
  }
  EXPECT_NE(hashBytes("", 0), hashBytes("\0", 1));
}

TEST(HashBytes, StaysTheSameBecauseFilesHoldIt) {
  EXPECT_EQ(hashBytes("mortise", 7), 0x85669375794b3d63u);
  EXPECT_EQ(hashBytes("mortise", 7, 7), 0xf50dd1ff7e5675c5u);
}

TEST(ByteHash, IsHashBytesOfPiecesAndOfZerosThatAreNotThere) {
  RandomStream random(3, "hash");
  for (const std::uint64_t seed : {0u, 1u, 77u})
    for (int round = 0; round < 20; ++round) {
      std::string bytes;
      ByteHash hash(seed);
      for (int piece = 0; piece < 6; ++piece) {
        const std::uint64_t length = random.below(200);
        if (random.below(2) == 0) {
          bytes.append(length, '\0');
          hash.addZeros(length);
          continue;
        }
        std::string some;
        for (std::uint64_t i = 0; i < length; ++i) some += static_cast<char>(random.below(256));
        bytes += some;
        hash.add(some.data(), some.size());
      }
      EXPECT_EQ(hash.value(), hashBytes(bytes.data(), bytes.size(), seed)) << bytes.size();
    }
}

TEST(Hash, AgreesWithPublishedValues) {
  EXPECT_EQ(fnv1a("", 0), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("foobar", 6), 0x85944171f73967e8u);
  EXPECT_EQ(fnv1a("bar", 3, fnv1a("foo", 3)), 0x85944171f73967e8u) << "continued";
  EXPECT_EQ(splitMixBits(kSplitMixIncrement), 0xe220a8397b1dcdafu) << "the first number of seed 0";
  EXPECT_EQ(foldedProduct(~std::uint64_t{0}, ~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(Hex, WritesBytesInOrderAndNumbersFromTheHighestDigit) {
  EXPECT_EQ(hexText(std::string_view("\x00\x7f\xff\x0a", 4)), "007fff0a");
  EXPECT_EQ(hexText(std::uint64_t{0x0123456789abcdef}), "0123456789abcdef");
  EXPECT_EQ(hexText(std::uint64_t{0}), "0000000000000000");
}

TEST(Utf8, EncodesWhatItReads) {
  const auto encoded = [](std::uint32_t code) {
    std::string text;
    appendUtf8(text, code);
    return text;
  };
  EXPECT_EQ(encoded('a'), "a");
  EXPECT_EQ(encoded(0x7f), "\x7f");
  EXPECT_EQ(encoded(0x80), "\xc2\x80");
  EXPECT_EQ(encoded(0x7ff), "\xdf\xbf");
  EXPECT_EQ(encoded(0x800), "\xe0\xa0\x80");
  EXPECT_EQ(encoded(0xffff), "\xef\xbf\xbf");
  EXPECT_EQ(encoded(0x10000), "\xf0\x90\x80\x80");
  EXPECT_EQ(encoded(0x10ffff), "\xf4\x8f\xbf\xbf");
  for (const std::uint32_t code : {0x41u, 0xe9u, 0x20acu, 0x1f600u})
    EXPECT_EQ(utf8Length(encoded(code), 0), encoded(code).size()) << code;
}

TEST(Text, CaseAndBlanks) {
  EXPECT_EQ(lowerCase("A-z_\xc3\x84 9"), "a-z_\xc3\x84 9") << "letters beyond ASCII stay";
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n", " "), "\n");
  EXPECT_EQ(trimmed(" \t"), "");
}

TEST(Suggest, GivesTheNearestNameElseTheList) {
  const std::vector<std::string> names = {"elbow", "wrist"};
  EXPECT_EQ(suggestFrom("elbwo", names), "did you mean 'elbow'?");
  EXPECT_EQ(suggestFrom("gripper", names), "available: elbow, wrist");
  EXPECT_EQ(suggestAndList("elbwo", names), "did you mean 'elbow'? available: elbow, wrist");
  EXPECT_EQ(suggestAndList("gripper", names), "available: elbow, wrist");
}

TEST(Position, OfAWholeFile) { EXPECT_EQ(inFile("robot.urdf").describe(), "robot.urdf"); }

TEST(Bytes, ReadBackWhatWasWritten) {
  ByteWriter out;
  const std::vector<double> values = {1, 2.5};
  out.put(42);
  out.put(std::string_view("text"));
  out.put(std::span<const double>(values));
  ByteReader in(out.bytes());
  EXPECT_EQ(in.get<int>(), 42);
  EXPECT_EQ(in.getString(), "text");
  std::vector<double> read(2);
  in.get(std::span<double>(read));
  EXPECT_EQ(read, values);
  EXPECT_TRUE(in.atEnd());
  EXPECT_THROW(in.get<char>(), Error);
  ByteReader again(std::span(out.bytes()).first(6));
  again.get<int>();
  EXPECT_THROW(again.getString(), Error);
}

}  // namespace
}  // namespace mortise
