#include "mortise/planning/paths/path_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/math/constants.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

constexpr double kLimitSlack = 1e-9;
/// Neighbors are brought this many halvings closer before they count as a jump.
constexpr int kHalvings = 16;

bool within(double x, double low, double high, bool turns) {
  if (x >= low - kLimitSlack && x <= high + kLimitSlack) return true;
  if (!turns) return false;
  if (std::isfinite(low)) return low + std::fmod(std::fmod(x - low, kTurn) + kTurn, kTurn) <= high + kLimitSlack;
  return high - std::fmod(std::fmod(high - x, kTurn) + kTurn, kTurn) >= low - kLimitSlack;
}

std::string faultOfKnots(const HermiteTrajectory& trajectory, int dimension, std::size_t limits) {
  const std::size_t n = trajectory.times.size();
  if (trajectory.configurations.size() != n || trajectory.velocities.size() != n)
    return "there are not as many configurations and velocities as times";
  if (limits != static_cast<std::size_t>(dimension))
    return "there are " + std::to_string(limits) + " limits for " + std::to_string(dimension) + " coordinates";
  for (std::size_t i = 0; i < n; ++i) {
    const bool falls = i > 0 && !(trajectory.times[i] >= trajectory.times[i - 1]);
    if (!std::isfinite(trajectory.times[i]) || falls)
      return "time " + std::to_string(i) + " is not finite or less than the one before";
    for (const VectorXd* v : {&trajectory.configurations[i], &trajectory.velocities[i]})
      if (v->size() != dimension || !v->allFinite())
        return "knot " + std::to_string(i) + " is not " + std::to_string(dimension) + " finite numbers and velocities";
  }
  return {};
}

}  // namespace

std::string_view pathFaultName(PathFault::Kind kind) {
  constexpr std::string_view kNames[] = {"size", "limits",   "collision",   "constraint",
                                         "jump", "velocity", "acceleration"};
  return kNames[static_cast<int>(kind)];
}

/// The state that one check carries along.
struct PathChecker::Run {
  const PathCheckOptions& options;
  PathCheckResult result;
  std::size_t segment = 0;
  const HermiteTrajectory* trajectory = nullptr;
  std::function<void(double u, VectorXd& q)> at = {};  ///< On the segment.
  /// Collisions in configurations one after another: the number of the last, and the index of their first fault.
  std::int64_t touched = -1;
  std::size_t stretch = 0;

  double timeAt(double u) const {
    if (trajectory == nullptr) return 0;
    const std::vector<double>& times = trajectory->times;
    const std::size_t next = std::min(segment + 1, times.size() - 1);
    return times[segment] + u * (times[next] - times[segment]);
  }
  PathCheckResult finish();
};

PathCheckResult PathChecker::Run::finish() {
  for (PathFault& fault : result.faults) {
    if (fault.lastSegment == fault.segment && fault.lastU == fault.u) continue;
    if (trajectory != nullptr)
      fault.text += " to " + formatReal(fault.lastTime, 6) + " s";
    else if (fault.lastU == 0 || fault.lastU == 1)
      fault.text += ", up to milestone " + std::to_string(fault.lastSegment + (fault.lastU == 1));
    else if (fault.lastSegment == fault.segment && fault.u != 0)
      fault.text += ", up to " + formatReal(fault.lastU, 6);
    else
      fault.text += ", up to " + formatReal(fault.lastU, 6) + " of the edge from milestone " +
                    std::to_string(fault.lastSegment) + " to " + std::to_string(fault.lastSegment + 1);
  }
  result.valid = result.faults.empty();
  return result;
}

PathChecker::PathChecker(MotionSpace& space, std::shared_ptr<const WorldCollider> collider)
    : space_(space), collider_(std::move(collider)), state_(collider_) {
  space_.bounds(low_, high_);
  findMoving();
  for (const std::string& name : space_.constraints())
    own_.push_back(name != "joint_limits" && name != "self_collision" && name != "collision");
}

