#pragma once

/// Cache of the features that two meshes may touch with, valid while their relative motion stays below a bound: every
/// pair of features that can come to touch within some motion, with the motion that it takes. What is collected from a
/// front depends on the poses alone, not on when the front was made.

#include <vector>

#include "mortise/collision/bvh/bvh_traversal.h"
#include "mortise/contacts/contact_features.h"

namespace mortise {

constexpr std::size_t kMaxCrossings = 256;

struct ContactFront {
  bool made = false;
  RigidTransform X_AB;                   ///< Pose at which it was made.
  double reach = 0, slack = 0;           ///< Meters; `slack`: of motion.
  std::vector<FeaturePairing> pairings;  ///< Ascending.
  std::vector<float> until;              ///< Motion before which each cannot touch.
  std::vector<LayerCrossing> near;       ///< Places whose triangles may cross, ascending.
  std::vector<float> nearUntil;
};

struct FrontWorkspace {
  BvhStack stack;
  std::vector<std::pair<FeaturePairing, float>> pairings;
  std::vector<std::pair<LayerCrossing, float>> near;
};

/// Returns how far a pair has moved between two poses: no point of the smaller one has moved by more against the larger
/// one, and they have turned by no more than this over `leverOf`.
double motionBetween(const ContactSurface& a, const ContactSurface& b, double reach, const RigidTransform& X_AB0,
                     const RigidTransform& X_AB1);
double leverOf(const ContactSurface& a, const ContactSurface& b, double reach);

/// Both of triangles only. With `slack` 0 it holds for this pose alone. Allocates nothing once the buffers have grown.
void makeFront(const ContactSurface& a, const ContactSurface& b, const RigidTransform& X_AB, double reach, double slack,
               ContactFront& front, FrontWorkspace& workspace);

/// Those of a front that can touch within `slack` of a pose that is no more than the front's own slack away: cheaper
/// than making one anew, and of a front made in motion for what has come to rest since, far fewer.
void narrowFront(const ContactFront& front, const ContactSurface& a, const ContactSurface& b,
                 const RigidTransform& X_AB, double slack, ContactFront& narrowed);

/// The contacts at a pose no more than the front's slack away, sorted by features, and the places that cross, at most
/// `kMaxCrossings`. Returns whether some do. `misses`: pairings that were tested and do not touch.
bool collectFront(const ContactFront& front, const ContactSurface& a, const ContactSurface& b,
                  const RigidTransform& X_AB, std::vector<LayerContact>& contacts,
                  std::vector<LayerCrossing>& crossings, int& misses);

}  // namespace mortise
