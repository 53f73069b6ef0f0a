#pragma once

#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"

namespace mortise {

/// Kinetic energy of a body with this inertia, J.
double kineticEnergy(const BodyInertia& inertia, const BodyState& state);

/// Watches the energy of each object and each robot from step to step. Klamp't's rule (`instability*EnergyThreshold`),
/// on twice the kinetic energy E: a step is unstable when E > 1.5 E_before + 1 * mass, or E > 1e5 and, unlike in
/// Klamp't, more than 1e6 * mass, so that heavy bodies may move.
class StabilityGuard {
 public:
  StabilityGuard(const SceneDescription& scene, std::span<const BodyState> initial);

  struct Result {
    bool finite = true;
    bool stable = true;
    int body = -1;    ///< The first body that is not finite or, failing that, not stable.
    double slow = 1;  ///< By this all velocities of the unstable object or robot are to be multiplied (Klamp't's rule).
  };
  Result check(std::span<const BodyState> bodies);
  /// Takes these for the energies of the step before: velocities were set by hand.
  void startFrom(std::span<const BodyState> bodies) { measure(bodies, last_); }
  /// Takes the last `check` back: its step was taken back.
  void undo() { std::swap(last_, now_); }
  /// The object or robot that the last result names has been slowed down accordingly.
  void slowed(const Result& result) { last_[group_[result.body]] *= result.slow * result.slow; }

  void save(ByteWriter& out) const { out.put(std::span<const double>(last_)); }
  void restore(ByteReader& in) { in.get(std::span<double>(last_)); }

 private:
  void measure(std::span<const BodyState> bodies, std::vector<double>& energy) const;

  const SceneDescription& scene_;
  std::vector<int> group_;                 ///< Of each body: its robot, or the body itself; -1 when it does not move.
  std::vector<int> firstBody_;             ///< Of each group.
  std::vector<double> mass_, last_, now_;  ///< By group.
};

}  // namespace mortise
