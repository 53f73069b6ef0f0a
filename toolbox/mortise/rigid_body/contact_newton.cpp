#include "mortise/rigid_body/contact_newton.h"

#include <algorithm>
#include <cmath>

#include "mortise/rigid_body/friction_cone.h"
#include "mortise/rigid_body/row_kernels.h"

namespace mortise::rigid {

namespace {

// The give of velocities, as a fraction of what the contact answers to the impulse that is missing.
constexpr double kGive = 1e-6;
// Friction this near to its limit slips.
constexpr double kNearLimit = 1e-9;
// The speed, m/s, below which a contact that slips starts along its last impulse: its velocity is that of the bodies'
// small motions.
constexpr double kCreep = 1e-3;
// Passes that go all the way; mostly that is all it takes. Later ones end where the function is lowest.
constexpr int kFullPasses = 5;
// The error of contacts in their laws, m/s, below which drives follow.
constexpr double kNear = 3e-2;
// Rounds in which all drives follow that do not fit, then only those that fit least, and in the end drives and contacts
// in each pass.
constexpr int kFullRounds = 1;
constexpr int kRounds = 12;
constexpr double kLongStep = 10;  // m/s

}  // namespace

void ContactNewton::begin(int numUnknowns) {
  terms_.clear();
  groups_.clear();
  columns_.clear();
  rows_.clear();
  first_.resize(numUnknowns);
  for (int i = 0; i < numUnknowns; ++i) first_[i] = i;
  w_.assign(numUnknowns, 0);
  ofTree_.assign(numUnknowns, false);
  step_.resize(numUnknowns);
  target_.resize(numUnknowns);
  numTrees_ = 0;
}

void ContactNewton::addTree(ArticulatedBody& body, const int* unknowns) {
  if (numTrees_ == static_cast<int>(trees_.size())) trees_.emplace_back();
  Tree& tree = trees_[numTrees_++];
  tree.body = &body;
  tree.unknowns = unknowns;
  const int n = body.numVelocities();
  tree.kept.resize(n);
  const TreeMatrix& M = body.drives().inertia();
  for (int i = 0; i < n; ++i) {
    tree.kept[i] = unknowns[i] >= 0;
    if (!tree.kept[i]) continue;
    for (int k = 0; k < M.rowLength(i); ++k) {
      int& first = first_[unknowns[M.columns(i)[k]]];
      first = std::min(first, unknowns[i]);
    }
  }
  tree.v.assign(body.guess().begin(), body.guess().end());
  tree.rest.resize(n);
  tree.step.resize(n);
}

double* ContactNewton::openContact(std::span<const Part> parts) {
  const std::size_t columns = columns_.size();
  for (const Part& part : parts)
    for (int k = 0; k < part.length; ++k)
      columns_.push_back(part.columns != nullptr ? part.columns[k] : part.first + k);
  const int length = static_cast<int>(columns_.size() - columns), index = static_cast<int>(terms_.size());
  if (!groups_.empty() && groups_.back().length == length &&
      std::equal(columns_.begin() + columns, columns_.end(), columns_.begin() + groups_.back().columns)) {
    columns_.resize(columns);
  } else {
    groups_.push_back({columns, length, index, index});
    for (std::size_t k = columns; k < columns_.size(); ++k)
      first_[columns_[k]] = std::min(first_[columns_[k]], columns_[columns]);
  }
  ++groups_.back().last;
  Term& term = terms_.emplace_back();
  term.rows = rows_.size();
  rows_.resize(term.rows + 3 * static_cast<std::size_t>(stride(length)), 0.0);
  return rows_.data() + term.rows;
}

void ContactNewton::closeContact(const Contact& contact) {
  Term& term = terms_.back();
  term.given = contact;
  // Where the law itself gives way, there is no need for more.
  term.normalGive = std::max(kGive * contact.normal - contact.cfm, 0.0);
  term.tangentGive = kGive * contact.tangent;
  if (!(contact.impulse[0] > 0)) return;
  const Group& group = groups_.back();
  const int size = stride(group.length);
  const double *a = rows_.data() + term.rows, *b = a + size, *c = b + size, *p = contact.impulse;
  for (int k = 0; k < group.length; ++k) w_[columns_[group.columns + k]] += a[k] * p[0] + b[k] * p[1] + c[k] * p[2];
}

double ContactNewton::work() {
  double sum = 0;
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const double width = static_cast<double>(i) - first_[i] + 1;
    sum += width * width;
  }
  for (const Group& group : groups_) sum += 3.0 * (group.last - group.first) * group.length * group.length;
  return sum;
}

