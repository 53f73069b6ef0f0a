#include "contact_list.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/contacts/scene_contact_check.h"

namespace mortise::native {

namespace {

using VectorMap = Eigen::Map<Vector3d>;
using ConstVectorMap = Eigen::Map<const Vector3d>;

constexpr double kUnsettledFactor = 0.9;

// The fraction of a change of speed: where spring and damper change the speed of the lighter body in one step by less
// than this, they are what there is, and a bounce is no more than they can do.
constexpr double kHard = 0.3;

/// The law of a contact, as the solver takes it.
struct Law {
  double target = 0, cfm = 0;
  bool bounces = false;
};

/// Speed after a bounce, for a touch at signed distance `gap` from where the step starts, with `approach` before the
/// step and an acceleration towards the surface. Symplectic steps keep v^2 / 2 + a gap -+ a h v / 2 (upper sign:
/// moving away), which gives the energy at the very surface, before and after.
double bounceSpeed(double restitution, double approach, double acceleration, double gap, double h) {
  if (!(acceleration > 0) || acceleration * h > approach) return restitution * approach;
  const double atSurface = approach * approach + 2 * acceleration * gap + acceleration * h * approach;
  const double half = 0.5 * acceleration * h;
  const double square = half * half + restitution * restitution * std::max(atSurface, 0.0) - 2 * acceleration * gap;
  return std::max(0.0, std::sqrt(std::max(square, 0.0)) - half);
}

/// `approach`: speed at which the surfaces close before the step; `predicted`: speed at which they would part after it;
/// `load`: normal force of the last step; `lightest`: mass of the lighter body.
Law lawOf(const ContactMaterial& material, double gap, double approach, double predicted, bool leaving, double load,
          double lightest, double h, const NativeSettings& settings) {
  Law law;
  law.cfm = *settings.cfm / h;
  const bool soft = std::isfinite(material.stiffness);
  double erp = *settings.contactErp;
  if (soft) {
    // Klamp't's rule: a spring and damper, implicit; damping without bound leaves penetration as it is.
    const double sum = h * material.stiffness + material.damping;
    erp = std::isfinite(sum) ? h * material.stiffness / std::max(sum, 1e-12) : 0;
    if (std::isfinite(sum)) law.cfm = 1 / (h * std::max(sum, 1e-12));
  }
  // Before they touch, spring and damper act on what is left of the step after the touch.
  law.target = -gap / h * (gap > 0 ? 1 : erp);
  // What holds a load against constraint force mixing is no correction.
  if (!soft) law.target = std::min(law.target, settings.maxCorrectionSpeed + law.cfm * h * load);

  if (material.restitution > 0 && approach > settings.bounceSpeed && gap + h * predicted < 0) {
    if (soft && h * (h * material.stiffness + material.damping) < kHard * lightest) {
      // Klamp't's rule: the speed of the bounce is aimed at, through the material's give.
      if (gap <= 0) law.target = std::max(law.target, material.restitution * approach);
      return law;
    }
    const double speed = bounceSpeed(material.restitution, approach, (-predicted - approach) / h, gap, h);
    // A spring that pushes harder needs no bounce.
    if (speed > law.target) return {speed, 0, true};
  }
  if (leaving && gap <= 0 && predicted > 0) {
    law.target = 0;
    law.bounces = true;
  }
  return law;
}

}  // namespace

ContactList::Entry& ContactList::append(const SceneContact& contact) {
  Entry& entry = next_.emplace_back();
  entry.key = contact.key;
  entry.bodyA = contact.bodyA;
  entry.bodyB = contact.bodyB;
  entry.idA = contact.idA;
  entry.idB = contact.idB;
  VectorMap(entry.point) = contact.point;
  VectorMap(entry.normal) = contact.normal;
  entry.gap = contact.gap;
  VectorMap(entry.force).setZero();
  entry.marks = 0;
  materials_.push_back(contact.material);
  return entry;
}

void ContactList::set(std::span<const SceneContact> contacts) {
  next_.clear();
  materials_.clear();
  checkSceneContacts(contacts, numBodies_, numIds_);
  for (const SceneContact& contact : contacts) append(contact);
  recall();
}

void ContactList::markBodies(std::vector<bool>& bodies) const {
  for (const Entry& entry : next_) {
    if (entry.bodyA >= 0) bodies[entry.bodyA] = true;
    if (entry.bodyB >= 0) bodies[entry.bodyB] = true;
  }
}

/// Forces of the last step, by key. Both lists ascend by ids, and within a pair contacts mostly stay in their order.
void ContactList::recall() {
  std::size_t first = 0, guess = 0;
  const auto ids = [](const Entry& entry) { return std::pair(entry.idA, entry.idB); };
  for (Entry& entry : next_) {
    while (first < last_.size() && ids(last_[first]) < ids(entry)) guess = ++first;
    std::size_t end = first;
    const auto take = [&](std::size_t at) {
      std::copy(last_[at].force, last_[at].force + 3, entry.force);
      entry.marks = last_[at].marks;
      guess = at + 1;
    };
    const auto fits = [&](std::size_t at) {
      return at < last_.size() && last_[at].key == entry.key && ids(last_[at]) == ids(entry);
    };
    if (fits(guess)) {
      take(guess);
      continue;
    }
    while (end < last_.size() && ids(last_[end]) == ids(entry)) {
      if (last_[end].key == entry.key) {
        take(end);
        break;
      }
      ++end;
    }
  }
}

void ContactList::addTo(rigid::RowSolver& solver, std::span<const rigid::SolverBody> ends, double h) {
  rows_.clear();
  int numRows = 0;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    Entry& entry = next_[i];
    const rigid::SolverBody &a = ends[entry.bodyA], &b = ends[entry.bodyB];
    rows_.push_back(a.mover >= 0 || b.mover >= 0 ? numRows++ : -1);
    if (rows_.back() < 0) continue;
    rigid::RowSolver::Contact contact;
    contact.point = ConstVectorMap(entry.point);
    contact.normal = ConstVectorMap(entry.normal);
    double approach = 0, predicted = 0;
    if (materials_[i].restitution > 0) {
      approach = -contact.normal.dot(rigid::RowSolver::velocity(a, contact.point) -
                                     rigid::RowSolver::velocity(b, contact.point));
      predicted = contact.normal.dot(solver.freeVelocity(a, contact.point) - solver.freeVelocity(b, contact.point));
    }
    const double load = std::max(0.0, contact.normal.dot(ConstVectorMap(entry.force)));
    const Law law = lawOf(materials_[i], entry.gap, approach, predicted, (entry.marks & kBounced) != 0, load,
                          std::min(masses_[entry.bodyA], masses_[entry.bodyB]), h, settings_);
    contact.target = law.target;
    contact.cfm = law.cfm;
    contact.bounces = law.bounces;
    contact.friction = std::min(materials_[i].friction, kMaximumFriction);
    // Errors of a solution that was not finished must not pile up.
    const double fraction = settings_.warmStart * ((entry.marks & kUnsettled) != 0 ? kUnsettledFactor : 1);
    contact.start = fraction * h * ConstVectorMap(entry.force);
    contact.pause.failures = static_cast<unsigned char>(entry.marks >> kFailures);
    contact.pause.steps = static_cast<unsigned char>(entry.marks >> kPauseSteps);
    entry.marks = law.bounces ? std::int64_t{kBounced} : 0;
    solver.addContact(a, b, contact);
  }
}

