#include "mortise/simulation/stepping/energy_watch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "mortise/base/value_text.h"
#include "mortise/simulation/context/snapshot_bytes.h"
#include "mortise/simulation/stepping/energy.h"

namespace mortise {

namespace {

constexpr double kPushOutSpeed = 0.1;       // m/s or rad/s.
constexpr double kQuietEnergy = 1e-4;       // J/kg: 14 mm/s, what solvers leave over in contacts at rest.
constexpr double kQuietRobot = 5e-4;        // J/kg: the same of robots, whose contacts and drives are one problem.
constexpr double kTurningError = 2;         // Of relative energy, times the angle of a step squared.
constexpr double kLooseTurningError = 0.5;  // Without joints, in impacts, by the angle itself.
constexpr double kRounding = 1e-9;          // Of the energy.
constexpr double kFastestTurning = 0.5;     // rad a step: beyond that no engine integrates, and nothing can be judged.

}  // namespace

EnergyWatch::EnergyWatch(const SceneDescription& scene)
    : scene_(scene),
      pushOutSpeed_(std::isfinite(scene.maxPushOutSpeed) ? scene.maxPushOutSpeed : kPushOutSpeed),
      kinematic_(scene.bodies.size(), 0),
      before_(scene.bodies.size()),
      after_(scene.bodies.size()),
      parent_(scene.bodies.size()),
      islands_(scene.bodies.size()),
      received_(scene.bodies.size()),
      stopStores_(scene.joints.size(), 0.0),
      looseJoints_(scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) kinematic_[i] = scene.bodies[i].motion == BodyMotion::kinematic;
}

EnergyWatch::Motion EnergyWatch::motionOf(int body, const BodyState& state) const {
  const BodyInertia& inertia = scene_.bodies[body].inertia;
  Motion motion;
  const Vector3d arm = state.X_WB.R * inertia.com;
  motion.com = state.X_WB.p + arm;
  motion.v = state.v_WB + state.w_WB.cross(arm);
  motion.w = state.w_WB;
  if (moves(body)) motion.energy = kineticEnergy(inertia, state);
  return motion;
}

void EnergyWatch::begin(std::span<const BodyState> bodies, std::span<const JointState> joints) {
  for (std::size_t i = 0; i < bodies.size(); ++i) before_[i] = motionOf(static_cast<int>(i), bodies[i]);
  jointsBefore_.assign(joints.begin(), joints.end());
  looseJoints_.begin(bodies);
}

// ---------------------------------------------------------------------------------------------------------------------
// Islands