double ContactNewton::normalOf(const Term& term) {
  const Contact& c = term.given;
  return (c.target - term.u[0] + term.normalGive * c.impulse[0]) / (c.cfm + term.normalGive);
}

/// From impulses, which tell more than velocities that are still far from the solution's.
void ContactNewton::startPiece(Term& term) {
  const Contact& c = term.given;
  std::copy_n(c.impulse, 3, term.impulse);
  term.fresh = false;
  term.radius = frictionLimit(c.friction, c.impulse[0]);
  term.piece = c.impulse[0] > 0 || term.u[0] < c.target ? Piece::sticks : Piece::apart;
  if (term.piece == Piece::apart || !(c.impulse[0] > 0)) return;
  const double size = std::sqrt(c.impulse[1] * c.impulse[1] + c.impulse[2] * c.impulse[2]);
  if (size < (1 - kNearLimit) * term.radius) return;
  term.piece = Piece::slips;
  term.fresh = size > 0 && std::hypot(term.u[1], term.u[2]) < kCreep;
}

/// The friction of a contact that slips slowly, in the first pass: along the impulse it starts from, and stiff across
/// it, as if it were where that impulse and no velocity lead. Its velocity still is noise.
void ContactNewton::linearizeCreep(Term& term) {
  const double *p = term.given.impulse, k = 1 / term.tangentGive, size = std::sqrt(p[1] * p[1] + p[2] * p[2]);
  const double cosine = p[1] / size, sine = p[2] / size, across = k * (cosine * term.u[2] - sine * term.u[1]);
  term.fresh = false;
  term.impulse[1] = term.radius * cosine + across * sine;
  term.impulse[2] = term.radius * sine - across * cosine;
  term.stiffness[1] = k * sine * sine;
  term.stiffness[2] = -k * sine * cosine;
  term.stiffness[3] = k * cosine * cosine;
}

/// The impulse of the present velocity on the present piece, and its slope.
void ContactNewton::linearize(Term& term) {
  const Contact& c = term.given;
  std::fill_n(term.impulse, 3, 0.0);
  std::fill_n(term.stiffness, 4, 0.0);
  if (term.piece == Piece::apart) return;
  term.impulse[0] = normalOf(term);
  term.stiffness[0] = 1 / (c.cfm + term.normalGive);
  if (!(c.friction > 0)) return;
  const double k = 1 / term.tangentGive;
  const double x = c.impulse[1] - k * term.u[1], y = c.impulse[2] - k * term.u[2];
  if (term.piece == Piece::sticks) {
    term.impulse[1] = x;
    term.impulse[2] = y;
    term.stiffness[1] = term.stiffness[3] = k;
    return;
  }
  if (term.fresh) return linearizeCreep(term);
  const double size = std::sqrt(x * x + y * y);
  if (!(size > 0)) return;
  const double cosine = x / size, sine = y / size, slope = k * std::min(1.0, term.radius / size);
  term.impulse[1] = term.radius * cosine;
  term.impulse[2] = term.radius * sine;
  term.stiffness[1] = slope * sine * sine;
  term.stiffness[2] = -slope * sine * cosine;
  term.stiffness[3] = slope * cosine * cosine;
}

/// The impulse that belongs to a velocity, with the disk as it is. Returns its piece.
ContactNewton::Piece ContactNewton::project(const Term& term, const double* u, double* impulse) {
  const Contact& c = term.given;
  impulse[0] = std::max(0.0, (c.target - u[0] + term.normalGive * c.impulse[0]) / (c.cfm + term.normalGive));
  impulse[1] = impulse[2] = 0;
  const Piece touching = impulse[0] > 0 ? Piece::sticks : Piece::apart;
  if (!(c.friction > 0)) return touching;
  const double k = 1 / term.tangentGive;
  impulse[1] = c.impulse[1] - k * u[1];
  impulse[2] = c.impulse[2] - k * u[2];
  if (!exceedsFriction(impulse[1], impulse[2], term.radius)) return touching;
  const double size = std::sqrt(impulse[1] * impulse[1] + impulse[2] * impulse[2]);
  cutToFriction(size, term.radius, impulse[1], impulse[2]);
  return Piece::slips;
}

