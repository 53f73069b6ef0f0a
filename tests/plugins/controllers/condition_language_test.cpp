#include <array>
#include <random>

#include "composite_test.h"

namespace mortise {
namespace {

using test::errorText;

/// Conditions as a state machine sees them.
class ConditionTest : public test::CompositeTest {
 protected:
  ComponentPtr<Controller> machine(const std::string& condition) {
    Value settings = parseYaml(
        "{states: [{name: a, controller: test.Probe}, {name: b, controller: test.Probe}], transitions: [{from: a, to: "
        "b}]}",
        "test.yaml");
    Value when(condition);
    when.setPosition({"test.yaml", 7, 9, {}});
    settings.find("transitions")->items()[0].set("when", when);
    const ComponentInfo& info = registry->require(Kind::controller, "StateMachineController");
    Diagnostics diagnostics;
    const Value complete = registry->completeSettings(info, settings, diagnostics);
    diagnostics.throwIfErrors();
    auto controller = registry->create<Controller>(info, complete, host);
    start(*controller);
    return controller;
  }
  bool holds(const std::string& condition) {
    auto controller = machine(condition);
    update(*controller, 0);
    return active(*controller) == "b";
  }
  std::string problem(const std::string& condition) {
    return errorText([&] { machine(condition); });
  }
};

TEST_F(ConditionTest, ReadsChannelsByNameAndByNumber) {
  contactValues = {1, 12.5};
  positionValues = {0.25, -3, 0.5};
  oneValue = {2};
  EXPECT_TRUE(holds("foot.contact == 1"));
  EXPECT_TRUE(holds("foot.force_z > 12"));
  EXPECT_FALSE(holds("foot.force_z > 13"));
  EXPECT_TRUE(holds("foot[1] == 12.5"));
  EXPECT_TRUE(holds("q[0] == 0.25"));
  EXPECT_TRUE(holds("q[rod2] == .5"));
  EXPECT_TRUE(holds("q.q[rod1] == -3"));
  EXPECT_TRUE(holds("q.\"q[rod1]\" == -3"));
  EXPECT_TRUE(holds("'left eye' == 2")) << "it has one channel";
  EXPECT_TRUE(holds("\"left eye\".d == 2e0"));
}

TEST_F(ConditionTest, CharactersAreNotCutInMessages) {
  EXPECT_TRUE(has(problem("time\u00b2 > 1"), "found '\u00b2'"));
  EXPECT_TRUE(has(problem("\u20ac > 1"), "found '\u20ac'"));
  EXPECT_TRUE(has(problem("time > 1 \U0001f600"), "found '\U0001f600'"));
  EXPECT_TRUE(has(problem("\u00e9 and time\u00b2 > 1"), "column 1: "));
  const std::string error = problem("'\u00e9' > 1 \u00b2");
  EXPECT_TRUE(has(error, "column 9: expected 'and', 'or' or the end, found '\u00b2'")) << error;
}

TEST_F(ConditionTest, OperatorsBindAsTheyShould) {
  positionValues = {1, 2, 3};
  EXPECT_TRUE(holds("q[0] < q[1] and q[1] < q[2]"));
  EXPECT_TRUE(holds("true or false and false"));
  EXPECT_FALSE(holds("(true or false) and false"));
  EXPECT_TRUE(holds("not false and true"));
  EXPECT_FALSE(holds("not (false or true)"));
  EXPECT_TRUE(holds("not q[0] > 1"));
  EXPECT_TRUE(holds("not not true"));
  EXPECT_TRUE(holds("!(q[0] > 1) && !(q[1] > 2) || false"));
  EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
  EXPECT_TRUE(holds("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(holds("8 / 4 / 2 == 1"));
  EXPECT_TRUE(holds("5 - 3 - 1 == 1"));
  EXPECT_TRUE(holds("-q[2] + 4 == 1"));
  EXPECT_TRUE(holds("--1 == +1"));
  EXPECT_TRUE(holds("abs(q[0] - q[2]) >= 2"));
  EXPECT_TRUE(holds("abs(-3) != 2.5"));
  EXPECT_TRUE(holds("2 <= 2"));
  EXPECT_FALSE(holds("2 < 2"));
  EXPECT_TRUE(holds("time == 0"));
}

TEST_F(ConditionTest, MistakesAreReportedWithTheirColumn) {
  const std::vector<std::array<const char*, 3>> mistakes = {
      {"", "column 1", "expected a number, a sensor or '('"},
      {"foot.force_z > 5 adn time > 1", "column 18", "found 'adn'"},
      {"foot.force_z >", "column 15", "found the end"},
      {"foot.force_z", "column 1", "a number is not a condition"},
      {"foot.force_z = 5", "column 14", "write == for equal"},
      {"0 < foot.force_z < 5", "column 18", "comparisons do not chain"},
      {"(time > 1", "column 10", "expected ')' for the '(' in column 1"},
      {"time > 1)", "column 9", "found ')'"},
      {"time > 1 and 5", "column 14", "'and' takes conditions"},
      {"not 5", "column 5", "'not' takes conditions"},
      {"(time > 1) + 2 > 3", "column 1", "'+' takes numbers"},
      {"abs(time > 1) > 2", "column 5", "'abs' takes numbers"},
      {"abs time", "column 5", "expected '(' after 'abs'"},
      {"time > 5s", "column 9", "a number is followed by letters"},
      {"time > 1e999", "column 8", "out of range"},
      {"foot. > 5", "column 7", "expected the name of a channel"},
      {"foot[ > 5", "column 5", "does not close"},
      {"foot[] > 5", "column 5", "nothing between"},
      {"'foot > 5", "column 1", "quotes that open here do not close"},
      {"time > #", "column 8", "found '#'"},
      {"fot.force_z > 5", "column 1", "did you mean 'foot'?"},
      {"foot.froce_z > 5", "column 6", "did you mean 'force_z'?"},
      {"foot[2] > 5", "column 5", "values run from 0 to 1"},
      {"q[rod7] > 5", "column 2", "no channel for 'rod7'"},
      {"1 < foot", "column 5", "sensor 'foot' has 2 channels"},
  };
  for (const auto& [condition, column, words] : mistakes) {
    const std::string error = problem(condition);
    EXPECT_TRUE(has(error, column)) << condition << "\n" << error;
    EXPECT_TRUE(has(error, words)) << condition << "\n" << error;
    EXPECT_TRUE(has(error, "test.yaml:7:9")) << condition << "\n" << error;
  }
}

TEST_F(ConditionTest, DeepNestingIsRefusedInsteadOfOverflowing) {
  EXPECT_TRUE(holds(std::string(50, '(') + "true" + std::string(50, ')')));
  EXPECT_TRUE(has(problem(std::string(100000, '(') + "true" + std::string(100000, ')')), "too deep"));
  std::string sum = "1";
  for (int i = 0; i < 1000; ++i) sum += " + 1";
  EXPECT_TRUE(holds(sum + " == 1001")) << "long is not deep";
  EXPECT_TRUE(holds(std::string(100000, '-') + "1 == 1"));
}

TEST_F(ConditionTest, NoiseIsRefusedOrEvaluated) {
  const std::vector<std::string> words = {
      "q[0]", "foot.force_z", "time", "and", "or", "not", "(", ")",    "<",    ">=", "==", "+",  "-", "*",
      "/",    "1.5",          "abs",  "'",   "[",  "]",   ".", "true", "foot", "!",  "&&", "\"", "e", "="};
  std::mt19937 random(11);
  int evaluated = 0;
  for (int k = 0; k < 6000; ++k) {
    std::string condition;
    for (int j = static_cast<int>(random() % 9); j >= 0; --j) condition += words[random() % words.size()] + " ";
    try {
      auto controller = machine(condition);
      update(*controller, 0);
      ++evaluated;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(evaluated, 20) << "of 6000";
}

}  // namespace
}  // namespace mortise
