#pragma once

#include <optional>

#include "mortise/math/transform.h"
#include "mortise/model/world.h"
#include "mortise/path_tracing/lighting.h"

namespace mortise::path_tracing {

/// The floor: a level plane that fades into the sky.
struct Floor {
  double height = 0;  ///< m
  Eigen::Vector2d center = Eigen::Vector2d::Zero();
  double reach = 7;  ///< From its center to where it has faded away, m.
  double cell = 1;   ///< Of its grid, m; 0: it has none.

  /// Opacity at a place.
  double opacityAt(const Eigen::Vector2d& place) const;
  /// The fraction of its color that is the grid's. `step`: how far the place moves from pixel to pixel, along x and y.
  double gridAt(const Eigen::Vector2d& place, const Eigen::Vector2d& step, double fraction) const;
};

/// The cell of a grid of which a pixel takes so many meters.
double gridCell(double metersPerPixel);

/// The height of the top of a level plate that is wide enough to be the floor; empty where the shape is anything else,
/// or leaves a part of its rectangle open.
std::optional<double> levelTop(const Geometry& geometry);

}  // namespace mortise::path_tracing