/// Takes the piece that the velocity after a pass lies on. Returns by how much, in m/s, the impulse that belongs to it
/// differs from what the pass had.
double ContactNewton::follow(Term& term, bool carefully) {
  const Contact& c = term.given;
  term.radius = frictionLimit(c.friction, std::max(0.0, normalOf(term)));
  double impulse[3];
  const Piece old = term.piece;
  term.piece = project(term, term.u, impulse);
  // What slipped and turns round comes to stick first.
  if (!carefully && old == Piece::slips && term.piece == Piece::slips) {
    const double e = term.tangentGive;
    const double x = e * c.impulse[1] - term.u[1], y = e * c.impulse[2] - term.u[2];
    if (x * (x + term.change[1]) + y * (y + term.change[2]) <= 0) term.piece = Piece::sticks;
  }
  if (!(impulse[0] > 0)) term.piece = Piece::apart;
  const double x = impulse[1] - term.predicted[1], y = impulse[2] - term.predicted[2];
  std::copy_n(impulse, 3, term.impulse);
  return std::max(std::abs(impulse[0] - term.predicted[0]) * c.normal, std::sqrt(x * x + y * y) * c.tangent);
}

void ContactNewton::layOut() {
  const std::size_t n = first_.size();
  start_.resize(n);
  inverse_.resize(n);
  std::size_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    start_[i] = at - static_cast<std::size_t>(first_[i]);
    at += i - static_cast<std::size_t>(first_[i]) + 1;
  }
  matrix_.resize(at);
}

/// The equations without contacts on the drives' present pieces, `base_` x = `load_`.
void ContactNewton::assembleBase(bool anew) {
  const std::size_t n = first_.size();
  base_.assign(matrix_.size(), 0.0);
  load_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    if (!ofTree_[i]) base_[start_[i] + i] = 1;
  for (int t = 0; t < numTrees_; ++t) {
    Tree& tree = trees_[t];
    ImplicitJointDrives& drives = tree.body->drives();
    const TreeMatrix& factor = drives.factorAllBut(tree.kept, anew);
    const std::span<const double> before = tree.body->momentumBefore();
    tree.reduced.assign(before.begin(), before.end());
    drives.addConstants(tree.reduced.data());
    factor.reduce(tree.kept, tree.reduced.data());
    for (int i = 0; i < factor.size(); ++i) {
      const int column = tree.unknowns[i];
      if (column < 0) continue;
      load_[column] = tree.reduced[i];
      const double* row = factor.row(i);
      const int length = factor.rowLength(i);
      const int* ancestors = factor.columns(i);
      for (int k = 0; k < length; ++k)
        base_[start_[tree.unknowns[ancestors[k]]] + static_cast<std::size_t>(column)] = row[k];
    }
  }
}

/// Completes a tree's unknowns at `x` by the others on the drives' pieces.
void ContactNewton::complete(const Tree& tree, const std::vector<double>& x, std::vector<double>& v) const {
  v = tree.reduced;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (tree.kept[i]) v[i] = x[tree.unknowns[i]];
  tree.body->drives().factor().complete(tree.kept, v.data());
}

void ContactNewton::assemble() {
  const int n = static_cast<int>(first_.size());
  matrix_ = base_;
  step_ = load_;
  for (int i = 0; i < n; ++i) {
    const double* row = base_.data() + start_[i];
    double sum = row[i] * w_[i];
    for (int j = first_[i]; j < i; ++j) {
      sum += row[j] * w_[j];
      step_[j] -= row[j] * w_[i];
    }
    step_[i] -= sum;
  }
  for (const Group& group : groups_) {
    const int size = stride(group.length);
    block_.assign(static_cast<std::size_t>(group.length) * size, 0.0);
    sum_.assign(size, 0.0);
    bool any = false;
    for (int t = group.first; t < group.last; ++t) any |= addTerm(terms_[t], group.length);
    if (!any) continue;
    const int* columns = columns_.data() + group.columns;
    for (int i = 0; i < group.length; ++i) {
      double* row = matrix_.data() + start_[columns[i]];
      const double* from = block_.data() + static_cast<std::size_t>(i) * size;
      for (int j = 0; j <= i; ++j) row[columns[j]] += from[j];
      step_[columns[i]] += sum_[i];
    }
  }
}

