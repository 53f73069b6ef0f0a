#pragma once

/// Goals of inverse kinematics.

#include <array>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "mortise/contact/ik_goal.h"
#include "mortise/ik/equations/constraint_function.h"
#include "mortise/ik/equations/ik_variables.h"
#include "mortise/math/constants.h"

namespace mortise {

/// The center of mass lies at a point of the world, along the axes that count.
struct CenterOfMassGoal {
  Vector3d p_W = Vector3d::Zero();
  std::array<bool, 3> along = {true, true, true};
  Matrix3d axes_W = Matrix3d::Identity();  ///< Unit vectors, as columns: the world's axes.
};

/// A link's coordinate, or the value of an affine driver, given by its links.
struct CoordinateGoal {
  int link = 0;
  double value = 0;  ///< Value of q[link].
};

/// The axis of a link that begins at a point of it (a camera's, say) points at a target: two equations.
struct LookAtGoal {
  int link = 0;
  Vector3d p_LP = Vector3d::Zero();
  Vector3d axis_L = Vector3d::UnitZ();
  int destination = -1;
  Vector3d p_DT = Vector3d::Zero();
};

/// The distance of two points is neither below `low` nor above `high`: one equation, which holds in between.
struct DistanceGoal {
  int link = 0;
  Vector3d p_LP = Vector3d::Zero();
  int destination = -1;
  Vector3d p_DP = Vector3d::Zero();
  double low = 0, high = kInfinity;
};

/// Equations of one's own over the whole configuration (numLinks). The function has a workspace: `make` gives each
/// thread its own.
struct FunctionGoal {
  std::function<std::unique_ptr<ConstraintFunction>()> make;
  std::vector<int> links = {};  ///< Links whose coordinates it depends on; empty: all.
};

struct IKTerm {
  std::variant<IKGoal, CenterOfMassGoal, CoordinateGoal, LookAtGoal, DistanceGoal, FunctionGoal> goal;
  /// 0: it holds exactly, or the problem is not solved. Others are as near as those of lower numbers let them be.
  int priority = 0;
  /// Weights of 1 m and 1 rad of error.
  double positionWeight = 1, rotationWeight = 1;
};

/// Counts the equations of a goal's position, which come before those of its rotation.
int positionEquations(const IKGoal& goal);
/// Counts the equations that a goal stands for; -1 for functions, which know only when they are made.
int numEquations(const IKGoal& goal);
int numEquations(const IKTerm& term);

/// Makes terms of goals, which hold exactly.
std::vector<IKTerm> termsOf(const std::vector<IKGoal>& goals);

/// The goal that a link's whole pose is `X_DL`.
IKGoal poseGoal(int link, const RigidTransform& X_DL, int destination = -1);
/// The goal that points of a link (columns of `p_LP`) lie at points of the destination: one or two points as they can
/// be (a point, a point and an axis); three or more as the pose that fits them best (Kabsch, 1976). Throws `Error`
/// where points coincide or differ in number.
IKGoal pointsGoal(int link, const std::vector<Vector3d>& p_LP, const std::vector<Vector3d>& p_DP, int destination = -1);

}  // namespace mortise
