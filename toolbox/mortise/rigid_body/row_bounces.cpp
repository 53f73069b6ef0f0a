/// Newton's law of restitution says how fast bodies part, whatever friction does; where a body is wedged between
/// others, the two laws together can give energy (Kane, 1984). Here bounces are made less until they do not.

#include <algorithm>
#include <cmath>

#include "mortise/rigid_body/row_solver.h"

namespace mortise::rigid {

namespace {

/// The fraction of the energy with which surfaces close that friction may give beyond what normal impulses take.
constexpr double kGiven = 1e-4;
constexpr int kHalvings = 10;

}  // namespace

/// Returns the velocity of a loose body or one that nothing moves, with the impulses so far.
Vector3d RowSolver::looseVelocity(const SolverBody& end, const Vector3d& point) const {
  const Vector3d before = freeVelocity(end, point);
  if (end.mover < 0) return before;
  const Mover& mover = movers_[end.mover];
  const double* w = w_.data() + mover.offset;
  const Vector3d spin = mover.inverseRootInertia.transpose() * Eigen::Map<const Vector3d>(w + 3);
  return before + mover.inverseRootMass * Eigen::Map<const Vector3d>(w) + spin.cross(point - mover.rigid->X_WC.p);
}

/// Says whether friction gives more energy than normal impulses take. Without bounces it never does, since it opposes
/// the slip at the end of the step and normal impulses do no work then.
bool RowSolver::frictionGives(std::span<const Entry> entries) const {
  double given = 0, taken = 0, closing = 0;
  for (const Entry& entry : entries) {
    if (entry.kind != Kind::contact) continue;
    const ContactBlock& c = contacts_[entry.index];
    const Vector3d before = freeVelocity(*c.ends[0], c.point) - freeVelocity(*c.ends[1], c.point);
    const Vector3d mean = 0.5 * (before + looseVelocity(*c.ends[0], c.point) - looseVelocity(*c.ends[1], c.point));
    taken += std::max(0.0, -c.impulse[0] * mean.dot(c.directions[0]));
    given += c.impulse[1] * mean.dot(c.directions[1]) + c.impulse[2] * mean.dot(c.directions[2]);
    closing += 0.5 * c.impulse[0] * std::abs(before.dot(c.directions[0]));
  }
  return given > taken + kGiven * closing;
}

/// After an island of loose bodies has been solved.
void RowSolver::lessenBounces(std::size_t island, const Settings& settings) {
  const std::span<const Entry> entries =
      std::span(ordered_).subspan(islandStart_[island], islandStart_[island + 1] - islandStart_[island]);
  const auto bounces = [&](const Entry& entry) {
    return entry.kind == Kind::contact && contacts_[entry.index].bounce > 0 && contacts_[entry.index].friction > 0;
  };
  if (std::none_of(entries.begin(), entries.end(), bounces)) return;
  if (std::any_of(movable_.begin(), movable_.end(), [&](int m) { return movers_[m].articulation != nullptr; })) return;
  if (!frictionGives(entries)) return;
  const auto solveWith = [&](double fraction) {
    for (const Entry& entry : entries)
      if (entry.kind == Kind::contact && contacts_[entry.index].bounce > 0)
        contacts_[entry.index].target = fraction * contacts_[entry.index].bounce;
    for (const int m : movable_) std::fill_n(w_.begin() + movers_[m].offset, movers_[m].size, 0.0);
    solveIsland(island, settings);
  };
  double low = 0, high = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double fraction = 0.5 * (low + high);
    solveWith(fraction);
    (frictionGives(entries) ? high : low) = fraction;
  }
  solveWith(low);
  ++statistics_.lessenedBounces;
}

}  // namespace mortise::rigid