/// Adds a contact to its group's part of the matrix (the lower triangle, and a little more) and of the right-hand side.
/// Returns whether that is anything.
bool ContactNewton::addTerm(const Term& term, int length) {
  if (term.piece == Piece::apart) return false;
  const int size = stride(length);
  const double *a = rows_.data() + term.rows, *b = a + size, *c = b + size;
  const auto *A = reinterpret_cast<const Pair*>(a), *B = reinterpret_cast<const Pair*>(b),
             *C = reinterpret_cast<const Pair*>(c);
  const double *K = term.stiffness, *p = term.impulse;
  for (int i = 0; i < length; ++i) {
    const double ka = K[0] * a[i], kb = K[1] * b[i] + K[2] * c[i], kc = K[2] * b[i] + K[3] * c[i];
    auto* row = reinterpret_cast<Pair*>(block_.data() + static_cast<std::size_t>(i) * size);
    for (int j = 0; j <= i / 2; ++j) row[j] += ka * A[j] + kb * B[j] + kc * C[j];
    sum_[i] += a[i] * p[0] + b[i] * p[1] + c[i] * p[2];
  }
  return true;
}

/// The entries of x for a group's unknowns, one after the other.
const double* ContactNewton::gather(const Group& group, const std::vector<double>& x) {
  sum_.assign(stride(group.length), 0.0);
  for (int k = 0; k < group.length; ++k) sum_[k] = x[columns_[group.columns + k]];
  return sum_.data();
}

