#include "mortise/motion/trajectory.h"
#include "support.h"

namespace mortise::test {
namespace {

/// Mistakes that would show only when a pipeline runs, or never: each is said before, at its own place.
class Doubts : public PipelineTest {
 protected:
  struct Mistake {
    const char *lines, *expected;
  };
  void expectAll(std::initializer_list<Mistake> mistakes) {
    for (const auto& [lines, expected] : mistakes) {
      SCOPED_TRACE(lines);
      expectProblem(lines, expected);
    }
  }
  static VectorXd home() {
    VectorXd q(6);
    q << -1.0, -0.6, 1.2, 0, 0.4, 0;
    return q;
  }
  void writePath(const std::string& name, const std::vector<double>& times, const std::vector<VectorXd>& qs) {
    Diagnostics diagnostics;
    loader_->write(Trajectory{times, qs}, path(name), diagnostics);
  }
};

TEST_F(Doubts, SettingsOfSimulationsWithoutEffect) {
  expectAll({
      {"stages:\n  - simulate: {duration: 1, record_rate: 50 Hz}\n",
       "p.yaml:4:42 (stages.0.simulate.record_rate): warning: 'record_rate' has no effect: nothing is recorded"},
      {"stages:\n  - simulate: {duration: 1, recorder: jsonl}\n",
       "p.yaml:4:39 (stages.0.simulate.recorder): warning: 'recorder' has no effect: nothing is recorded"},
      {"stages:\n  - simulate: {duration: 1, record: [robots], record_rate: 5 kHz}\n",
       "'record_rate': steps of 0.001 s have 1000 rows a second at most, not 5000"},
      {"stages:\n  - simulate: {duration: 1, robot: reacher}\n", "'robot' has no effect: no motion is followed"},
      {"stages:\n  - simulate: {duration: 1, save: a, save_state: e.state}\n"
       "  - simulate: {duration: 1, state: a, config: [0, 0, 0, 0, 0, 0]}\n",
       "p.yaml:5:47 (stages.1.simulate.config): warning: 'config' has no effect: 'state' says where robots are"},
      {"simulation: {control_rate: 20 kHz}\nstages:\n  - simulate: {duration: 1}\n",
       "p.yaml:3:28 (simulation.control_rate): warning: 'control_rate': steps of 0.001 s let controllers run at 1000 "
       "Hz"},
      {"components:\n  - {sensor: JointPositionSensor, name: q, rate: 5 kHz}\nstages:\n  - simulate: {duration: 1}\n",
       "p.yaml:4:14 (components.0.sensor): warning: 'reacher/q' is to run at 5000 Hz"},
      {"relative_to: nowhere\nstages:\n  - simulate: {duration: 1}\n", "'relative_to': there is no folder"},
      {"stages:\n  - simulate: {duration: 1}\n  - report\n  - report\n",
       "p.yaml:6:5 (stages.2): warning: stage 'report-2' writes 'report.txt' in place of what stage 'report' wrote"},
      {"stages:\n  - simulate: {duration: 1}\n  - report: {to: [a.txt, ./a.txt]}\n", "in place of what it wrote there"},
  });
}

TEST_F(Doubts, MotionsThatRobotsCannotFollow) {
  const VectorXd step = VectorXd::Unit(6, 2);
  writePath("far.path", {0, 1}, {home() + 0.5 * step, home()});
  writePath("beyond.path", {0, 9}, {home(), home() + 30 * step});
  writePath("fast.path", {0, 0.01}, {home(), home() + 0.3 * step});
  writePath("fit.path", {0, 1}, {home(), home() + 0.3 * step});
  expectAll({
      {"stages:\n  - simulate: {duration: 1, follow: far.path}\n",
       "p.yaml:4:37 (stages.0.simulate.follow): warning: 'follow': the motion starts where link 'elbow' is 0.5 rad "
       "from "
       "where robot 'reacher' starts"},
      {"stages:\n  - simulate: {duration: 1, follow: fit.path, config: [0, 0, 0, 0, 0, 0]}\n",
       "link 'elbow' is 1.2 rad"},
      {"stages:\n  - simulate: {duration: 1, follow: beyond.path}\n",
       "'follow': at 9 s robot 'reacher' is led outside of its joint limits: 'elbow' at 31.2"},
      {"stages:\n  - simulate: {duration: 1, follow: fast.path}\n",
       "from 0 s on link 'elbow' is to move at 9.55 times its velocity limit"},
  });
  EXPECT_EQ(problems("stages:\n  - simulate: {duration: 1, follow: fit.path}\n"), "");
  // Where the robot is by then, only the run knows.
  EXPECT_EQ(problems("stages:\n  - simulate: {duration: 1, save: a, save_state: e.state}\n"
                     "  - simulate: {duration: 1, follow: far.path, state: a}\n"),
            "");
}

TEST_F(Doubts, CommandsBeyondWhatRobotsCanDo) {
  const std::string at = "stages:\n  - simulate:\n      duration: 1\n      commands:\n        - ";
  const auto command = [&](const std::string& entry, const char* expected) {
    SCOPED_TRACE(entry);
    expectProblem(at + entry + "\n", expected);
  };
  command("{at: 0.1, command: set_q, arguments: {elbow: 90}}",
          "p.yaml:7:11 (stages.0.simulate.commands.0): warning: set_q: 90 is beyond the limit of 'elbow'");
  command("{at: 0.1, command: append_q, arguments: [0, -34, 0, 0, 0, 0]}", "append_q: -34 is beyond the limit of");
  command("{at: 0.1, command: add_ext_force, arguments: {link: toool, force: [0, 0, 1], point: [0, 0, 0]}}",
          "no link 'toool'");
  command("{at: 0.1, command: add_ext_force, arguments: {link: tool, force: [0, 1], point: [0, 0, 0]}}", "error");
  EXPECT_EQ(problems(at + "{at: 0.1, command: set_q, arguments: {elbow: 90 deg}}\n"), "");
  EXPECT_EQ(
      problems(at + "{at: 0.1, command: add_ext_force, arguments: {link: tool, force: [0, 0, 1], point: [0, 0, 0]}}\n"),
      "");
}

TEST_F(Doubts, PlansThatNoPlannerCouldMeet) {
  expectAll({
      {"stages:\n  - plan: {goal: {elbow: 1}, links: [shoulder_yaw]}\n",
       "p.yaml:4:18 (stages.0.plan.goal): error: 'goal': the goal moves link 'elbow', which is not planned for"},
      {"stages:\n  - plan: {goal: {elbow: 1}, links: []}\n", "'links': no link is named"},
      {"stages:\n  - plan: {goal: {elbow: 1}, links: [elbow, elbow]}\n", "'links': 'reacher[elbow]' is named twice"},
      {"stages:\n  - plan: {goal: {region: {elbow: [10, 20]}}}\n",
       "p.yaml:4:18 (stages.0.plan.goal): error: 'goal': the range of 'elbow', 10 to 20, lies outside"},
      {"stages:\n  - plan: {goal: {elbow: 1}, workspace: [[0, 0, 0], [1, 1, 1]]}\n",
       "(stages.0.plan.workspace): error: 'workspace': no robot that is planned for has a floating base"},
      {"stages:\n  - plan: {goal: {elbow: 1}, ignore: [[floor, floor]]}\n", "'ignore': nothing collides with itself"},
      {"stages:\n  - plan: {goal: {elbow: 1}, margin: 5}\n",
       "p.yaml:4:38 (stages.0.plan.margin): warning: 'margin': 5 m are to be kept"},
      {"stages:\n  - plan: {goal: {elbow: 1}, iterations: 0}\n", "'iterations' is 0: the search ends before it begins"},
      {"stages:\n  - plan: {goal: {elbow: 1}, time_limit: 0}\n", "'time_limit' is 0"},
      {"stages:\n  - plan: {goal: {ik: {link: tool, position: [4, 0, 0.5]}}}\n",
       "(stages.0.plan.goal): warning: 'goal': the target is"},
      {"stages:\n  - plan: {goal: {elbow: 1}, stance: feet.stance}\n",
       "p.yaml:4:38 (stages.0.plan.stance): error: 'stance': cannot find 'feet.stance'"},
      {"stages:\n  - ik: {goals: {link: tool, position: [40, 0, 0.5]}}\n",
       "(stages.0.ik.goals): warning: 'goals': the target is"},
      {"stages:\n  - ik: {goals: {joints: {elbow: 90}}}\n",
       "'goals': link 'elbow' at 90 is outside of its joint limits"},
  });
  EXPECT_EQ(problems("stages:\n  - plan: {goal: {region: {elbow: [10 deg, 20 deg]}}, links: [elbow], margin: 1 cm}\n"),
            "");
}

TEST_F(Doubts, StagesOfMotions) {
  writePath("fit.path", {0, 1}, {home(), home()});
  expectAll({
      {"stages:\n  - evaluate: {path: fit.path, every: 0}\n", "(stages.0.evaluate.every): error"},
      {"stages:\n  - split: {path: fit.path, to: a.path, at: [0.6, 0.5]}\n",
       "p.yaml:4:45 (stages.0.split.at): error: 'at': the path cannot be cut at 0.5 s"},
      {"stages:\n  - split: {path: fit.path, to: a.path, at: [20]}\n", "'at': the path cannot be cut at 20 s"},
      {"stages:\n  - convert: {path: fit.path, to: x/a.json}\n",
       "'to': is a name in the run directory, not 'x/a.json'"},
      {"stages:\n  - convert: {path: fit.path, to: a.json, save: one}\n"
       "  - convert: {path: fit.path, to: a.json, save: two}\n",
       "writes 'a.json' in place of what stage 'convert' wrote there"},
  });
}

TEST_F(Doubts, ComponentsThatCannotStart) {
  writePath("three.path", {0, 1}, {VectorXd::Zero(3), VectorXd::Ones(3)});
  const std::string end = "stages:\n  - simulate: {duration: 1}\n";
  const auto components = [&](const std::string& lines, const char* expected) {
    SCOPED_TRACE(lines);
    expectProblem("components:\n" + lines + end, expected);
  };
  const std::string parts = "  - controller: MultiPartController\n    parts:\n";
  components(
      parts +
          "      - {name: a, drivers: [0, 1], controller: JointTrackingController}\n"
          "      - {name: b, drivers: [1, 2], controller: JointTrackingController}\n",
      "p.yaml:7:28 (components.0.parts.1.drivers): error: controller 'MultiPartController': driver 'shoulder_pitch' "
      "belongs to two parts");
  components(parts + "      - {name: a, links: [elbw], controller: JointTrackingController}\n",
             "p.yaml:6:27 (components.0.parts.0.links.0): error");
  components(parts + "      - {name: a, links: [elbow], controller: PathFollowingController, path: three.path}\n",
             "configuration 1 of the path has 3 values");
  components(
      "  - controller: StateMachineController\n    states:\n"
      "      - {name: a, controller: JointTrackingController}\n"
      "      - {name: b, controller: JointTrackingController}\n"
      "    transitions:\n      - {from: a, to: b, when: 'q[17] > 1'}\n",
      "p.yaml:9:32 (components.0.transitions.0.when): error: controller 'StateMachineController': condition 'q[17] > "
      "1', "
      "column 2: sensor 'q' has no value 17");
  components("  - {controller: TabulatedController, file: none.table}\n", "cannot find 'none.table'");
  components("  - {recorder: path, file: a.path}\n", "recorder 'path' writes the motion of one robot");
  components("  - {recorder: csv, file: a.csv, record: []}\n", "recorder 'csv' has nothing to record");
  components("  - {recorder: ImageRecorder}\n",
             "p.yaml:4:16 (components.0.recorder): error: recorder 'ImageRecorder': there is no camera");
  components("  - {sensor: JointPositionSensor, name: p}\n  - {recorder: ImageRecorder, record: [p]}\n",
             "'record': sensor 'p' is no camera");
  expectProblem("stages:\n  - simulate: {duration: 1, record: [wrenches], recorder: path}\n",
                "recorder 'path' writes the motion of one robot, but 0 robots and more are to be recorded");
  EXPECT_EQ(problems("components:\n" + parts +
                     "      - {name: a, drivers: [0, 1], controller: JointTrackingController}\n"
                     "      - {name: b, drivers: [2], controller: JointTrackingController}\n"
                     "  - {recorder: path, file: a.path, record: [reacher]}\n" +
                     end),
            "");
}

}  // namespace
}  // namespace mortise::test
