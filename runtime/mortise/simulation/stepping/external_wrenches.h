#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/component/simulation_view.h"

namespace mortise {

/// Forces and torques that the caller of a simulation puts on bodies: during one call of `step` or `advance`, or, those
/// of hooks, during one step.
class ExternalWrenches {
 public:
  enum class Lasts : std::uint8_t { call, step };
  /// `id`: the world id that was named, for recorders. World coordinates; `p_BP`: the point in the body's frame.
  void add(int body, int id, const Vector3d& force, const Vector3d& torque, const Vector3d& p_BP, Lasts lasts) {
    wrenches_.push_back({body, id, force, torque, p_BP, lasts});
  }
  void endStep() { drop(Lasts::step); }
  void endCall() { drop(Lasts::call); }

  /// Hands them to the scene for its next step; `bodies`: where its bodies are.
  void apply(Scene& scene, std::span<const BodyState> bodies);
  /// Those of the last `apply`.
  std::span<const AppliedWrench> applied() const { return applied_; }
  /// The bodies of `applied`.
  std::span<const int> appliedBodies() const { return appliedBodies_; }
  void clearApplied() {
    applied_.clear();
    appliedBodies_.clear();
  }

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
    Lasts lasts;
  };
  void drop(Lasts lasts) {
    std::erase_if(wrenches_, [&](const Wrench& wrench) { return wrench.lasts == lasts; });
  }
  std::vector<Wrench> wrenches_;
  std::vector<AppliedWrench> applied_;
  std::vector<int> appliedBodies_;
};

}  // namespace mortise
