#pragma once

/// Which files a problem set consists of.

#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"

namespace mortise::io_moveit {

/// Each name is a path or a `package://` reference.
struct ProblemSetFiles {
  std::string urdf;         ///< Or any other file that holds a robot; its links then serve as the names of joints, too.
  std::string srdf;         ///< May be empty: requests without a group move all joints.
  std::string jointLimits;  ///< May be empty.
  std::vector<std::string> scenes;
  std::vector<std::string> requests;
  /// MotionBenchMaker's config.yaml, or robowflex's file of a robot, which names the robot's files that are empty
  /// above. May be empty itself.
  std::string config;
};

/// The files in a folder: scene*.yaml, request*.yaml, config.yaml, joint_limits.yaml, and the only *.urdf and *.srdf.
/// Scenes as sensors see them (scene_sensed, scene_pcd) are left out. Throws `Error` when the folder has no request.
ProblemSetFiles problemSetOfFolder(const std::string& folder);

/// Says whether a folder holds a problem set: whether there is a request*.yaml.
bool isProblemSet(const std::string& folder);

/// Files in place of those of the folder, or all of them when there is no folder.
struct MoveItSettings {
  PlacedText urdf, srdf, jointLimits;
  Value scenes, requests;  ///< A name with * and ? in its last part, or a list of such.
  PlacedText config;
  void bind(SettingBinder& b);
};

/// Replaces what the settings name. Names are relative to the file that the setting stands in. Throws `Error` with
/// everything that is wrong.
void applySettings(const MoveItSettings& settings, ProblemSetFiles& files);

}  // namespace mortise::io_moveit
