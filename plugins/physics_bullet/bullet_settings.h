#pragma once

#include <optional>

#include "mortise/settings/setting_binder.h"

namespace mortise::bullet {

/// How non-convex meshes that move are collided.
enum class MovingMeshes { hull, gimpact };

struct BulletSettings {
  bool maximal = false;  ///< Robots of rigid bodies instead of articulated ones.
  int iterations = 200;
  double erp = 0.2;
  double contactErp = 0.2;
  std::optional<double> cfm;  ///< Absent: the world's.
  double tolerance = 1e-6;    ///< m/s
  double warmStart = 1;
  double bounceSpeed = 0.05;        ///< m/s
  double maxCorrectionSpeed = 0.1;  ///< m/s
  double margin = 1e-4;             ///< m
  MovingMeshes objectMeshes = MovingMeshes::hull;
  MovingMeshes robotMeshes = MovingMeshes::hull;
  void bind(SettingBinder& b);
};

}  // namespace mortise::bullet
