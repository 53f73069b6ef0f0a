#pragma once

/// Pipelines in which keys of stages have something to act on, and keys that need others beside them or change nothing.

#include "tests/runtime/settings/sweep.h"

namespace mortise::test {

/// Keys of results that tell how long something took, or repeat settings.
inline constexpr const char* kNoOutcomes[] = {
    "seconds", "wall_s", "realtime_factor", "problem", "seed", "settings", "directory",
};

/// A stage, what runs before it and in which world.
struct StageScene {
  std::string world;
  std::string before;    ///< Lines of YAML.
  std::string settings;  ///< Of the stage: a map in YAML. null takes a key away.
};

/// Files beside the pipelines.
inline const std::map<std::string, std::string>& stageFiles() {
  static const std::map<std::string, std::string> files = {
      {"two.xml",
       "<world>\n"
       "  <robot name=\"left\" file=\"" MORTISE_SOURCE_DIR
       "/data/robots/reacher.rob\" translation=\"0 0 0.3\" config=\"6  -1 -0.9 1.5 0 0.4 0\"/>\n"
       "  <robot name=\"right\" file=\"" MORTISE_SOURCE_DIR
       "/data/robots/reacher.rob\" translation=\"1.1 0 0.3\" rotateZ=\"3.14159265358979\" "
       "config=\"6  -0.8 -0.9 1.5 0 0.4 0\"/>\n"
       "  <terrain name=\"floor\" file=\"" MORTISE_SOURCE_DIR "/data/terrains/floor.geom\"/>\n"
       "  <terrain name=\"pillar\" file=\"" MORTISE_SOURCE_DIR
       "/data/terrains/slab.geom\" scale=\"0.06 0.06 0.9\" translation=\"0.4 0 0.9\"/>\n"
       "  <rigidObject name=\"block\" file=\"" MORTISE_SOURCE_DIR
       "/data/objects/block.obj\" position=\"0.55 0.4 0.031\"/>\n"
       "  <rigidObject name=\"other\" file=\"" MORTISE_SOURCE_DIR
       "/data/objects/cup.obj\" position=\"0.8 0.7 0.031\"/>\n"
       "</world>\n"},
      // Around the pillar with detours.
      {"way.path",
       "0\t6\t-1 -0.9 1.5 0 0.4 0\n"
       "1\t6\t-0.6 -1.2 1.2 0.2 0.2 0\n"
       "2\t6\t-0.5 -1.6 0.6 0.1 0 0\n"
       "3\t6\t0.2 -1.7 0.3 0 0.2 0\n"
       "4\t6\t0.6 -1.6 0.7 0.3 0.3 0\n"
       "5\t6\t0.7 -1.1 1.3 0 0.4 0\n"
       "6\t6\t1 -0.9 1.5 0 0.4 0\n"},
      {"block.path",
       "0\t6\t0.55 0.4 0.2 0 0 0\n"
       "1\t6\t0.6 0.6 0.25 0.1 0 0.2\n"
       "2\t6\t0.3 0.6 0.2 0 0.1 0.4\n"
       "3\t6\t0.1 0.5 0.2 0 0 0\n"},
      {"other.path", "0\t6\t-1 -0.9 1.5 0 0.4 0\n1\t6\t-0.5 -1.2 1.2 0.2 0.2 0\n2\t6\t-0.2 -1.6 1 0 0 0\n"},
      // Through the pillar.
      {"bad.path", "0\t6\t-1 0.2 0.8 0 0.4 0\n1\t6\t1 0.2 0.8 0 0.4 0\n"},
      {"near.path", "0\t6\t0.55 0.4 0.031 0 0 0\n1\t6\t0.65 0.5 0.031 0 0 0\n2\t6\t0.7 0.4 0.031 0 0 0\n"},
      {"little.path", "0\t6\t-1 -0.9 1.5 0 0.4 0\n1\t6\t-0.98 -0.95 1.5 0 0.4 0\n2\t6\t-0.95 -0.9 1.5 0 0.4 0\n"},
      {"both.path",
       "0\t12\t-1 -0.9 1.5 0 0.4 0 -0.8 -0.9 1.5 0 0.4 0\n"
       "1\t12\t-1.2 -1.2 1.4 0 0.4 0 -0.9 -1 1.2 0 0.4 0\n"
       "2\t12\t-1.5 -1 1.2 0 0.2 0 -1.5 -1.2 1 0.1 0.4 0\n"},
      {"start.config", "6\t-0.5 -0.9 1.5 0 0.4 0\n"},
      {"way.milestones", "6 -1 -0.9 1.5 0 0.4 0\t6 0 0 0 0 0 0\n6 -0.9 -0.95 1.4 0 0.4 0\t6 0 0 0 0 0 0\n"},
      {"grip.yaml",
       "contacts:\n"
       "  - {link: 11, point: [0.1, 0.02, 0], normal: [-1, 0, 0]}\n"
       "  - {link: 11, point: [-0.1, 0, 0.02], normal: [1, 0, 0]}\n"
       "  - {link: 11, point: [0, 0.1, 0.03], normal: [0, -1, 0]}\n"
       "  - {link: 11, point: [0.02, -0.1, 0], normal: [0, 1, 0]}\n"
       "  - {link: 11, point: [0, 0.01, 0.1], normal: [0, 0, -1]}\n"
       "  - {link: 11, point: [0.01, 0, -0.1], normal: [0, 0, 1]}\n"},
      {"feet.yaml", "contacts:\n  - {link: 11, point: [0, 0.09, 0], normal: [0, 0, 1], friction: 0.7}\n"},
  };
  return files;
}

inline const std::map<std::string, std::vector<StageScene>>& stageScenes() {
  static const std::string detour = "{path: way.path, robot: left}";
  static const std::string squat = "{path: " MORTISE_SOURCE_DIR "/data/motions/humanoid_squat.xml}";
  static const std::string humanoid = MORTISE_SOURCE_DIR "/data/worlds/humanoid_beam.xml";
  static const std::string crouch = MORTISE_SOURCE_DIR "/data/planning/humanoid/crouch.config";
  static const std::string onBlock = "{path: block.path, object: block";
  static const std::string timed = "  - retime: {path: way.path, robot: left, iterations: 5, save: timed}\n";
  static const std::string timedBlock =
      "  - retime: {path: block.path, object: block, velocity: 1, iterations: 5, save: timed}\n";
  static const std::map<std::string, std::vector<StageScene>> all = {
      {"mortise.Balance", {{humanoid, "", squat}}},
      {"mortise.Check",
       {{"two.xml", "", detour},
        {"two.xml", "", "{path: bad.path, robot: left}"},
        {"two.xml", timed, "{path: timed, robot: left}"},
        {"two.xml", timedBlock, "{path: timed, object: block, velocity: 1}"},
        {humanoid, "", squat}}},
      {"mortise.Compare",
       {{"two.xml", "", "{backends: [mortise, ode], duration: 0.05, disturbance: 0, halve_step: false, bound: 1e-9}"},
        {"two.xml", "  - simulate: {duration: 0.02, save_state: first.state, save: first}\n",
         "{backends: [mortise, ode], duration: 0.05, disturbance: 0, halve_step: false, bound: 1e-9}"}}},
      {"mortise.Convert",
       {{"two.xml", "", "{path: way.path, robot: left, to: way.json, as: trajectory}"},
        {"two.xml", "  - smooth: {path: way.path, robot: left}\n", "{path: smooth, robot: left, to: even.path}"}}},
      {"mortise.Discretize", {{"two.xml", "", detour}}},
      {"mortise.Evaluate", {{"two.xml", "", "{path: way.path, robot: left, every: 0.3}"}}},
      {"mortise.IK", {{"two.xml", "", "{robot: left, goals: {link: tool, position: [0.3, 0.3, 0.6]}, restarts: 5}"}}},
      {"mortise.Optimize",
       {{"two.xml", "", "{path: way.path, robot: left, iterations: 3, penalty_rounds: 1}"},
        {"two.xml", "", onBlock + ", iterations: 3, penalty_rounds: 1}"},
        {humanoid, "", squat.substr(0, squat.size() - 1) + ", iterations: 1, penalty_rounds: 0}"}}},
      {"mortise.Plan",
       {{"two.xml", "", "{robot: left, goal: [1, -0.9, 1.5, 0, 0.4, 0], iterations: 2000, planner: rrt}"},
        {"two.xml", "", "{object: block, goal: [0.1, 0.5, 0.2, 0, 0, 0], iterations: 200, planner: rrt}"},
        {humanoid, "",
         "{start: " MORTISE_SOURCE_DIR "/data/planning/humanoid/stand.config, goal: " + crouch +
             ", ignore: [[left_hip_yaw, left_thigh], [right_hip_yaw, right_thigh]], planner: rrt, iterations: 50}"}}},
      {"mortise.Report", {{"two.xml", "  - evaluate: {path: way.path, robot: left, at: [1]}\n", "{to: [report.txt]}"}}},
      {"mortise.Retime",
       {{"two.xml", "", "{path: way.path, robot: left, iterations: 30}"},
        {"two.xml", "", onBlock + ", velocity: 1, iterations: 5}"},
        {humanoid, "",
         squat.substr(0, squat.size() - 1) +
             ", torque: true, contacts: true, velocity_scaling: 0.5, acceleration_scaling: 0.2, grid: 20}"}}},
      {"mortise.Shortcut",
       {{"two.xml", "", "{path: way.path, robot: left, iterations: 60}"},
        {"two.xml", "", onBlock + ", iterations: 60}"},
        {humanoid, "", squat.substr(0, squat.size() - 1) + ", iterations: 3}"}}},
      {"mortise.Simulate",
       {{"two.xml", "", "{duration: 0.05}"},
        {"two.xml", "  - simulate: {duration: 0.02, save_state: first.state, save: first}\n", "{duration: 0.05}"}}},
      {"mortise.Smooth", {{"two.xml", "", detour}, {humanoid, "", squat}}},
      {"mortise.Torques",
       {{humanoid, "",
         "{config: " + crouch +
             ", stance: " MORTISE_SOURCE_DIR "/data/planning/humanoid/feet.stance, within_limits: false}"}}},
      {"mortise.Grasp",
       {{humanoid, "", "{config: " + crouch + ", stance: " MORTISE_SOURCE_DIR "/data/planning/humanoid/feet.stance}"},
        {humanoid, "", "{config: " + crouch + ", contacts: grip.yaml, friction: 0.7}"}}},
      {"mortise.Split", {{"two.xml", "", "{path: way.path, robot: left, at: [1.5], to: part.path}"}}},
  };
  return all;
}

inline const SettingRemarks& stageRemarks() {
  // A stretched arm, which only random starts get away from.
  static const std::string kHardIK =
      "{restarts: 5, start: [0, 0, 0, 0, 0, 0], goals: {link: tool, position: [0.4, 0, 0.42]}}";
  static const SettingRemarks all = {
      {"*.save", {.value = "named"}},
      {"*.robot", {.value = "right"}},
      {"*.path", {.value = "other.path"}},
      {"*.robots", {.value = "[right, left]", .with = "{robot: null, path: both.path, robots: [left, right]}"}},
      {"*.object", {.value = "other", .with = "{robot: null, object: block, path: block.path}"}},
      {"*.planar", {.value = "true", .with = "{robot: null, object: block, path: block.path}"}},
      {"*.links", {.value = "[shoulder_yaw, shoulder_pitch]"}},
      {"*.padding", {.value = "simulation", .with = "{robot: null, object: block, path: near.path}"}},
      {"*.weights", {.value = "[5, 1, 0.1, 1, 1, 1]"}},
      {"*.ignore", {.value = "[[left, pillar]]"}},
      {"*.keep", {.value = "[{link: shoulder_yaw, rotation: [0, 0, -1]}]"}},
      {"*.keep_tolerance",
       {.value = "0.1", .with = "{path: little.path, keep: [{link: shoulder_yaw, rotation: [0, 0, -1]}]}"}},
      {"*.stance", {.value = MORTISE_SOURCE_DIR "/data/planning/humanoid/feet.stance"}},
      {"*.balance_margin",
       {.value = "0.2", .with = "{stance: " MORTISE_SOURCE_DIR "/data/planning/humanoid/feet.stance}"}},
      {"*.workspace",
       {.value = "[[0, 0, 0], [0.2, 0.2, 0.3]]", .with = "{robot: null, object: block, path: block.path}"}},
      {"*.objective", {.value = "{type: length, weights: [5, 1, 0.1, 1, 1, 1]}"}},
      {"*.follow", {.value = "other.path", .with = "{robot: left}"}},
      {"*.milestones", {.value = "way.milestones", .with = "{robot: left}"}},
      {"*.record", {.value = "[objects]"}},
      {"*.recorder", {.value = "jsonl", .with = "{record: [objects]}"}},
      {"*.record_rate", {.value = "100", .with = "{record: [objects]}"}},
      {"*.commands", {.value = "[{at: 0.01, robot: left, command: set_q, arguments: [-0.5, -0.9, 1.5, 0, 0.4, 0]}]"}},
      {"*.config", {.value = "{left: start.config}"}},
      {"*.save_state", {.value = "end.state"}},
      {"*.save_world", {.value = "end.xml"}},
      {"mortise.Compare.backends", {.value = "[ode, mortise]"}},
      {"mortise.Compare.robot", {.value = "right", .with = "{robot: left, follow: other.path}"}},
      {"mortise.Simulate.robot", {.value = "right", .with = "{robot: left, follow: other.path}"}},
      {"mortise.Compare.settings", {.value = "{ode: {solver: quick}}"}},
      {"mortise.Simulate.settings", {.value = "{erp: 0.05}"}},
      {"mortise.Simulate.backend", {.value = "ode"}},
      {"*.state", {.value = "first"}},
      {"*.edges", {.with = "{resolution: 5}"}},
      {"*.resolution", {.value = "5", .with = "{edges: resolution}"}},
      {"mortise.Discretize.resolution", {.value = "0.1"}},
      {"mortise.Compare.halve_step", {.value = "true"}},
      {"*.cone_edges", {.value = "4"}},
      {"mortise.Balance.torque_scale", {.value = "0.01", .with = "{torques: true, margin: -1}"}},
      {"mortise.Balance.com", {.value = "[0.05, 0, 0.9]"}},
      {"*.up", {.value = "[0.1, 0, 1]"}},
      {"mortise.Torques.gravity", {.value = "[3, 0, -9.8]"}},
      {"mortise.Torques.robot", {.nothing = "The world of the scene has one robot."}},
      {"mortise.Grasp.robot", {.nothing = "The world of the scene has one robot."}},
      {"mortise.Torques.config", {.value = MORTISE_SOURCE_DIR "/data/planning/humanoid/stand.config"}},
      {"mortise.Grasp.config",
       {.value = MORTISE_SOURCE_DIR "/data/planning/humanoid/stand.config", .with = "{stance: null, touch: 0.2}"}},
      {"mortise.Torques.contacts", {.value = "feet.yaml", .with = "{stance: null}"}},
      {"mortise.Grasp.contacts", {.value = "feet.yaml", .with = "{stance: null}"}},
      {"mortise.Torques.touch", {.value = "0.2", .with = "{stance: null}"}},
      {"mortise.Grasp.touch", {.value = "0.2", .with = "{stance: null}"}},
      {"mortise.Torques.within_limits", {.value = "true", .with = "{torque_scale: 0.001}"}},
      {"mortise.Torques.objective", {.value = "normal_forces"}},
      {"mortise.Torques.stance", {.value = "feet.yaml"}},
      {"mortise.Grasp.stance", {.value = "feet.yaml"}},
      {"mortise.Torques.dq", {.value = "{left_knee: 3}"}},
      {"mortise.Torques.ddq", {.value = "{left_knee: 3}"}},
      {"mortise.Torques.force_limit", {.value = "60"}},
      {"mortise.Grasp.object", {.value = "beam"}},
      {"mortise.Grasp.mass", {.value = "3"}},
      {"mortise.Grasp.com", {.value = "[0.1, 0, 0]", .with = "{mass: 2}"}},
      {"mortise.Grasp.origin", {.value = "[0.3, 0, 0]"}},
      {"mortise.Grasp.length", {.value = "3"}},
      {"mortise.Grasp.plane_normal", {.value = "[0, 0, 1]"}},
      {"mortise.Grasp.gravity", {.value = "[0, 0, 9.8]", .with = "{mass: 2}"}},
      {"mortise.Grasp.force_limit", {.value = "1", .with = "{mass: 2, gravity: [0, 0, 9.8]}"}},
      {"mortise.Grasp.min_quality", {.value = "100"}},
      {"mortise.Grasp.up", {.value = "[0.3, 0, 1]", .with = "{mass: 2}"}},
      {"mortise.Grasp.robustness", {.value = "2", .with = "{budget: torques}"}},
      {"mortise.Balance.robot", {.nothing = "The world of the scene has one robot."}},
      {"mortise.Balance.gravity", {.value = "[3, 0, -9.8]"}},
      {"mortise.Check.bounds", {.value = "false", .with = "{velocity: 0.1}"}},
      {"mortise.Convert.robot", {.nothing = "The robots of this world are of one model, and the path is of numbers."}},
      {"mortise.Discretize.robot",
       {.nothing = "The robots of this world are of one model, and the path is of numbers."}},
      {"mortise.Evaluate.robot", {.nothing = "The robots of this world are of one model, and the path is of numbers."}},
      {"mortise.Smooth.robot", {.nothing = "The robots of this world are of one model, and the path is of numbers."}},
      {"mortise.Split.robot", {.nothing = "The robots of this world are of one model, and the path is of numbers."}},
      {"mortise.IK.method", {.value = "local", .with = kHardIK}},
      {"mortise.IK.threads", {.nothing = "The answer does not depend on how many threads search for it."}},
      {"mortise.IK.seed", {.value = "99", .with = kHardIK}},
      {"mortise.IK.restarts", {.value = "0", .with = kHardIK}},
      {"mortise.Optimize.object", {.nothing = "Objects turn freely, which the stage refuses."}},
      {"mortise.Optimize.workspace", {.nothing = "It bounds what turns freely, which the stage refuses."}},
      {"mortise.Optimize.keep_tolerance", {.nothing = "It goes with 'keep', which the stage refuses."}},
      {"mortise.Optimize.balance_margin", {.nothing = "Robots on legs have a floating base, which the stage refuses."}},
      {"mortise.Optimize.padding", {.value = "simulation"}},
      {"mortise.Optimize.ignore", {.value = "[[left, pillar]]", .with = "{path: bad.path}"}},
      {"mortise.Optimize.penalty_rounds",
       {.value = "2", .with = "{path: bad.path, iterations: 2, penalty_rounds: 0, penalty: 0.01}"}},
      {"mortise.Optimize.improvement", {.value = "1", .with = "{iterations: 20}"}},
      {"mortise.Plan.robots",
       {.value = "[right, left]",
        .with = "{robot: null, robots: [left, right], goal: [-0.8, -1, 1.5, 0, 0.4, 0, -0.9, -0.9, 1.4, 0, 0.4, 0]}"}},
      {"mortise.Retime.min_force", {.value = "150"}},
      {"mortise.Retime.deviation", {.value = "0.05", .with = "{method: blend}"}},
      {"mortise.Retime.tolerance", {.value = "0.3"}},
      {"mortise.Shortcut.perturbations",
       {.value = "false", .with = "{objective: {type: length, weights: [5, 1, 0.1, 1, 1, 1]}}"}},
      {"mortise.Shortcut.workspace",
       {.value = "[[0, 0.45, 0], [1, 1, 0.5]]", .with = "{robot: null, object: block, path: block.path}"}},
      {"mortise.Shortcut.balance_margin",
       {.nothing = "It bounds which shortcuts are taken, and the squat has three milestones that leave none."}},
      {"mortise.Shortcut.smoothing", {.value = "2"}},
      {"mortise.Smooth.goal_tolerance", {.nothing = "The paths of the scenes have no goals of links to keep to."}},
      {"mortise.Smooth.deviation", {.value = "0.1", .with = "{curve: blend}"}},
      {"mortise.Convert.to", {.value = "way.path"}},
      {"mortise.Split.to", {.value = "piece.path"}},
      {"mortise.Split.at", {.value = "[2.5]"}},
      {"mortise.Report.to", {.value = "[report.json]"}},
      {"mortise.Evaluate.at", {.value = "[0.2]", .with = "{every: null, at: [0.1]}"}},
      {"mortise.Convert.velocities", {.value = "rest", .with = "{as: hermite_trajectory}"}},
      {"mortise.Convert.resolution", {.value = "0.05"}},
      {"mortise.IK.goals", {.value = "{link: tool, position: [0.3, 0.2, 0.6]}"}},
      {"mortise.IK.start", {.value = "[1, 0, 1, 0, 0, 0]"}},
      {"mortise.IK.active", {.value = "[shoulder_yaw, shoulder_pitch, elbow]"}},
      {"mortise.Plan.goal", {.value = "[0.8, -1, 1.5, 0, 0.4, 0]"}},
      {"mortise.Plan.start", {.value = "start.config"}},
      {"mortise.Plan.planner", {.value = "est"}},
      {"mortise.Plan.settings", {.value = "{perturbation_radius: 0.3}"}},
      {"mortise.Plan.stop", {.value = "{iterations: 3}", .with = "{iterations: null}"}},
      {"mortise.Plan.roadmap", {.value = "map.json"}},
      {"mortise.Balance.stance", {.value = MORTISE_SOURCE_DIR "/data/planning/humanoid/feet.stance"}},
      {"mortise.Balance.contacts", {.value = "feet.yaml"}},
  };
  return all;
}

}  // namespace mortise::test