int EnergyWatch::root(int body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

void EnergyWatch::join(int a, int b) {
  if (!moves(a) || !moves(b)) return;
  a = root(a);
  b = root(b);
  parent_[std::max(a, b)] = std::min(a, b);
}

void EnergyWatch::connect(const Step& step) {
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const SceneJoint& joint : scene_.joints) join(joint.parent, joint.child);
  for (const SceneConstraint& joint : scene_.constraints) join(joint.a, joint.b);
  for (const ContactForce& contact : step.contacts)
    if (!contact.force.isZero(0)) join(contact.bodyA, contact.bodyB);
  std::fill(islands_.begin(), islands_.end(), Island());
  // What a moving body does through a joint is not known.
  const auto judge = [&](int holder, int held) {
    if (holder >= 0 && kinematic_[holder] && moves(held) &&
        !(before_[holder].v.isZero(0) && before_[holder].w.isZero(0)))
      islands_[root(held)].judged = false;
  };
  for (const SceneJoint& joint : scene_.joints) judge(joint.parent, joint.child);
  for (const SceneConstraint& joint : scene_.constraints) {
    judge(joint.a, joint.b);
    judge(joint.b, joint.a);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Work

void EnergyWatch::addBodies(const Step& step) {
  for (int i = 0; i < static_cast<int>(step.bodies.size()); ++i) {
    received_[i] = 0;
    after_[i] = motionOf(i, step.bodies[i]);
    if (!moves(i)) continue;
    const Motion &from = before_[i], &to = after_[i];
    const BodyInertia& inertia = scene_.bodies[i].inertia;
    Island& island = islands_[root(i)];
    island.before += from.energy;
    island.after += to.energy;
    const Vector3d turn = step.bodies[i].X_WB.R.transpose() * (to.w - from.w);
    island.change += 0.5 * (inertia.mass * (to.v - from.v).squaredNorm() + turn.dot(inertia.inertia * turn));
    island.turning = std::max({island.turning, from.w.norm(), to.w.norm()});
    const double a = step.seconds * inertia.mass * step.gravity.dot(from.v);
    const double b = step.seconds * inertia.mass * step.gravity.dot(to.v);
    island.allowed += std::max(a, b);
    received_[i] += 0.5 * (a + b);
    // Loose bodies that hardly move leave no room for what they touch; links of a robot are solved for together.
    const bool link = scene_.bodies[i].robot >= 0;
    const double quiet = (link ? kQuietRobot : kQuietEnergy) * inertia.mass;
    island.jointed = island.jointed || link || looseJoints_.group(i) >= 0;
    island.quiet += link ? quiet : std::min(quiet, from.energy + to.energy + std::abs(a) + std::abs(b));
  }
}

void EnergyWatch::addWrenches(const Step& step) {
  for (std::size_t k = 0; k < step.wrenches.size(); ++k) {
    const AppliedWrench& wrench = step.wrenches[k];
    const int body = step.wrenchBodies[k];
    if (!moves(body)) continue;
    const auto work = [&](const Motion& motion) {
      return step.seconds *
             (wrench.force.dot(motion.at(wrench.point, before_[body].com)) + wrench.torque.dot(motion.w));
    };
    const double a = work(before_[body]), b = work(after_[body]);
    islands_[root(body)].allowed += std::max(a, b);
    received_[body] += 0.5 * (a + b);
  }
}

/// The positive work of a contact or stop that separates at `speed` afterwards, less what it may give: what it took,
/// and what it takes to push out at no more than the speed for that.
double EnergyWatch::excessOf(double work, double speed, double& store) const {
  const double returned = std::min(work, store);
  store -= returned;
  const double fraction = speed > pushOutSpeed_ ? pushOutSpeed_ / speed : 1;
  return (work - returned) * (1 - fraction * fraction);
}

void EnergyWatch::addJoints(const Step& step) {
  const double h = step.seconds;
  for (std::size_t j = 0; j < step.joints.size(); ++j) {
    const int child = scene_.joints[j].child, parent = scene_.joints[j].parent;
    const int body = moves(child) ? child : parent;
    if (!moves(body)) continue;
    Island& island = islands_[root(body)];
    const JointState &from = jointsBefore_[j], &to = step.joints[j];
    const double a = h * to.effort * from.velocity, b = h * to.effort * to.velocity;
    island.allowed += std::max(a, b);
    received_[body] += 0.5 * (a + b);
    double& store = stopStores_[j];
    if (to.stop == 0) {
      store = 0;
      continue;
    }
    const double work = 0.5 * h * to.stop * (from.velocity + to.velocity);
    received_[body] += work;
    if (work < 0) {
      store -= work;
      continue;
    }
    const double excess = excessOf(work, std::abs(to.velocity), store);
    island.allowed += work - excess;
    if (excess > island.excess) {
      island.excess = excess;
      island.excessJoint = static_cast<int>(j);
      island.excessContact = -1;
    }
  }
}

/// Stores of the pairs that touch now; what others had is gone.
void EnergyWatch::renewStores(std::span<const ContactForce> contacts) {
  const auto before = [](const Store& x, const Store& y) { return x.pair() < y.pair(); };
  nextStores_.clear();
  for (const ContactForce& contact : contacts)
    nextStores_.push_back({std::min(contact.bodyA, contact.bodyB), std::max(contact.bodyA, contact.bodyB), 0});
  std::sort(nextStores_.begin(), nextStores_.end(), before);
  const auto same = [](const Store& x, const Store& y) { return x.pair() == y.pair(); };
  nextStores_.erase(std::unique(nextStores_.begin(), nextStores_.end(), same), nextStores_.end());
  auto old = contactStores_.begin();
  for (Store& store : nextStores_) {
    while (old != contactStores_.end() && before(*old, store)) ++old;
    if (old != contactStores_.end() && same(*old, store)) store.energy = old->energy;
  }
  contactStores_.swap(nextStores_);
}

EnergyWatch::Store& EnergyWatch::storeOf(int a, int b) {
  const std::pair pair(std::min(a, b), std::max(a, b));
  return *std::lower_bound(contactStores_.begin(), contactStores_.end(), pair,
                           [](const Store& store, const auto& wanted) { return store.pair() < wanted; });
}

void EnergyWatch::addContacts(const Step& step) {
  renewStores(step.contacts);
  for (std::size_t k = 0; k < step.contacts.size(); ++k) {
    const ContactForce& contact = step.contacts[k];
    const int a = contact.bodyA, b = contact.bodyB;
    const bool movesA = moves(a), movesB = moves(b);
    if (!movesA && !movesB) continue;
    Island& island = islands_[root(movesA ? a : b)];
    const auto velocity = [&](const std::vector<Motion>& motions, int body) {
      return body < 0 || scene_.bodies[body].motion == BodyMotion::fixed
                 ? Vector3d(Vector3d::Zero())
                 : motions[body].at(contact.point, before_[body].com);
    };
    const Vector3d a0 = velocity(before_, a), a1 = velocity(after_, a), b0 = velocity(before_, b),
                   b1 = velocity(after_, b);
    if (movesA) received_[a] += 0.5 * step.seconds * contact.force.dot(a0 + a1);
    if (movesB) received_[b] -= 0.5 * step.seconds * contact.force.dot(b0 + b1);
    // A kinematic body does work by its motion, which it goes on with whatever pushes it.
    if (movesA && b >= 0 && kinematic_[b]) island.allowed += std::max(0.0, step.seconds * contact.force.dot(b0));
    if (movesB && a >= 0 && kinematic_[a]) island.allowed += std::max(0.0, -step.seconds * contact.force.dot(a0));
    const double normal = contact.force.dot(contact.normal);
    const Vector3d slip = a0 + a1 - b0 - b1;
    const double friction = 0.5 * step.seconds * (contact.force - normal * contact.normal).dot(slip);
    if (friction > island.friction) {
      island.friction = friction;
      island.frictionContact = static_cast<int>(k);
    }
    const double work = 0.5 * step.seconds * normal * contact.normal.dot(slip);
    Store& store = storeOf(a, b);
    if (work < 0) {
      store.energy -= work;
      continue;
    }
    const double excess = excessOf(work, std::abs(contact.normal.dot(a1 - b1)), store.energy);
    island.allowed += work - excess;
    if (excess > island.excess) {
      island.excess = excess;
      island.excessContact = static_cast<int>(k);
      island.excessJoint = -1;
    }
  }
}

/// Goes by what is left of bodies' energies after all other forces.
void EnergyWatch::addLooseJoints(const Step& step) {
  if (looseJoints_.empty()) return;
  for (int i = 0; i < static_cast<int>(step.bodies.size()); ++i) {
    if (looseJoints_.group(i) < 0 || !moves(i)) continue;
    const Motion &from = before_[i], &to = after_[i];
    const Vector3d force = scene_.bodies[i].inertia.mass * ((to.v - from.v) / step.seconds - step.gravity);
    looseJoints_.add(i, to.energy - from.energy - received_[i], force.norm());
  }
  const std::span<const double> given = looseJoints_.finish(step.bodies);
  std::vector<bool> added(given.size(), false);
  for (int i = 0; i < static_cast<int>(step.bodies.size()); ++i) {
    const int group = looseJoints_.group(i);
    if (group < 0 || added[group] || !moves(i)) continue;
    islands_[root(i)].allowed += given[group];
    added[group] = true;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Judgement

/// The object or robot that received less from the forces on it than it gained, by the largest difference.
EnergyGain EnergyWatch::describe(const Island& island, int root, double energy, const Step& step) const {
  EnergyGain gain{root, energy, {}};
  const auto robotOrBody = [&](int body) {
    const int robot = scene_.bodies[body].robot;
    return robot >= 0 ? -1 - robot : body;
  };
  std::vector<std::pair<int, double>> groups;  // A robot's bodies follow each other.
  std::vector<int> maximum;                    // Of each group: the body that gained most.
  double largest = -std::numeric_limits<double>::infinity();
  const auto rootOf = [&](int body) {
    while (parent_[body] != body) body = parent_[body];
    return body;
  };
  for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
    if (!moves(i) || rootOf(i) != root) continue;
    const double own = after_[i].energy - before_[i].energy - received_[i];
    const int group = robotOrBody(i);
    if (groups.empty() || groups.back().first != group) {
      groups.emplace_back(group, 0.0);
      maximum.push_back(i);
    }
    groups.back().second += own;
    const int other = maximum.back();
    if (own > after_[other].energy - before_[other].energy - received_[other]) maximum.back() = i;
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (groups[g].second > largest) {
      largest = groups[g].second;
      gain.body = maximum[g];
    }
  nameCause(island, step, gain);
  return gain;
}

/// Names the contact or stop that gave at least half of the energy, if one did.
void EnergyWatch::nameCause(const Island& island, const Step& step, EnergyGain& gain) const {
  const bool pushed = island.excess >= 0.5 * gain.energy && island.excess > island.friction;
  if (pushed && island.excessJoint >= 0) {
    const SceneJoint& joint = scene_.joints[static_cast<std::size_t>(island.excessJoint)];
    gain.cause = "pushed back by the stop of joint '" + joint.name + "'";
    return;
  }
  const int at = pushed ? island.excessContact : island.friction >= 0.5 * gain.energy ? island.frictionContact : -1;
  if (at < 0) return;
  const ContactForce& contact = step.contacts[static_cast<std::size_t>(at)];
  if (contact.bodyA != gain.body && contact.bodyB != gain.body)
    gain.body = moves(contact.bodyA) ? contact.bodyA : contact.bodyB;
  const int other = contact.bodyA == gain.body ? contact.bodyB : contact.bodyA;
  const std::string name = other < 0 ? "the world" : "'" + scene_.bodies[other].name + "'";
  gain.cause = (pushed ? "pushed out of " : "pushed on by friction with ") + name;
  if (contact.depth > 0) gain.cause += ", " + formatReal(1e3 * contact.depth, 3) + " mm deep";
}

std::span<const EnergyGain> EnergyWatch::check(const Step& step) {
  gains_.clear();
  connect(step);
  addBodies(step);
  addWrenches(step);
  addJoints(step);
  addContacts(step);
  addLooseJoints(step);
  for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
    const Island& island = islands_[i];
    if (parent_[i] != i || !moves(i) || !island.judged) continue;
    const double angle = step.seconds * island.turning;
    if (angle > kFastestTurning) continue;
    const double maximum = std::max(island.before, island.after);
    const double impact = island.jointed ? kTurningError : kLooseTurningError;
    const double error = angle * (impact * std::sqrt(maximum * island.change) + kTurningError * angle * maximum);
    const double gain = island.after - island.before - island.allowed;
    if (gain > error + island.quiet + kRounding * maximum) gains_.push_back(describe(island, i, gain, step));
  }
  return gains_;
}

// ---------------------------------------------------------------------------------------------------------------------
// Snapshots

void EnergyWatch::save(ByteWriter& out) const {
  out.append(kinematic_.data(), kinematic_.size());
  out.put(std::span<const double>(stopStores_));
  out.put(looseJoints_.stores());
  out.put(static_cast<std::uint64_t>(contactStores_.size()));
  for (const Store& store : contactStores_) {
    out.put(store.a);
    out.put(store.b);
    out.put(store.energy);
  }
}

void EnergyWatch::restore(ByteReader& in) {
  for (std::uint8_t& flag : kinematic_) flag = getFlag(in);
  in.get(std::span<double>(stopStores_));
  in.get(looseJoints_.stores());
  contactStores_.clear();
  const auto sound = [](double energy) { return std::isfinite(energy) && energy >= 0; };
  for (const double energy : stopStores_) requireUndamaged(sound(energy), "an energy is not a positive number");
  for (const double energy : looseJoints_.stores())
    requireUndamaged(sound(energy), "an energy is not a positive number");
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    Store store;
    in.get(store.a);
    in.get(store.b);
    in.get(store.energy);
    requireUndamaged(sound(store.energy), "an energy is not a positive number");
    requireUndamaged(contactStores_.empty() || contactStores_.back().pair() < store.pair(),
                     "pairs of bodies are not in order");
    contactStores_.push_back(store);
  }
}

}  // namespace mortise
