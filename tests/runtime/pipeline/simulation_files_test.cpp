#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/pipeline/simulate/simulation_job.h"
#include "mortise/plugin/plugin.h"
#include "mortise/simulation/components/component_slots.h"
#include "mortise/simulation/saving/saved_state.h"
#include "support.h"
#include "tests/support/engines.h"
#include "tests/support/worlds.h"

namespace mortise::test {
namespace {

/// A stage that leaves a motion: from where the robot stands to a configuration, in 0.4 s.
class MoveStage final : public Stage {
 public:
  explicit MoveStage(const ComponentContext& context)
      : name_(context.settings.string("save", "")), by_(context.settings.real("by", 0)) {}
  void run(StageContext& context) override {
    const VectorXd q = context.world().robots[0].q;
    Trajectory motion;
    motion.times = {0, 0.4};
    motion.configurations = {q, q};
    motion.configurations[1][1] += by_;
    context.saveTrajectory(name_, motion);
  }

 private:
  std::string name_;
  double by_;
};

MORTISE_PLUGIN_AS(mortise_test_stages, __attribute__((visibility("hidden"))), "test_stages", "1.0.0") {
  plugin.stage<MoveStage>("test.Move")
      .alias("move")
      .summary("Leaves a motion.")
      .parameter("by", 0.1, "How far.")
      .parameter("save", ParameterType::string, "Name of the motion.", {.required = true});
}

class SimulationFiles : public PipelineTest {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    registry_->addBuiltIn(mortise_test_stages);
    registry_->discover();
  }
  static std::string hash(const RunOutcome& outcome, const std::string& stage) {
    const Value* value = outcome.result.findPath("results." + stage + ".state_hash");
    return value == nullptr ? "no result of " + stage + ": " + outcome.failure : value->asString();
  }
};

TEST_F(PipelineTest, SimulateStartsWhereConfigSays) {
  writeFile(path("poses.configs"), "6  0 0 0 0 0 0\n6  0.5 0.25 0 0 0 0\n");
  const std::vector<std::string> forms = {"config: [0.5, 0.25, 0, 0, 0, 0]", "start: 'poses.configs[1]'",
                                          "config: {file: poses.configs, index: 1}",
                                          "config: {reacher: [500 mrad, 0.25, 0, 0, 0, 0]}"};
  std::string first;
  for (const std::string& form : forms) {
    const RunOutcome outcome =
        run(good(write("stages:\n  - simulate: {duration: 2 ms, save: one, " + form + "}\n")), "out");
    ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
    const Value& one = *outcome.result.findPath("results.one");
    EXPECT_NEAR(one.findPath("robots.0.q")->asReals()[0], 0.5, 0.01) << form;
    const std::string hash = one.at("state_hash").asString();
    if (first.empty()) first = hash;
    EXPECT_EQ(hash, first) << form;
    std::filesystem::remove_all(path("out"));
  }
  expectProblem("stages:\n  - simulate: {duration: 1 ms, config: {elbwo: 1}}\n", "did you mean 'elbow'?");
  expectProblem("stages:\n  - simulate: {duration: 1 ms, config: [0, 0]}\n",
                "'config': the configuration has 2 numbers");
  expectProblem("stages:\n  - simulate: {duration: 1 ms, start: nowhere.config}\n", "cannot find 'nowhere.config'");
}

TEST_F(SimulationFiles, ASavedTrajectoryIsFollowed) {
  const Pipeline pipeline =
      good(write("stages:\n  - move: {by: 0.2, save: reach}\n  - simulate: {duration: 700 ms, follow: reach}\n"));
  const RunOutcome outcome = run(pipeline, "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  const VectorXd start = pipeline.world.robots[0].q;
  const std::vector<double> q = outcome.result.findPath("results.simulate.robots.0.q")->asReals();
  EXPECT_GT(q[1] - start[1], 0.1);
  // Exactly as if the motion had been in a file.
  Trajectory motion{{0, 0.4}, {start, start}};
  motion.configurations[1][1] += 0.2;
  Diagnostics diagnostics;
  loader_->write(motion, path("reach.path"), diagnostics);
  const RunOutcome fromFile =
      run(good(write("stages:\n  - simulate: {duration: 700 ms, follow: reach.path}\n")), "file");
  EXPECT_EQ(hash(outcome, "simulate"), hash(fromFile, "simulate"));
}

TEST_F(SimulationFiles, OnlyMotionsCanBeFollowed) {
  expectProblem("stages:\n  - simulate: {duration: 1 ms, save: first}\n  - simulate: {duration: 1 ms, follow: first}\n",
                "not a motion");
  expectProblem("stages:\n  - simulate: {duration: 1 ms, follow: last}\n  - move: {save: last}\n", "'follow'");
}

TEST_F(SimulationFiles, StagesContinueFromStatesAndWorlds) {
  const RunOutcome full = run(good(write("stages:\n  - simulate: {duration: 200 ms, save: whole}\n")), "whole");
  const RunOutcome half = run(
      good(
          write("stages:\n  - simulate: {duration: 100 ms, save: half, save_state: end.state, save_world: end.xml}\n")),
      "half");
  ASSERT_EQ(half.status, RunStatus::done) << half.failure;
  const std::string state = path("half") + "/half_end.state", world = path("half") + "/half_end.xml";
  const RunOutcome rest =
      run(good(write("stages:\n  - simulate: {duration: 100 ms, save: rest, state: " + state + "}\n")), "rest");
  EXPECT_EQ(hash(rest, "rest"), hash(full, "whole"));
  EXPECT_EQ(rest.result.findPath("results.rest.start_time")->asReal(), 0.1);
  writeFile(path("q.yaml"),
            "mortise: 1\nworld: " + world + "\nstages:\n  - simulate: {duration: 100 ms, save: again}\n");
  EXPECT_EQ(hash(run(good(path("q.yaml")), "again"), "again"), hash(full, "whole"))
      << "the world holds the state, and everything else that the run depends on";
}

TEST_F(SimulationFiles, StagesContinueFromEarlierOnes) {
  const RunOutcome full = run(good(write("stages:\n  - simulate: {duration: 100 ms, save: whole}\n")), "whole");
  const RunOutcome halves =
      run(good(write("stages:\n  - simulate: {duration: 50 ms, save: first, save_state: end.state}\n"
                     "  - simulate: {duration: 50 ms, save: second, state: first}\n")),
          "halves");
  EXPECT_EQ(hash(halves, "second"), hash(full, "whole"));
  expectProblem(
      "stages:\n  - simulate: {duration: 50 ms, save: second}\n"
      "  - simulate: {duration: 0, save: elsewhere, backend: bullet, state: second}\n",
      "'second' is the result of an earlier stage that saves no state");
  expectProblem("stages:\n  - simulate: {duration: 1 ms, state: nowhere.state}\n", "'state': cannot find");
}

TEST_F(SimulationFiles, WorldsSettle) {
  const RunOutcome outcome =
      run(good(write("stages:\n  - simulate: {duration: 0, settle: 5, save: rest, save_world: rest.xml}\n")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  EXPECT_TRUE(outcome.result.findPath("results.rest.settled.rests")->asBool());
  const double time = outcome.result.findPath("results.rest.settled.time")->asReal();
  EXPECT_LT(time, 5);
  Diagnostics diagnostics;
  const World world = loader_->world(path("out/rest_rest.xml"), {}, diagnostics);
  EXPECT_EQ(world.simulation.stateData.empty(), false);
  Simulation again(world, *registry_, nullptr, log_, {});
  again.advance(0.2);  // From the poses alone.
  for (int i = 0; i < static_cast<int>(world.objects.size()); ++i) {
    EXPECT_EQ(world.objects[i].v_WO, Vector3d::Zero());
    EXPECT_LT((again.objectState(i).X_WB.p - world.objects[i].X_WO.p).norm(), 1e-4) << world.objects[i].name;
  }
}

TEST_F(SimulationFiles, RunsInTheDarkSayWhatWasNotWritten) {
  std::filesystem::create_directories(path("out/one_end.state"));
  const RunOutcome outcome =
      run(good(write("stages:\n  - simulate: {duration: 2 ms, save: one, save_state: end.state}\n")), "out");
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_NE(outcome.failure.find("one_end.state' exists and is not a file"), std::string::npos) << outcome.failure;
  EXPECT_TRUE(outcome.result.findPath("results.one.state_hash") != nullptr) << "the rest is kept";
}

TEST_F(SimulationFiles, WhatCannotBeSavedIsSaidByTheCheck) {
  const auto stage = [](const std::string& settings) {
    return "stages:\n  - simulate: {duration: 2 ms, " + settings + "}\n";
  };
  expectProblem(stage("save_state: no/such/folder"), "'save_state' is a name in the run directory");
  expectProblem(stage("save_world: /x.xml"),
                "p.yaml:4:44 (stages.0.simulate.save_world): error: 'save_world' is a name in the run directory");
  expectProblem(stage("save_world: x.foo"), "no installed format writes worlds to 'x.foo'");
  expectProblem(stage("save_state: x.xml, save_world: x.xml"), "name the same file");
  const RunOutcome outcome = run(good(write(stage("save: a, record: [objects], save_state: state.csv"))), "both");
  EXPECT_EQ(outcome.status, RunStatus::failed);
  EXPECT_NE(outcome.failure.find("'save_state' names the file that a recorder of this stage writes: a_state.csv"),
            std::string::npos)
      << outcome.failure;
}

class SavedStates : public testing::Test {
 protected:
  std::string refusal(Simulation& simulation, std::string_view content) {
    try {
      loadState(simulation, content, inFile("given.state"));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  MemoryLog log;
  std::unique_ptr<Registry> registry = makeRegistry(log);
  World world = smallWorld();
};

TEST_F(SavedStates, ContinuesFromBytesAndFromText) {
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.1);
  const std::string raw = stateText(simulation, StateFormat::raw), text = stateText(simulation, StateFormat::base64);
  simulation.advance(0.1);
  for (const std::string& state : {raw, text}) {
    Simulation again(world, *registry, nullptr, log, {});
    loadState(again, state, {});
    EXPECT_DOUBLE_EQ(again.time(), 0.1);
    again.advance(0.1);
    EXPECT_EQ(again.stateHash(), simulation.stateHash());
  }
}

TEST_F(SavedStates, RefusesWhatDoesNotFitAndStaysAsItWas) {
  MORTISE_NEEDS_ENGINES("bullet");
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.05);
  const std::string state = stateText(simulation, StateFormat::raw);

  World renamed = world;
  renamed.objects[1].name = "tall";
  Simulation other(renamed, *registry, nullptr, log, {});
  const std::uint64_t start = other.stateHash();
  EXPECT_NE(refusal(other, state).find("it has 'high' where this one has 'tall'"), std::string::npos)
      << refusal(other, state);
  EXPECT_EQ(other.stateHash(), start);

  SimulationOptions options;
  options.backend = "bullet";
  Simulation bullet(world, *registry, nullptr, log, options);
  EXPECT_NE(refusal(bullet, state).find("NativePhysics"), std::string::npos);

  options = {};
  ComponentOptions controller;
  controller.type = "JointTrackingController";
  options.components.push_back(controller);
  Simulation otherwise(world, *registry, nullptr, log, options);
  EXPECT_NE(refusal(otherwise, state).find("mortise.JointTrackingController of arm"), std::string::npos);

  std::string damaged = state;
  damaged[damaged.size() - 20] ^= 1;
  EXPECT_NE(refusal(simulation, damaged).find("given.state: the state is damaged"), std::string::npos)
      << refusal(simulation, damaged);
  for (std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{40}, state.size() / 2, state.size() - 1}) {
    const std::string text = refusal(simulation, std::string_view(state).substr(0, size));
    EXPECT_NE(text.find("given.state: "), std::string::npos) << size << ": " << text;
  }
  EXPECT_NE(refusal(simulation, "AAECAwQFBgc=").find("not a state that was saved here"), std::string::npos);
}

TEST_F(SavedStates, OtherBodiesAndSettingsGivePosesOnly) {
  const char* backend = "mortise";
  SimulationOptions options;
  options.backend = backend;
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.05);
  const std::string state = stateText(simulation, StateFormat::raw);
  const auto reason = [&](const World& other, const SimulationOptions& otherOptions) {
    Simulation stranger(other, *registry, nullptr, log, otherOptions);
    const std::uint64_t start = stranger.stateHash();
    std::string text;
    const bool poses = fitsInPosesOnly(stranger, state, text);
    EXPECT_EQ(poses, !text.empty());
    EXPECT_EQ(text.empty(), refusal(stranger, state) == "no error");
    EXPECT_EQ(text.empty(), stranger.stateHash() != start);
    return text;
  };
  World other = world;
  EXPECT_EQ(reason(other, options), "");
  other.objects[0].geometry = boxGeometry(Vector3d::Constant(0.3));
  EXPECT_EQ(reason(other, options), "the state was saved in a world with other shapes");
  other = world;
  other.objects[0].inertia = boxInertia(2, Vector3d::Constant(0.2));
  EXPECT_EQ(reason(other, options), "the state was saved in a world with other masses or inertias");
  other = world;
  other.objects[0].surface.friction = 0.9;
  EXPECT_EQ(reason(other, options), "the state was saved in a world with other surfaces");
  SimulationOptions asked = options;
  ComponentOptions controller;
  controller.type = "FeedforwardPolynomialPathController";
  asked.components.push_back(controller);
  EXPECT_EQ(reason(world, asked), "") << "what is there by default, asked for";
  asked.components[0].rate = 50;
  EXPECT_NE(reason(world, asked).find("at 100 Hz; here it is"), std::string::npos) << reason(world, asked);
  asked.components[0].rate = 0;
  asked.components[0].settings.set("enableGravityCompensation", false);
  EXPECT_EQ(reason(world, asked).find("the state was saved with other settings of controller"), 0u)
      << reason(world, asked);
}

TEST_F(SavedStates, StepAndGravityAreThoseAskedFor) {
  SimulationOptions quick;
  quick.timeStep = 0.002;
  Simulation simulation(world, *registry, nullptr, log, quick);
  simulation.advance(0.1);
  const std::string state = stateText(simulation, StateFormat::raw);
  const auto continued = [&](const World& here, const StateRequest& request) {
    Simulation again(here, *registry, nullptr, log, {});
    loadState(again, state, {}, request);
    EXPECT_DOUBLE_EQ(again.time(), 0.1);
    again.advance(0.012);
    EXPECT_DOUBLE_EQ(again.time(), 0.112);
    return again.effectiveSettings();
  };
  EXPECT_EQ(continued(world, {}).at("timeStep").asReal(), 0.002) << "the state's own";
  StateRequest request;
  request.timeStep = 0.0005;
  EXPECT_EQ(continued(world, request).at("timeStep").asReal(), 0.0005);
  request.timeStep = world.simulation.timeStep;
  EXPECT_EQ(continued(world, request).at("timeStep").asReal(), 0.001) << "the world's, but asked for";
  World changed = world;
  changed.simulation.timeStep = 0.004;
  changed.simulation.gravity = Vector3d(0, 0, -1.6);
  EXPECT_EQ(continued(changed, {}).at("timeStep").asReal(), 0.004);
  EXPECT_EQ(continued(changed, {}).at("gravity").asReals()[2], -1.6);
}

TEST_F(SavedStates, SeedsBelongToTheState) {
  SimulationOptions options;
  options.seed = 7;
  Simulation simulation(world, *registry, nullptr, log, options);
  simulation.advance(0.01);
  const std::string state = stateText(simulation, StateFormat::raw);
  Simulation again(world, *registry, nullptr, log, {});
  EXPECT_EQ(refusal(again, state), "no error");
  EXPECT_EQ(again.effectiveSettings().at("seed").asInteger(), 7);
  const std::string later = stateText(again, StateFormat::raw);
  Simulation third(world, *registry, nullptr, log, {});
  StateRequest request;
  request.seed = 3;
  const std::uint64_t start = third.stateHash();
  try {
    loadState(third, later, inFile("given.state"), request);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("given.state: the state holds the random streams of seed 7, and seed 3"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(third.stateHash(), start);
  request.seed = 7;
  loadState(third, later, {}, request);
  EXPECT_EQ(third.stateHash(), simulation.stateHash());
}

TEST_F(SavedStates, PosesCarryTheJointsOfTheWorldAlong) {
  // A box that hangs on the world by a hinge at its upper edge and swings.
  world.objects.resize(1);
  world.robots.clear();
  world.objects[0].X_WO.p = Vector3d(0.1, 0, 2);
  WorldJoint hinge;
  hinge.type = WorldJoint::Type::hinge;
  hinge.idA = world.objectId(0);
  hinge.point = Vector3d(0, 0, 2.1);
  hinge.axis = Vector3d::UnitY();
  hinge.min = -3;
  hinge.max = 3;
  world.simulation.joints.push_back(hinge);
  Simulation simulation(world, *registry, nullptr, log, {});
  simulation.advance(0.3);
  const JointState turned = simulation.worldJointStates()[0];
  ASSERT_GT(std::abs(turned.position), 0.1);
  World later = world;
  takePoses(stateText(simulation, StateFormat::raw), later, {});
  const WorldJoint& moved = later.simulation.joints[0];
  const auto reason = [&](const World& other) {
    Simulation stranger(other, *registry, nullptr, log, {});
    std::string text;
    (void)fitsInPosesOnly(stranger, stateText(simulation, StateFormat::raw), text);
    return text;
  };
  EXPECT_EQ(reason(later), "") << "a joint that was moved along is the same joint";
  World other = later;
  other.simulation.joints[0].max += 0.1;
  EXPECT_EQ(reason(other), "the state was saved in a world with other joints");
  other = later;
  other.simulation.joints[0].point.z() -= 0.01;
  EXPECT_EQ(reason(other), "the state was saved in a world with other joints");
  EXPECT_LT((moved.point - hinge.point).norm(), 1e-4);
  EXPECT_LT((moved.axis - hinge.axis).norm(), 1e-6);
  EXPECT_NEAR(moved.max, 3 - turned.position, 1e-12);
  Simulation again(later, *registry, nullptr, log, {});
  simulation.advance(0.2);
  again.advance(0.2);
  EXPECT_LT((again.objectState(0).X_WB.p - simulation.objectState(0).X_WB.p).norm(), 2e-3);
}

TEST_F(SavedStates, AWorldsForeignStateIsLeftOutWithItsPlace) {
  world.file = (std::filesystem::temp_directory_path() / ("mortise_foreign_" + std::to_string(::getpid()))).string();
  writeFile(world.file, "<world>\n  <simulation>\n    <state data=\"AAAA\"/>\n  </simulation>\n</world>\n");
  world.simulation.stateData = "AAAA";
  Simulation simulation(world, *registry, nullptr, log, {});
  const std::uint64_t start = simulation.stateHash();
  EXPECT_FALSE(loadWorldState(simulation, log));
  EXPECT_EQ(simulation.stateHash(), start);
  EXPECT_TRUE(log.mentions(world.file + ":3:5")) << log.lines.back().second;
  EXPECT_TRUE(log.mentions("Klamp't"));
  std::filesystem::remove(world.file);
}

TEST(Base64, GoesThereAndBack) {
  const std::pair<const char*, const char*> known[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : known) {
    EXPECT_EQ(toBase64(bytes), text);
    std::string back;
    EXPECT_TRUE(fromBase64(text, back));
    EXPECT_EQ(back, bytes);
  }
  std::string all, back;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_TRUE(fromBase64(toBase64(all).insert(17, "\n  "), back));
  EXPECT_EQ(back, all);
  for (const char* wrong : {"Zg=", "Z===", "Zg==Zg==", "Zm9*", "Zm9"}) EXPECT_FALSE(fromBase64(wrong, back)) << wrong;
}

}  // namespace
}  // namespace mortise::test
