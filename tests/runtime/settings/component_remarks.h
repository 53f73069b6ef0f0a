#pragma once

/// Runs in which settings of controllers, estimators, recorders and hardware have something to act on, and what they
/// need.

#include "tests/runtime/settings/sweep.h"

namespace mortise::test {

/// A run with one component more than `others`.
struct ComponentScene {
  std::string world;
  std::string others;    ///< Lines of YAML.
  std::string settings;  ///< Of the component's entry: a map in YAML.
  std::string simulate;  ///< Of the stage.
};

inline const std::map<std::string, std::string>& componentFiles() {
  static const std::map<std::string, std::string> files = {
      {"way.path", "0\t6\t-1 -0.6 1.2 0 0.4 0\n0.1\t6\t-0.9 -0.7 1.1 0.1 0.4 0\n0.2\t6\t-0.8 -0.7 1 0.1 0.3 0\n"},
      {"fast.path", "0\t6\t-1 -0.6 1.2 0 0.4 0\n0.1\t6\t1 -0.6 1.2 0 0.4 0\n"},
      {"late.path", "0.05\t6\t-0.9 -0.7 1.1 0.1 0.4 0\n0.2\t6\t-0.8 -0.7 1 0.1 0.3 0\n"},
      {"other_parts.yaml", "parts:\n  - {name: arm, links: [0], controller: JointTrackingController}\n"},
      {"other_states.yaml", "states:\n  - {name: a, controller: PolynomialPathController, path: way.path}\n"},
      {"other_steps.yaml", "steps:\n  - {controller: PolynomialPathController, path: way.path, duration: 0.05}\n"},
      {"parts.yaml", "parts:\n  - {name: arm, links: [0, 1], controller: JointTrackingController}\n"},
      {"states.yaml", "states:\n  - {name: a, controller: JointTrackingController}\n"},
      {"steps.yaml", "steps:\n  - {controller: JointTrackingController, duration: 0.05}\n"},
      // One cell, which holds everything the arm does.
      {"turn.policy",
       "12\t20 20 20 20 20 20 200 200 200 200 200 200\n-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 \n"
       "-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 \n6\t20 0 0 0 0 0\n"},
      {"rest.policy",
       "12\t20 20 20 20 20 20 200 200 200 200 200 200\n-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 \n"
       "-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 \n6\t0 0 0 0 0 0\n"},
      {"arm.urdf", "<robot name=\"arm\"><link name=\"base\"/></robot>\n"},
      {"tasks.yaml", "tasks:\n  - {type: joint, name: posture, kP: 50, priority: 1}\n"},
  };
  return files;
}

inline const std::map<std::string, std::vector<ComponentScene>>& componentScenes() {
  static const std::string blocks = MORTISE_SOURCE_DIR "/data/worlds/blocks.xml";
  static const std::string brief = "{duration: 0.2}";
  static const std::string moved =
      "{duration: 0.2, commands: [{at: 0.01, command: set_q, arguments: [-0.9, -0.7, 1.1, 0.2, 0.5, 0]}]}";
  static const std::string recorded = "{duration: 0.05}";
  static const std::string sensing =
      "{controller: FeedforwardJointTrackingController, enable_feedforward_acceleration: true}";
  static const std::string camera =
      "  - {sensor: CameraSensor, name: eye, link: 1, t_sensor: [1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0.1, -0.1], zmin: "
      "0.1, xres: 8, yres: 6, rate: 100 Hz}\n";
  static const std::string positions =
      "  - {sensor: JointPositionSensor, name: p}\n  - {sensor: JointPositionSensor, name: p2, qresolution: [0.1, 0.1, "
      "0.1, 0.1, 0.1, 0.1]}\n";
  static const std::string velocities =
      "  - {sensor: JointPositionSensor, name: p}\n  - {sensor: JointVelocitySensor, name: v}\n  - {sensor: "
      "JointVelocitySensor, name: v2, dqresolution: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]}\n";
  static const std::map<std::string, std::vector<ComponentScene>> all = {
      {"mortise.JointTrackingController", {{blocks, "", "{}", moved}}},
      {"mortise.FeedforwardJointTrackingController", {{blocks, "", "{}", moved}}},
      {"mortise.PolynomialPathController", {{blocks, "", "{}", moved}, {blocks, "", "{}", brief}}},
      {"mortise.FeedforwardPolynomialPathController", {{blocks, "", "{}", moved}, {blocks, "", "{}", brief}}},
      {"mortise.LoggingController", {{blocks, "", "{}", moved}}},
      {"mortise.MultiPartController",
       {{blocks, "", "{parts: [{name: arm, links: [0, 1, 2], controller: JointTrackingController}]}", brief},
        {blocks, "", "{file: parts.yaml}", brief}}},
      {"mortise.OperationalSpaceController",
       {{blocks, "",
         "{tasks: [{type: link, name: tool, link: tool, control: position, kP: 400, priority: 1, velocity: "
         "[0.1, 0, 0]}]}",
         brief}}},
      {"mortise.StateMachineController",
       {{blocks, "",
         "{states: [{name: a, controller: JointTrackingController}, {name: b, controller: PolynomialPathController, "
         "path: way.path}], transitions: [{from: a, to: b, after: 0.05}]}",
         brief},
        {blocks, "", "{file: states.yaml}", brief}}},
      {"mortise.TimedSequenceController",
       {{blocks, "",
         "{steps: [{controller: JointTrackingController, duration: 0.03}, {controller: PolynomialPathController, "
         "path: way.path, duration: 0.05}]}",
         brief},
        {blocks, "", "{file: steps.yaml}", brief}}},
      {"mortise.TabulatedController", {{blocks, "", "{file: turn.policy}", brief}}},
      {"mortise.RealTimePlanningController",
       {{blocks, "", "{}", moved},
        {blocks, "", "{targets: [[-0.5, -0.7, 1.1, 0.2, 0.5, 0], [-1, -0.6, 1.2, 0, 0.4, 0]]}", "{duration: 1}"}}},
      {"mortise.ImageRecorder", {{blocks, camera, "{record: [eye], outputs: [color, depth, points]}", recorded}}},
      {"mortise.McapRecorder", {{blocks, camera, "{record: [robots, objects, contacts, eye]}", recorded}}},
      {"mortise.CsvRecorder", {{blocks, "", "{record: [robots, objects, contacts, wrenches]}", recorded}}},
      {"mortise.JsonLinesRecorder", {{blocks, "", "{record: [objects]}", recorded}}},
      {"mortise.PathRecorder", {{blocks, "", "{record: [robots]}", recorded}}},
      {"mortise.BagRecorder", {{blocks, camera, "{record: [robots, objects, eye]}", recorded}}},
      {"mortise.Ros2LogRecorder", {{blocks, camera, "{record: [robots, objects, eye]}", recorded}}},
      {"mortise.OmniscientStateEstimator", {{blocks, "", "{controller: FeedforwardJointTrackingController}", moved}}},
      {"mortise.IntegratedStateEstimator", {{blocks, positions, sensing, moved}, {blocks, velocities, sensing, moved}}},
  };
  return all;
}

/// Components that the sweep cannot run, and the folders of tests that try every one of their settings.
inline const std::map<std::string, std::vector<std::string>>& componentsTriedElsewhere() {
  static const std::map<std::string, std::vector<std::string>> all = {
      {"mortise.SerialController", {"plugins/controllers_serial"}},  // It listens for another program.
      {"mortise.SerialHardware", {"plugins/controllers_serial"}},    // It connects to another program.
      // Networks.
      {"mortise.Ros1Recorder", {"plugins/shared/ros", "plugins/io_ros1"}},
      {"mortise.Ros1Relay", {"plugins/ros_relay", "plugins/io_ros1"}},
      {"mortise.Ros2Recorder", {"plugins/shared/ros", "plugins/io_ros2"}},
      {"mortise.Ros2Relay", {"plugins/ros_relay", "plugins/io_ros2"}},
      {"mortise.RosReplay", {"plugins/ros_relay"}},  // It needs what another run received.
  };
  return all;
}

inline const SettingRemarks& componentRemarks() {
  static const std::string kLegs =
      "It is of robots that stand on links; tests/plugins/controllers/operational_space_robots_test.cpp has some.";
  static const std::string kBase =
      "It is of robots with a floating base; tests/plugins/estimators/integrated_base_test.cpp has some.";
  static const std::string kNetwork =
      "A file has no quality of service; tests/plugins/shared/ros/broadcast_recorder_test.cpp has carriers that do.";
  static const std::string kWaited =
      "Files are waited for; tests/plugins/shared/ros/broadcast_recorder_test.cpp has carriers that are not.";
  static const SettingRemarks all = {
      {"*.path", {.value = "way.path"}},
      {"mortise.FeedforwardPolynomialPathController.ramp", {.value = "false", .with = "{path: late.path}"}},
      {"mortise.PolynomialPathController.ramp", {.value = "false", .with = "{path: late.path}"}},
      {"*.milestones", {.value = "[{q: [-0.9, -0.7, 1.1, 0.2, 0.5, 0]}]"}},
      {"*.timed_limits",
       {.nothing =
            "'refuse' refuses to run at all, which tests/plugins/controllers/path_controller_test.cpp expects."}},
      {"*.velocity_filter",
       {.nothing = "This arm measures velocities; tests/plugins/estimators/integrated_joints_test.cpp has one that "
                   "does not."}},
      {"mortise.LoggingController.inner", {.value = "JointTrackingController"}},
      {"mortise.LoggingController.replay",
       {.nothing = "It needs a log; tests/plugins/controllers/logging_controller_test.cpp replays some."}},
      {"mortise.LoggingController.remove_delays",
       {.nothing = "It goes with a replay; tests/plugins/controllers/logging_controller_test.cpp has some."}},
      {"mortise.LoggingController.file", {.value = "other.log"}},
      {"mortise.MultiPartController.parts",
       {.value = "[{name: arm, links: [0], controller: JointTrackingController}]"}},
      {"mortise.MultiPartController.others", {.value = "off"}},
      {"mortise.MultiPartController.file", {.value = "other_parts.yaml"}},
      {"mortise.OperationalSpaceController.tasks",
       {.value = "[{type: joint, name: posture, kP: 25, position: [-0.9, -0.7, 1.1, 0.2, 0.5, 0]}]"}},
      {"mortise.OperationalSpaceController.file", {.value = "tasks.yaml"}},
      {"mortise.OperationalSpaceController.contacts", {.nothing = kLegs}},
      {"mortise.OperationalSpaceController.contact_damping", {.nothing = kLegs}},
      {"mortise.OperationalSpaceController.friction_edges", {.nothing = kLegs}},
      {"mortise.OperationalSpaceController.gravity", {.value = "[0, 0, -5]"}},
      {"mortise.RealTimePlanningController.max_split_time",
       {.nothing = "Planning in the scene never fails, which would let the time grow; "
                   "tests/toolbox/planning/real_time/real_time_session_test.cpp has that."}},
      {"mortise.RealTimePlanningController.ramp_up",
       {.nothing = "The arm of the scene has limits of acceleration, and it goes where there are none; "
                   "tests/toolbox/planning has such robots."}},
      {"mortise.RealTimePlanningController.margin",
       {.nothing = "The arm of the scene passes nothing so near that it would matter, and a larger one refuses its "
                   "start."}},
      {"mortise.RealTimePlanningController.links", {.value = "[shoulder_yaw, shoulder_pitch]"}},
      {"mortise.RealTimePlanningController.targets", {.value = "[[-0.7, -0.7, 1.1, 0.2, 0.5, 0]]"}},
      {"mortise.RealTimePlanningController.obstacles",
       {.nothing = "What moves matters only where it crosses the arm's way; tests/toolbox/planning/real_time has that, "
                   "and tests/runtime/pipeline/check_test.cpp names one."}},
      {"mortise.TabulatedController.file", {.value = "rest.policy"}},
      {"mortise.StateMachineController.states",
       {.value = "[{name: a, controller: PolynomialPathController, path: way.path}, {name: b, controller: "
                 "JointTrackingController}]"}},
      {"mortise.StateMachineController.transitions", {.value = "[{from: a, to: b, after: 0.1}]"}},
      {"mortise.StateMachineController.initial", {.value = "b"}},
      {"mortise.StateMachineController.file", {.value = "other_states.yaml"}},
      {"mortise.TimedSequenceController.steps",
       {.value = "[{controller: PolynomialPathController, path: way.path, duration: 0.05}]"}},
      {"mortise.TimedSequenceController.file", {.value = "other_steps.yaml"}},
      {"mortise.SimulatedHardware.backend", {.value = "kinematic"}},
      {"mortise.SimulatedHardware.time_step", {.value = "0.5 ms"}},
      {"mortise.IntegratedStateEstimator.position_sensor", {.value = "p2", .with = "{position_sensor: p}"}},
      {"mortise.IntegratedStateEstimator.velocity_sensor", {.value = "v2", .with = "{velocity_sensor: v}"}},
      {"*.base_from_joint_sensors", {.nothing = kBase}},
      {"*.gyro_sensor", {.nothing = kBase}},
      {"*.tilt_sensor", {.nothing = kBase}},
      {"*.imu_sensor", {.nothing = kBase}},
      {"*.inertial_link", {.nothing = kBase}},
      {"*.angular_velocity_frame", {.nothing = kBase}},
      {"*.r_sensor", {.nothing = kBase}},
      {"*.reference_dir", {.nothing = kBase}},
      {"*.tilt_time", {.nothing = kBase}},
      {"*.imu_translation", {.nothing = kBase}},
      {"mortise.CsvRecorder.file", {.value = "named.csv"}},
      {"mortise.CsvRecorder.contact_file", {.value = "named.csv"}},
      {"mortise.CsvRecorder.wrench_file", {.value = "named.csv"}},
      {"mortise.JsonLinesRecorder.file", {.value = "named.jsonl"}},
      {"mortise.PathRecorder.file", {.value = "named.path"}},
      {"mortise.McapRecorder.file", {.value = "named.mcap"}},
      {"mortise.McapRecorder.run", {.nothing = "The program fills it in, and nobody else."}},
      {"mortise.McapRecorder.snapshot_period", {.value = "0.01"}},
      {"mortise.BagRecorder.file", {.value = "named.bag"}},
      {"mortise.Ros2LogRecorder.file", {.value = "named.mcap"}},
      {"*.camera_rate", {.value = "100 Hz"}},
      {"*.prefix", {.value = "lab"}},
      {"*.broadcast", {.value = "[clock]"}},
      {"*.robot_description", {.value = "arm.urdf"}},
      {"*.reliability", {.nothing = kNetwork}},
      {"*.durability", {.nothing = kNetwork}},
      {"*.depth", {.nothing = kNetwork}},
      {"*.sensor_reliability", {.nothing = kNetwork}},
      {"*.sensor_depth", {.nothing = kNetwork}},
      {"*.queue", {.nothing = kWaited}},
      {"*.wait_at_end", {.nothing = kWaited}},
      {"mortise.BagRecorder.run", {.nothing = "The program fills it in, and nobody else."}},
      {"mortise.Ros2LogRecorder.run", {.nothing = "The program fills it in, and nobody else."}},
      {"mortise.ImageRecorder.folder", {.value = "pictures"}},
      {"mortise.ImageRecorder.outputs", {.value = "[depth]"}},
      {"mortise.ImageRecorder.every", {.value = "2", .with = "{unchanged: true}"}},
      {"*.gravity", {.value = "[0, 0, -5]", .with = "{enable_gravity_compensation: true}"}},
  };
  return all;
}

}  // namespace mortise::test
