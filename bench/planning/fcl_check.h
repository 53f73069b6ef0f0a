#pragma once

/// The peer's collision checks: FCL 0.7 over the meshes of one robot and of all that stands around it.

#include <memory>
#include <vector>

#include "mortise/model/robot_state.h"
#include "scenes.h"

namespace mortise::bench {

/// Knows the pairs that a scene's space knows. One thread.
class FclCheck {
 public:
  /// `boxesFirst`: pairs whose boxes do not overlap are left out before FCL's query, which FCL does not do by itself.
  FclCheck(const Scene& scene, bool boxesFirst);
  ~FclCheck();
  FclCheck(const FclCheck&) = delete;
  FclCheck& operator=(const FclCheck&) = delete;

  /// Says whether anything collides at a full configuration. The pair that collided last comes first.
  bool collides(const VectorXd& full);
  std::size_t numPairs() const;
  /// Bodies that are no meshes and are left out.
  int leftOut() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mortise::bench
