#pragma once

/// Poses of everything over a run, and how far two runs of one world are apart.

#include <optional>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/model/world.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Poses of objects and configurations of robots at equal times, and at the end.
class MotionRecord {
 public:
  /// Samples are `interval` seconds apart; runs that are compared have the same.
  explicit MotionRecord(double interval) : interval_(interval) {}

  /// Returns the interval of samples for steps of `step` seconds in so many seconds: every one, or every so many that
  /// there are 4000 samples at most.
  static double intervalFor(double seconds, double step);

  /// Samples what `SimulationJob::observe` tells; between samples nothing is kept.
  void observe(const Simulation& simulation, double time);
  /// The end, wherever it is.
  void finish(const Simulation& simulation, double time);

  double interval() const { return interval_; }
  std::size_t size() const { return times_.size(); }
  double time(std::size_t sample) const { return times_[sample]; }
  const RigidTransform& object(std::size_t object, std::size_t sample) const {
    return samples_[sample].objects[object];
  }
  const VectorXd& robot(std::size_t robot, std::size_t sample) const { return samples_[sample].robots[robot]; }

 private:
  struct Sample {
    std::vector<RigidTransform> objects;
    std::vector<VectorXd> robots;
  };
  void add(const Simulation& simulation, double time);

  double interval_;
  std::vector<double> times_;
  std::vector<Sample> samples_;
};

/// The distance of an object from itself in another run (its origin, m), or of the worst joint of a robot (rad or m).
/// Infinite where a state is not finite.
struct EntityDifference {
  double end = 0, max = 0, rms = 0;
  std::optional<double> beyond;                   ///< s; the first sample beyond the bound.
  double endOrientation = 0, maxOrientation = 0;  ///< Objects only, deg.
  /// Objects only: how far turning moves the point that is farthest from the origin, `reach` from there, in m along its
  /// arc. So places and turns have one unit and one bound.
  double reach = 0, turnedEnd = 0, turnedMax = 0, turnedRms = 0;
  std::optional<double> turnedBeyond;  ///< s
  int endLink = -1, maxLink = -1;      ///< Robots only: the joints that these are of.
  /// By sample: the distance, and how far an object is turned, rad.
  std::vector<float> distances, angles;
};

struct MotionDifference {
  std::vector<EntityDifference> objects, robots;
  std::vector<double> times;  ///< s, of the samples.
};

/// Over the samples that both have at the same times. `bound` in m, and in rad.
MotionDifference differenceOf(const World& world, const MotionRecord& a, const MotionRecord& b, double bound);

/// m, from the origin of a body to its farthest point; at least 1 mm.
double reachOf(const RigidObject& object);

/// {from, to, objects: [{id, name, position (at the end, m), orientation (deg), max, rms, beyond (s, where it is),
/// max_orientation, reach, turned: {end, max, rms, beyond} (m at the farthest point)}], robots: [{id, name, joint (at
/// the end, rad or m), link, max, max_link, rms, beyond}], max_position, max_orientation (at the end)}.
Value differenceValue(const World& world, const MotionDifference& difference, const std::string& from,
                      const std::string& to);

/// Moves every object by `size` m and turns it by `size` rad, and every joint of robots by `size` rad or m, in
/// directions that the seed decides.
void disturb(Simulation& simulation, double size, std::uint64_t seed);

}  // namespace mortise