void PathChecker::setPose(int id, const RigidTransform& X_W) {
  state_.setPose(id, X_W);
  if (padding_) padding_->state().setPose(id, X_W);
}

/// By trying: each coordinate is moved a little.
void PathChecker::findMoving() {
  const World& world = collider_->world();
  const Eigen::Index n = space_.dimension();
  VectorXd q(n), base, moved;
  for (Eigen::Index c = 0; c < n; ++c) {
    const bool both = std::isfinite(low_[c]) && std::isfinite(high_[c]);
    q[c] = both                      ? 0.5 * (low_[c] + high_[c])
           : std::isfinite(low_[c])  ? low_[c]
           : std::isfinite(high_[c]) ? high_[c]
                                     : 0;
  }
  space_.lift(q, base);
  std::vector<char> moves(static_cast<std::size_t>(world.numIds()), 0);
  turns_.assign(static_cast<std::size_t>(n), 0);
  for (Eigen::Index c = 0; c < n; ++c) {
    VectorXd other = q;
    other[c] += 1e-3;
    space_.lift(other, moved);
    bool turns = false, only = true;
    for (const Mover& mover : space_.movers()) {
      if (mover.kind == Mover::Kind::object) {
        if (moved.segment(mover.first, mover.size) != base.segment(mover.first, mover.size)) {
          moves[static_cast<std::size_t>(world.objectId(mover.index))] = 1;
          only = false;
        }
        continue;
      }
      const Robot& robot = *world.robots[static_cast<std::size_t>(mover.index)].robot;
      for (int i = 0; i < robot.numLinks(); ++i) {
        if (moved[mover.first + i] == base[mover.first + i]) continue;
        moves[static_cast<std::size_t>(world.linkId(mover.index, i))] = 1;
        const int joint = robot.jointOfLink(i);
        const JointType type = joint >= 0 ? robot.joints()[static_cast<std::size_t>(joint)].type : JointType::normal;
        const bool round =
            robot.link(i).motion == LinkMotion::revolute && type != JointType::normal && type != JointType::weld;
        (round ? turns : only) = round;
      }
    }
    turns_[static_cast<std::size_t>(c)] = turns && only;
  }
  for (const Mover& mover : space_.movers()) {
    if (mover.kind != Mover::Kind::robot) continue;
    const Robot& robot = *world.robots[static_cast<std::size_t>(mover.index)].robot;
    for (int i = 0; i < robot.numLinks(); ++i) {
      const int parent = robot.link(i).parent;
      if (parent >= 0 && moves[static_cast<std::size_t>(world.linkId(mover.index, parent))])
        moves[static_cast<std::size_t>(world.linkId(mover.index, i))] = 1;
    }
  }
  for (int id = 0; id < world.numIds(); ++id)
    if (moves[static_cast<std::size_t>(id)]) moving_.push_back(id);
}

bool PathChecker::add(Run& run, PathFault fault, double u) {
  fault.segment = fault.lastSegment = run.segment;
  fault.u = fault.lastU = u;
  fault.time = fault.lastTime = run.timeAt(u);
  if (run.trajectory != nullptr) {
    fault.text += " at " + formatReal(fault.time, 6) + " s";
  } else if (u == 0 || u == 1) {
    fault.text += " at milestone " + std::to_string(run.segment + (u == 1));
  } else {
    fault.text += " between milestones " + std::to_string(run.segment) + " and " + std::to_string(run.segment + 1) +
                  ", at " + formatReal(u, 6) + " of the edge";
  }
  run.result.faults.push_back(std::move(fault));
  return static_cast<int>(run.result.faults.size()) < std::max(run.options.maxFaults, 1);
}

