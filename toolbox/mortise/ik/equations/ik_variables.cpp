#include "mortise/ik/equations/ik_variables.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mortise {

namespace {

bool isWeld(const Robot& robot, int link) {
  const int joint = robot.jointOfLink(link);
  const Link& l = robot.link(link);
  return (joint >= 0 && robot.joints()[static_cast<std::size_t>(joint)].type == JointType::weld) || l.qMin == l.qMax ||
         l.axis.isZero(0);
}

/// Ends of x that keep every link of it, and the driver, within limits.
void limitVariable(const Robot& robot, const Driver* driver, IKVariable& variable) {
  if (driver != nullptr) {
    variable.low = driver->qMin;
    variable.high = driver->qMax;
  }
  for (const DrivenCoordinate& move : variable.moves) {
    const Link& link = robot.link(move.link);
    double low = (link.qMin - move.offset) / move.scale, high = (link.qMax - move.offset) / move.scale;
    if (move.scale < 0) std::swap(low, high);
    // Drivers of files may be narrower than links, or wider, and some contradict them: links decide then.
    if (std::max(low, variable.low) > std::min(high, variable.high)) {
      variable.low = low;
      variable.high = high;
    } else {
      variable.low = std::max(low, variable.low);
      variable.high = std::min(high, variable.high);
    }
  }
}

}  // namespace

std::vector<IKVariable> ikVariables(const Robot& robot, bool limits) {
  constexpr double kTurn = 2 * std::numbers::pi - 1e-4;  // Files write 6.28319, or 6.283.
  std::vector<IKVariable> variables;
  std::vector<char> done(static_cast<std::size_t>(robot.numLinks()), 0);
  for (int i = 0; i < robot.numLinks(); ++i) {
    if (done[static_cast<std::size_t>(i)]) continue;
    IKVariable variable;
    const int d = robot.driverOfLink(i);
    const Driver* driver = d >= 0 && robot.driver(d).type == DriverType::affine ? &robot.driver(d) : nullptr;
    if (driver != nullptr) {
      for (std::size_t k = 0; k < driver->links.size(); ++k) {
        done[static_cast<std::size_t>(driver->links[k])] = 1;
        if (driver->scale[k] != 0) variable.moves.push_back({driver->links[k], driver->scale[k], driver->offset[k]});
      }
    } else if (!isWeld(robot, i)) {
      variable.moves.push_back({i, 1, 0});
    }
    if (variable.moves.empty()) continue;
    if (limits) limitVariable(robot, driver, variable);
    variable.angle = variable.moves.size() == 1 && robot.link(i).motion == LinkMotion::revolute &&
                     std::abs(std::abs(variable.moves[0].scale) * robot.link(i).axis.norm() - 1) < 1e-12;
    variable.turns = variable.angle && variable.high - variable.low >= kTurn;
    variables.push_back(std::move(variable));
  }
  return variables;
}

std::vector<IKVariable> linkVariables(const Robot& robot) {
  std::vector<IKVariable> variables(static_cast<std::size_t>(robot.numLinks()));
  for (int i = 0; i < robot.numLinks(); ++i) variables[static_cast<std::size_t>(i)].moves = {{i}};
  return variables;
}

double variableValue(const IKVariable& variable, const VectorXd& q) {
  double sum = 0;
  for (const DrivenCoordinate& move : variable.moves) sum += (q[move.link] - move.offset) / move.scale;
  return sum / static_cast<double>(variable.moves.size());
}

void setVariable(const IKVariable& variable, double value, VectorXd& q) {
  for (const DrivenCoordinate& move : variable.moves) q[move.link] = move.offset + move.scale * value;
}

}  // namespace mortise
