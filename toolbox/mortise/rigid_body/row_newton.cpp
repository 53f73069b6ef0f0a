/// The row solver's islands that Newton's method solves: small ones of contacts alone.

#include <algorithm>

#include "mortise/rigid_body/row_kernels.h"
#include "mortise/rigid_body/row_solver.h"

namespace mortise::rigid {

namespace {

constexpr int kNewtonPasses = 40;
// Multiplications of a pass that a contact may cost: as much as some twenty sweeps.
constexpr double kNewtonWork = 5000;

}  // namespace

/// Numbers what the island's contacts move: free bodies in the order in which contacts connect them, so that the matrix
/// is narrow (Cuthill and McKee).
void RowSolver::placeFreeBodies(std::span<const Entry> entries) {
  unknown_.resize(numW_);
  const int world = static_cast<int>(movers_.size());
  adjacentStart_.assign(world + 1, 0);
  const auto isFree = [&](int mover) { return mover >= 0 && movers_[mover].rigid != nullptr; };
  const auto eachPair = [&](auto&& action) {
    for (const Entry& entry : entries) {
      const ContactBlock& c = contacts_[entry.index];
      const int a = c.ends[0]->mover, b = c.ends[1]->mover;
      if (isFree(a) && isFree(b) && a != b) action(a, b), action(b, a);
    }
  };
  eachPair([&](int a, int) { ++adjacentStart_[a + 1]; });
  for (int i = 0; i < world; ++i) adjacentStart_[i + 1] += adjacentStart_[i];
  adjacent_.resize(adjacentStart_[world]);
  filled_.assign(adjacentStart_.begin(), adjacentStart_.end());
  eachPair([&](int a, int b) { adjacent_[filled_[a]++] = b; });

  reached_.assign(world, false);
  queue_.clear();
  const auto spread = [&](int start) {
    queue_.push_back(start);
    reached_[start] = true;
    for (std::size_t at = queue_.size() - 1; at < queue_.size(); ++at)
      for (int k = adjacentStart_[queue_[at]]; k < adjacentStart_[queue_[at] + 1]; ++k)
        if (!reached_[adjacent_[k]]) {
          reached_[adjacent_[k]] = true;
          queue_.push_back(adjacent_[k]);
        }
  };
  for (const int m : movable_) {
    if (!isFree(m) || reached_[m]) continue;
    // From the body that a first spread reaches last.
    const std::size_t first = queue_.size();
    spread(m);
    const int end = queue_.back();
    for (std::size_t k = first; k < queue_.size(); ++k) reached_[queue_[k]] = false;
    queue_.resize(first);
    spread(end);
  }
  numUnknowns_ = 0;
  for (const int m : queue_)
    for (int k = 0; k < 6; ++k) unknown_[movers_[m].offset + k] = numUnknowns_++;
}

/// Then robots, as far as contacts reach, tips before bases, so that branches do not fill in.
void RowSolver::placeTrees(std::span<const Entry> entries) {
  for (const int m : movable_)
    if (movers_[m].articulation != nullptr) std::fill_n(unknown_.begin() + movers_[m].offset, movers_[m].size, -1);
  for (const Entry& entry : entries)
    for (const SolverBody* end : contacts_[entry.index].ends)
      if (end->mover >= 0 && end->articulation != nullptr)
        for (const int k : end->articulation->path(end->link)) unknown_[movers_[end->mover].offset + k] = 0;
  for (const int m : movable_)
    if (movers_[m].articulation != nullptr)
      for (int k = movers_[m].size; k-- > 0;)
        if (int& unknown = unknown_[movers_[m].offset + k]; unknown == 0) unknown = numUnknowns_++;
}

const RowSolver::LinkResponse& RowSolver::responseOf(const SolverBody& end) {
  for (const LinkResponse& known : responses_)
    if (known.mover == end.mover && known.link == end.link) return known;
  LinkResponse& made = responses_.emplace_back();
  made.mover = end.mover;
  made.link = end.link;
  end.articulation->response(end.link, made.matrix);
  return made;
}

/// A free body's part of the rows, in units of w.
void RowSolver::makeFreeRows(const ContactBlock& c, int end, ContactNewton::Contact& contact, double* answer) {
  const Mover& mover = movers_[c.ends[end]->mover];
  const double sign = end == 0 ? 1 : -1;
  const Vector3d arm = c.point - mover.rigid->X_WC.p;
  for (int r = 0; r < 3; ++r) {
    const Vector3d moment = arm.cross(c.directions[r]);
    contact.free[r] += sign * (c.directions[r].dot(mover.v) + moment.dot(mover.w));
    const Vector3d linear = (sign * mover.inverseRootMass) * c.directions[r];
    const Vector3d angular = sign * (mover.inverseRootInertia * moment);
    answer[r] += linear.squaredNorm() + angular.squaredNorm();
    jacobian_.insert(jacobian_.end(), linear.data(), linear.data() + 3);
    jacobian_.insert(jacobian_.end(), angular.data(), angular.data() + 3);
  }
}

/// A robot's part, in its velocities; of both links where they are of one robot. Returns its length.
int RowSolver::makeTreeRows(const ContactBlock& c, int end, ContactNewton::Contact& contact, double* answer) {
  const SolverBody &first = *c.ends[0], &second = *c.ends[1], &own = *c.ends[end];
  const Mover& mover = movers_[own.mover];
  ArticulatedBody& body = *mover.articulation;
  const bool self = first.articulation == second.articulation;
  const double sign = end == 0 ? 1 : -1;
  const Eigen::Map<const Eigen::Matrix<double, 6, 6>> R(responseOf(own).matrix);
  for (int r = 0; r < 3; ++r) {
    Eigen::Matrix<double, 6, 1> spatial;
    spatial << (c.point - body.reference()).cross(c.directions[r]), c.directions[r];
    answer[r] += spatial.dot(R * spatial);
  }
  if (self && end == 1) return 0;  // Both links are in the first part.
  const std::span<const int> path = self ? body.path(first.link, second.link) : body.path(own.link);
  const int length = static_cast<int>(path.size());
  for (const int k : path) unknownsOfPath_.push_back(unknown_[mover.offset + k]);
  const std::size_t at = jacobian_.size();
  jacobian_.resize(at + 3 * static_cast<std::size_t>(length));
  for (int r = 0; r < 3; ++r) {
    double* y = jacobian_.data() + at + r * length;
    if (self) {
      body.makeJacobian(first.link, second.link, c.point, c.directions[r], path, y);
      continue;
    }
    body.makeJacobian(c.point, c.directions[r], path, y);
    for (int k = 0; k < length; ++k) y[k] *= sign;
    contact.free[r] += sign * body.measureBase(c.point, c.directions[r]);
  }
  return length;
}

/// Hands a contact to Newton's method with rows of its bodies' velocities. Returns false where nothing can move.
bool RowSolver::makeDirect(const ContactBlock& c) {
  ContactNewton::Contact contact;
  std::copy_n(c.impulse, 3, contact.impulse);
  std::fill_n(contact.free, 3, 0.0);
  contact.target = c.target;
  contact.cfm = c.cfm;
  contact.friction = c.friction;
  double answer[3] = {0, 0, 0};
  ContactNewton::Part parts[2];
  int count = 0;
  unknownsOfPath_.clear();
  jacobian_.clear();
  for (int e = 0; e < 2; ++e) {
    const SolverBody& end = *c.ends[e];
    if (end.mover >= 0) {
      const bool isFree = movers_[end.mover].rigid != nullptr;
      int length = 6;
      if (isFree)
        makeFreeRows(c, e, contact, answer);
      else
        length = makeTreeRows(c, e, contact, answer);
      if (length > 0)
        parts[count++] = {nullptr, length, length, nullptr, isFree ? unknown_[movers_[end.mover].offset] : -1};
    } else if (end.rigid != nullptr) {
      const Vector3d v = velocity(end, c.point);
      for (int r = 0; r < 3; ++r) contact.free[r] += (e == 0 ? 1 : -1) * c.directions[r].dot(v);
    }
  }
  contact.normal = answer[0];
  contact.tangent = answer[1] + answer[2];
  if (!(contact.normal > 0) || !(contact.tangent > 0)) return false;
  const double* rows = jacobian_.data();
  const int* columns = unknownsOfPath_.data();
  for (int k = 0; k < count; ++k) {
    parts[k].rows = rows;
    rows += 3 * static_cast<std::size_t>(parts[k].length);
    if (parts[k].first >= 0) continue;
    parts[k].columns = columns;
    parts[k].first = columns[0];
    columns += parts[k].length;
  }
  if (count == 2 && parts[1].first < parts[0].first) std::swap(parts[0], parts[1]);
  newton_.addContact(contact, std::span(parts, count));
  return true;
}

/// An island of contacts with a robot: no rows are made, unless Newton's method does not come to an end.
bool RowSolver::solveDirectly(std::span<const Entry> entries, const Settings& settings) {
  for (const Entry& entry : entries)
    if (entry.kind != Kind::contact) return false;
  const bool hasTree =
      std::any_of(movable_.begin(), movable_.end(), [&](int m) { return movers_[m].articulation != nullptr; });
  if (!hasTree) return false;
  placeFreeBodies(entries);
  placeTrees(entries);
  newton_.begin(numUnknowns_);
  for (const int m : movable_)
    if (movers_[m].articulation != nullptr)
      newton_.addTree(*movers_[m].articulation, unknown_.data() + movers_[m].offset);
  responses_.clear();
  for (const Entry& entry : entries)
    if (!makeDirect(contacts_[entry.index])) return false;
  if (newton_.work() > kNewtonWork * static_cast<double>(entries.size())) return false;
  const bool solved = newton_.solve(0.3 * settings.tolerance, kNewtonPasses);
  statistics_.newtonPasses += newton_.passes();
  if (!solved) {
    ++statistics_.newtonFailed;
    // From the pieces that it ended on, as good as any.
    for (const int m : movable_)
      if (movers_[m].articulation != nullptr) movers_[m].articulation->beginAgain();
    return false;
  }
  takeDirect(entries);
  return true;
}

/// What Newton's method found: impulses, w of free bodies, velocities of robots.
void RowSolver::takeDirect(std::span<const Entry> entries) {
  for (std::size_t k = 0; k < entries.size(); ++k) {
    ContactBlock& c = contacts_[entries[k].index];
    std::copy_n(newton_.impulse(static_cast<int>(k)), 3, c.impulse);
    c.settled = true;
  }
  const double* w = newton_.result();
  int tree = 0;
  for (const int m : movable_) {
    Mover& mover = movers_[m];
    if (mover.rigid != nullptr) {
      std::copy_n(w + unknown_[mover.offset], 6, w_.begin() + mover.offset);
      continue;
    }
    mover.articulation->endStepAt(newton_.velocity(tree), newton_.given(tree));
    mover.ended = true;
    ++tree;
  }
}

/// Hands the island's contacts over as they stand now.
void RowSolver::fillNewton(std::span<const Entry> entries) {
  newton_.begin(numUnknowns_);
  for (const Entry& entry : entries) {
    const ContactBlock& c = contacts_[entry.index];
    ContactNewton::Contact contact;
    std::copy_n(c.free, 3, contact.free);
    std::copy_n(c.impulse, 3, contact.impulse);
    contact.target = c.target;
    contact.cfm = c.cfm;
    contact.friction = c.friction;
    contact.normal = c.normal;
    contact.tangent = 1 / c.slipStep;
    ContactNewton::Part parts[2];
    int count = 0;
    for (const Side& side : c.sides)
      if (side.offset >= 0) parts[count++] = {values_.data() + side.values, 6, 6, nullptr, unknown_[side.offset]};
    if (count == 2 && parts[1].first < parts[0].first) std::swap(parts[0], parts[1]);
    newton_.addContact(contact, std::span(parts, count));
  }
}

bool RowSolver::layOutNewton(std::span<const Entry> entries) {
  for (const Entry& entry : entries) {
    if (entry.kind != Kind::contact) return false;
    const ContactBlock& c = contacts_[entry.index];
    if (!(c.normal > 0) || !(c.slipStep > 0)) return false;
  }
  return std::all_of(movable_.begin(), movable_.end(), [&](int m) { return movers_[m].rigid != nullptr; });
}

/// From the present impulses. Leaves them as they are when it does not come to an end.
bool RowSolver::tryNewton(std::span<const Entry> entries, const Settings& settings) {
  placeFreeBodies(entries);
  fillNewton(entries);
  if (newton_.work() > kNewtonWork * static_cast<double>(entries.size())) {
    newtonFits_ = false;
    return false;
  }
  const bool solved = newton_.solve(0.3 * settings.tolerance, kNewtonPasses);
  statistics_.newtonPasses += newton_.passes();
  if (!solved) {
    ++statistics_.newtonFailed;
    return false;
  }
  for (const int m : movable_) std::fill_n(w_.begin() + movers_[m].offset, movers_[m].size, 0.0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    ContactBlock& c = contacts_[entries[k].index];
    std::copy_n(newton_.impulse(static_cast<int>(k)), 3, c.impulse);
    push(c, c.impulse, 3);
  }
  return true;
}

}  // namespace mortise::rigid
