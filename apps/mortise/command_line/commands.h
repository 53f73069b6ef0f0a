#pragma once

/// One function a subcommand, each in the file of its name. Arguments are what follows the subcommand's name. They
/// return the process's exit code (0 done, 1 failed, 2 wrong usage) and may throw `mortise::Error`, which `main`
/// prints.

#include <string>
#include <vector>

namespace mortise::app {

using Arguments = std::vector<std::string>;

int runCommand(const Arguments& arguments);       // run.cpp: run a pipeline
int simCommand(const Arguments& arguments);       // sim.cpp: simulate a world
int compareCommand(const Arguments& arguments);   // compare.cpp: backends against each other; truth
int driveCommand(const Arguments& arguments);     // drive.cpp: a controller for a robot in another process
int rosCommand(const Arguments& arguments);       // ros.cpp: a simulated robot as a node of ROS
int worldCommand(const Arguments& arguments);     // world.cpp: world info
int robotCommand(const Arguments& arguments);     // robot.cpp: info, eval, check
int pathCommand(const Arguments& arguments);      // path.cpp: info, eval
int logCommand(const Arguments& arguments);       // log.cpp: info, export, cut, join
int renderCommand(const Arguments& arguments);    // render.cpp: pictures and movies of worlds and logs
int geometryCommand(const Arguments& arguments);  // geometry.cpp: info, convert
int planCommand(const Arguments& arguments);      // plan.cpp: plan a motion; benchmark
int resourceCommand(const Arguments& arguments);  // resource.cpp: info, pack, unpack
int convertCommand(const Arguments& arguments);   // convert.cpp: one format to another
int pluginsCommand(const Arguments& arguments);   // plugins.cpp: list, info, doctor, describe, docs

// Commands of commands, where they have files of their own.
int robotFkCommand(const Arguments& arguments);              // robot_fk.cpp
int robotIkCommand(const Arguments& arguments);              // robot_ik.cpp
int robotJacobianCommand(const Arguments& arguments);        // robot_jacobian.cpp
int robotSelfCollisionsCommand(const Arguments& arguments);  // robot_self_collisions.cpp
int robotBalanceCommand(const Arguments& arguments);         // robot_balance.cpp
int robotContactsCommand(const Arguments& arguments);        // robot_contacts.cpp
int robotTorquesCommand(const Arguments& arguments);         // robot_torques.cpp
int robotGraspCommand(const Arguments& arguments);           // robot_grasp.cpp
int robotDynamicsCommand(const Arguments& arguments);        // robot_dynamics.cpp
int robotSaveCommand(const Arguments& arguments);            // robot_save.cpp
int robotCalibrateCommand(const Arguments& arguments);       // robot_calibrate.cpp
int robotTraceCommand(const Arguments& arguments);           // robot_trace.cpp
int robotMeshCommand(const Arguments& arguments);            // robot_trace.cpp
int robotMergeCommand(const Arguments& arguments);           // robot_save.cpp
int worldCheckCommand(const Arguments& arguments);           // world_check.cpp
int worldCollisionsCommand(const Arguments& arguments);      // world_collisions.cpp
int geometryDistanceCommand(const Arguments& arguments);     // geometry_queries.cpp
int geometryCollideCommand(const Arguments& arguments);      // geometry_queries.cpp
int geometryRaycastCommand(const Arguments& arguments);      // geometry_queries.cpp
int geometryContainsCommand(const Arguments& arguments);     // geometry_queries.cpp

int pathRetime(const Arguments& arguments);           // path_retime.cpp
int logHtmlCommand(const Arguments& arguments);       // log_html.cpp
int poseCommand(const Arguments& arguments);          // pose.cpp: robots posed in the browser
int robotViewCommand(const Arguments& arguments);     // pose.cpp: a robot
int viewCommand(const Arguments& arguments);          // view.cpp: worlds, robots and logs in the browser
int pathSmooth(const Arguments& arguments);           // path_smooth.cpp
int pathDiscretize(const Arguments& arguments);       // path_discretize.cpp
int pathEvaluate(const Arguments& arguments);         // path_evaluate.cpp
int pathSplit(const Arguments& arguments);            // path_join.cpp
int pathJoin(const Arguments& arguments);             // path_join.cpp
int pathCheck(const Arguments& arguments);            // path_check.cpp
int pathConvert(const Arguments& arguments);          // path_convert.cpp
int pathContactOptimize(const Arguments& arguments);  // path_retime.cpp
int pathOptimize(const Arguments& arguments);         // path_optimize.cpp
int pathShortcut(const Arguments& arguments);         // path_shortcut.cpp

int planBenchmark(const Arguments& arguments);  // plan_benchmark.cpp
int compareTruth(const Arguments& arguments);   // compare_truth.cpp

// Klamp't's programs, with their own options.
int planDemoCommand(const Arguments& arguments);          // plan_demo.cpp
int contactPlanCommand(const Arguments& arguments);       // plan_demo.cpp
int dynamicPlanDemoCommand(const Arguments& arguments);   // plan_demo.cpp
int realTimePlanningCommand(const Arguments& arguments);  // real_time_planning.cpp

int configCommand(const Arguments& arguments);  // config.cpp: check, explain

}  // namespace mortise::app
