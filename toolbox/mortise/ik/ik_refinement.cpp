#include "mortise/ik/ik_refinement.h"

#include <algorithm>
#include <cmath>

namespace mortise {

IKRefinement::IKRefinement(RobotPtr robot, const std::vector<std::vector<IKTerm>>& levels,
                           const std::vector<IKVariable>& variables)
    : variables_(variables) {
  std::vector<int> rows;
  for (const std::vector<IKTerm>& terms : levels) {
    levels_.push_back({IKEquations(robot, terms, variables), {}, {}, {}});
    Level& level = levels_.back();
    rows.push_back(level.equations.size());
    level.r.resize(rows.back());
    level.trial.resize(rows.back());
    level.J.resize(rows.back(), static_cast<Eigen::Index>(variables.size()));
  }
  hierarchy_.reserve(static_cast<int>(variables.size()), rows);
  hierarchy_.singularity = 0.01;
  q_ = robot->initialConfiguration();
}

void IKRefinement::setFixed(const VectorXd& q) {
  q_ = q;
  for (Level& level : levels_) level.equations.setFixed(q);
}

void IKRefinement::setTerms(const std::vector<std::vector<IKTerm>>& levels) {
  for (std::size_t k = 0; k < levels_.size(); ++k) levels_[k].equations.setTerms(levels[k]);
}

/// |r|^2 of all levels but the first, and the cost, or the squared distance from the bias, last.
void IKRefinement::evaluate(const double* x, const double* bias, const IKCost& cost, std::vector<double>& costs,
                            VectorXd* gradient) {
  costs.clear();
  for (std::size_t k = 1; k < levels_.size(); ++k)
    costs.push_back(levels_[k].equations.residual(x, levels_[k].r.data()));
  if (cost) {
    for (std::size_t v = 0; v < variables_.size(); ++v) setVariable(variables_[v], x[v], q_);
    if (gradient != nullptr) gradient->resize(q_.size());
    costs.push_back(cost(q_, gradient));
  } else if (bias != nullptr) {
    double sum = 0;
    for (std::size_t v = 0; v < variables_.size(); ++v) sum += (x[v] - bias[v]) * (x[v] - bias[v]);
    costs.push_back(sum);
  }
}

/// Says whether `a` is the better of two points: at the first level at which they differ.
bool IKRefinement::better(const std::vector<double>& a, const std::vector<double>& b) const {
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double slack = 1e-12 * std::abs(b[k]) + 1e-18;
    if (a[k] < b[k] - slack) return true;
    if (a[k] > b[k] + slack + (k + 1 < a.size() ? 1e-9 * std::abs(b[k]) + 1e-16 : 0)) return false;
  }
  return false;
}

void IKRefinement::linearize(const double* x, const double* low, const double* high, double radius, const double* bias,
                             double length) {
  const Eigen::Index n = static_cast<Eigen::Index>(variables_.size());
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    Level& from = levels_[k];
    from.equations.residual(x, from.r.data());
    from.equations.jacobian(from.J.data());
    TaskLevel& to = hierarchy_.level(static_cast<int>(k));
    to.rows = from.equations.size();
    if (to.rows == 0) continue;
    to.A.topRows(to.rows) = from.J;
    to.b.head(to.rows) = -from.r;
  }
  for (Eigen::Index v = 0; v < n; ++v) {
    hierarchy_.lower()[v] = std::min(0.0, std::max(low[v] - x[v], -radius));
    hierarchy_.upper()[v] = std::max(0.0, std::min(high[v] - x[v], radius));
    double to = 0;
    if (reduced_.size() == n && length > 0)
      to = -length * reduced_[v];
    else if (bias != nullptr)
      to = bias[v] - x[v];
    hierarchy_.reference()[v] = std::clamp(to, -1e3, 1e3);
  }
}

std::vector<double> IKRefinement::refine(DampedNewton& newton, double* x, const double* low, const double* high,
                                         const double* bias, const IKCost& cost, const RefinementOptions& options) {
  const Eigen::Index n = static_cast<Eigen::Index>(variables_.size());
  std::vector<double> now, next, trial(static_cast<std::size_t>(n));
  DampedNewtonOptions back;
  back.tolerance = options.tolerance;
  back.maxIterations = 20;
  back.damping = 1e-3;
  double radius = 0.3, length = 0.1;
  reduced_.resize(0);
  for (int i = 0; i < options.maxIterations; ++i) {
    evaluate(x, bias, cost, now, cost ? &gradient_ : nullptr);
    if (cost) {
      VectorXd reduced(n);
      for (Eigen::Index v = 0; v < n; ++v) {
        reduced[v] = 0;
        for (const DrivenCoordinate& move : variables_[static_cast<std::size_t>(v)].moves)
          reduced[v] += move.scale * gradient_[move.link];
      }
      reduced_ = reduced;
    }
    bool moved = false;
    double maximum = 0;
    while (!moved && radius > 1e-10) {
      linearize(x, low, high, radius, bias, cost ? length : 0);
      hierarchy_.forget();
      hierarchy_.start().setZero();
      hierarchy_.solve();
      maximum = 0;
      for (Eigen::Index v = 0; v < n; ++v) {
        const double step = hierarchy_.solution()[v];
        maximum = std::max(maximum, std::abs(step));
        trial[static_cast<std::size_t>(v)] = std::clamp(x[v] + step, low[v], high[v]);
      }
      if (maximum < options.still) break;
      const bool held = newton.solve(levels_[0].equations, trial.data(), low, high, back).solved;
      if (held) evaluate(trial.data(), bias, cost, next, nullptr);
      moved = held && better(next, now);
      if (moved) {
        if (maximum > 0.5 * radius) radius = std::min(1.0, 2 * radius);
        length = std::min(1e3, 1.5 * length);
      } else {
        radius = 0.25 * std::min(radius, maximum);
        length *= 0.25;
      }
    }
    if (!moved) break;
    std::copy(trial.begin(), trial.end(), x);
  }
  std::vector<double> residuals;
  for (Level& level : levels_) residuals.push_back(std::sqrt(level.equations.residual(x, level.r.data())));
  return residuals;
}

}  // namespace mortise
