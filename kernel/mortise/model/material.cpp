#include "mortise/model/material.h"

#include <cmath>

namespace mortise {

namespace {

double inSeries(double a, double b) {
  if (std::isinf(a)) return b;
  if (std::isinf(b)) return a;
  return a + b > 0 ? a * b / (a + b) : 0;
}

}  // namespace

ContactMaterial combine(const Surface& a, const Surface& b) {
  ContactMaterial pair;
  pair.restitution = 0.5 * (a.restitution + b.restitution);
  const bool slippery = a.friction <= 0 || b.friction <= 0;
  pair.friction = slippery ? 0 : 2 / (1 / a.friction + 1 / b.friction);
  pair.stiffness = inSeries(a.stiffness, b.stiffness);
  pair.damping = inSeries(a.damping, b.damping);
  return pair;
}

}  // namespace mortise
