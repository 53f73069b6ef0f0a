// The example pipeline of a state machine, and the same machine named by a world file.

#include <algorithm>
#include <sstream>

#include "mortise/base/files.h"
#include "mortise/simulation/simulation.h"
#include "tests/runtime/pipeline/support.h"

namespace mortise::test {
namespace {

class StateMachineExample : public PipelineTest {
 protected:
  static std::string active(Simulation& simulation) {
    return simulation.controller(0)->settings().at("active").asString();
  }
};

TEST_F(StateMachineExample, AnArmPressesOnTheTableUntilItLeaves) {
  const Pipeline pipeline = good(MORTISE_SOURCE_DIR "/data/pipelines/state_machine.yaml");
  const RunOutcome outcome = run(pipeline, "out");
  ASSERT_EQ(outcome.status, RunStatus::done) << outcome.failure;
  std::istringstream lines(readFile(outcome.directory + "/pressing_state.csv"));
  std::string line, cell;
  std::getline(lines, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const std::size_t force = column("reacher_wrist[force_x]"), pitch = column("reacher_q[shoulder_pitch]");
  ASSERT_LT(std::max(force, pitch), names.size());
  double begin = 0, end = 0, maximum = 0, lastPitch = 0;
  while (std::getline(lines, line)) {
    std::vector<double> values;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    maximum = std::max(maximum, values[force]);
    lastPitch = values[pitch];
    if (values[force] < 15) continue;
    if (begin == 0) begin = values[0];
    end = values[0];
  }
  EXPECT_GT(begin, 2);
  EXPECT_NEAR(end - begin, 1, 0.1) << "it presses for a second";
  EXPECT_GT(maximum, 30);
  EXPECT_NEAR(lastPitch, -0.6, 0.05) << "it is home again";
}

TEST_F(StateMachineExample, WorldFilesNameAFileWithIt) {
  const std::string source = MORTISE_SOURCE_DIR "/data";
  writeFile(path("machine.yaml"),
            "states:\n"
            "  - {name: wait, controller: JointTrackingController}\n"
            "  - {name: go, controller: FeedforwardJointTrackingController}\n"
            "transitions: [{from: wait, to: go, after: 100 ms}]\n");
  writeFile(path("world.xml"), "<world>\n  <robot name=\"reacher\" file=\"" + source +
                                   "/robots/reacher.rob\"/>\n  <simulation><robot index=\"0\">\n"
                                   "    <controller type=\"StateMachineController\" file=\"machine.yaml\"/>\n"
                                   "  </robot></simulation>\n</world>\n");
  Diagnostics diagnostics;
  const World world = loader_->world(path("world.xml"), {}, diagnostics);
  ASSERT_FALSE(diagnostics.hasErrors()) << textOf(diagnostics);
  SimulationOptions options;
  options.referringFile = path("world.xml");
  Simulation simulation(world, *registry_, loader_.get(), log_, options);
  EXPECT_EQ(active(simulation), "wait");
  simulation.advance(0.2);
  EXPECT_EQ(active(simulation), "go");
}

TEST_F(StateMachineExample, AFileThatNamesItselfIsAnErrorWithItsPosition) {
  const struct {
    const char* type;
    const char* text;
  } cases[] = {
      {"StateMachineController", "states:\n  - {name: a, controller: StateMachineController, file: self.yaml}\n"},
      {"MultiPartController",
       "parts:\n  - {name: a, drivers: [0], controller: MultiPartController, file: self.yaml}\n"},
      {"TimedSequenceController", "steps:\n  - {name: a, controller: TimedSequenceController, file: self.yaml}\n"},
  };
  for (const auto& [type, text] : cases) {
    writeFile(path("self.yaml"), text);
    Diagnostics diagnostics;
    const World demo = loader_->world(world(), {}, diagnostics);
    SimulationOptions options;
    options.referringFile = path("p.yaml");
    ComponentOptions component;
    component.type = type;
    component.settings = Value::map();
    component.settings.set("file", "self.yaml");
    options.components.push_back(component);
    std::string message;
    try {
      Simulation simulation(demo, *registry_, loader_.get(), log_, options);
    } catch (const Error& e) {
      message = e.what();
    }
    EXPECT_NE(message.find("self.yaml:2:"), std::string::npos) << type << ": " << message;
    EXPECT_NE(message.find("controllers hold each other more than"), std::string::npos) << type << ": " << message;
    EXPECT_NE(message.find("names itself"), std::string::npos) << type << ": " << message;
    EXPECT_EQ(message.find("self.yaml:2:"), message.rfind("self.yaml:2:")) << "said once: " << message;
  }
}

TEST_F(StateMachineExample, SeveralErrorsKeepTheirPositionsAndAreSaidOnce) {
  writeFile(
      path("steps.yaml"),
      "loop: true\nsteps:\n  - {controller: JointTrackingController}\n  - {controller: JointTrackingController}\n");
  Diagnostics diagnostics;
  const World demo = loader_->world(world(), {}, diagnostics);
  SimulationOptions options;
  options.referringFile = path("p.yaml");
  ComponentOptions component;
  component.type = "TimedSequenceController";
  component.settings = Value::map();
  component.settings.set("file", "steps.yaml");
  component.position = {"p.yaml", 3, 5, {}};
  options.components.push_back(component);
  try {
    Simulation simulation(demo, *registry_, loader_.get(), log_, options);
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_NE(message.find("steps.yaml:3:"), std::string::npos) << message;
    EXPECT_NE(message.find("steps.yaml:4:"), std::string::npos) << message;
    EXPECT_EQ(message.find("p.yaml:3:5"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace mortise::test
