/// Arms at random: chains of links of very different masses, gains from soft to stiff, with and without limits of
/// their efforts, at steps of 0.1 to 5 ms. No step throws, each ends on the law of `JointDrive`, and no limit is
/// passed.

#include <algorithm>

#include "driven_arm.h"
#include "mortise/base/random.h"

namespace mortise::test {
namespace {

class RandomArm : public PhysicsTest {
 protected:
  /// Kinetic energy of all bodies.
  static double energyOf(const Scene& scene, const SceneDescription& description) {
    const std::vector<BodyState> states = bodiesOf(scene, description.bodies.size());
    double sum = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const BodyInertia& inertia = description.bodies[i].inertia;
      const Matrix3d& R = states[i].X_WB.R;
      const Vector3d v = states[i].v_WB + states[i].w_WB.cross(R * inertia.com), w = R.transpose() * states[i].w_WB;
      sum += 0.5 * (inertia.mass * v.squaredNorm() + w.dot(inertia.inertia * w));
    }
    return sum;
  }

  /// Takes steps with drives that `choose` changes every 50 of them.
  template <typename Choose>
  void run(const SceneDescription& description, double h, int steps, const Choose& choose) {
    const std::size_t n = description.joints.size();
    auto scene = build(description);
    std::vector<JointDrive> drives(n);
    std::vector<JointState> before(n), after(n);
    scene->readJoints(before);
    for (int step = 0; step < steps; ++step) {
      if (step % 50 == 0) {
        for (std::size_t i = 0; i < n; ++i) drives[i] = choose(i, before[i].position);
        scene->setJointDrives(drives);
      }
      ASSERT_NO_THROW(scene->step(h)) << "step " << step;
      scene->readJoints(after);
      for (std::size_t i = 0; i < n; ++i) {
        const double v = after[i].velocity;
        ASSERT_TRUE(std::isfinite(v) && std::isfinite(after[i].effort)) << "step " << step << ", joint " << i;
        const DriveEffort law(drives[i], before[i].position + h * v, v);
        ASSERT_NEAR(after[i].effort, law.value, 1e-6 * law.scale) << "step " << step << ", joint " << i;
        ASSERT_GE(after[i].effort, drives[i].minEffort - 1e-9) << "step " << step << ", joint " << i;
        ASSERT_LE(after[i].effort, drives[i].maxEffort + 1e-9) << "step " << step << ", joint " << i;
      }
      before = after;
    }
  }
};

/// Drives as strong as their loads ask for.
TEST_P(RandomArm, KeepsLawAndLimits) {
  useNormalized();
  // ODE moves bodies, so that only about axes that keep their direction its joints move as the step has it.
  const bool planar = GetParam() == "ode";
  for (int seed = 0; seed < 30; ++seed) {
    RandomStream random(seed);
    const std::size_t n = 2 + static_cast<std::size_t>(random.uniform() * 6);
    const double h = std::pow(10.0, random.uniform(-4, std::log10(2e-3)));
    std::vector<double> masses, strengths(n);
    for (std::size_t i = 0; i < n; ++i) masses.push_back(std::pow(10.0, random.uniform(-2, 1)));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = i; k < n; ++k)
        strengths[i] += 2 * masses[k] * kGravity * kArmLink * (0.5 + static_cast<double>(k - i));
    const double tilt = planar ? 0 : random.uniform(0, 0.8);
    const SceneDescription description = drivenArm(masses, tilt);
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(description, h, std::min(400, static_cast<int>(0.2 / h)), [&](std::size_t i, double q) {
      JointDrive d;
      d.stiffness = random.uniform() < 0.2 ? 0 : std::pow(10.0, random.uniform(0, 6));
      d.damping = strengths[i] * std::pow(10.0, random.uniform(-1, 1));
      d.target = q + random.uniform(-1, 1);
      d.targetVelocity = random.uniform(-1, 1);
      d.feedforward = strengths[i] * random.uniform(-0.5, 0.5);
      d.viscousFriction = random.uniform() < 0.5 ? 0.1 * strengths[i] * random.uniform() : 0;
      d.dryFriction = random.uniform() < 0.3 ? 0.1 * strengths[i] * random.uniform() : 0;
      d.minEffort = -strengths[i] * random.uniform(0.5, 1);
      d.maxEffort = strengths[i] * random.uniform(0.5, 1);
      return d;
    });
    if (HasFatalFailure()) return;
  }
}

MORTISE_FOR_EVERY_ENGINE(RandomArm);

/// Drives that shake light links so hard that they turn by radians in a step.
class ViolentArm : public RandomArm {};

TEST_P(ViolentArm, NeverComesApart) {
  for (int seed = 0; seed < 60; ++seed) {
    RandomStream random(seed);
    const std::size_t n = 2 + static_cast<std::size_t>(random.uniform() * 6);
    const double h = std::pow(10.0, random.uniform(-4, std::log10(5e-3)));
    const bool free = random.uniform() < 0.2, slides = random.uniform() < 0.3, limited = random.uniform() < 0.6;
    std::vector<double> masses;
    std::vector<bool> sliding;
    for (std::size_t i = 0; i < n; ++i) {
      masses.push_back(std::pow(10.0, random.uniform(-3, 1)));
      sliding.push_back(slides && random.uniform() < 0.4);
    }
    const SceneDescription description = drivenArm(masses, random.uniform(0, 0.8), sliding, free);
    SCOPED_TRACE("seed " + std::to_string(seed));
    run(description, h, std::min(1500, static_cast<int>(1 / h)), [&](std::size_t, double q) {
      const double strength = std::pow(10.0, random.uniform(-2, 2));
      JointDrive d;
      d.stiffness = random.uniform() < 0.2 ? 0 : std::pow(10.0, random.uniform(0, 6));
      d.damping = random.uniform() < 0.2 ? 0 : std::pow(10.0, random.uniform(-3, 3));
      d.target = q + random.uniform(-1, 1);
      d.targetVelocity = random.uniform(-1, 1);
      d.feedforward = strength * random.uniform(-0.5, 0.5);
      d.dryFriction = random.uniform() < 0.3 ? 0.1 * strength * random.uniform() : 0;
      if (!limited || random.uniform() < 0.3) return d;
      d.minEffort = -strength * random.uniform(0.2, 1);
      d.maxEffort = strength * random.uniform(0.2, 1);
      return d;
    });
    if (HasFatalFailure()) return;
  }
}

/// Nothing drives them: however far they turn in a step, energy stays.
TEST_P(ViolentArm, MakesNoEnergy) {
  for (const bool free : {false, true})
    for (const double rate : {200.0, 500.0, 2000.0, 10000.0}) {
      SceneDescription description = drivenArm({2, 1, 0.3, 0.02}, 0.4, {}, free);
      description.gravity.setZero();
      for (std::size_t i = 0; i < 4; ++i) description.joints[i].velocity = i % 2 == 0 ? rate : -0.7 * rate;
      auto scene = build(description);
      const double start = energyOf(*scene, description);
      for (int step = 0; step < 1000; ++step) {
        scene->step(kStep);
        // States between steps may be off by what the next one takes back.
        ASSERT_LT(energyOf(*scene, description), 1000 * start) << rate << " rad/s, step " << step;
      }
      EXPECT_GT(energyOf(*scene, description), 0.01 * start) << rate << " rad/s, free: " << free;
    }
}

MORTISE_FOR_EACH_BACKEND(ViolentArm);

}  // namespace
}  // namespace mortise::test
