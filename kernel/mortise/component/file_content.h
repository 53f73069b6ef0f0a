#pragma once

#include <optional>
#include <string_view>

namespace mortise {

/// The kinds of content that files hold, in the order of the types of `Resource`; their names are in `resource.cpp`.
/// A new kind goes to the end of all three, and raises the interface version of formats.
enum class FileContent {
  configuration,
  configurations,
  trajectory,
  hermiteTrajectory,
  multipath,
  ikGoal,
  contactPoint,
  hold,
  stance,
  grasp,
  vector3,
  matrix3,
  transform,
  matrix,
  integers,
  numbers,
  geometry,
  robot,
  rigidObject,
  terrain,
  world,
  library,
  planningProblem
};

/// Returns the name that commands, side-cars and messages have for it: "rigid_object".
std::string_view contentName(FileContent content);
std::optional<FileContent> contentFromName(std::string_view name);

}  // namespace mortise
