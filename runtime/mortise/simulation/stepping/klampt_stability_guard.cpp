#include "mortise/simulation/stepping/klampt_stability_guard.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/simulation/stepping/energy.h"

namespace mortise {

namespace {

constexpr double kMaxEnergy = 1e5;          // J, of twice the kinetic energy; of light bodies.
constexpr double kMaxSpecificEnergy = 1e6;  // J/kg: 1 km/s. Klamp't has no such term and slows down heavy bodies.
constexpr double kLinearGrowth = 1.5;
constexpr double kConstantGrowth = 1;  // J/kg
constexpr double kSlowedTo = 0.8;      // Fraction of the energy that would have been allowed.

}  // namespace

KlamptStabilityGuard::KlamptStabilityGuard(const SceneDescription& scene, std::span<const BodyState> initial)
    : scene_(scene), group_(scene.bodies.size(), -1) {
  std::map<int, int> groupOfRobot;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    if (body.motion != BodyMotion::dynamic) continue;
    int group = static_cast<int>(mass_.size());
    if (body.robot >= 0) group = groupOfRobot.try_emplace(body.robot, group).first->second;
    if (group == static_cast<int>(mass_.size())) {
      mass_.push_back(0);
      firstBody_.push_back(static_cast<int>(i));
    }
    mass_[group] += body.inertia.mass;
    group_[i] = group;
  }
  last_.resize(mass_.size());
  now_.resize(mass_.size());
  measure(initial, last_);
}

void KlamptStabilityGuard::measure(std::span<const BodyState> bodies, std::vector<double>& energy) const {
  std::fill(energy.begin(), energy.end(), 0.0);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (group_[i] >= 0) energy[group_[i]] += 2 * kineticEnergy(scene_.bodies[i].inertia, bodies[i]);
}

std::span<const KlamptStabilityGuard::Unstable> KlamptStabilityGuard::check(std::span<const BodyState> bodies) {
  unstable_.clear();
  measure(bodies, now_);
  for (std::size_t g = 0; g < now_.size(); ++g) {
    const double maximum = std::min(std::max(kMaxEnergy, kMaxSpecificEnergy * mass_[g]),
                                    kLinearGrowth * last_[g] + kConstantGrowth * mass_[g]);
    if (now_[g] > maximum)
      unstable_.push_back({firstBody_[g], std::sqrt(kSlowedTo * maximum / now_[g]), 0.5 * (now_[g] - last_[g])});
  }
  std::swap(last_, now_);
  return unstable_;
}

}  // namespace mortise
