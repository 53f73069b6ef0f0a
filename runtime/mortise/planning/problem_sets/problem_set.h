#pragma once

/// Problem sets in the formats of MoveIt, robowflex and MotionBenchMaker: a URDF and an SRDF file, scenes
/// (moveit_msgs/PlanningScene) and requests (moveit_msgs/MotionPlanRequest) in YAML.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/log.h"
#include "mortise/base/value.h"
#include "mortise/component/file_format.h"
#include "mortise/loading/resource_path.h"
#include "mortise/model/world.h"
#include "mortise/planning/plan_request.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// A problem that is ready to be planned: everything in it refers to `world`.
struct ProblemCase {
  std::string name;  ///< Of the request's file, without folder and ending.
  std::shared_ptr<const World> world;
  /// Its planner is "any", its time the request's `allowed_planning_time` where that is given.
  PlanRequest request;
  std::string sceneFile, requestFile;
  std::string group;
  std::string plannerId;  ///< As the file names it.
  int attempts = 1;
  double velocityScaling = 1, accelerationScaling = 1;  ///< Of limits, for timing.
};

/// Files of a problem set. Each may be a path or a `package://` reference.
struct ProblemSetFiles {
  std::string urdf;         ///< Or any other file that holds a robot: its links then have the names of joints, too.
  std::string srdf;         ///< May be empty: requests without a group move all joints.
  std::string jointLimits;  ///< May be empty.
  std::vector<std::string> scenes;
  std::vector<std::string> requests;
  /// MotionBenchMaker's config.yaml, or robowflex's file of a robot: names what of the robot's files is empty above.
  /// May be empty itself.
  std::string config;
  std::map<std::string, std::string> packages;  ///< Folders of packages by name.
};

/// One case a request. With one scene, all requests are in it; otherwise a request belongs to the scene whose file name
/// ends in the same number. Throws `Error` with everything that is wrong; warnings go to `diagnostics`. The loader has
/// to know the packages.
std::vector<ProblemCase> loadProblemSet(const ProblemSetFiles& files, ResourceLoader& loader, Diagnostics& diagnostics);
/// The same with a loader of its own; `paths`: more places and packages.
std::vector<ProblemCase> loadProblemSet(const ProblemSetFiles& files, Registry& registry, LogSink& log,
                                        ResourcePath paths, Diagnostics& diagnostics);

/// What a folder holds: scene*.yaml, request*.yaml, config.yaml, and one *.urdf, *.srdf and joint_limits.yaml where
/// there are such. Scenes as sensors see them (scene_sensed, scene_pcd) are left out. Throws `Error` when it is no
/// folder or has no request.
ProblemSetFiles problemSetOfFolder(const std::string& folder);

/// Of a map {urdf, srdf, joint_limits, scenes, requests, config, packages, folder}, relative to the file that the map
/// stands in; `scenes` and `requests` are names, with * and ? in their last part, or lists of such. What `folder` holds
/// counts where the map says nothing. Everything wrong goes to the diagnostics.
ProblemSetFiles problemSetOf(const Value& value, Diagnostics& diagnostics);

/// The files in a folder that a name with * and ? in its last part means, in the order of the numbers they end in; the
/// name itself where it has none of these.
std::vector<std::string> filesLike(const std::string& pattern);

/// The planner that `plannerId` means: the name itself, or without what MoveIt's configurations append
/// ("RRTConnectkConfigDefault"); empty when the registry has none like that.
std::string plannerOfId(const std::string& plannerId, const Registry& registry);

}  // namespace mortise
