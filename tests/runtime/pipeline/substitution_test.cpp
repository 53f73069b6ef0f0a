// Whatever stages of a pipeline compute with in place of what was asked for is said once a kind, stands in result.json,
// and fails a strict run: the kinds that need a pipeline. Those of a simulation by itself are in
// tests/runtime/simulation/substitution_test.cpp; `friction` belongs to a command alone, tests/apps/planning has it.

#include "mortise/simulation/scene/substitution.h"

#include <array>

#include "mortise/json/json_writer.h"
#include "tests/runtime/pipeline/support.h"
#include "tests/support/engines.h"

namespace mortise::test {
namespace {

struct StageSubstitution {
  SubstitutionKind kind;
  std::string stages;  ///< Of the pipeline, YAML.
  std::string said;    ///< In the message and in the record.
};

const std::vector<StageSubstitution>& stageSubstitutions() {
  static const std::string detour = "path: way.path, robot: left";
  static const std::vector<StageSubstitution> all = {
      {SubstitutionKind::recordingRate, "  - simulate: {duration: 0.01, record: [objects], record_rate: 300}\n",
       " rows a second in place of 300: a row is written every whole number of steps"},
      {SubstitutionKind::state,
       "  - simulate: {duration: 0.01, save_state: first.state, save: first}\n"
       "  - simulate: {duration: 0.01, state: first, config: {left: [-1, -0.9, 1.5, 0, 0.4, 0]}}\n",
       "configurations that are given have no effect: the state says where robots are"},
      {SubstitutionKind::constraints,
       "  - plan: {robot: left, start: [-1.005, -0.9, 1.5, 0, 0.4, 0], goal: [-1, -1.2, 1.2, 0.2, 0.2, 0], "
       "keep: [{link: shoulder_yaw, rotation: [0, 0, -1]}], planner: rrt, iterations: 500}\n",
       "a start violates the constraints of 'keep' by 0.005 (m or rad) and is projected onto them"},
      {SubstitutionKind::accelerations, "  - retime: {path: free.path, robot: free}\n",
       "nothing limits the acceleration of shoulder, elbow: they reach their velocity limit in 0.25 s"},
      {SubstitutionKind::clearance,
       "  - optimize: {" + detour + ", margin: 0.03, clearance: 0.01, iterations: 1, penalty_rounds: 0}\n",
       "'clearance' is less than the margin of the space: the margin of 0.03 m is kept"},
      {SubstitutionKind::ikStart,
       "  - ik: {robot: left, goals: {link: tool, position: [0.3, 0.3, 0.6]}, start: [-1, -3, 4, 0, 0.4, 0]}\n",
       "joint 'shoulder_pitch' is beyond its limits at the start, -3: the search begins at -2.09439510239319"},
  };
  return all;
}

// With those of a simulation by itself, of which two are above, and `friction`.
static_assert(kNumSubstitutionKinds == kNumSimulationSubstitutions - 2 + 6 + 1, "a kind has no test");

/// The texts of all records of this kind in a result.
void collect(const Value& value, std::string_view kind, std::vector<std::string>& texts) {
  if (const Value* record = value.isMap() ? value.find("substitutions") : nullptr)
    if (const Value* list = record->find(kind))
      for (const Value& text : list->items()) texts.push_back(text.asString());
  for (const Value& item : value.items()) collect(item, kind, texts);
  for (const Value::Entry& entry : value.entries()) collect(entry.value, kind, texts);
}

class StageSubstitutions : public PipelineTest, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    PipelineTest::SetUp();
    const std::string data = MORTISE_SOURCE_DIR "/data/";
    writeFile(path("two.xml"), "<world>\n<robot name=\"left\" file=\"" + data +
                                   "robots/reacher.rob\" translation=\"0 0 0.3\" config=\"6  -1 -0.9 1.5 0 0.4 0\"/>\n"
                                   "<robot name=\"free\" file=\"free.rob\" translation=\"5 0 0\"/>\n"
                                   "<terrain name=\"floor\" file=\"" +
                                   data + "terrains/floor.geom\"/>\n<rigidObject name=\"block\" file=\"" + data +
                                   "objects/block.obj\" position=\"0.55 0.4 0.031\"/>\n</world>\n");
    // Without limits of acceleration.
    writeFile(path("free.rob"),
              "links \"shoulder\" \"elbow\"\nparents -1 0\naxis 0 1 0 0 1 0\nTParent 1 0 0 0 1 0 0 0 1 0 0 1 \\\n"
              "1 0 0 0 1 0 0 0 1 0.5 0 0\nqMin -3 -3\nqMax 3 3\nvelMax 1 2\ntorqueMax 10 10\nmass 1 1\n"
              "inertia 0.1 0 0 0 0.1 0 0 0 0.1 0.1 0 0 0 0.1 0 0 0 0.1\njoint normal 0\njoint normal 1\n");
    writeFile(path("way.path"),
              "0\t6\t-1 -0.9 1.5 0 0.4 0\n1\t6\t-0.6 -1.2 1.2 0.2 0.2 0\n2\t6\t-0.5 -1.6 0.6 0.1 0 0\n");
    writeFile(path("free.path"), "0\t2\t0 0\n1\t2\t0.5 0.5\n2\t2\t1 0.2\n");
  }
};

