// Bodies that hit each other.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "mortise/closed_forms/closed_forms.h"
#include "mortise/closed_forms/truth_case.h"

namespace mortise::truth {

namespace {

/// The velocities of two balls after the first has hit the second one in the middle, minus what they must be, over the
/// speed at which they met.
double impactError(Trial& trial, double restitution, double massB, double speed, double gap) {
  constexpr double kRadius = 0.1, kMassA = 1, kMargin = 0.1;  // s, after the impact.
  Rig rig(trial);
  rig.builder.scene.gravity.setZero();
  rig.builder.surface.restitution = restitution;
  const int a = rig.builder.addSphere(kRadius, kMassA, Vector3d::Zero());
  const int b = rig.builder.addSphere(kRadius, massB, {2 * kRadius + gap, 0, 0});
  rig.builder.scene.bodies[a].v_WB = Vector3d(speed, 0, 0);
  rig.touchBalls(b, kRadius, a, kRadius);
  rig.start();
  rig.advance(gap / speed + kMargin);
  const ImpactSpeeds after = centralImpact(kMassA, speed, massB, 0, restitution);
  const double ofA = (rig.body(a).v_WB - Vector3d(after.a, 0, 0)).norm();
  const double ofB = (rig.body(b).v_WB - Vector3d(after.b, 0, 0)).norm();
  return std::max(ofA, ofB) / speed;
}

double worstImpact(Trial& trial, std::initializer_list<double> restitutions) {
  constexpr int kPhases = 4;
  double worst = 0;
  for (const double restitution : restitutions)
    for (const auto& [massB, speed] : {std::pair(1.0, 2.0), std::pair(1.0, 10.0), std::pair(20.0, 2.0)})
      for (int phase = 0; phase < kPhases; ++phase) {
        // So that they meet in all parts of a step.
        const double gap = 0.02 + phase * speed * trial.step() / kPhases;
        worst = std::max(worst, impactError(trial, restitution, massB, speed, gap));
      }
  return worst;
}

double collide(Trial& trial) { return worstImpact(trial, {0.5, 1}); }
double collideDead(Trial& trial) { return worstImpact(trial, {0}); }

}  // namespace

std::vector<TruthCase> impactCases() {
  return {
      {.name = "collide",
       .sentence = "A ball hits another one that is at rest: of equal mass at 2 and 10 m/s, of 20 times its mass at "
                   "2 m/s.",
       .quantity = "velocities after it over the speed before it, e = 0.5 and 1, four phases of the step",
       .unit = "1",
       .form = "v_a = v (m_a - e m_b) / (m_a + m_b), v_b = v (1 + e) m_a / (m_a + m_b)",
       .source = "conservation of momentum and Newton's law of restitution",
       .tolerance = 0.01,
       .contacts = true,
       .restitution = true,
       .error = collide},
      {.name = "collide_dead",
       .sentence = "The same without restitution: they go on together.",
       .quantity = "velocities after it over the speed before it, four phases of the step",
       .unit = "1",
       .form = "v_a = v_b = v m_a / (m_a + m_b)",
       .source = "conservation of momentum",
       .tolerance = 0.06,  // Surfaces that a step has left inside each other are pushed apart at 0.1 m/s.
       .contacts = true,
       .error = collideDead}};
}

}  // namespace mortise::truth
