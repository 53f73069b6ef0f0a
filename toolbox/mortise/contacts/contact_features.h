#pragma once

/// Tests whether two features of triangle surfaces touch, and how far the surfaces must move before they can.

#include "mortise/contacts/contact_surface.h"

namespace mortise {

/// In the frame of the first surface.
struct LayerContact {
  Vector3d p_A = Vector3d::Zero(), p_B = Vector3d::Zero();  ///< Nearest points, on the swept surfaces.
  Vector3d normal = Vector3d::UnitZ();                      ///< Unit, from the second to the first.
  double gap = 0;                                           ///< Meters along the normal.
  SurfaceFeature featureA, featureB;
  bool curved = false;  ///< The nearest points of a cylinder or ellipsoid, which wander over it.
};

struct LayerCrossing {
  int placeA = 0, placeB = 0;
  auto operator<=>(const LayerCrossing&) const = default;
};

// Written out, so that compilers keep them in registers.
inline Vector3d rotated(const Matrix3d& R, const Vector3d& v) {
  return {R(0, 0) * v[0] + R(0, 1) * v[1] + R(0, 2) * v[2], R(1, 0) * v[0] + R(1, 1) * v[1] + R(1, 2) * v[2],
          R(2, 0) * v[0] + R(2, 1) * v[1] + R(2, 2) * v[2]};
}
inline Vector3d moved(const RigidTransform& X, const Vector3d& v) {
  return {X.R(0, 0) * v[0] + X.R(0, 1) * v[1] + X.R(0, 2) * v[2] + X.p[0],
          X.R(1, 0) * v[0] + X.R(1, 1) * v[1] + X.R(1, 2) * v[2] + X.p[1],
          X.R(2, 0) * v[0] + X.R(2, 1) * v[1] + X.R(2, 2) * v[2] + X.p[2]};
}

/// Two surfaces of triangles as they stand.
struct FeatureView {
  FeatureView(const ContactSurface& surfaceA, const ContactSurface& surfaceB, const RigidTransform& X, double within);

  const ContactSurface& a;
  const ContactSurface& b;
  RigidTransform X_AB, X_BA;
  double reach;
  double slack;  ///< A corner that is off a face sideways by up to this counts as over it.
  double radiusA, radiusB;
  /// Bounds of a motion: no point of one surface near the other moves by more than `motion` meters
  /// against it if the two turn by no more than `motion / lever`.
  double lever = 1;
};

/// Two features that may touch: of a corner and a face `place` holds the face's triangle.
struct FeaturePairing {
  SurfaceFeature featureA, featureB;
  int place = -1;

  auto operator<=>(const FeaturePairing&) const = default;
};

/// The contact of two features, if there is one now; `collectLayer` says when there is.
bool touches(const FeatureView& view, const FeaturePairing& pairing, LayerContact& contact);

/// No more than the motion after which `touches` can say yes; 0 where it may say so now. Beyond `enough` it need not be
/// the best that is known.
double motionUntil(const FeatureView& view, const FeaturePairing& pairing, double enough);

}  // namespace mortise
