#include "mortise/ik/equations/term_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "mortise/base/overloaded.h"
#include "mortise/base/value_text.h"
#include "mortise/ik/equations/ik_equations.h"

namespace mortise {

namespace {

std::string linkText(const Robot& robot, int link) { return "link '" + robot.link(link).name + "'"; }

/// Not weighted.
VectorXd residualOf(const RobotPtr& robot, const IKTerm& term, const VectorXd& q) {
  const IKTerm plain{term.goal};
  IKEquations equations(robot, {&plain, 1}, linkVariables(*robot));
  VectorXd r(equations.size());
  equations.residual(q.data(), r.data());
  return r;
}

std::string poseErrorText(const RobotPtr& robot, const IKGoal& goal, const VectorXd& q) {
  const VectorXd r = residualOf(robot, {goal}, q);
  const int rows = positionEquations(goal);
  std::string text;
  if (rows > 0) text = formatReal(r.head(rows).norm(), 4) + " m";
  if (r.size() > rows) text += (rows > 0 ? " and " : "") + formatReal(r.tail(r.size() - rows).norm(), 4) + " rad";
  return text;
}

}  // namespace

std::string termText(const Robot& robot, const IKTerm& term) {
  return std::visit(
      Overloaded{
          [&](const CenterOfMassGoal&) { return std::string("the center of mass"); },
          [&](const CoordinateGoal& goal) { return "the joint of " + linkText(robot, goal.link); },
          [&](const LookAtGoal& goal) { return "the direction in which " + linkText(robot, goal.link) + " looks"; },
          [&](const DistanceGoal& goal) { return "the distance of " + linkText(robot, goal.link); },
          [&](const FunctionGoal&) { return std::string("a function"); },
          [&](const IKGoal& goal) { return linkText(robot, goal.link); }},
      term.goal);
}

double termResidual(const RobotPtr& robot, const IKTerm& term, const VectorXd& q) {
  return residualOf(robot, term, q).norm();
}

std::string termErrorText(const RobotPtr& robot, const IKTerm& term, const VectorXd& q) {
  if (std::holds_alternative<FunctionGoal>(term.goal)) return {};
  if (const auto* goal = std::get_if<IKGoal>(&term.goal)) return poseErrorText(robot, *goal, q);
  bool turns = std::holds_alternative<LookAtGoal>(term.goal);
  if (const auto* goal = std::get_if<CoordinateGoal>(&term.goal))
    turns = robot->link(goal->link).motion == LinkMotion::revolute;
  return formatReal(termResidual(robot, term, q), 4) + (turns ? " rad" : " m");
}

std::string reachText(const Robot& robot, const IKTerm& term) {
  const auto* goal = std::get_if<IKGoal>(&term.goal);
  if (goal == nullptr || goal->position != IKGoal::Position::point || goal->destination >= 0) return {};
  // The chain from the first joint that the link hangs on.
  double reach = goal->p_LP.norm();
  int first = goal->link;
  for (int i = goal->link; i >= 0; i = robot.link(i).parent) {
    const Link& link = robot.link(i);
    if (link.motion == LinkMotion::prismatic)
      reach += std::max(std::abs(link.qMin), std::abs(link.qMax)) * link.axis.norm();
    if (link.parent >= 0) reach += link.X_PL0.p.norm();
    first = i;
  }
  if (!std::isfinite(reach)) return {};
  const double away = (goal->p_DP - robot.link(first).X_PL0.p).norm();
  if (away <= reach * (1 + 1e-9)) return {};
  return "the target is " + formatReal(away, 4) + " m from " + linkText(robot, first) + ", and " +
         linkText(robot, goal->link) + " reaches no more than " + formatReal(reach, 4) + " m";
}

}  // namespace mortise
