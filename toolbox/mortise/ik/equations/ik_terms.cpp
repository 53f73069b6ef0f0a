#include "mortise/ik/equations/ik_terms.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/base/overloaded.h"
#include "mortise/math/rotation.h"

namespace mortise {

int positionEquations(const IKGoal& goal) {
  switch (goal.position) {
    case IKGoal::Position::free:
      return 0;
    case IKGoal::Position::plane:
      return 1;
    case IKGoal::Position::line:
      return 2;
    case IKGoal::Position::point:
      return 3;
  }
  return 0;
}

int numEquations(const IKGoal& goal) {
  switch (goal.rotation) {
    case IKGoal::Rotation::free:
      return positionEquations(goal);
    case IKGoal::Rotation::twoAxis:
      return positionEquations(goal) + 1;
    case IKGoal::Rotation::axis:
      return positionEquations(goal) + 2;
    case IKGoal::Rotation::fixed:
      return positionEquations(goal) + 3;
  }
  return 0;
}

int numEquations(const IKTerm& term) {
  return std::visit(Overloaded{[](const IKGoal& goal) { return numEquations(goal); },
                               [](const CenterOfMassGoal& goal) {
                                 return int{goal.along[0]} + int{goal.along[1]} + int{goal.along[2]};
                               },
                               [](const CoordinateGoal&) { return 1; }, [](const LookAtGoal&) { return 2; },
                               [](const DistanceGoal&) { return 1; }, [](const FunctionGoal&) { return -1; }},
                    term.goal);
}

std::vector<IKTerm> termsOf(const std::vector<IKGoal>& goals) {
  std::vector<IKTerm> terms;
  for (const IKGoal& goal : goals) terms.push_back({goal});
  return terms;
}

IKGoal poseGoal(int link, const RigidTransform& X_DL, int destination) {
  IKGoal goal;
  goal.link = link;
  goal.destination = destination;
  goal.position = IKGoal::Position::point;
  goal.p_DP = X_DL.p;
  goal.rotation = IKGoal::Rotation::fixed;
  goal.rotationVector_DL = momentFromRotation(orthonormalized(X_DL.R));
  return goal;
}

namespace {

Vector3d mean(const std::vector<Vector3d>& points) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

/// Says whether points lie on one line; its direction.
bool onLine(const std::vector<Vector3d>& points, Vector3d& direction) {
  const Vector3d center = mean(points);
  Matrix3d spread = Matrix3d::Zero();
  for (const Vector3d& p : points) spread += (p - center) * (p - center).transpose();
  const Eigen::JacobiSVD<Matrix3d> svd(spread, Eigen::ComputeFullU);
  direction = svd.matrixU().col(0);
  // Its sign: from the first point onwards.
  if (direction.dot(points.back() - points.front()) < 0) direction = -direction;
  return svd.singularValues()[1] <= 1e-16 * std::max(1e-300, svd.singularValues()[0]) + 1e-24;
}

}  // namespace

IKGoal pointsGoal(int link, const std::vector<Vector3d>& p_LP, const std::vector<Vector3d>& p_DP, int destination) {
  if (p_LP.size() != p_DP.size() || p_LP.empty())
    throw Error("points of a link need as many targets: " + std::to_string(p_LP.size()) + " points, " +
                std::to_string(p_DP.size()) + " targets");
  IKGoal goal;
  goal.link = link;
  goal.destination = destination;
  goal.position = IKGoal::Position::point;
  goal.p_LP = mean(p_LP);
  goal.p_DP = mean(p_DP);
  if (p_LP.size() == 1) return goal;
  Vector3d axis_L, axis_D;
  const bool line = onLine(p_LP, axis_L);
  if (onLine(p_DP, axis_D) || line) {
    if ((p_LP.back() - p_LP.front()).norm() <= 1e-12 || (p_DP.back() - p_DP.front()).norm() <= 1e-12)
      throw Error("points of link " + std::to_string(link) + " that have several targets coincide", {},
                  "give points that differ from each other");
    goal.rotation = IKGoal::Rotation::axis;
    goal.axis_L = axis_L;
    goal.axis_D = axis_D;
    return goal;
  }
  Matrix3d H = Matrix3d::Zero();
  for (std::size_t i = 0; i < p_LP.size(); ++i) H += (p_DP[i] - goal.p_DP) * (p_LP[i] - goal.p_LP).transpose();
  const Eigen::JacobiSVD<Matrix3d> svd(H, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d mirror = Matrix3d::Identity();
  mirror(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  goal.rotation = IKGoal::Rotation::fixed;
  goal.rotationVector_DL = momentFromRotation(svd.matrixU() * mirror * svd.matrixV().transpose());
  return goal;
}

}  // namespace mortise
