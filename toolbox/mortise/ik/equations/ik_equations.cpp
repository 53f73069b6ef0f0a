#include "mortise/ik/equations/ik_equations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/overloaded.h"
#include "mortise/ik/equations/rotation_errors.h"
#include "mortise/math/rotation.h"

namespace mortise {

using detail::cross;
using detail::dot;
using detail::IKTree;
using detail::M3;
using detail::transposeTimes;
using detail::V3;
using detail::v3;

struct IKEquations::Block {
  enum class Kind { position, fixed, axis, twoAxis, lookAt, distance, center, coordinate, function } kind;
  enum class Columns { point, turn, other } columns = Columns::other;
  int row = 0, count = 0;
  double weight = 1;
  int link = -1, destination = -1;
  V3 p_L, p_D;               ///< Points.
  V3 axis_L, axis_D;         ///< Directions.
  M3 fixed;                  ///< R_DL, or the directions along which positions count in D (as columns).
  bool full = false;         ///< Positions count along the world's axes.
  double low = 0, high = 0;  ///< Distances; the value of a coordinate.
  int variable = -1;         ///< Variable of a coordinate.
  double scale = 0, offset = 0;
  std::shared_ptr<ConstraintFunction> function{};
  // What `residual` leaves: r changes by rows . velocity of the point `at`, or rows . angular velocity.
  V3 rows[3], at;
};

namespace {

void acrossAxis(const V3& axis, V3& u, V3& v) {
  Vector3d first, second;
  perpendicularTo(detail::eigen(axis), first, second);
  u = v3(first);
  v = v3(second);
}

/// The links whose frames a goal depends on, and which it is relative to. Valid while `term` is.
std::span<const int> linkOf(const IKTerm& term, int& destination) {
  destination = -1;
  return std::visit(Overloaded{[&](const auto& goal) -> std::span<const int> {
                                 destination = goal.destination;
                                 return {&goal.link, 1};
                               },
                               [](const CenterOfMassGoal&) -> std::span<const int> { return {}; },
                               [](const CoordinateGoal&) -> std::span<const int> { return {}; },
                               [](const FunctionGoal&) -> std::span<const int> { return {}; }},
                    term.goal);
}

bool isKnown(const std::vector<int>& links, int link) {
  return link == -1 || std::find(links.begin(), links.end(), link) != links.end();
}

std::vector<int> allLinksOf(std::span<const IKTerm> terms) {
  std::vector<int> links;
  for (const IKTerm& term : terms) {
    int destination = -1;
    for (const int link : linkOf(term, destination)) links.push_back(link);
    if (destination != -1) links.push_back(destination);
  }
  return links;
}

bool asksForMasses(std::span<const IKTerm> terms) {
  return std::any_of(terms.begin(), terms.end(),
                     [](const IKTerm& term) { return std::holds_alternative<CenterOfMassGoal>(term.goal); });
}

/// The direction of an angle and how it changes: r = angle * (x, y) / sine for an axis whose cosine with its target is
/// c, and x and y across; gradients g. Grows on to pi.
void angleRows(double x, double y, double c, const V3& gx, const V3& gy, const V3& gc, double* r, V3* rows) {
  const double sine = std::sqrt(x * x + y * y);
  if (sine <= 1e-7) {
    if (c < 0) {  // The opposite way: any way back will do.
      r[0] = std::numbers::pi;
      r[1] = 0;
      rows[0] = -1.0 * gx;
      rows[1] = -1.0 * gy;
    } else {
      r[0] = x;
      r[1] = y;
      rows[0] = gx;
      rows[1] = gy;
    }
    return;
  }
  const double angle = std::atan2(sine, c), s = angle / sine;
  r[0] = s * x;
  r[1] = s * y;
  const V3 sineRate = (1 / sine) * (x * gx + y * gy);
  V3 rate;  // Of s.
  if (sine > 1e-4) rate = (1 / sine) * ((-1 / sine) * gc - s * sineRate);
  rows[0] = s * gx + x * rate;
  rows[1] = s * gy + y * rate;
}

/// Rotation vector.
V3 logarithm(const M3& R) {
  const V3 v = {0.5 * (R.c1.z - R.c2.y), 0.5 * (R.c2.x - R.c0.z), 0.5 * (R.c0.y - R.c1.x)};
  const double c = 0.5 * (R.c0.x + R.c1.y + R.c2.z - 1), s = std::sqrt(dot(v, v));
  if (s < 1e-9 && c > 0) return v;
  if (s < 1e-3 && c < 0) return v3(momentFromRotation(orthonormalized(detail::eigen(R))));
  return (std::atan2(s, c) / s) * v;
}

V3 directionOf(const Vector3d& v, const char* what) {
  if (!(v.norm() > 0) || !v.allFinite())
    throw Error(std::string("a goal of inverse kinematics has ") + what + " without length", {},
                "give three numbers that are not all 0");
  return v3(Vector3d(v.normalized()));
}

}  // namespace

std::vector<int> relevantVariables(const Robot& robot, std::span<const IKVariable> variables,
                                   std::span<const IKTerm> terms) {
  std::vector<char> relevant(static_cast<std::size_t>(robot.numLinks()), 0);
  for (const IKTerm& term : terms) {
    if (const auto* coordinate = std::get_if<CoordinateGoal>(&term.goal)) {
      // What is out of range is an error of `IKEquations`.
      if (coordinate->link >= 0 && coordinate->link < robot.numLinks())
        relevant[static_cast<std::size_t>(coordinate->link)] = 1;
      continue;
    }
    int destination = -1;
    std::span<const int> links = linkOf(term, destination);
    if (const auto* function = std::get_if<FunctionGoal>(&term.goal)) links = function->links;
    const bool all = links.empty();
    if (all) {
      std::fill(relevant.begin(), relevant.end(), 1);
      break;
    }
    for (const int link : links) {
      std::vector<char> between(relevant.size(), 0);
      if (link >= robot.numLinks() || destination >= robot.numLinks()) continue;
      for (int i = link; i >= 0; i = robot.link(i).parent) between[static_cast<std::size_t>(i)] ^= 1;
      for (int i = destination; i >= 0; i = robot.link(i).parent) between[static_cast<std::size_t>(i)] ^= 1;
      for (std::size_t i = 0; i < between.size(); ++i) relevant[i] = static_cast<char>(relevant[i] | between[i]);
    }
  }
  std::vector<int> found;
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (std::any_of(variables[v].moves.begin(), variables[v].moves.end(),
                    [&](const DrivenCoordinate& move) { return relevant[static_cast<std::size_t>(move.link)] != 0; }))
      found.push_back(static_cast<int>(v));
  return found;
}

IKEquations::IKEquations(RobotPtr robot, std::span<const IKTerm> terms, std::span<const IKVariable> variables)
    : robot_(std::move(robot)),
      tree_([&] {
        for (const int link : allLinksOf(terms))
          if (link < 0 || link >= robot_->numLinks())
            throw Error(
                "a goal names link " + std::to_string(link) + ", which robot '" + robot_->name() + "' does not have",
                {}, "links run from 0 to " + std::to_string(robot_->numLinks() - 1));
        return IKTree(robot_, variables, allLinksOf(terms), asksForMasses(terms));
      }()),
      variables_(variables.begin(), variables.end()) {
  q_ = robot_->initialConfiguration();
  links_ = allLinksOf(terms);
  for (const IKTerm& term : terms) {
    rows_.push_back(size_);
    addBlock(term, variables_);
  }
}

void IKEquations::setTerms(std::span<const IKTerm> terms) {
  const int size = size_;
  if (terms.size() != rows_.size()) throw Error("other targets need as many terms as there were");
  size_ = 0;
  blocks_.clear();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    bool known = size_ == rows_[i];
    int destination = -1;
    for (const int link : linkOf(terms[i], destination)) known = known && isKnown(links_, link);
    known = known && isKnown(links_, destination);
    if (!known) throw Error("other targets must be of the same links and kinds");
    addBlock(terms[i], variables_);
  }
  if (size_ != size) throw Error("other targets must be of the same kinds");
}

