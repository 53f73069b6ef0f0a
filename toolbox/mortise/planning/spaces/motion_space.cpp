#include "mortise/planning/spaces/motion_space.h"

#include <cmath>

namespace mortise {

int MotionSpace::fullSize() const {
  int size = 0;
  for (const Mover& mover : movers()) size += mover.size;
  return size;
}

bool MotionSpace::agrees(const VectorXd& full, int* difference) const {
  constexpr double kSame = 1e-6;
  VectorXd q, back;
  reduce(full, q);
  lift(q, back);
  for (Eigen::Index i = 0; i < full.size(); ++i) {
    if (std::abs(full[i] - back[i]) <= kSame) continue;
    if (difference != nullptr) *difference = static_cast<int>(i);
    return false;
  }
  return true;
}

double MotionSpace::residual(const VectorXd&) const { return 0; }
double MotionSpace::residualTolerance() const { return 0; }
bool MotionSpace::project(VectorXd&) const { return true; }

}  // namespace mortise
