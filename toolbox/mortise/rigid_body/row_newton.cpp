/// The row solver's islands that Newton's method solves: small ones of contacts alone.

#include <algorithm>
#include <utility>

#include "mortise/rigid_body/row_kernels.h"
#include "mortise/rigid_body/row_solver.h"

namespace mortise::rigid {

namespace {

// Passes for an island with robots, or after many sweeps. Bodies alone that need more at first settle sooner by sweeps.
constexpr int kNewtonPasses = 40, kFirstPassesOfBodies = 10;
constexpr double kSlipping = 0.999;  ///< Fraction of the limit of friction.
// Multiplications of a pass that a contact may cost: as much as some twenty sweeps.
constexpr double kNewtonWork = 5000;

}  // namespace

/// Numbers what the island's contacts move: free bodies in the order in which contacts connect them, so that the matrix
/// is narrow (Cuthill and McKee).
void RowSolver::placeFreeBodies(std::span<const Entry> entries) {
  unknown_.resize(numW_);
  const int count = static_cast<int>(movable_.size());
  adjacentStart_.assign(count + 1, 0);
  const auto isFree = [&](int mover) { return mover >= 0 && movers_[mover].rigid != nullptr; };
  const auto eachPair = [&](auto&& action) {
    for (const Entry& entry : entries) {
      const ContactBlock& c = contacts_[entry.index];
      const int a = c.ends[0]->mover, b = c.ends[1]->mover;
      if (isFree(a) && isFree(b) && a != b) action(place_[a], place_[b]), action(place_[b], place_[a]);
    }
  };
  eachPair([&](int a, int) { ++adjacentStart_[a + 1]; });
  for (int i = 0; i < count; ++i) adjacentStart_[i + 1] += adjacentStart_[i];
  adjacent_.resize(adjacentStart_[count]);
  filled_.assign(adjacentStart_.begin(), adjacentStart_.end());
  eachPair([&](int a, int b) { adjacent_[filled_[a]++] = b; });

  reached_.assign(count, false);
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
  for (int place = 0; place < count; ++place) {
    if (!isFree(movable_[place]) || reached_[place]) continue;
    // From the body that a first spread reaches last.
    const std::size_t first = queue_.size();
    spread(place);
    const int end = queue_.back();
    for (std::size_t k = first; k < queue_.size(); ++k) reached_[queue_[k]] = false;
    queue_.resize(first);
    spread(end);
  }
  numUnknowns_ = 0;
  for (const int place : queue_)
    for (int k = 0; k < 6; ++k) unknown_[movers_[movable_[place]].offset + k] = numUnknowns_++;
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
void RowSolver::makeFreeRows(const ContactBlock& c, int end, double* rows, int stride, ContactNewton::Contact& contact,
                             double* answer) {
  const Mover& mover = movers_[c.ends[end]->mover];
  const double sign = end == 0 ? 1 : -1;
  const Vector3d arm = c.point - mover.rigid->X_WC.p;
  for (int r = 0; r < 3; ++r) {
    const Vector3d moment = arm.cross(c.directions[r]);
    contact.free[r] += sign * (c.directions[r].dot(mover.v) + moment.dot(mover.w));
    const Vector3d linear = (sign * mover.inverseRootMass) * c.directions[r];
    const Vector3d angular = sign * (mover.inverseRootInertia * moment);
    answer[r] += linear.squaredNorm() + angular.squaredNorm();
    Eigen::Map<Vector3d>(rows + r * stride) = linear;
    Eigen::Map<Vector3d>(rows + r * stride + 3) = angular;
  }
}

/// A robot's part, in its velocities; of both links where they are of one robot.
void RowSolver::makeTreeRows(const ContactBlock& c, int end, double* rows, int stride,
                             ContactNewton::Contact& contact) {
  const SolverBody &first = *c.ends[0], &second = *c.ends[1], &own = *c.ends[end];
  ArticulatedBody& body = *movers_[own.mover].articulation;
  if (first.articulation == second.articulation) {
    const std::span<const int> path = body.path(first.link, second.link);
    for (int r = 0; r < 3; ++r)
      body.makeJacobian(first.link, second.link, c.point, c.directions[r], path, rows + r * stride);
    return;
  }
  const std::span<const int> path = body.path(own.link);
  const double sign = end == 0 ? 1 : -1;
  for (int r = 0; r < 3; ++r) {
    double* y = rows + r * stride;
    body.makeJacobian(c.point, c.directions[r], path, y);
    if (sign < 0)
      for (std::size_t k = 0; k < path.size(); ++k) y[k] = -y[k];
    contact.free[r] += sign * body.measureBase(c.point, c.directions[r]);
  }
}

/// Adds what a robot's link answers to impulses at a contact.
void RowSolver::addAnswer(const ContactBlock& c, const SolverBody& end, double* answer) {
  const Eigen::Map<const Eigen::Matrix<double, 6, 6>> R(responseOf(end).matrix);
  for (int r = 0; r < 3; ++r) {
    Eigen::Matrix<double, 6, 1> spatial;
    spatial << (c.point - end.articulation->reference()).cross(c.directions[r]), c.directions[r];
    answer[r] += spatial.dot(R * spatial);
  }
}

/// Hands a contact to Newton's method with rows of its bodies' velocities. Returns false where nothing can move.
bool RowSolver::makeDirect(const ContactBlock& c) {
  const bool self = c.ends[0]->articulation != nullptr && c.ends[0]->articulation == c.ends[1]->articulation;
  // The unknowns of each end that has some of its own.
  ContactNewton::Part parts[2];
  int ends[2], count = 0;
  for (int e = 0; e < 2; ++e) {
    const SolverBody& end = *c.ends[e];
    if (end.mover < 0 || (self && e == 1)) continue;  // Both links are in the first part.
    const Mover& mover = movers_[end.mover];
    ends[count] = e;
    if (mover.rigid != nullptr) {
      parts[count++] = {6, nullptr, unknown_[mover.offset]};
      continue;
    }
    const std::span<const int> path =
        self ? mover.articulation->path(end.link, c.ends[1]->link) : mover.articulation->path(end.link);
    std::vector<int>& columns = unknownsOfPath_[e];
    columns.clear();
    for (const int k : path) columns.push_back(unknown_[mover.offset + k]);
    parts[count++] = {static_cast<int>(columns.size()), columns.data(), columns[0]};
  }
  if (count == 2 && parts[1].first < parts[0].first) {
    std::swap(parts[0], parts[1]);
    std::swap(ends[0], ends[1]);
  }

  ContactNewton::Contact contact;
  std::copy_n(c.impulse, 3, contact.impulse);
  std::fill_n(contact.free, 3, 0.0);
  contact.target = c.target;
  contact.cfm = c.cfm;
  contact.friction = c.friction;
  double answer[3] = {0, 0, 0};
  double* rows = newton_.openContact(std::span(parts, count));
  const int size = stride(parts[0].length + (count == 2 ? parts[1].length : 0));
  for (int k = 0; k < count; ++k) {
    if (c.ends[ends[k]]->articulation == nullptr)
      makeFreeRows(c, ends[k], rows, size, contact, answer);
    else
      makeTreeRows(c, ends[k], rows, size, contact);
    rows += parts[k].length;
  }
  for (int e = 0; e < 2; ++e) {
    const SolverBody& end = *c.ends[e];
    if (end.mover >= 0 && end.articulation != nullptr) addAnswer(c, end, answer);
    if (end.mover >= 0 || end.rigid == nullptr) continue;
    const Vector3d v = velocity(end, c.point);
    for (int r = 0; r < 3; ++r) contact.free[r] += (e == 0 ? 1 : -1) * c.directions[r].dot(v);
  }
  contact.normal = answer[0];
  contact.tangent = answer[1] + answer[2];
  if (!(contact.normal > 0) || !(contact.tangent > 0)) return false;
  newton_.closeContact(contact);
  return true;
}

/// Multiplications of a pass of Newton's method for free bodies alone, roughly, before their rows are made.
double RowSolver::workOfFreeBodies(std::span<const Entry> entries) {
  // By place in the order of the unknowns, six for each body.
  const auto place = [this](int mover) { return mover < 0 ? -1 : unknown_[movers_[mover].offset] / 6; };
  adjacent_.resize(queue_.size());
  for (std::size_t k = 0; k < adjacent_.size(); ++k) adjacent_[k] = static_cast<int>(k);
  double sum = 0;
  for (const Entry& entry : entries) {
    const ContactBlock& c = contacts_[entry.index];
    const int a = place(c.ends[0]->mover), b = place(c.ends[1]->mover);
    const double length = a < 0 || b < 0 ? 6 : 12;
    sum += 3 * length * length;
    if (a >= 0 && b >= 0) adjacent_[std::max(a, b)] = std::min(adjacent_[std::max(a, b)], std::min(a, b));
  }
  for (std::size_t k = 0; k < adjacent_.size(); ++k) {
    const double width = 6 * (static_cast<double>(k) - adjacent_[k] + 1);
    sum += 6 * width * width;
  }
  return sum;
}

/// Says whether friction of some contact was at its limit in the last step.
bool RowSolver::slips(std::span<const Entry> entries) const {
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    const ContactBlock& c = contacts_[entry.index];
    const double limit = kSlipping * c.friction * c.impulse[0];
    return limit > 0 && c.impulse[1] * c.impulse[1] + c.impulse[2] * c.impulse[2] >= limit * limit;
  });
}

