#include "tests/plugins/physics_dart/plain/collisions.h"

#include <cmath>
#include <dart/collision/fcl/FCLCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>
#include <string>

namespace plain {

namespace {

namespace dyn = ::dart::dynamics;

Eigen::Vector3d toDart(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector fromDart(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

}  // namespace

History collideOnDart(const Scene& scene) {
  const auto world = ::dart::simulation::World::create();
  world->setGravity(Eigen::Vector3d::Zero());
  world->setTimeStep(scene.step);
  std::vector<dyn::BodyNode*> bodies;
  for (const Body& from : scene.bodies) {
    const auto skeleton = dyn::Skeleton::create("body" + std::to_string(bodies.size()));
    Eigen::Isometry3d start = Eigen::Isometry3d::Identity();
    start.translation() = toDart(from.position);
    dyn::BodyNode* body;
    if (from.mass > 0) {
      dyn::FreeJoint* joint;
      std::tie(joint, body) = skeleton->createJointAndBodyNodePair<dyn::FreeJoint>();
      body->setInertia(dyn::Inertia(from.mass, Eigen::Vector3d::Zero(), toDart(from.moments).asDiagonal()));
      joint->setPositions(dyn::FreeJoint::convertToPositions(start));
      Eigen::Matrix<double, 6, 1> velocity;
      velocity << toDart(from.spin), toDart(from.velocity);
      joint->setVelocities(velocity);
    } else {
      dyn::WeldJoint* joint;
      std::tie(joint, body) = skeleton->createJointAndBodyNodePair<dyn::WeldJoint>();
      joint->setTransformFromParentBodyNode(start);
      skeleton->setMobile(false);
    }
    dyn::ShapePtr shape;
    if (from.ball)
      shape = std::make_shared<dyn::SphereShape>(from.radius);
    else
      shape = std::make_shared<dyn::BoxShape>(2 * toDart(from.half));
    auto* node = body->createShapeNodeWith<dyn::CollisionAspect, dyn::DynamicsAspect>(shape);
    // DART multiplies the restitutions of two bodies, and takes the lesser friction.
    node->getDynamicsAspect()->setRestitutionCoeff(std::sqrt(scene.restitution));
    node->getDynamicsAspect()->setFrictionCoeff(scene.friction);
    bodies.push_back(body);
    world->addSkeleton(skeleton);
  }
  History history;
  for (int i = 0; i < scene.steps; ++i) {
    world->step();
    history.emplace_back();
    for (const dyn::BodyNode* body : bodies)
      history.back().push_back({fromDart(body->getLinearVelocity()), fromDart(body->getAngularVelocity())});
  }
  return history;
}

}  // namespace plain
