#pragma once

/// Everything that inverse kinematics can be asked for, as people write it.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/schema.h"
#include "mortise/component/file_format.h"
#include "mortise/ik/equations/ik_terms.h"

namespace mortise {

/// A kind of goal, told by a key that only its maps have.
struct IKGoalKind {
  std::string key;
  Schema schema;  ///< Schema of the whole map.
};
/// All kinds but poses of links, which have no key of their own.
const std::vector<IKGoalKind>& ikGoalKinds();

/// One goal or a list of them: maps, told apart by their keys, or files (.ikgoal, .hold, .stance, and YAML or JSON of
/// such maps). Maps of every kind take `priority` and `weight`.
///
///   {link: hand, position: [0.5, 0, 0.4], rpy: [0, 0, 0]}     and what else `linkGoalFromSetting` takes
///   {link: hand, local_points: [[...], ...], points: [[...], ...]}
///   {com: [0, 0, null]}                                       axes that do not count are null
///   {joints: {elbow: 90 deg}}                                 links or drivers
///   {look_at: [1, 0, 0.5], link: head, local_axis: [0, 0, 1]}
///   {distance: [0.2, 0.5], link: hand, position: [0, 0, 1]}   minimum and maximum; null: none
///
/// Files are found from the folder of `referringFile` as well. Throws `Error` with the position of what is wrong.
std::vector<IKTerm> ikTermsFromSetting(const Value& value, const Robot& robot, ResourceLoader& loader,
                                       Diagnostics& diagnostics, const std::string& referringFile = {});

/// Returns the content of a file of goals that is YAML or JSON, and its path; null for .ikgoal, .hold and .stance.
/// Throws `Error` with the position of the name where there is no such file, or where it cannot be goals.
Value ikGoalFileContent(const Value& name, ResourceLoader& loader, const std::string& referringFile, std::string& path);

}  // namespace mortise
