#include "shapes/part_shapes.h"

namespace mortise::sensors_embree {

std::shared_ptr<const VisibleShape> PartShapes::of(const DrawnPart& part, const DisplayStyle& style) {
  const bool plain = style.texture.empty() && !style.color && !style.pointColor;
  std::shared_ptr<const VisibleShape> own;
  auto& shape = plain ? made_[{part.appearance.get(), part.material.color, part.material.texture.get()}] : own;
  if (shape == nullptr) {
    const VisualShape base = part.appearance == nullptr ? visualShapeOf(*part.geometry) : VisualShape();
    shape = std::make_shared<const VisibleShape>(device_, drawnMeshes(part, style, base), pointRadius_, images_, warn_);
  }
  return shape;
}

}  // namespace mortise::sensors_embree
