#pragma once

/// Problem sets in the formats of MoveIt, robowflex and MotionBenchMaker: a URDF and an SRDF file, scenes
/// (moveit_msgs/PlanningScene) and requests (moveit_msgs/MotionPlanRequest) in YAML.

#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/component/file_format.h"
#include "mortise/component/planning_problem_description.h"
#include "problem_files.h"

namespace mortise::io_moveit {

/// One problem for each request. With one scene, all requests are in it; otherwise a request belongs to the scene whose
/// file name ends in the same number. A problem is named after its request's file, without folder and extension; its
/// notes are `scene`, `request` (files) and `group`. Throws `Error` with everything that is wrong; warnings go to
/// `diagnostics`. The loader resolves `package://` references.
PlanningProblems loadProblemSet(const ProblemSetFiles& files, ResourceLoader& loader, Diagnostics& diagnostics);

}  // namespace mortise::io_moveit
