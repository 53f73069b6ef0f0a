#pragma once

/// Contacts of two surfaces that come near each other but do not cross: every pair of features within a distance, each
/// once. Stateless; `ContactGenerator` makes a simulation's contacts of it.

#include <vector>

#include "mortise/collision/query.h"
#include "mortise/contacts/contact_front.h"

namespace mortise {

struct LayerWorkspace {
  BvhStack stack;
  ContactFront front;  ///< Front of what is asked without one.
  FrontWorkspace making;
  std::vector<LayerContact> contacts;
  std::vector<LayerCrossing>
      crossings;          ///< Pairs of elements whose cores, sweeps left out, meet; at most `maxCrossings`.
  bool touching = false;  ///< Some pair of swept elements meets.
  int misses = 0;         ///< Pairings of a front that were tested and do not touch.
};

/// Pairs of features at most `reach` meters apart, the swept surfaces counted:
/// - a corner and a face, edge or corner, where the other's nearest point to the corner is there;
/// - two edges that cross as seen along their common normal;
/// - nearest points of cylinders and ellipsoids, and points on a cylinder's rim or side that lies on something flat.
///
/// Corners and edges count where the direction between the two points leaves both surfaces (the normal cones of their
/// corners and edges, which need no inside and no winding). Up to 0.2 rad more is allowed at sharp corners over
/// faces, so that a body that is tilted a little keeps the far corners; edges then take the normal of the face. Edges
/// within a flat region do nothing. Sorted by features. Returns whether the cores cross somewhere.
bool collectLayer(const ContactSurface& a, const ContactSurface& b, const RigidTransform& X_AB, double reach,
                  LayerWorkspace& workspace);

/// The same from a front, for a pose within its slack.
bool collectLayer(const ContactFront& front, const ContactSurface& a, const ContactSurface& b,
                  const RigidTransform& X_AB, LayerWorkspace& workspace);

struct MergeWorkspace {
  struct Entry {
    double value = 0;
    int index = 0;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries;
  std::vector<char> dropped;
};

/// Keeps one of contacts that say the same: of one corner along one direction, the nearest; at one point along one
/// direction, the first. `within` is what counts as one point, in meters. `contacts` are sorted by features and stay
/// so.
void mergeLayer(double within, std::vector<LayerContact>& contacts, MergeWorkspace& workspace);

}  // namespace mortise
