#pragma once

namespace mortise::bullet {

/// How non-convex meshes that move are collided.
enum class MovingMeshes { hull, gimpact };

/// What the component's parameters say; see `plugin.cpp` for their meaning.
struct Settings {
  bool maximal = false;  ///< Robots of rigid bodies instead of articulated ones.
  int iterations = 200;
  double erp = 0.2;
  double contactErp = 0.2;
  double cfm = 0;
  double tolerance = 1e-6;
  double warmStart = 1;
  double bounceSpeed = 0.05;
  double maxCorrectionSpeed = 0.1;
  double margin = 1e-4;
  MovingMeshes objectMeshes = MovingMeshes::hull;
  MovingMeshes robotMeshes = MovingMeshes::hull;
};

}  // namespace mortise::bullet
