#pragma once

#include <span>
#include <vector>

#include "mortise/component/physics.h"

namespace mortise {

/// Energy that joints between bodies (`SceneDescription::constraints`) took and may give back.
///
/// No joint is quite rigid where a solver is soft or sweeps: it gives way under load, which takes energy, and gives it
/// back as it closes. The joints of a group of bodies that they connect share one store. It holds what they took, and
/// no more than the forces on the group's bodies times how far its joints are apart, so that it is empty where joints
/// are exact.
class LooseJoints {
 public:
  /// `scene` outlives this.
  explicit LooseJoints(const SceneDescription& scene);

  bool empty() const { return stores_.empty(); }
  /// The group of a body that such joints connect to others, else -1.
  int group(int body) const { return groups_[body]; }

  /// Bodies before the step.
  void begin(std::span<const BodyState> bodies);
  /// Adds a body that moves, after the step: what it gained beyond the work of the forces that are known, and the size
  /// of all forces on it but gravity, in the mean.
  void add(int body, double gained, double force);
  /// Energy that the joints of each group may have given in the step, at whose end the bodies are. Once a step.
  std::span<const double> finish(std::span<const BodyState> bodies);

  std::span<double> stores() { return stores_; }
  std::span<const double> stores() const { return stores_; }

 private:
  /// The place of a joint in the frames of its bodies, and how B's frame stands in A's.
  struct Place {
    int group = -1;
    RigidTransform X_AJ, X_BJ;
  };
  /// Measures how far apart the joints of each group are, in m, angles counted at the size of the group.
  void measure(std::span<const BodyState> bodies, std::vector<double>& apart) const;

  const SceneDescription& scene_;
  std::vector<int> groups_;  ///< By body.
  std::vector<Place> places_;
  std::vector<double> stores_, before_, after_, gained_, forces_, given_;  ///< By group.
};

}  // namespace mortise