IKEquations::~IKEquations() = default;
IKEquations::IKEquations(IKEquations&&) noexcept = default;
IKEquations& IKEquations::operator=(IKEquations&&) noexcept = default;

void IKEquations::addBlock(const IKTerm& term, std::span<const IKVariable> variables) {
  const auto start = [&](Block::Kind kind, Block::Columns columns, int count, double weight) {
    Block block;
    block.kind = kind;
    block.columns = columns;
    block.row = size_;
    block.count = count;
    block.weight = weight;
    size_ += count;
    return block;
  };
  const auto between = [&](Block& block, int link, int destination) {
    if (link == destination)
      throw Error("a goal places link '" + robot_->link(link).name + "' by itself", {},
                  "name another link as the destination, or the world");
    block.link = link;
    block.destination = destination;
  };
  const auto pose = [&](const IKGoal& goal) {
    if (goal.position != IKGoal::Position::free) {
      Block block = start(Block::Kind::position, Block::Columns::point, positionEquations(goal), term.positionWeight);
      between(block, goal.link, goal.destination);
      block.p_L = v3(goal.p_LP);
      block.p_D = v3(goal.p_DP);
      block.fixed = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      block.full = goal.position == IKGoal::Position::point && goal.destination < 0;
      if (goal.position == IKGoal::Position::plane) block.fixed.c0 = directionOf(goal.direction_D, "a direction");
      if (goal.position == IKGoal::Position::line)
        acrossAxis(directionOf(goal.direction_D, "a direction"), block.fixed.c0, block.fixed.c1);
      blocks_.push_back(block);
    }
    if (goal.rotation == IKGoal::Rotation::free) return;
    const bool fixed = goal.rotation == IKGoal::Rotation::fixed, two = goal.rotation == IKGoal::Rotation::twoAxis;
    Block block = start(fixed ? Block::Kind::fixed
                        : two ? Block::Kind::twoAxis
                              : Block::Kind::axis,
                        Block::Columns::turn,
                        fixed ? 3
                        : two ? 1
                              : 2,
                        term.rotationWeight);
    between(block, goal.link, goal.destination);
    if (fixed) {
      block.fixed = detail::m3(rotationFromMoment(goal.rotationVector_DL));
    } else {
      block.axis_L = directionOf(goal.axis_L, "an axis");
      block.axis_D = directionOf(goal.axis_D, "an axis");
      acrossAxis(block.axis_D, block.fixed.c0, block.fixed.c1);
    }
    blocks_.push_back(block);
  };
  const auto center = [&](const CenterOfMassGoal& goal) {
    Block block = start(Block::Kind::center, Block::Columns::other, numEquations(term), term.positionWeight);
    block.p_D = v3(goal.p_W);
    V3* to[3] = {&block.fixed.c0, &block.fixed.c1, &block.fixed.c2};
    int next = 0;
    for (int k = 0; k < 3; ++k)
      if (goal.along[static_cast<std::size_t>(k)]) *to[next++] = v3(Vector3d(goal.axes_W.col(k)));
    if (!(robot_->totalMass() > 0))
      throw Error("robot '" + robot_->name() + "' has no mass, so that its center of mass is nowhere", {},
                  "give its links masses in the robot file");
    blocks_.push_back(block);
  };
  const auto coordinate = [&](const CoordinateGoal& goal) {
    Block block = start(Block::Kind::coordinate, Block::Columns::other, 1, term.rotationWeight);
    block.link = goal.link;
    block.low = goal.value;
    if (goal.link < 0 || goal.link >= robot_->numLinks())
      throw Error("a goal names the coordinate of link " + std::to_string(goal.link) + ", which robot '" +
                  robot_->name() + "' does not have");
    for (std::size_t v = 0; v < variables.size(); ++v)
      for (const DrivenCoordinate& move : variables[v].moves)
        if (move.link == goal.link) {
          block.variable = static_cast<int>(v);
          block.scale = move.scale;
          block.offset = move.offset;
        }
    blocks_.push_back(block);
  };
  const auto lookAtGoal = [&](const LookAtGoal& goal) {
    Block block = start(Block::Kind::lookAt, Block::Columns::point, 2, term.rotationWeight);
    between(block, goal.link, goal.destination);
    block.p_L = v3(goal.p_LP);
    block.p_D = v3(goal.p_DT);
    block.axis_L = directionOf(goal.axis_L, "an axis");
    acrossAxis(block.axis_L, block.fixed.c0, block.fixed.c1);
    blocks_.push_back(block);
  };
  const auto distance = [&](const DistanceGoal& goal) {
    Block block = start(Block::Kind::distance, Block::Columns::point, 1, term.positionWeight);
    between(block, goal.link, goal.destination);
    block.p_L = v3(goal.p_LP);
    block.p_D = v3(goal.p_DP);
    block.low = goal.low;
    block.high = goal.high;
    if (!(goal.low <= goal.high))
      throw Error("a goal of a distance has its ends the wrong way round", {}, "give the smaller one first");
    blocks_.push_back(block);
  };
  const auto function = [&](const FunctionGoal& goal) {
    std::shared_ptr<ConstraintFunction> made = goal.make();
    Block block = start(Block::Kind::function, Block::Columns::other, made->size(), term.positionWeight);
    block.function = std::move(made);
    blocks_.push_back(block);
  };
  std::visit(Overloaded{pose, center, coordinate, lookAtGoal, distance, function}, term.goal);
}

