#pragma once

/// Results that stages of a pipeline leave for later ones.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/motion/hermite_trajectory.h"
#include "mortise/motion/multipath.h"
#include "mortise/motion/trajectory.h"

namespace mortise {

/// The kinds of results. One result may be of several.
enum class ResultKind {
  motion,  ///< `SavedMotion`.
  space,   ///< Settings of the space that a motion was planned in.
  state,   ///< `SavedState`.
  files,   ///< Files in the run's folder.
  table,   ///< Rows of values.
  report   ///< A tree of values for people and for other programs.
};
std::string_view resultKindName(ResultKind kind);
std::optional<ResultKind> resultKindFromName(std::string_view name);

/// A robot or rigid object that moves in a motion, and the coordinates that are its.
struct MotionPart {
  int id = 0;  ///< In the world.
  int first = 0, size = 0;
};

/// A motion that a stage saved.
struct SavedMotion {
  Trajectory trajectory;                    ///< Straight between its configurations.
  std::optional<HermiteTrajectory> spline;  ///< The same motion with its velocities.
  std::optional<MultiPath> multipath;       ///< The same motion with sections, goals and holds.
  std::vector<MotionPart> parts;            ///< Empty: it is not known whose motion it is.
};

/// A simulation's state that a stage saved.
struct SavedState {
  std::string file;  ///< Path of the file.
  std::string name;  ///< Name in the stage's settings.
};

/// Results of a stage under one name.
struct StageOutput {
  std::string name;
  std::string stage;              ///< Name of the component, as "mortise.Plan".
  std::vector<ResultKind> kinds;  ///< Empty: the stage does not declare them.
  std::string stateName;          ///< Name of the file of its state in the stage's settings; may be empty.
  int line = 0;                   ///< Line of the stage in the pipeline's file; 0: unknown.

  /// Returns true also where the kinds are not declared.
  bool mayBe(ResultKind kind) const;
};

}  // namespace mortise