/// L L^T within the envelope, row by row.
bool ContactNewton::factor() {
  const int n = static_cast<int>(first_.size());
  for (int i = 0; i < n; ++i) {
    double* row = matrix_.data() + start_[i];
    for (int j = first_[i]; j < i; ++j) {
      const double* other = matrix_.data() + start_[j];
      const int from = std::max(first_[i], first_[j]);
      row[j] = (row[j] - multiplyLoose(row + from, other + from, j - from)) * inverse_[j];
    }
    const double left = row[i] - multiplyLoose(row + first_[i], row + first_[i], i - first_[i]);
    if (!(left > 0)) return false;
    inverse_[i] = 1 / std::sqrt(left);
  }
  // Forward and back.
  for (int i = 0; i < n; ++i) {
    const double* row = matrix_.data() + start_[i];
    step_[i] = (step_[i] - multiplyLoose(row + first_[i], step_.data() + first_[i], i - first_[i])) * inverse_[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* row = matrix_.data() + start_[i];
    const double x = step_[i] *= inverse_[i];
    for (int j = first_[i]; j < i; ++j) step_[j] -= row[j] * x;
  }
  return true;
}

/// Finds what the step changes at each contact.
void ContactNewton::findChanges() {
  for (const Group& group : groups_) {
    const double* x = gather(group, step_);
    for (int t = group.first; t < group.last; ++t) {
      Term& term = terms_[t];
      std::fill_n(term.change, 3, 0.0);
      multiply3(rows_.data() + term.rows, x, stride(group.length), term.change);
    }
  }
}

void ContactNewton::take(double fraction) {
  for (std::size_t i = 0; i < w_.size(); ++i) w_[i] += fraction * step_[i];
  for (Term& term : terms_) {
    double* d = term.change;
    for (int r = 0; r < 3; ++r) {
      d[r] *= fraction;
      term.u[r] += d[r];
    }
    const double* K = term.stiffness;
    term.predicted[0] = term.impulse[0] - K[0] * d[0];
    term.predicted[1] = term.impulse[1] - K[1] * d[1] - K[2] * d[2];
    term.predicted[2] = term.impulse[2] - K[2] * d[1] - K[3] * d[2];
  }
}

void ContactNewton::start() {
  layOut();
  // For trees, velocities themselves.
  for (int t = 0; t < numTrees_; ++t)
    for (std::size_t i = 0; i < trees_[t].v.size(); ++i)
      if (const int unknown = trees_[t].unknowns[i]; unknown >= 0) {
        w_[unknown] = trees_[t].v[i];
        ofTree_[unknown] = true;
      }
  measure();
  for (Term& term : terms_) startPiece(term);
}

/// Velocities of contacts from those of bodies.
void ContactNewton::measure() {
  for (const Group& group : groups_) {
    const double* x = gather(group, w_);
    for (int t = group.first; t < group.last; ++t) {
      Term& term = terms_[t];
      std::copy_n(term.given.free, 3, term.u);
      multiply3(rows_.data() + term.rows, x, stride(group.length), term.u);
    }
  }
}

/// Finds where the whole step leads a tree; its own velocities then are where they were.
void ContactNewton::findTreeStep(Tree& tree) {
  for (std::size_t i = 0; i < w_.size(); ++i) target_[i] = w_[i] + step_[i];
  complete(tree, target_, tree.step);
  for (std::size_t i = 0; i < tree.v.size(); ++i) tree.step[i] -= tree.v[i];
}

/// Follows the drives' pieces. Returns by how much they did not fit.
double ContactNewton::followDrives(double driveFraction, bool atOnce) {
  double off = 0;
  for (int t = 0; t < numTrees_; ++t) off = std::max(off, trees_[t].body->drives().misfit(trees_[t].v.data()));
  if (off > 0)
    for (int t = 0; t < numTrees_; ++t)
      trees_[t].body->drives().follow(trees_[t].v.data(), driveFraction * off, atOnce);
  return off;
}

/// Says whether the pass came from far away, so that rounding is left of it.
bool ContactNewton::tookLongStep() const {
  return std::any_of(terms_.begin(), terms_.end(), [](const Term& term) {
    return std::any_of(term.change, term.change + 3, [](double change) { return std::abs(change) > kLongStep; });
  });
}

/// Goes on from the impulses found where velocities give way by more than `tolerance`. Returns whether that is so.
bool ContactNewton::recenter(double tolerance) {
  double gives = 0;
  for (const Term& term : terms_) {
    const double *p = term.impulse, *from = term.given.impulse;
    gives = std::max({gives, term.normalGive * std::abs(p[0] - from[0]),
                      term.tangentGive * std::hypot(p[1] - from[1], p[2] - from[2])});
  }
  if (gives <= tolerance) return false;
  for (Term& term : terms_) std::copy_n(term.impulse, 3, term.given.impulse);
  return true;
}

bool ContactNewton::solve(double tolerance, int maxPasses) {
  start();
  int full = 0, rounds = 0;
  assembleBase(true);
  for (passes_ = 1; passes_ <= maxPasses; ++passes_) {
    ++full;
    const bool together = rounds >= kRounds, carefully = together || full > kFullPasses;
    for (Term& term : terms_) linearize(term);
    assemble();
    if (!factor()) return false;
    findChanges();
    if (together)
      for (int t = 0; t < numTrees_; ++t) findTreeStep(trees_[t]);
    const double fraction = carefully ? stepFraction(together) : 1;
    take(fraction);
    const bool far = tookLongStep();
    if (far) measure();
    double off = 0;
    for (Term& term : terms_) off = std::max(off, follow(term, together || full >= kFullPasses));
    if (!std::isfinite(off)) return false;
    if (!together && (fraction != 1 || off > kNear)) continue;
    for (int t = 0; t < numTrees_; ++t) {
      Tree& tree = trees_[t];
      if (fraction == 1)
        complete(tree, w_, tree.v);
      else
        for (std::size_t i = 0; i < tree.v.size(); ++i) tree.v[i] += fraction * tree.step[i];
    }
    const double driveFraction = rounds < kFullRounds || rounds + 1 >= kRounds ? 0 : 0.5;
    const double offDrives = followDrives(driveFraction, rounds + 1 >= kRounds);
    if (fraction == 1 && off <= tolerance && offDrives <= tolerance) {
      if (!far && !recenter(tolerance)) return true;
      full = 0;
    }
    if (offDrives > 0) assembleBase(false);
    if (offDrives > tolerance) full = 0, ++rounds;
  }
  return false;
}

const double* ContactNewton::result() {
  std::fill(w_.begin(), w_.end(), 0.0);
  for (const Group& group : groups_) {
    const int size = stride(group.length);
    sum_.assign(size, 0.0);
    for (int t = group.first; t < group.last; ++t) {
      const double *a = rows_.data() + terms_[t].rows, *b = a + size, *c = b + size, *p = terms_[t].impulse;
      for (int k = 0; k < group.length; ++k) sum_[k] += a[k] * p[0] + b[k] * p[1] + c[k] * p[2];
    }
    for (int k = 0; k < group.length; ++k) w_[columns_[group.columns + k]] += sum_[k];
  }
  for (int t = 0; t < numTrees_; ++t)
    for (std::size_t i = 0; i < trees_[t].rest.size(); ++i)
      trees_[t].rest[i] = trees_[t].kept[i] ? w_[trees_[t].unknowns[i]] : 0;
  return w_.data();
}

}  // namespace mortise::rigid
