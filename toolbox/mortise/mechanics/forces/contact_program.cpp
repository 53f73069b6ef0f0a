#include "mortise/mechanics/forces/contact_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mortise/base/expect.h"

namespace mortise {

namespace {

constexpr int kFirstEdges = 8;  ///< Edges of cones, before more are added.
constexpr int kRounds = 200;

}  // namespace

ContactProgram::ContactProgram(int rows, std::span<const ContactPoint> contacts,
                               const std::vector<Eigen::MatrixX3d>& effect, int coneEdges,
                               const ContactForceLimits& limits, double unit)
    : rows_(rows),
      contacts_(contacts.begin(), contacts.end()),
      effect_(effect),
      cones_(coneEdges == 0),
      program_(rows + static_cast<int>(limits.bounds.size())) {
  MORTISE_REQUIRE_SIZE(effect, contacts.size(), "one for each contact");
  const Eigen::Index own = rows, all = program_.rows();
  if (all > own)
    for (Eigen::MatrixX3d& block : effect_) block.conservativeResize(all, 3);
  for (Eigen::Index row = own; row < all; ++row) {
    const ForceBound& bound = limits.bounds[static_cast<std::size_t>(row - own)];
    double size = 0;
    for (const Vector3d& a : bound.a_W) size = std::max(size, a.norm());
    if (!(size > 0)) size = 1;
    for (std::size_t i = 0; i < contacts_.size(); ++i) effect_[i].row(row) = bound.a_W[i].transpose() / size;
    program_.addColumn(-VectorXd::Unit(all, row), bound.low / (size * unit), bound.high / (size * unit));
  }
  offsetEffect_ = VectorXd::Zero(all);
  std::vector<Vector3d> edges;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    offsets_.push_back(limits.robustness > 0 ? coneOffset(contacts_[i], coneEdges, limits.robustness / unit) : 0.0);
    if (offsets_[i] > 0) offsetEffect_ += effect_[i] * (offsets_[i] * contacts_[i].n_W);
    frictionEdges(contacts_[i], cones_ ? kFirstEdges : coneEdges, edges);
    for (const Vector3d& edge : edges) add(i, edge, false);
  }
  first_ = columns_.size();
  setRightSide(VectorXd::Zero(rows));
}

VectorXd ContactProgram::column(const VectorXd& rows) const {
  VectorXd column = VectorXd::Zero(program_.rows());
  column.head(rows_) = rows;
  return column;
}

void ContactProgram::setRightSide(const VectorXd& rows) { program_.setRightSide(column(rows) - offsetEffect_); }

void ContactProgram::add(std::size_t contact, const Vector3d& edge, bool later) {
  const double cost = normalCost_ * contacts_[contact].n_W.dot(edge);
  const VectorXd column = effect_[contact] * edge;
  columns_.push_back(
      {program_.addColumn(column, 0, std::numeric_limits<double>::infinity(), cost), contact, edge, later});
}

void ContactProgram::setNormalCost(double cost) {
  normalCost_ = cost;
  for (const Column& column : columns_)
    program_.setCost(column.column, cost * contacts_[column.contact].n_W.dot(column.edge));
}

/// For every contact the edge that the duals want most, where they want it.
bool ContactProgram::addBetter(double normalCost) {
  // More than what makes a linear program take a step, or the same edge would come again.
  const double worth = 2 * std::max(1e-9, program_.rounding());
  bool added = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].friction == 0 || std::isinf(contacts_[i].friction)) continue;  // All edges are there.
    const Vector3d direction = effect_[i].transpose() * program_.duals();
    double gain = 0;
    const Vector3d edge = frictionEdge(contacts_[i], direction, &gain);
    if (gain - normalCost <= worth) continue;
    add(i, edge, true);
    added = true;
  }
  return added;
}

/// Edges that were added and are not used now.
void ContactProgram::forget() {
  std::vector<char> drop(static_cast<std::size_t>(program_.columns()), 0), kept;
  for (const Column& column : columns_) drop[static_cast<std::size_t>(column.column)] = column.added;
  program_.dropColumns(drop, kept);
  std::vector<int> place;
  int next = 0;
  for (const char stays : kept) place.push_back(stays != 0 ? next++ : -1);
  std::erase_if(columns_, [&](const Column& column) { return kept[static_cast<std::size_t>(column.column)] == 0; });
  for (Column& column : columns_) column.column = place[static_cast<std::size_t>(column.column)];
}

LinearProgramStatus ContactProgram::solve() {
  if (columns_.size() > 3 * first_ + 50) forget();
  LinearProgramStatus status = program_.solve();
  for (int round = 0; cones_ && round < kRounds; ++round) {
    if (status != LinearProgramStatus::optimal && status != LinearProgramStatus::infeasible) break;
    if (!addBetter(status == LinearProgramStatus::optimal ? normalCost_ : 0)) break;
    status = program_.solve();
  }
  return status;
}

void ContactProgram::forces(std::vector<Vector3d>& forces) const {
  forces.assign(contacts_.size(), Vector3d::Zero());
  for (std::size_t i = 0; i < contacts_.size(); ++i) forces[i] = offsets_[i] * contacts_[i].n_W;
  for (const Column& column : columns_) forces[column.contact] += program_.value(column.column) * column.edge;
}

}  // namespace mortise
