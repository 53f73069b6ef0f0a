#pragma once

#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mortise/component/physics.h"
#include "robot.h"

namespace mortise::bullet {

/// The representation of a body of the scene in Bullet: one of the two.
struct BodyEnd {
  btRigidBody* rigid = nullptr;
  Robot* robot = nullptr;
  int link = -1;
};

/// Returns the pose of the frame at the center of mass.
RigidTransform poseOf(const BodyEnd& end);
Vector3d spinOf(const BodyEnd& end);
/// Returns the velocity of the body's point that is at `point` now.
Vector3d velocityOf(const BodyEnd& end, const Vector3d& point);

/// Joints between bodies of a world (`SceneConstraint`): `btHingeConstraint`, `btSliderConstraint` and
/// `btFixedConstraint` between rigid bodies; `btMultiBodyFixedConstraint`, `btMultiBodySliderConstraint` and, for a
/// hinge, two `btMultiBodyPoint2Point` at links of robots, which have neither limits nor friction.
class WorldJoints {
 public:
  /// `ends` by body; bodies are where the description puts them. Throws `Error` for what Bullet's joints cannot do.
  WorldJoints(const SceneDescription& description, std::span<const BodyEnd> ends, const BulletSettings& settings);

  void addTo(btMultiBodyDynamicsWorld& world);
  void removeFrom(btMultiBodyDynamicsWorld& world);
  void beginStep(double h);
  void endStep();
  void read(std::span<JointState> out) const;
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Joint {
    SceneConstraint::Type type = SceneConstraint::Type::fixed;
    BodyEnd a, b;
    RigidTransform X_AJ, X_BJ;  ///< In the bodies' frames at their centers of mass; the axis is x.
    double friction = 0;
    std::unique_ptr<btTypedConstraint> rigid;
    std::unique_ptr<btJointFeedback> feedback;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> articulated;
    JointState state;
  };
  void makeRigid(Joint& joint, const SceneConstraint& from, const std::string& name);
  void makeArticulated(Joint& joint, const SceneConstraint& from, const std::string& name, double maxImpulse);
  static double effortAlongAxis(const Joint& joint);
  static void locate(Joint& joint);

  btRigidBody world_;  ///< Stands for the world; in no dynamics world.
  std::vector<Joint> joints_;
};

}  // namespace mortise::bullet
