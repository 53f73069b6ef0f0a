#pragma once

/// Static equilibrium of a body, or a whole robot with all joints locked, on its contacts.

#include <memory>
#include <span>
#include <vector>

#include "mortise/contact/hold.h"
#include "mortise/mechanics/forces/contact_force_limits.h"

namespace mortise {

struct EquilibriumOptions {
  Vector3d gravity_W = Vector3d(0, 0, -9.8);
  /// Edges of the pyramids, inside the friction cones, that stand for them; 0: the cones themselves, to 1e-8 of the
  /// weight. Klamp't's pyramids have 4.
  int coneEdges = 0;
  ContactForceLimits limits = {};  ///< In newton, so that tests then need the body's mass.
};

/// Tests on the same contacts, one after another; answers do not depend on earlier ones. For very many centers of
/// mass `SupportPolygon` is faster. Forces are found by linear programs that make the sum of normal forces least.
class EquilibriumTester {
 public:
  /// Throws `Error` for bad contacts (`requireContact`), coneEdges other than 0 and 3 or more, without gravity, and for
  /// bad limits.
  explicit EquilibriumTester(std::span<const ContactPoint> contacts, const EquilibriumOptions& options = {});
  ~EquilibriumTester();
  EquilibriumTester(EquilibriumTester&&) noexcept;
  EquilibriumTester& operator=(EquilibriumTester&&) noexcept;

  /// Limits the sum of these contacts' forces (N) along `direction_W` to `maximum`. Needs the
  /// body's mass in every test. Throws `Error` for contacts that do not exist.
  void limitForces(const std::vector<int>& contacts, const Vector3d& direction_W, double maximum);

  /// Says whether forces at the contacts keep a body of `mass` kg with this center of mass at rest. `forces_W`, when
  /// given, gets them: on the body, in newton, one a contact.
  bool balances(const Vector3d& com_W, double mass = 1, std::vector<Vector3d>* forces_W = nullptr);
  /// Says whether there is a center of mass for which they do; `com_W`, when given, gets one.
  bool balancesSomewhere(double mass = 1, Vector3d* com_W = nullptr);

 private:
  struct Setup;
  std::unique_ptr<Setup> setup_;
};

struct Equilibrium {
  bool balanced = false;
  std::vector<Vector3d> forces_W;  ///< On the body (N), one a contact; empty when not balanced.
};

/// One test. See `EquilibriumTester`.
Equilibrium testEquilibrium(std::span<const ContactPoint> contacts, double mass, const Vector3d& com_W,
                            const EquilibriumOptions& options = {});

/// Says whether forces at the contacts can resist any force and torque: wrenches span all six directions, and forces
/// strictly within the cones (along the normal, without friction) cancel.
bool forceClosure(std::span<const ContactPoint> contacts, int coneEdges = 0);

}  // namespace mortise
