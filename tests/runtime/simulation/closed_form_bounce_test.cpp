// Newton's restitution: how high a ball comes back.

#include "tests/runtime/simulation/closed_form.h"

namespace mortise::test {
namespace {

class BounceOn : public ClosedForm {};

/// A ball is dropped by `fall` meters; what comes back.
struct Bounce {
  double impact = 0;      ///< m/s, the greatest speed downward.
  double separation = 0;  ///< m/s, the greatest speed upward.
  double height = 0;      ///< m, of the first bounce.
};

Bounce watch(Simulation& simulation, int ball, double rest) {
  Bounce bounce;
  bool touched = false;
  for (int i = 0; i < 2000; ++i) {
    simulation.step();
    const BodyState& state = simulation.objectState(ball);
    bounce.impact = std::max(bounce.impact, -state.v_WB.z());
    if (state.v_WB.z() > 0) touched = true;
    if (!touched) continue;
    bounce.separation = std::max(bounce.separation, state.v_WB.z());
    bounce.height = std::max(bounce.height, state.X_WB.p.z() - rest);
    if (state.v_WB.z() < 0) break;
  }
  return bounce;
}

TEST_P(BounceOn, FirstBounceReachesTheSquareOfRestitutionInEveryPhase) {
  const double radius = 0.05, rest = radius + kPadding;
  for (const Ground ground : {Ground::rigid, Ground::soft})
    for (const double restitution : {0.5, 0.6, 0.7, 0.8, 0.9})
      for (int phase = 0; phase < 12; ++phase) {
        // So that the ball touches the ground in all parts of a step.
        const double fall = 1 + phase / 12.0 * std::sqrt(2 * kG) * kDt;
        world = World();
        addGround(ground, 0.5, restitution);
        const int ball = addBall(radius, 0.5, Vector3d(0, 0, rest + fall), restitution);
        const auto simulation = simulate();
        const Bounce bounce = watch(*simulation, ball, rest);
        const double expected = truth::bounceHeight(restitution, fall);
        SCOPED_TRACE(std::string(nameOf(ground)) + ", restitution " + std::to_string(restitution) + ", phase " +
                     std::to_string(phase));
        EXPECT_NEAR(bounce.height, expected, 0.02 * expected);
        // Nothing is added on the way out: the speed is the restitution's alone.
        EXPECT_NEAR(bounce.separation, restitution * bounce.impact, 0.01 * restitution * bounce.impact);
      }
}

TEST_P(BounceOn, WithoutRestitutionNothingComesBack) {
  for (const Ground ground : {Ground::rigid, Ground::soft})
    for (int phase = 0; phase < 4; ++phase) {
      SCOPED_TRACE(std::string(nameOf(ground)) + ", phase " + std::to_string(phase));
      world = World();
      addGround(ground, 0.5, 0);
      const int ball =
          addBall(0.05, 0.5, Vector3d(0, 0, 0.05 + kPadding + 1 + phase / 4.0 * std::sqrt(2 * kG) * kDt), 0);
      const auto simulation = simulate();
      simulation->advance(0.4);
      double highest = 0;
      bool touched = false;
      for (int i = 0; i < 600; ++i) {
        simulation->step();
        const BodyState& state = simulation->objectState(ball);
        touched = touched || state.v_WB.z() > -0.5;
        if (touched) highest = std::max(highest, state.v_WB.z());
      }
      EXPECT_TRUE(touched);
      EXPECT_LT(highest, 0.15) << "m/s: a centimeter at most";
      EXPECT_NEAR(simulation->objectState(ball).X_WB.p.z(), 0.05 + kPadding, 1e-3);
      // Soft ground sinks in with damping over stiffness, a quarter of a second.
      EXPECT_LT(simulation->objectState(ball).v_WB.norm(), 3e-3);
    }
}

MORTISE_CLOSED_FORM(BounceOn);

}  // namespace
}  // namespace mortise::test
