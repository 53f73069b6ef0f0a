// Every engine against the closed forms: those that are relied on within their tolerances, and all of them as well as
// they once were.

#include <cmath>
#include <cstdlib>
#include <set>

#include "tests/support/engines.h"
#include "tests/workbench/closed_forms/support.h"

namespace mortise::test {
namespace {

/// Engines that must keep every tolerance, whatever their marks say.
const std::set<std::string> kWithinTolerance = {"mortise"};

/// An error may be so many times its mark, plus so much of the case's tolerance for rounding on other machines.
constexpr double kFactor = 1.5, kOfTolerance = 1e-3;

bool writesMarks() { return std::getenv("MORTISE_WRITE_MARKS") != nullptr; }

bool isInstalled(const std::string& engine) {
  return truthRegistry().find(Kind::physics, engine.substr(0, engine.find(':'))) != nullptr;
}

class TruthMarks : public testing::TestWithParam<std::string> {};

TEST_P(TruthMarks, AreReached) {
  if (writesMarks()) GTEST_SKIP() << "marks are being written";
  if (!isInstalled(GetParam())) GTEST_SKIP() << "this build has no such backend: its library was not found";
  const truth::TruthEngine engine = truth::engineFrom(truthRegistry(), GetParam());
  const std::map<std::string, std::string> marks = readMarks().at(GetParam());
  const bool within = kWithinTolerance.contains(GetParam());
  for (const truth::TruthCase& each : truth::truthCases()) {
    SCOPED_TRACE(each.name);
    const auto mark = marks.find(each.name);
    const bool marked = mark != marks.end() && mark->second != "refused" && mark->second != "failed";
    if (!marked && !within) continue;
    const truth::TruthResult result = runTruth(each.name, engine);
    ASSERT_EQ(result.state, truth::TruthResult::State::done) << result.note;
    if (within) {
      EXPECT_LE(result.error, each.tolerance) << each.unit;
    }
    if (marked) {
      EXPECT_LE(result.error, kFactor * std::stod(mark->second) + kOfTolerance * each.tolerance)
          << "worse than its mark in " << marksFile();
    }
  }
}

std::vector<std::string> markedEngines() {
  std::vector<std::string> names;
  for (const auto& [engine, marks] : readMarks()) names.push_back(engine);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Engines, TruthMarks, testing::ValuesIn(markedEngines()), [](const auto& engine) {
  std::string name = engine.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(TruthMarksFile, HasEveryEngineAndEveryCase) {
  if (writesMarks()) GTEST_SKIP() << "marks are being written";
  const Marks marks = readMarks();
  for (const truth::TruthEngine& engine : truthEngines())
    for (const truth::TruthCase& each : truth::truthCases()) {
      // MuJoCo declares that it has no restitution, so it is not asked.
      if (each.restitution && engine.name.starts_with("mujoco")) continue;
      const auto own = marks.find(engine.name);
      EXPECT_TRUE(own != marks.end() && own->second.contains(each.name))
          << engine.name << ", " << each.name << ": no mark; MORTISE_WRITE_MARKS=1 test_runtime_truth writes the file";
    }
}

/// With MORTISE_WRITE_MARKS in the environment the file is written anew from what the installed engines reach; marks of
/// others are kept. Look at what got worse before keeping it.
TEST(TruthMarksFile, IsWrittenOnDemand) {
  if (!writesMarks()) GTEST_SKIP() << "MORTISE_WRITE_MARKS=1 writes " << marksFile();
  Marks marks = readMarks();
  std::erase_if(marks, [](const auto& own) { return isInstalled(own.first); });
  for (const truth::TruthEngine& engine : truthEngines()) {
    for (const truth::TruthCase& each : truth::truthCases())
      marks[engine.name][each.name] = markOf(runTruth(each.name, engine));
  }
  std::string text =
      "# What each engine reaches at 1 ms: engine, case, error in the case's unit. MORTISE_WRITE_MARKS=1 "
      "test_runtime_truth writes this file.\n";
  for (const auto& [engine, own] : marks)
    for (const truth::TruthCase& each : truth::truthCases())
      if (const auto mark = own.find(each.name); mark != own.end())
        text += engine + " " + each.name + " " + mark->second + "\n";
  writeFile(marksFile(), text);
}

/// Methods of first order lose nine tenths of their error with nine tenths of the step, those of second order 99 of
/// 100.
TEST(TruthSteps, ErrorsOfTheStepGoWithIt) {
  MORTISE_NEEDS_ENGINES("ode");
  for (const char* name : {"mortise", "ode"}) {
    const truth::TruthEngine engine = truth::engineFrom(truthRegistry(), name);
    for (const char* each : {"free_fall", "drive", "slide", "gyroscope"}) {
      const double coarse = runTruth(each, engine).error, fine = runTruth(each, engine, 0.0001).error;
      const bool second = std::string(name) == "mortise" && std::string(each) == "gyroscope";
      EXPECT_NEAR(fine, (second ? 0.01 : 0.1) * coarse, (second ? 0.002 : 0.02) * coarse) << name << ", " << each;
    }
  }
}

}  // namespace
}  // namespace mortise::test