void ContactList::finish(const rigid::RowSolver& solver, double h) {
  for (std::size_t i = 0; i < next_.size(); ++i) {
    VectorMap force(next_[i].force);
    force.setZero();
    if (rows_[i] >= 0) {
      force = solver.contactImpulse(rows_[i]) / h;
      if (!solver.settled(rows_[i])) next_[i].marks |= kUnsettled;
      const rigid::RowSolver::NewtonPause pause = solver.newtonPause(rows_[i]);
      next_[i].marks |= std::int64_t{pause.failures} << kFailures | std::int64_t{pause.steps} << kPauseSteps;
    }
  }
  last_.swap(next_);
  next_.clear();
  materials_.clear();
  forcesCurrent_ = false;
}

std::span<const ContactForce> ContactList::forces() const {
  if (forcesCurrent_) return forces_;
  forces_.resize(last_.size());
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const Entry& entry = last_[i];
    forces_[i] = {entry.key,
                  entry.idA,
                  entry.idB,
                  entry.bodyA,
                  entry.bodyB,
                  ConstVectorMap(entry.point),
                  ConstVectorMap(entry.normal),
                  -entry.gap,
                  ConstVectorMap(entry.force)};
  }
  forcesCurrent_ = true;
  return forces_;
}

void ContactList::save(ByteWriter& out) const {
  static_assert(sizeof(Entry) == 8 + 4 * 4 + 10 * 8 + 8, "no padding");
  static_assert(sizeof(ContactMaterial) == 4 * sizeof(double), "no padding");
  for (const std::vector<Entry>* list : {&last_, &next_}) {
    out.put(static_cast<std::uint64_t>(list->size()));
    out.append(list->data(), list->size() * sizeof(Entry));
  }
  out.append(materials_.data(), materials_.size() * sizeof(ContactMaterial));
}

void ContactList::restore(ByteReader& in) {
  for (std::vector<Entry>* list : {&last_, &next_}) {
    list->clear();
    for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
      const Entry entry = in.get<Entry>();
      const auto inside = [](int index, int size) { return index >= 0 && index < size; };
      if (!inside(entry.bodyA, numBodies_) || !inside(entry.bodyB, numBodies_) || !inside(entry.idA, numIds_) ||
          !inside(entry.idB, numIds_))
        throw Error("the snapshot holds a contact of a body that is not there");
      list->push_back(entry);
    }
  }
  materials_.clear();
  for (std::size_t i = 0; i < next_.size(); ++i) materials_.push_back(in.get<ContactMaterial>());
  forcesCurrent_ = false;
}

}  // namespace mortise::native
