#pragma once

namespace plain {

/// An arm that is stretched out and whose motors ask for standing still, with all the torque that it takes; a ball
/// lies on its end.
struct HeldLoad {
  int links = 6;
  double length = 0.2, linkMass = 0.2, ballMass = 10, ballRadius = 0.05;
  double step = 0.001, seconds = 0.5;
};

/// The largest speed of a joint at the end of a step, in rad/s: 0 where motors do what they are asked for. Sequential
/// impulses; as many sweeps as these, or fewer where one changes nothing by more than PyBullet's bound.
double speedUnderLoadOnBullet(const HeldLoad& load, int iterations, double residualThreshold = 1e-7);

}  // namespace plain
