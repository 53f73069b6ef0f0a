#pragma once

#include <string>

#include "engine.h"
#include "mortise/model/material.h"

namespace mortise::dart {

/// The parts of a body that DART's contacts need: two shapes that nothing collides with, one for each side of a
/// contact. DART takes the smaller friction coefficient and the product of the restitutions of the two, so the first
/// has the material of the contact that is being made, and the second leaves both as they are.
class ContactSurface {
 public:
  ContactSurface(dyn::BodyNode& body, const std::string& name, col::CollisionDetector& detector);

  /// The first side of the next contact. `slip` is the first direction of the friction pyramid, zero: DART's own.
  col::CollisionObject* first(const ContactMaterial& material, const Vector3d& slip);
  col::CollisionObject* second() { return &second_; }

 private:
  class Object final : public col::CollisionObject {
   public:
    Object(col::CollisionDetector* detector, const dyn::ShapeFrame* frame) : CollisionObject(detector, frame) {}

   protected:
    void updateEngineData() override {}
  };
  static dyn::ShapeNode* shape(dyn::BodyNode& body, const std::string& name);

  dyn::ShapeNode *firstShape_, *secondShape_;
  Object first_, second_;
};

}  // namespace mortise::dart
