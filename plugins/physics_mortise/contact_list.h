#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/rigid_body/row_solver.h"
#include "native_settings.h"

namespace mortise::native {

/// The contacts of a step. Turns them into rows of the solver, which start from the forces of the step before, by key,
/// and keeps the forces.
///
/// Laws: a contact that is apart forbids to close more than its gap in the step. One that approaches faster than
/// `bounceSpeed` and would touch in the step bounces; its speed is such that the height of the rebound does not depend
/// on where in the step the touch falls. Until it has separated, its penetration is not pushed out, which would add
/// energy. Others do not bounce. Finite stiffness makes an implicit spring and damper of a point, which also limits the
/// bounce of what is light against it.
class ContactList {
 public:
  ContactList(const SceneDescription& description, const NativeSettings& settings)
      : numBodies_(static_cast<int>(description.bodies.size())),
        numIds_(static_cast<int>(description.surfaces.size())),
        settings_(settings) {
    for (const SceneBody& body : description.bodies)
      masses_.push_back(body.motion == BodyMotion::dynamic ? body.inertia.mass
                                                           : std::numeric_limits<double>::infinity());
  }

  /// Contacts of the next step; throws `Error` for what cannot be.
  void set(std::span<const SceneContact> contacts);

  /// Sets the entries of bodies that have a contact in the next step.
  void markBodies(std::vector<bool>& bodies) const;
  void addTo(rigid::RowSolver& solver, std::span<const rigid::SolverBody> ends, double h);
  /// Forces of the step; contacts of the next one are none until set.
  void finish(const rigid::RowSolver& solver, double h);

  /// Returns the forces of the last step.
  std::span<const ContactForce> forces() const;

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  /// Plain numbers without padding, so that snapshots copy whole lists and equal states have equal bytes.
  struct Entry {
    std::uint64_t key;
    int bodyA, bodyB, idA, idB;
    double point[3], normal[3], gap;
    double force[3];  ///< On A, mean over the step.
    std::int64_t marks;
  };
  enum Mark : std::int64_t {
    kBounced = 1,   ///< And not separated yet.
    kUnsettled = 2  ///< The solver's sweeps ran out.
  };
  /// Bits from which on it is kept how Newton's method fared on the contact's island.
  static constexpr int kFailures = 8, kPauseSteps = 16;
  Entry& append(const SceneContact& contact);
  void recall();

  int numBodies_, numIds_;
  const NativeSettings& settings_;
  std::vector<double> masses_;  ///< By body; infinite for those that nothing moves.
  std::vector<Entry> next_, last_;
  std::vector<ContactMaterial> materials_;  ///< Materials of `next_`.
  std::vector<int> rows_;                   ///< Contact of the solver for each of `next_`; -1: nothing to move.
  mutable std::vector<ContactForce> forces_;
  mutable bool forcesCurrent_ = true;
};

}  // namespace mortise::native
