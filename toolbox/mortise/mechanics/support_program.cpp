#include "mortise/mechanics/support_program.h"

#include <cmath>

#include "mortise/math/rotation.h"

namespace mortise {

namespace {

/// Returns the limits that are left when forces are without end: bounds hold forces back entirely, on the sides that
/// have one.
ContactForceLimits limitsFarAway(ContactForceLimits limits) {
  limits.robustness = 0;
  for (ForceBound& bound : limits.bounds) {
    if (std::isfinite(bound.low)) bound.low = 0;
    if (std::isfinite(bound.high)) bound.high = 0;
  }
  return limits;
}

ContactProgram supportProgram(std::span<const ContactPoint> contacts, const SupportFrame& frame,
                              const SupportPolygonOptions& options, SupportProgram::Of of) {
  std::vector<Eigen::MatrixX3d> effect;
  for (const ContactPoint& contact : contacts) {
    Eigen::MatrixX3d block(6, 3);  // Forces stay in the world's axes, by which pyramids are laid out.
    block.topRows<3>() = frame.R_FW * crossMatrix((contact.p_WC - frame.middle) / frame.length);
    block.bottomRows<3>() = frame.R_FW;
    effect.push_back(std::move(block));
  }
  const bool centers = of == SupportProgram::Of::centers;
  return ContactProgram(6, contacts, effect, options.coneEdges,
                        centers ? options.limits : limitsFarAway(options.limits),
                        options.mass * options.gravity_W.norm());
}

}  // namespace

SupportProgram::SupportProgram(std::span<const ContactPoint> contacts, const SupportFrame& frame, double square,
                               const SupportPolygonOptions& options, Of of)
    : program_(supportProgram(contacts, frame, options, of)), square_(square) {
  constexpr int kRows = 6;
  // (c x down) for c along x and y, down = -z.
  VectorXd column = VectorXd::Zero(kRows);
  column[1] = 1;
  x_ = program_.program().addColumn(program_.column(column), -square, square);
  column = VectorXd::Zero(kRows);
  column[0] = -1;
  y_ = program_.program().addColumn(program_.column(column), -square, square);
  VectorXd b = VectorXd::Zero(kRows);
  if (of == Of::centers) b[5] = 1;
  program_.setRightSide(b);
}

bool SupportProgram::support(const Eigen::Vector2d& normal, Eigen::Vector2d& point) {
  LinearProgram& program = program_.program();
  program.setCost(x_, -normal.x());
  program.setCost(y_, -normal.y());
  if (program_.solve() != LinearProgramStatus::optimal) return false;
  point = Eigen::Vector2d(program.value(x_), program.value(y_));
  return true;
}

}  // namespace mortise
