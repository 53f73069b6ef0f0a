#include "tests/plugins/physics_dart/plain/gripper.h"

#include <algorithm>
#include <cmath>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <memory>
#include <string>

namespace plain {

namespace {

namespace dyn = ::dart::dynamics;

void giveShape(dyn::BodyNode& body, const Eigen::Vector3d& size, double mass, double friction) {
  const auto shape = std::make_shared<dyn::BoxShape>(size);
  auto* const node = body.createShapeNodeWith<dyn::CollisionAspect, dyn::DynamicsAspect>(shape);
  node->getDynamicsAspect()->setFrictionCoeff(friction);
  body.setInertia(dyn::Inertia(mass, Eigen::Vector3d::Zero(), shape->computeInertia(mass)));
}

/// A finger on a slide that nothing else moves than its motor.
dyn::SkeletonPtr makeFinger(const Gripper& gripper, double side) {
  const auto skeleton = dyn::Skeleton::create(side < 0 ? "left" : "right");
  const auto [joint, body] = skeleton->createJointAndBodyNodePair<dyn::PrismaticJoint>();
  joint->setAxis(Eigen::Vector3d(-side, 0, 0));
  Eigen::Isometry3d start = Eigen::Isometry3d::Identity();
  start.translation() = Eigen::Vector3d(side * (0.5 * gripper.size + gripper.fingerHalf[0]), 0, 1);
  joint->setTransformFromParentBodyNode(start);
  joint->setActuatorType(dyn::Joint::FORCE);
  const Eigen::Vector3d half(gripper.fingerHalf[0], gripper.fingerHalf[1], gripper.fingerHalf[2]);
  giveShape(*body, 2 * half, gripper.fingerMass, gripper.friction);
  return skeleton;
}

}  // namespace

Grip gripOnDart(const Gripper& gripper, DartLcp lcp) {
  const auto world = ::dart::simulation::World::create();
  ::dart::constraint::BoxedLcpSolverPtr primary;
  if (lcp == DartLcp::dantzig)
    primary = std::make_shared<::dart::constraint::DantzigBoxedLcpSolver>();
  else
    primary = std::make_shared<::dart::constraint::PgsBoxedLcpSolver>();
  world->setConstraintSolver(std::make_unique<::dart::constraint::BoxedLcpConstraintSolver>(primary, nullptr));
  world->getConstraintSolver()->setCollisionDetector(::dart::collision::DARTCollisionDetector::create());
  world->setGravity(Eigen::Vector3d(0, 0, -gripper.gravity));
  world->setTimeStep(gripper.step);

  const auto box = dyn::Skeleton::create("box");
  dyn::BodyNode* const body = box->createJointAndBodyNodePair<dyn::FreeJoint>().second;
  giveShape(*body, Eigen::Vector3d::Constant(gripper.size), gripper.mass, gripper.friction);
  Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
  at.translation().z() = 1;
  box->getJoint(0)->setPositions(dyn::FreeJoint::convertToPositions(at));
  world->addSkeleton(box);
  const dyn::SkeletonPtr fingers[2] = {makeFinger(gripper, -1), makeFinger(gripper, 1)};
  for (const dyn::SkeletonPtr& finger : fingers) world->addSkeleton(finger);

  Grip grip;
  const int steps = static_cast<int>(std::lround(gripper.seconds / gripper.step));
  Eigen::Vector3d start = Eigen::Vector3d::Zero();
  for (int i = 0; i < steps; ++i) {
    for (const dyn::SkeletonPtr& finger : fingers) finger->setForce(0, gripper.limit);
    world->step();
    const Eigen::Vector3d now = body->getWorldTransform().translation();
    if (i == steps / 10) start = now;
    grip.travel = (now - start).norm();
    if (i < steps / 2) continue;
    double force[2] = {0, 0};  // Left and right.
    for (const auto& contact : world->getLastCollisionResult().getContacts())
      force[contact.point.x() > now.x() ? 1 : 0] += std::abs(contact.force.x());
    grip.minForce = std::min({grip.minForce, force[0], force[1]});
    grip.maxForce = std::max({grip.maxForce, force[0], force[1]});
  }
  return grip;
}

}  // namespace plain