bool PathChecker::goesOn(Run& run, const IdPair& ids, double u) {
  std::vector<PathFault>& faults = run.result.faults;
  if (run.result.configurations > run.touched + 1) run.stretch = faults.size();
  run.touched = run.result.configurations;
  // Where more than two collide, any pair of them is found.
  for (std::size_t i = run.stretch; i < faults.size(); ++i) {
    PathFault& fault = faults[i];
    if (fault.kind != PathFault::Kind::collision || fault.ids.a != ids.a || fault.ids.b != ids.b) continue;
    fault.lastSegment = run.segment;
    fault.lastU = u;
    fault.lastTime = run.timeAt(u);
    return true;
  }
  return false;
}

void PathChecker::place(WorldCollisionState& state) {
  for (const Mover& mover : space_.movers()) {
    part_ = full_.segment(mover.first, mover.size);
    if (mover.kind == Mover::Kind::robot) {
      state.setConfiguration(mover.index, part_);
    } else {
      RigidTransform X_WO;
      X_WO.p = part_.head<3>();
      X_WO.R = rotationFromMoment(part_.tail<3>());
      state.setPose(collider_->world().objectId(mover.index), X_WO);
    }
  }
}

void PathChecker::watchPadding(std::vector<double> padding, const PairTable& pairs) {
  PairTable both(collider_->numIds());
  pairs.forEachPair([&](int a, int b) {
    if (collider_->pairs()(a, b)) both.set(a, b, true);
  });
  padding_.emplace(std::make_shared<const WorldCollider>(collider_->withPairs(both)), std::move(padding), moving_);
}

bool PathChecker::checkAt(Run& run, const VectorXd& q, double u) {
  ++run.result.configurations;
  if (!q.allFinite())
    return add(run, {.kind = PathFault::Kind::size, .ids = {}, .text = "a configuration is not finite"}, u);
  for (Eigen::Index c = 0; c < q.size(); ++c) {
    if (within(q[c], low_[c], high_[c], turns_[static_cast<std::size_t>(c)])) continue;
    PathFault fault{.kind = PathFault::Kind::limits, .ids = {}, .coordinate = static_cast<int>(c), .text = {}};
    fault.text = space_.coordinateName(static_cast<int>(c)) + " is at " + formatReal(q[c], 6) + ", outside " +
                 formatReal(low_[c], 6) + " to " + formatReal(high_[c], 6);
    if (!add(run, std::move(fault), u)) return false;
  }
  const std::span<const std::string> names = space_.constraints();
  for (std::size_t i = 0; i < own_.size(); ++i) {
    if (!own_[i] || space_.satisfies(static_cast<int>(i), q)) continue;
    PathFault fault{.kind = PathFault::Kind::constraint, .ids = {}, .text = space_.explain(static_cast<int>(i), q)};
    if (fault.text.find(names[i]) == std::string::npos) fault.text += " (" + names[i] + ")";
    if (!add(run, std::move(fault), u)) return false;
  }
  space_.lift(q, full_);
  const World& world = collider_->world();
  place(state_);
  if (moving_.empty()) return true;
  if (padding_) {
    place(padding_->state());
    padding_->check({.ids = {}, .segment = run.segment, .u = u, .time = run.timeAt(u)}, run.options.clearance);
  }
  const IdFilter moving = IdFilter::of(moving_);
  state_.setTolerance(run.options.margin);
  IdPair found;
  if (state_.anyCollision(moving, IdFilter::everything(), &found) && !goesOn(run, found, u)) {
    PathFault fault{.kind = PathFault::Kind::collision, .ids = found, .text = {}};
    const DistanceResult distance = state_.distance(found.a, found.b);
    fault.distance = distance.found ? distance.distance : 0;
    fault.text = "'" + world.nameOf(found.a) + "' ";
    if (fault.distance > 0)
      fault.text += "is " + formatReal(fault.distance, 6) + " m from '" + world.nameOf(found.b) + "'";
    else
      fault.text += "collides with '" + world.nameOf(found.b) + "'";
    if (fault.distance < 0) fault.text += ", " + formatReal(-fault.distance, 6) + " m deep,";
    if (!add(run, std::move(fault), u)) return false;
  }
  if (run.options.clearance) {
    DistanceOptions options;
    options.upperBound = run.result.clearance;
    const WorldDistance nearest = state_.nearest(moving, IdFilter::everything(), options);
    if (nearest.result.found && nearest.result.distance < run.result.clearance) {
      run.result.clearance = nearest.result.distance;
      run.result.nearest = nearest.ids;
      run.result.nearestSegment = run.segment;
      run.result.nearestU = u;
    }
  }
  return true;
}

