#pragma once

#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"

namespace mortise {

/// Klamp't's rule (`instability*EnergyThreshold`) for `OnUnstable::scale`, on twice the kinetic energy E of each object
/// and each robot from step to step: a step is unstable when E > 1.5 E_before + 1 * mass, or E > 1e5 and, unlike in
/// Klamp't, more than 1e6 * mass, so that heavy bodies may move. It knows nothing of what gave the energy, so that hard
/// impacts and strong forces are unstable, too.
class KlamptStabilityGuard {
 public:
  KlamptStabilityGuard(const SceneDescription& scene, std::span<const BodyState> initial);

  /// An object or a robot whose step was unstable.
  struct Unstable {
    int body = -1;      ///< Its first body.
    double factor = 1;  ///< All its velocities are to be multiplied by this.
    double energy = 0;  ///< J that it gained in the step.
  };
  /// All of which are finite. Valid until the next check.
  std::span<const Unstable> check(std::span<const BodyState> bodies);
  /// These bodies have the energies of the step before: velocities were set by hand.
  void startFrom(std::span<const BodyState> bodies) { measure(bodies, last_); }
  /// Undoes the last `check`, whose step was taken back.
  void undo() { std::swap(last_, now_); }
  /// Notes that an unstable group has been slowed down accordingly.
  void slowed(const Unstable& group) { last_[group_[group.body]] *= group.factor * group.factor; }

  void save(ByteWriter& out) const { out.put(std::span<const double>(last_)); }
  void restore(ByteReader& in) { in.get(std::span<double>(last_)); }

 private:
  void measure(std::span<const BodyState> bodies, std::vector<double>& energy) const;

  const SceneDescription& scene_;
  std::vector<int> group_;      ///< Group of each body: its robot, or the body itself; -1 when it does not move.
  std::vector<int> firstBody_;  ///< First body of each group.
  std::vector<double> mass_, last_, now_;  ///< By group.
  std::vector<Unstable> unstable_;         ///< Groups of the last check.
};

}  // namespace mortise