bool IKEquations::setFixed(const VectorXd& q) {
  q_ = q;
  return tree_.setFixed(q);
}

double IKEquations::residual(const double* x, double* r) {
  tree_.set(x);
  for (Block& block : blocks_) residualOf(block, x, r + block.row);
  double sum = 0;
  for (int i = 0; i < size_; ++i) sum += r[i] * r[i];
  return sum;
}

void IKEquations::residualOf(Block& b, const double* x, double* r) {
  const IKTree::Place& link = tree_.place(std::max(-1, b.link));
  const IKTree::Place& destination = tree_.place(b.destination);
  const bool world = b.destination < 0;
  switch (b.kind) {
    case Block::Kind::position: {
      b.at = tree_.point(link, b.p_L);
      const V3 error = b.at - (world ? b.p_D : tree_.point(destination, b.p_D));
      if (b.full) {
        b.rows[0] = {1, 0, 0}, b.rows[1] = {0, 1, 0}, b.rows[2] = {0, 0, 1};
        r[0] = error.x, r[1] = error.y, r[2] = error.z;
        break;
      }
      const M3 R = world ? b.fixed : tree_.rotation(destination) * b.fixed;
      b.rows[0] = R.c0, b.rows[1] = R.c1, b.rows[2] = R.c2;
      for (int i = 0; i < b.count; ++i) r[i] = dot(b.rows[i], error);
      break;
    }
    case Block::Kind::fixed: {
      const M3 target = world ? b.fixed : tree_.rotation(destination) * b.fixed, R = tree_.rotation(link);
      const M3 transposed = {{target.c0.x, target.c1.x, target.c2.x},
                             {target.c0.y, target.c1.y, target.c2.y},
                             {target.c0.z, target.c1.z, target.c2.z}};
      const V3 e = logarithm(R * transposed);
      r[0] = e.x, r[1] = e.y, r[2] = e.z;
      b.rows[0] = {1, 0, 0}, b.rows[1] = {0, 1, 0}, b.rows[2] = {0, 0, 1};
      break;
    }
    case Block::Kind::axis:
    case Block::Kind::twoAxis: {
      const V3 a = tree_.rotation(link) * b.axis_L;
      const M3 D = world ? M3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} : tree_.rotation(destination);
      const V3 to = D * b.axis_D, u = D * b.fixed.c0, v = D * b.fixed.c1;
      if (b.kind == Block::Kind::twoAxis) {
        r[0] = dot(a, to);
        b.rows[0] = cross(a, to);
      } else {
        angleRows(dot(u, a), dot(v, a), dot(to, a), cross(a, u), cross(a, v), cross(a, to), r, b.rows);
      }
      break;
    }
    case Block::Kind::lookAt: {
      const M3 R = tree_.rotation(link);
      b.at = world ? b.p_D : tree_.point(destination, b.p_D);
      const V3 delta = b.at - tree_.point(link, b.p_L);
      const double length = std::max(1e-9, std::sqrt(dot(delta, delta)));
      const V3 d = (1 / length) * delta, a = R * b.axis_L, u = R * b.fixed.c0, v = R * b.fixed.c1;
      // Seen from the link, the target moves as the destination, less what the link does at the target.
      const auto across = [&](const V3& w) { return (-1 / length) * (w - dot(w, d) * d); };
      angleRows(dot(u, d), dot(v, d), dot(a, d), across(u), across(v), across(a), r, b.rows);
      break;
    }
    case Block::Kind::distance: {
      b.at = tree_.point(link, b.p_L);
      const V3 delta = b.at - (world ? b.p_D : tree_.point(destination, b.p_D));
      const double length = std::sqrt(dot(delta, delta));
      const double off = length < b.low ? length - b.low : length > b.high ? length - b.high : 0;
      r[0] = off;
      b.rows[0] = off == 0 ? V3() : length > 1e-12 ? (1 / length) * delta : V3{0, 0, 1};
      break;
    }
    case Block::Kind::center: {
      const V3 error = tree_.centerOfMass() - b.p_D;
      const V3* along[3] = {&b.fixed.c0, &b.fixed.c1, &b.fixed.c2};
      for (int i = 0; i < b.count; ++i) r[i] = dot(*along[i], error);
      break;
    }
    case Block::Kind::coordinate:
      r[0] = (b.variable < 0 ? q_[b.link] : b.offset + b.scale * x[b.variable]) - b.low;
      break;
    case Block::Kind::function: {
      for (std::size_t v = 0; v < variables_.size(); ++v) setVariable(variables_[v], x[v], q_);
      b.function->residual(q_.data(), r);
      break;
    }
  }
  if (b.weight != 1)
    for (int i = 0; i < b.count; ++i) r[i] *= b.weight;
}