/// Returns the length of an edge, in the space's metric or without weights, whichever is longer: weights say what
/// costs, not how far things move.
double PathChecker::lengthOf(const VectorXd& a, const VectorXd& b) const {
  return std::max(space_.distance(a, b), (b - a).norm());
}

/// Checks what lies between two configurations that have been checked.
bool PathChecker::along(Run& run, double fromU, double toU, const VectorXd& from, const VectorXd& to, int depth) {
  const double distance = space_.distance(from, to);
  if (distance <= run.options.resolution) return true;
  if (depth == kHalvings || !std::isfinite(distance)) {
    PathFault fault{.kind = PathFault::Kind::jump, .ids = {}, .text = {}};
    fault.text = "the configuration jumps by " + formatReal(distance, 6);
    return add(run, std::move(fault), fromU);
  }
  const double u = 0.5 * (fromU + toU);
  VectorXd middle(from.size());
  run.at(u, middle);
  return along(run, fromU, u, from, middle, depth + 1) && checkAt(run, middle, u) &&
         along(run, u, toU, middle, to, depth + 1);
}

PathCheckResult PathChecker::check(const std::vector<VectorXd>& path, const PathCheckOptions& options) {
  if (!(options.resolution > 0)) throw Error("the resolution of a check must be above 0");
  Run run{options, {}, 0, nullptr, {}};
  if (padding_) padding_->begin();
  const auto finish = [&] { return finished(run); };
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i].size() == space_.dimension() && path[i].allFinite()) continue;
    run.segment = i;
    add(run,
        {.kind = PathFault::Kind::size,
         .ids = {},
         .text = "there are not " + std::to_string(space_.dimension()) + " finite numbers"},
        0);
    return finish();
  }
  if (path.empty()) {
    run.result.faults.push_back({.kind = PathFault::Kind::size, .ids = {}, .text = "the path has no milestones"});
    return finish();
  }
  if (!checkAt(run, path.front(), 0)) return finish();
  VectorXd before, here;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    run.segment = i;
    run.at = [&](double u, VectorXd& q) { space_.interpolate(path[i], path[i + 1], u, q); };
    const double wanted = std::ceil(lengthOf(path[i], path[i + 1]) / options.resolution);
    if (!(wanted < 1e9)) throw Error("a check of more than a billion configurations", {}, "take a coarser resolution");
    const auto steps = std::max<std::int64_t>(static_cast<std::int64_t>(wanted), 1);
    before = path[i];
    for (std::int64_t k = 1; k <= steps; ++k) {
      const double u = static_cast<double>(k) / static_cast<double>(steps);
      if (k == steps)
        here = path[i + 1];
      else
        run.at(u, here);
      // Steps of the wanted length are a hair longer through rounding.
      const double from = static_cast<double>(k - 1) / static_cast<double>(steps);
      if (space_.distance(before, here) > 1.5 * options.resolution && !along(run, from, u, before, here, 0))
        return finish();
      if (!checkAt(run, here, u)) return finish();
      std::swap(before, here);
    }
  }
  return finish();
}

PathCheckResult PathChecker::finished(Run& run) {
  PathCheckResult result = run.finish();
  if (!padding_) return result;
  result.touches = padding_->touches();
  result.paddedClearance = padding_->clearance();
  result.paddedNearest = padding_->nearest();
  return result;
}

