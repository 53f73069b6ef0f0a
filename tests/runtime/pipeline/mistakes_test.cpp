#include "mortise/motion/trajectory.h"
#include "support.h"

namespace mortise::test {
namespace {

/// What people get wrong, and what a check says before anything runs.
TEST_F(PipelineTest, MistakesAreSaidBeforeARun) {
  Diagnostics diagnostics;
  loader_->write(Trajectory{{0, 1}, {VectorXd::Zero(3), VectorXd::Ones(3)}}, path("three.path"), diagnostics);
  const struct {
    const char *lines, *expected;
  } mistakes[] = {
      // Degrees where radians are meant.
      {"stages:\n  - ik: {goals: {link: tool, position: [0.4, 0, 0.3], rpy: [180, 0, 0]}}\n",
       "p.yaml:4:61 (stages.0.ik.goals.rpy.0): error: 'rpy' of the goal of a link: 180 without a unit is in rad, which "
       "is 28.6 turns"},
      {"stages:\n  - ik: {goals: {link: tool, rotation: [0, -90, 0]}}\n", "-90 without a unit is in rad"},
      {"stages:\n  - plan: {goal: {elbow: 90}}\n",
       "p.yaml:4:18 (stages.0.plan.goal): warning: robot 'reacher' ends "
       "outside of its joint limits: 'elbow' at 90"},
      {"stages:\n  - plan: {goal: {elbow: 1}, start: {elbow: 120}}\n", "'reacher' starts outside of its joint limits"},
      {"stages:\n  - simulate: {duration: 1, config: {elbow: 90}}\n", "starts outside of its joint limits: 'elbow'"},
      // What does nothing.
      {"stages:\n  - report\n  - simulate: {duration: 1}\n",
       "p.yaml:4:5 (stages.0): warning: 'report' comes before every stage that leaves a result"},
      {"variables: {fast: 3, slow: 1}\nseed: ${slow}\nstages:\n  - simulate: {duration: 1}\n",
       "p.yaml:3:13 (variables.fast): warning: variable 'fast' is used nowhere"},
      {"stages:\n  - compare: {backends: [mortise], duration: 1}\n",
       "warning: 'backends' of stage 'compare' names one backend"},
      {"stages:\n  - simulate: {duration: 1, commands: [{at: 2, command: brake}]}\n",
       "warning: 'commands': at 2 s the run of 1 s is over"},
      // Motions of other robots.
      {"stages:\n  - simulate: {duration: 1, follow: three.path}\n",
       "the configurations of 'three.path' have 3 numbers, but robot 'reacher' has 6 links"},
      {"stages:\n  - discretize: {path: three.path}\n",
       "p.yaml:4:24 (stages.0.discretize.path): error: the "
       "configurations of 'three.path' have 3 numbers"},
      {"stages:\n  - shortcut: {path: three.path}\n", "have 3 numbers, but robot 'reacher' has 6 links"},
      // Places.
      {"stages:\n  - ik: {goals: {link: tool, position: [0, 0, 1]}, start: above}\n",
       "p.yaml:4:59 (stages.0.ik.start): error: cannot find 'above'"},
      {"stages:\n  - ik: {goals: {link: tool, position: [0, 0, 1]}, active: [nose]}\n",
       "(stages.0.ik.active): error: robot 'reacher' has no link 'nose'"},
      // Names as people write them.
      {"simulation: {backend: odd}\nstages:\n  - simulate: {duration: 1}\n", "kinematic"}};
  for (const auto& [lines, expected] : mistakes) expectProblem(lines, expected);
  EXPECT_EQ(problems("simulation: {backend: odd}\nstages:\n  - simulate: {duration: 1}\n").find("Physics,"),
            std::string::npos);
}

TEST_F(PipelineTest, WhatIsMeantIsNotDoubted) {
  for (const char* lines : {"stages:\n  - ik: {goals: {link: tool, position: [0.4, 0, 0.3], rpy: [180 deg, 0, 3.1]}}\n",
                            "stages:\n  - ik: {goals: {link: tool, rotation: [0, 7 rad, 0]}}\n",
                            "variables: {a: 1, b: '${a}'}\nstages:\n  - simulate: {duration: '${b}'}\n  - report\n",
                            "stages:\n  - compare: {backends: [mortise, kinematic], duration: 1}\n  - report\n",
                            "stages:\n  - plan: {goal: {elbow: 60 deg}}\n"})
    EXPECT_EQ(problems(lines), "") << lines;
}

TEST_F(PipelineTest, TabsAreNamed) {
  Diagnostics diagnostics;
  try {
    check(write("stages:\n\t- simulate: {duration: 1}\n"), diagnostics);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("p.yaml:4:1: not valid YAML: this line is indented with a tab"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace mortise::test
