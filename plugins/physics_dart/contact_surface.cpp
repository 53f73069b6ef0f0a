#include "contact_surface.h"

#include <algorithm>
#include <cmath>

namespace mortise::dart {

dyn::ShapeNode* ContactSurface::shape(dyn::BodyNode& body, const std::string& name) {
  return body.createShapeNodeWith<dyn::DynamicsAspect>(std::make_shared<dyn::SphereShape>(1), name);
}

ContactSurface::ContactSurface(dyn::BodyNode& body, const std::string& name, col::CollisionDetector& detector)
    : firstShape_(shape(body, name + " first side")),
      secondShape_(shape(body, name + " second side")),
      first_(&detector, firstShape_),
      second_(&detector, secondShape_) {
  secondShape_->getDynamicsAspect()->setFrictionCoeff(kMaximumFriction);
  secondShape_->getDynamicsAspect()->setRestitutionCoeff(1);
  firstShape_->getDynamicsAspect()->setFirstFrictionDirectionFrame(dyn::Frame::World());
}

col::CollisionObject* ContactSurface::first(const ContactMaterial& material, const Vector3d& slip) {
  dyn::DynamicsAspect& aspect = *firstShape_->getDynamicsAspect();
  aspect.setFrictionCoeff(std::min(material.friction, kMaximumFriction));
  aspect.setRestitutionCoeff(material.restitution);
  aspect.setFirstFrictionDirection(slip);
  return &first_;
}

}  // namespace mortise::dart
