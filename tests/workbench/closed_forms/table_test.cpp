// Engines by name, the table, and what cannot be run.

#include "mortise/simulation/backend_text.h"
#include "tests/support/engines.h"
#include "tests/workbench/closed_forms/support.h"

namespace mortise::test {
namespace {

using State = truth::TruthResult::State;

std::string refusedText(const std::string& engine) {
  try {
    (void)truth::engineFrom(truthRegistry(), engine);
  } catch (const Error& error) {
    return error.what();
  }
  return "(nothing)";
}

TEST(TruthEngines, HaveNamesWithSettings) {
  MORTISE_NEEDS_ENGINES("ode");
  const truth::TruthEngine engine = truth::engineFrom(truthRegistry(), "ode:solver=quick,quick_step_num_iterations=7");
  EXPECT_EQ(engine.name, "ode:solver=quick,quick_step_num_iterations=7");
  EXPECT_EQ(engine.info->name, "mortise.OdePhysics");
  EXPECT_EQ(engine.settings.at("solver").asString(), "quick");
  EXPECT_EQ(engine.settings.at("quick_step_num_iterations").asInteger(), 7);
  EXPECT_NE(refusedText("odd").find("there is no physics named 'odd'"), std::string::npos) << refusedText("odd");
  EXPECT_NE(refusedText("ode:quick").find("'quick' is no setting"), std::string::npos) << refusedText("ode:quick");
  EXPECT_NE(refusedText("ode:").find("is no setting"), std::string::npos) << refusedText("ode:");
  EXPECT_NE(refusedText("ode:solver=fast").find("solver"), std::string::npos) << refusedText("ode:solver=fast");
  EXPECT_NE(refusedText("ode:exact_limi=3").find("exact_limit"), std::string::npos) << refusedText("ode:exact_limi=3");
}

TEST(TruthEngines, TakeLists) {
  if (truthRegistry().find(Kind::physics, "mujoco") == nullptr) GTEST_SKIP() << "this build has no MuJoCo";
  const truth::TruthEngine engine = truth::engineFrom(truthRegistry(), "mujoco:solref=[0.02,1],iterations=7");
  EXPECT_EQ(engine.settings.at("solref").asReals(), (std::vector<double>{0.02, 1}));
  EXPECT_EQ(engine.settings.at("iterations").asInteger(), 7);
  EXPECT_NE(refusedText("mujoco:solref=[0.02,1").find("mujoco:solref"), std::string::npos);
  EXPECT_NE(refusedText("ode:erp=0.1,erp=0.2").find("set twice"), std::string::npos)
      << refusedText("ode:erp=0.1,erp=0.2");
}

TEST(TruthEngines, AreSplitWhereSettingsEnd) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(splitBackends("ode,bullet"), (Names{"ode", "bullet"}));
  EXPECT_EQ(splitBackends("ode,ode:solver=exact,erp=0.1,mujoco:solref=[0.02,1],bullet"),
            (Names{"ode", "ode:solver=exact,erp=0.1", "mujoco:solref=[0.02,1]", "bullet"}));
  EXPECT_EQ(splitBackends("a:x={u: 1, v: 2},y='p,q',b"), (Names{"a:x={u: 1, v: 2},y='p,q'", "b"}));
}

TEST(TruthEngines, AreAllThatHaveDynamics) {
  MORTISE_NEEDS_ENGINES("ode", "bullet");
  NullLog log;
  std::vector<truth::LeftOut> leftOut;
  std::vector<std::string> names;
  for (const truth::TruthEngine& engine : truth::installedEngines(truthRegistry(), log, true, leftOut))
    names.push_back(engine.name);
  for (const char* name : {"ode", "bullet", "ode:solver=quick", "bullet:profile=normalized"})
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
  ASSERT_EQ(leftOut.size(), 1u);
  EXPECT_EQ(leftOut[0].name, "kinematic");
}

TEST(TruthTable, SaysWhatAnEngineCannotDo) {
  MORTISE_NEEDS_ENGINES("ode");
  NullLog log;
  truth::TruthTable table = truth::makeTruthTable(
      {&truth::truthCase("free_fall"), &truth::truthCase("drive")},
      {truth::engineFrom(truthRegistry(), "ode"), truth::engineFrom(truthRegistry(), "kinematic")}, truthRegistry(),
      log, {});
  ASSERT_EQ(table.coarse.size(), 2u);
  EXPECT_EQ(table.coarse[0][0].state, State::done);
  EXPECT_GT(table.coarse[0][0].cost, 0);
  EXPECT_EQ(table.coarse[0][1].state, State::refused);
  EXPECT_EQ(table.fine[1][1].note, "it has no dynamics");
  table.leftOut.push_back({"odd", "it is broken"});
  ASSERT_EQ(table.limits.size(), 2u);
  table.limits[0].push_back({"collisions", "All of them are blue."});
  const std::string text = truth::truthText(table);
  for (const char* part : {"ode 1 ms", "0.1 ms", "kinematic 1 ms", "4.9e-03", "4.9e-04", " - ",
                           "kinematic, free_fall, drive: it has no dynamics", "odd is left out: it is broken",
                           "ode, collisions: All of them are blue."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const Value value = truth::truthValue(table);
  EXPECT_NEAR(value.findPath("cases.0.results.0.error")->asReal(), 4.9e-3, 1e-6);
  EXPECT_TRUE(value.findPath("cases.0.results.1.refused")->asBool());
  EXPECT_EQ(value.findPath("engines.0.settings.solver")->asString(), "auto");
  const std::string csv = truth::truthCsv(table);
  EXPECT_NE(csv.find("\ndeclared_limit,collisions,,ode,,,,All of them are blue.\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nleft_out,,,odd,,,,it is broken\n"), std::string::npos) << csv;
  const std::size_t limits = table.limits[0].size() + table.limits[1].size();
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<std::ptrdiff_t>(1 + 2 * 2 * 2 + limits + 1));
  const std::vector<Value>& declared = value.findPath("engines.0.limits")->items();
  ASSERT_FALSE(declared.empty());
  EXPECT_EQ(declared.back().at("text").asString(), "All of them are blue.");
  EXPECT_EQ(value.findPath("left_out.0.name")->asString(), "odd");
}

TEST(TruthTable, EngineThatThrowsIsACell) {
  // MuJoCo's Runge-Kutta integrator takes no contacts from outside.
  if (truthRegistry().find(Kind::physics, "mujoco") == nullptr) GTEST_SKIP() << "this build has no MuJoCo";
  const truth::TruthResult result = runTruth("stack", truth::engineFrom(truthRegistry(), "mujoco:integrator=RK4"));
  EXPECT_EQ(result.state, State::failed);
  EXPECT_NE(result.note.find("RK4"), std::string::npos) << result.note;
}

TEST(TruthTable, KeepsWhatThereIsWhenInterrupted) {
  MORTISE_NEEDS_ENGINES("ode");
  NullLog log;
  int asked = 0;
  truth::TruthOptions options;
  options.stopRequested = [&] { return ++asked > 12; };
  const truth::TruthTable table =
      truth::makeTruthTable({&truth::truthCase("free_fall"), &truth::truthCase("pendulum_period")},
                            {truth::engineFrom(truthRegistry(), "ode")}, truthRegistry(), log, options);
  EXPECT_TRUE(table.interrupted);
  EXPECT_EQ(table.coarse[0][0].state, State::done);
  EXPECT_EQ(table.fine[1][0].state, State::notRun);
  EXPECT_NE(truth::truthText(table).find("interrupted"), std::string::npos);
}

TEST(TruthTable, StepsCostWhatTheyCost) {
  MORTISE_NEEDS_ENGINES("ode");
  // No engine turns a body in less than some ten nanoseconds.
  for (const char* name : {"mortise", "ode"}) {
    const truth::TruthResult result = runTruth("gyroscope", truth::engineFrom(truthRegistry(), name));
    EXPECT_GT(result.cost, 2e-8) << name;
  }
}

TEST(TruthCases, AreNamedOnceAndSayWhatTheyAre) {
  std::vector<std::string> names = truth::truthCaseNames();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const truth::TruthCase& each : truth::truthCases()) {
    EXPECT_TRUE(std::string(each.sentence).ends_with('.')) << each.name;
    EXPECT_GT(each.tolerance, 0) << each.name;
    EXPECT_NE(each.error, nullptr) << each.name;
  }
  EXPECT_THROW((void)truth::truthCase("slipp"), Error);
}

TEST(TruthCases, RepeatToTheBit) {
  MORTISE_NEEDS_ENGINES("ode");
  for (const char* name : {"stack", "closed_loop", "grasp"}) {
    const truth::TruthEngine engine = truth::engineFrom(truthRegistry(), "ode");
    EXPECT_EQ(runTruth(name, engine).error, runTruth(name, engine).error) << name;
  }
}

}  // namespace
}  // namespace mortise::test
