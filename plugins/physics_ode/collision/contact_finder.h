#pragma once

/// Finds contacts between colliders: sweep and prune, then ODE's colliders, then reduction. What it returns depends on
/// poses alone, never on the history of calls, so that a restored scene continues bit for bit.

#include <ode/ode.h>
#include <vector>

#include "collision/collider.h"

namespace mortise::ode {

/// A touching point of two colliders, the one with the lower index first.
struct TouchPoint {
  int a = -1, b = -1;  ///< Indices of colliders.
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  ///< From b to a, unit.
  double depth = 0;                     ///< >= 0.
};

class ContactFinder {
 public:
  /// Keeps a reference to the description.
  explicit ContactFinder(const SceneDescription& scene);
  ~ContactFinder();
  ContactFinder(const ContactFinder&) = delete;
  ContactFinder& operator=(const ContactFinder&) = delete;

  /// Contacts of all pairs, sorted by pair of colliders. Valid until the next call. Colliders must be refreshed.
  const std::vector<TouchPoint>& find(const std::vector<Collider>& colliders);

  /// Points that ODE's colliders returned and that were thrown away as nonsense (normal not of unit length, depth
  /// beyond the size of the shapes), since the scene was built.
  std::uint64_t rejected() const { return rejected_; }

 private:
  void sweep(const std::vector<Collider>& colliders);
  void collide(const std::vector<Collider>& colliders, int a, int b);
  bool collideWithFlat(const std::vector<Collider>& colliders, int flat, int other);
  void addPlaneContacts(const std::vector<Collider>& colliders, int flat, int other, const Vector3d& normal,
                        double offset);
  void addOdeContacts(const std::vector<Collider>& colliders, int a, int b, dGeomID geomA, dGeomID geomB);
  void add(TouchPoint point);
  void reduce(const std::vector<Collider>& colliders);
  int keepCorners(int begin, int end);
  bool thinnable(const Collider& a, const Collider& b) const;

  const SceneDescription& scene_;
  int maxContacts_;
  dGeomID plane_;
  /// What the sweep needs of a collider, side by side in memory.
  struct SweepBox {
    double min[3], max[3];
    int index, id, body;
    bool dynamic;
  };
  std::vector<SweepBox> boxes_, activeMoving_, activeFixed_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<TouchPoint> points_, reduced_;
  std::vector<int> group_, chosen_;
  struct FlatPoint {
    double x, y;
    int index;
  };
  std::vector<FlatPoint> flat_, outline_;
  std::vector<double> nearest_;
  std::vector<dContactGeom> buffer_;
  double deepest_ = 0;  ///< For the pair at hand: depth that can be believed.
  std::uint64_t rejected_ = 0;
};

}  // namespace mortise::ode