void IKEquations::jacobian(double* J) {
  std::fill_n(J, size_ * dimension(), 0.0);
  for (const Block& block : blocks_) jacobianOf(block, J);
}

void IKEquations::jacobianOf(const Block& b, double* J) {
  switch (b.columns) {
    case Block::Columns::point:
      return pointColumns(b, J);
    case Block::Columns::turn:
      return turnColumns(b, J);
    case Block::Columns::other:
      break;
  }
  if (b.kind == Block::Kind::center) {
    tree_.addCenterOfMassColumns(b.fixed, b.count, b.weight, J + b.row, size_);
  } else if (b.kind == Block::Kind::coordinate) {
    if (b.variable >= 0) J[b.variable * size_ + b.row] += b.weight * b.scale;
  } else {
    functionJ_.resize(b.count, q_.size());
    b.function->jacobian(functionJ_.data());
    for (std::size_t v = 0; v < variables_.size(); ++v)
      for (const DrivenCoordinate& move : variables_[v].moves)
        for (int i = 0; i < b.count; ++i)
          J[static_cast<int>(v) * size_ + b.row + i] += b.weight * move.scale * functionJ_(i, move.link);
  }
}

void IKEquations::pointColumns(const Block& b, double* J) {
  const auto add = [&](double sign) {
    return [&b, J, sign, m = size_](int variable, double scale, const V3& axis, bool turns, const V3& origin) {
      const V3 v = turns ? cross(axis, b.at - origin) : axis;
      double* column = J + variable * m + b.row;
      const double factor = sign * scale;
      for (int i = 0; i < b.count; ++i) column[i] += factor * dot(b.rows[i], v);
    };
  };
  tree_.forJointsAbove(tree_.place(b.link), add(b.weight));
  if (b.destination >= 0) tree_.forJointsAbove(tree_.place(b.destination), add(-b.weight));
}

void IKEquations::turnColumns(const Block& b, double* J) {
  const auto add = [&](double sign) {
    return [&b, J, sign, m = size_](int variable, double scale, const V3& axis, bool turns, const V3&) {
      if (!turns) return;
      double* column = J + variable * m + b.row;
      const double factor = sign * scale;
      for (int i = 0; i < b.count; ++i) column[i] += factor * dot(b.rows[i], axis);
    };
  };
  tree_.forJointsAbove(tree_.place(b.link), add(b.weight));
  if (b.destination >= 0) tree_.forJointsAbove(tree_.place(b.destination), add(-b.weight));
}

}  // namespace mortise