TEST_P(StageSubstitutions, AreSaidRecordedAndRefused) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("planners");
  MORTISE_NEEDS_PLUGIN("recorders");
  MORTISE_NEEDS_PLUGIN("controllers");
  const StageSubstitution& each = stageSubstitutions()[static_cast<std::size_t>(GetParam())];
  writeFile(path("p.yaml"), "mortise: 1\nworld: two.xml\nsimulation: {backend: mortise}\nstages:\n" + each.stages);
  const RunOutcome outcome = run(good(path("p.yaml")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  EXPECT_TRUE(log_.mentions(each.said));
  std::vector<std::string> texts;
  collect(outcome.result, substitutionName(each.kind), texts);
  ASSERT_EQ(texts.size(), 1u) << toJson(outcome.result);
  EXPECT_NE(texts.front().find(each.said), std::string::npos) << texts.front();

  Diagnostics strict;
  strict.setStrict(true);
  const Pipeline refused = check(path("p.yaml"), strict);
  if (strict.hasErrors()) {  // It is known before the run.
    EXPECT_EQ(each.kind, SubstitutionKind::state) << textOf(strict);
    return;
  }
  const RunOutcome failed = run(refused, "refused");
  EXPECT_EQ(failed.status, RunStatus::failed);
  EXPECT_NE(failed.failure.find("strict: "), std::string::npos) << failed.failure;
  EXPECT_NE(failed.failure.find(each.said), std::string::npos) << failed.failure;
}

INSTANTIATE_TEST_SUITE_P(, StageSubstitutions, testing::Range(0, static_cast<int>(stageSubstitutions().size())),
                         [](const auto& each) {
                           return std::string(
                               substitutionName(stageSubstitutions()[static_cast<std::size_t>(each.param)].kind));
                         });

/// What a planner says is a stage's, as what a controller says is a simulation's.
TEST_F(StageSubstitutions, OfPlannersFailAStrictRun) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("planners");
  writeFile(path("p.yaml"),
            "mortise: 1\nworld: two.xml\nstages:\n  - plan: {robot: left, goal: [-0.8, -1, 1.2, 0, 0.4, 0], planner: "
            "prm, settings: {store_edges: true}, iterations: 500}\n");
  const RunOutcome outcome = run(good(path("p.yaml")), "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  std::vector<std::string> texts;
  collect(outcome.result, "component", texts);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts.front(), "planner: 'store_edges' has no effect: of edges, only their ends are ever kept");
  EXPECT_EQ(outcome.result.at("stages")[0].at("substitutions").at("component").size(), 1u);

  Diagnostics strict;
  strict.setStrict(true);
  const RunOutcome failed = run(check(path("p.yaml"), strict), "refused");
  EXPECT_EQ(failed.status, RunStatus::failed);
  EXPECT_NE(failed.failure.find("strict: planner: 'store_edges'"), std::string::npos) << failed.failure;
}

/// Nothing to say, nothing in the record: a strict run of it is done.
TEST_F(StageSubstitutions, AWholePipelineMayHaveNone) {
  MORTISE_NEEDS_PLUGIN("io");
  MORTISE_NEEDS_PLUGIN("planners");
  MORTISE_NEEDS_PLUGIN("controllers");
  writeFile(path("p.yaml"),
            "mortise: 1\nworld: two.xml\nsimulation: {backend: mortise}\nstages:\n"
            "  - plan: {robot: left, goal: [-0.8, -1, 1.2, 0, 0.4, 0], planner: rrt, iterations: 500, save: way}\n"
            "  - retime: {path: way, save: motion}\n  - simulate: {duration: 0.02, follow: motion}\n");
  Diagnostics strict;
  strict.setStrict(true);
  const Pipeline pipeline = check(path("p.yaml"), strict);
  ASSERT_FALSE(strict.hasErrors()) << textOf(strict);
  const RunOutcome outcome = run(pipeline, "out");
  EXPECT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  for (const Value& stage : outcome.result.at("stages").items()) EXPECT_EQ(stage.find("substitutions"), nullptr);
}

}  // namespace
}  // namespace mortise::test
