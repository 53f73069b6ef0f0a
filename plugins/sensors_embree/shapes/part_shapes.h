#pragma once

#include <embree3/rtcore.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "mortise/appearance/drawn_world.h"
#include "shapes/visible_shape.h"

namespace mortise::sensors_embree {

/// The meshes of drawn parts that have materials of their own, equal ones once.
class PartShapes {
 public:
  /// `pointRadius` as of `VisibleShape`; `warn` is told what cannot be seen.
  PartShapes(RTCDevice device, double pointRadius, std::function<void(const std::string&)> warn)
      : device_(device), pointRadius_(pointRadius), warn_(std::move(warn)) {}

  /// For parts that need meshes (`needsMeshes`). Throws `Error` for shapes that cannot be seen.
  std::shared_ptr<const VisibleShape> of(const DrawnPart& part, const DisplayStyle& style);

 private:
  RTCDevice device_;
  double pointRadius_;
  std::function<void(const std::string&)> warn_;
  TextureImages images_;
  /// By the meshes, and the color and the texture that they are given; looked up, never walked through.
  std::map<std::tuple<const void*, Rgba, const void*>, std::shared_ptr<const VisibleShape>> made_;
};

}  // namespace mortise::sensors_embree