bool PathChecker::checkBounds(Run& run, std::span<const CoordinateLimits> limits) {
  const double t0 = run.trajectory->times[run.segment], h = run.trajectory->times[run.segment + 1] - t0;
  const BoundUsage usage = boundUsage(*run.trajectory, run.segment, limits);
  const auto fault = [&](PathFault::Kind kind, double value, int coordinate, double t) {
    if (value <= 1 + run.options.slack) return true;
    PathFault found{.kind = kind, .ids = {}, .coordinate = coordinate, .text = {}};
    if (kind == PathFault::Kind::acceleration && std::isinf(value))
      found.text = "the velocity of " + space_.coordinateName(coordinate) + " jumps";
    else
      found.text = "the " + std::string(pathFaultName(kind)) + " of " + space_.coordinateName(coordinate) + " is " +
                   formatReal(value, 6) + " times its bound";
    return add(run, std::move(found), h > 0 ? (t - t0) / h : 0);
  };
  return fault(PathFault::Kind::velocity, usage.velocity, usage.velocityCoordinate, usage.velocityTime) &&
         fault(PathFault::Kind::acceleration, usage.acceleration, usage.accelerationCoordinate, usage.accelerationTime);
}

PathCheckResult PathChecker::check(const HermiteTrajectory& trajectory, std::span<const CoordinateLimits> limits,
                                   const PathCheckOptions& options) {
  if (!(options.resolution > 0) || !(options.timeStep > 0))
    throw Error("the resolution and the time step of a check must be above 0");
  Run run{options, {}, 0, &trajectory, {}};
  if (padding_) padding_->begin();
  const auto finish = [&] { return finished(run); };
  std::string bad = faultOfKnots(trajectory, space_.dimension(), limits.size());
  if (bad.empty() && trajectory.empty()) bad = "the trajectory has no knots";
  if (!bad.empty()) {
    run.result.faults.push_back({.kind = PathFault::Kind::size, .ids = {}, .text = std::move(bad)});
    return finish();
  }
  if (!checkAt(run, trajectory.configurations.front(), 0)) return finish();
  VectorXd before, here(space_.dimension()), velocity(space_.dimension());
  for (std::size_t i = 0; i + 1 < trajectory.times.size(); ++i) {
    run.segment = i;
    if (!checkBounds(run, limits)) return finish();
    const VectorXd &q0 = trajectory.configurations[i], &q1 = trajectory.configurations[i + 1];
    const double h = trajectory.times[i + 1] - trajectory.times[i];
    if (!(h > 0)) {
      if (space_.distance(q0, q1) > 1e-9) {
        PathFault fault{.kind = PathFault::Kind::jump, .ids = {}, .text = {}};
        fault.text = "the configuration jumps by " + formatReal(space_.distance(q0, q1), 6);
        if (!add(run, std::move(fault), 0)) return finish();
      }
      continue;
    }
    // The control polygon of the cubic bounds its speed.
    const VectorXd c1 = q0 + trajectory.velocities[i] * (h / 3), c2 = q1 - trajectory.velocities[i + 1] * (h / 3);
    const double speed = 3 * std::max({lengthOf(q0, c1), lengthOf(c1, c2), lengthOf(c2, q1)});
    const double wanted = std::ceil(std::max(speed / options.resolution, h / options.timeStep));
    if (!(wanted < 1e9)) throw Error("a check of more than a billion configurations", {}, "take a coarser resolution");
    const auto steps = std::max<std::int64_t>(static_cast<std::int64_t>(wanted), 1);
    run.at = [&](double u, VectorXd& q) { trajectory.evaluate(trajectory.times[i] + u * h, q, velocity); };
    before = q0;
    for (std::int64_t k = 1; k <= steps; ++k) {
      const double u = static_cast<double>(k) / static_cast<double>(steps);
      if (k == steps)
        here = q1;
      else
        run.at(u, here);
      if (space_.distance(before, here) > 1.5 * options.resolution &&
          !along(run, static_cast<double>(k - 1) / static_cast<double>(steps), u, before, here, 0))
        return finish();
      if (!checkAt(run, here, u)) return finish();
      std::swap(before, here);
    }
  }
  return finish();
}

}  // namespace mortise