/// An island of contacts with a robot, or of several bodies: no rows are made, unless Newton's method does not come to
/// an end. A body alone needs one sweep most of the time, and bodies that slip on each other, as in a heap, need few.
bool RowSolver::solveDirectly(std::span<const Entry> entries, const Settings& settings) {
  newtonFits_ = std::all_of(entries.begin(), entries.end(), [](const Entry& e) { return e.kind == Kind::contact; });
  const bool hasTree =
      std::any_of(movable_.begin(), movable_.end(), [&](int m) { return movers_[m].articulation != nullptr; });
  if (!newtonFits_ || (!hasTree && (movable_.size() == 1 || slips(entries)))) return false;
  if (pause_.steps > 0) return false;
  const double maxWork = kNewtonWork * static_cast<double>(entries.size());
  placeFreeBodies(entries);
  if (!hasTree && workOfFreeBodies(entries) > maxWork) return newtonFits_ = false;
  placeTrees(entries);
  newton_.begin(numUnknowns_);
  for (const int m : movable_)
    if (movers_[m].articulation != nullptr)
      newton_.addTree(*movers_[m].articulation, unknown_.data() + movers_[m].offset);
  responses_.clear();
  for (const Entry& entry : entries)
    if (!makeDirect(contacts_[entry.index])) return newtonFits_ = false;
  if (newton_.work() > maxWork) return newtonFits_ = false;
  const bool solved = newton_.solve(0.3 * settings.tolerance, hasTree ? kNewtonPasses : kFirstPassesOfBodies);
  statistics_.newtonPasses += newton_.passes();
  newtonRan_ = true;
  newtonFailed_ = !solved;
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

/// Takes what Newton's method found: impulses, w of free bodies, velocities of robots.
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
    const Side* sides[2];
    int count = 0;
    for (const Side& side : c.sides)
      if (side.offset >= 0) sides[count++] = &side;
    if (count == 2 && unknown_[sides[1]->offset] < unknown_[sides[0]->offset]) std::swap(sides[0], sides[1]);
    ContactNewton::Part parts[2];
    for (int k = 0; k < count; ++k) parts[k] = {6, nullptr, unknown_[sides[k]->offset]};
    double* rows = newton_.openContact(std::span(parts, count));
    for (int k = 0; k < count; ++k)
      for (int r = 0; r < 3; ++r) std::copy_n(values_.data() + sides[k]->values + 6 * r, 6, rows + 6 * (r * count + k));
    newton_.closeContact(contact);
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
  newtonRan_ = true;
  newtonFailed_ = !solved;
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
