#pragma once

/// Forces, torques, impulses and velocities that a scenario gives to bodies and links from outside, as no robot could.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/log.h"
#include "mortise/base/value.h"
#include "mortise/control/sensor_condition.h"
#include "mortise/model/world.h"
#include "mortise/settings/settings.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Keys of an entry of `commands` that act on a body. Vectors in world axes, or in the body's own.
struct BodyKeys {
  Value body;
  std::optional<Vector3d> force, torque;              ///< N, N*m
  std::optional<Vector3d> impulse, angularImpulse;    ///< N*s, N*m*s
  std::optional<Vector3d> velocity, angularVelocity;  ///< Velocities of the origin, m/s; rad/s.
  std::optional<double> jointVelocity;                ///< rad/s or m/s
  std::optional<Vector3d> point;                      ///< Point of attack in the body's frame, m.
  bool bodyAxes = false;
  std::optional<double> duration;  ///< s
  Value condition;                 ///< Over sensors; null: none.

  void bind(SettingBinder& b);
  /// Says whether any key but `body` is given.
  bool any() const;
};

/// An action on one body, with what its entry refers to found.
struct BodyAction {
  BodyKeys keys;
  int id = -1;      ///< World id.
  int robot = -1;   ///< Robot whose sensors the condition reads; -1: none.
  double from = 0;  ///< s, counted from where the run starts.
  double until = 0;
  std::optional<SensorCondition> condition;

  /// Says whether it acts at one time alone.
  bool atOnce() const { return !keys.duration && !condition; }
  std::string text(const World& world) const;
  Value record(const World& world) const;  ///< The keys, in SI units, with the name of the body.
};

/// Reads an action. `item`: the entry, for positions. Throws `Error` for what the body cannot be given.
BodyAction bodyActionFrom(const BodyKeys& keys, double at, const Value& robot, const Value& item, const World& world);

/// Returns the key of a velocity that both actions give to the same thing; empty: there is none.
std::string sharedVelocity(const BodyAction& a, const BodyAction& b, const World& world);
/// Says whether both act at the same time, as far as their times alone tell.
bool timesOverlap(const BodyAction& a, const BodyAction& b);

/// Throws `Error` where the simulation cannot do it: the backend has no dynamics, a joint is locked, a sensor of the
/// condition is missing.
void requirePossible(const BodyAction& action, Simulation& simulation);

/// Steps of a run, in rows of one after another, and the times that they span.
class StepRows {
 public:
  /// Forgets the steps from `tick` on, where the run goes back.
  void dropFrom(std::int64_t tick);
  /// Adds the step of `tick`, which follows all that are there, from `time` to `time + h`.
  void add(std::int64_t tick, double time, double h);
  std::int64_t before(std::int64_t tick) const;
  bool empty() const { return rows_.empty(); }
  double firstTime() const { return firstTime_; }
  double lastTime() const { return lastTime_; }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> rows_;  ///< Ticks [first, last].
  double firstTime_ = 0, lastTime_ = 0;
};

/// Carries out actions in the steps of a run. What acts in a step follows from its time and from sensors alone, so that
/// a run that goes on from a saved state, or goes back, does the same again. A force that begins or ends within a step
/// acts with the share of the step that it has. Of two velocities that one body is given in a step, the later command's
/// holds, which the record of the other one says.
class BodyActions {
 public:
  /// Adds the action of the run's command number `command`.
  void add(std::size_t command, std::shared_ptr<const BodyAction> action);
  bool empty() const { return actions_.empty(); }
  void setStart(double start) { start_ = start; }
  /// Sets the time at which the run ends, so that its last step may be of another size.
  void setEnd(double end) { end_ = end; }

  /// Lets the actions act in the next step of this simulation, and in no other. The simulation keeps `actions`.
  static void allowStep(const std::shared_ptr<BodyActions>& actions, Simulation& simulation);
  /// Returns what went wrong in the last step; empty: nothing.
  const std::string& fault() const { return fault_; }
  /// Adds to the record of a command in how many steps it acted, and between which times.
  void addEffect(std::size_t command, const Simulation& simulation, Value& record) const;
  /// Returns the texts of actions whose conditions have not held in any step.
  std::vector<std::string> idle(const World& world) const;
  /// Warns of each action whose velocity did not hold in some step, because a later command gave another one; once.
  void warnOfReplaced(const World& world, LogSink& log);

 private:
  struct Entry {
    std::size_t command = 0;
    std::shared_ptr<const BodyAction> action;
    std::optional<SensorCondition> condition;  ///< Resolved.
    StepRows on;                               ///< In which it acted.
    StepRows replaced;                         ///< In which a later command gave another velocity.
    int replacedBy = -1;                       ///< Index of the first such.
    bool acts = false;                         ///< In this step.
    bool said = false;                         ///< That it was replaced.
  };
  void findRivals(const World& world);
  void beforeStep(Simulation& simulation);
  double stepSize(const Simulation& simulation) const;
  /// Returns the share of a step from `time` on in which the action acts, 0 to 1.
  static double fraction(const Entry& entry, const Simulation& simulation, double time, double h);
  static void act(const BodyAction& action, Simulation& simulation, double fraction, double h);

  std::vector<Entry> actions_;
  /// Indices of actions, in the order of commands, that may give a body two velocities in one step.
  std::vector<std::pair<std::size_t, std::size_t>> rivals_;
  double start_ = 0, end_ = std::numeric_limits<double>::infinity();
  const Simulation* hooked_ = nullptr;  ///< The one that calls before its steps.
  std::int64_t allowed_ = -1;           ///< Tick of the step that may be acted on.
  std::string fault_;
};

}  // namespace mortise
