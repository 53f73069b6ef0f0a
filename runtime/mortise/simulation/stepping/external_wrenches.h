#pragma once

#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/component/simulation_view.h"

namespace mortise {

/// Forces and torques that the caller of a simulation puts on bodies during one call of `step` or `advance`.
class ExternalWrenches {
 public:
  /// `id`: the world id that was named, for recorders. World coordinates; `p_BP`: the point in the body's frame.
  void add(int body, int id, const Vector3d& force, const Vector3d& torque, const Vector3d& p_BP) {
    wrenches_.push_back({body, id, force, torque, p_BP});
  }
  void clear() { wrenches_.clear(); }

  /// Hands them to the scene for its next step; `bodies`: where its bodies are.
  void apply(Scene& scene, std::span<const BodyState> bodies);
  /// Those of the last `apply`.
  std::span<const AppliedWrench> applied() const { return applied_; }
  void clearApplied() { applied_.clear(); }

  void save(ByteWriter& out) const;
  /// Throws `Error` for bodies or ids that do not exist.
  void restore(ByteReader& in, std::size_t numBodies, int numIds);
  /// Throws `Error` for numbers that are not finite.
  void requireSound() const;

 private:
  struct Wrench {
    int body;
    int id;
    Vector3d force, torque, p_BP;
  };
  std::vector<Wrench> wrenches_;
  std::vector<AppliedWrench> applied_;
};

}  // namespace mortise
