/// Bullet's own motors give way under a load as its sweeps have it; drives of the backend keep their law.

#include "tests/plugins/physics_bullet/plain/held_load.h"

#include <algorithm>

#include "tests/plugins/physics/hand_contacts.h"

namespace mortise::test {
namespace {

class HeldLoadOnBullet : public PhysicsTest {
 protected:
  /// The largest speed of a joint, and by how much an effort differs from its law at most.
  struct Outcome {
    double speed = 0, misfit = 0;
  };
  Outcome hold(const plain::HeldLoad& load, double damping) {
    SceneBuilder b;
    int link = -1;
    for (int i = 0; i < load.links; ++i) {
      const int parent = link;
      link = b.addBody(
          nullptr, RigidTransform::translation({load.length * i, 0, 0}),
          {load.linkMass, Vector3d(0.5 * load.length, 0, 0), boxInertia(load.linkMass, {load.length, 0.04, 0.04})});
      b.addJoint(SceneJoint::Type::revolute, parent, link, Vector3d(0, -1, 0));
    }
    const double r = load.ballRadius;
    const int ball = b.addBody(nullptr, RigidTransform::translation({(load.links - 0.5) * load.length, 0, r}),
                               {load.ballMass, Vector3d::Zero(), Matrix3d::Identity() * 0.4 * load.ballMass * r * r});
    b.finish();
    b.scene.contactSource = ContactSource::external;
    HandContacts contacts(b.scene);
    contacts.addBall(ball, r, link);
    auto scene = build(b.scene);
    JointDrive drive;
    drive.damping = damping;
    scene->setJointDrives(std::vector<JointDrive>(static_cast<std::size_t>(load.links), drive));
    Outcome outcome;
    std::vector<JointState> states(static_cast<std::size_t>(load.links));
    for (int i = 0; i < static_cast<int>(load.seconds / load.step); ++i) {
      contacts.step(*scene, load.step);
      scene->readJoints(states);
      for (const JointState& state : states) {
        outcome.speed = std::max(outcome.speed, std::abs(state.velocity));
        outcome.misfit = std::max(outcome.misfit, std::abs(state.effort + damping * state.velocity));
      }
    }
    return outcome;
  }
};

TEST_P(HeldLoadOnBullet, DrivesKeepTheirLaw) {
  plain::HeldLoad load;
  load.ballMass = 1;
  load.seconds = 0.1;
  EXPECT_GT(plain::speedUnderLoadOnBullet(load, 50), 0.1);
  for (const double damping : {100.0, 1e6}) {
    const Outcome outcome = hold(load, damping);
    EXPECT_LT(outcome.misfit, 1e-6) << damping;
    EXPECT_LT(outcome.speed, damping > 1e3 ? 1e-4 : 0.2) << damping;
  }
}

INSTANTIATE_TEST_SUITE_P(, HeldLoadOnBullet, testing::Values(std::string("bullet")));

}  // namespace
}  // namespace mortise::test
