#include "mortise/contacts/contact_reduction.h"

#include <algorithm>
#include <limits>

#include "mortise/base/interruption.h"

namespace mortise {
namespace {

struct Patch {
  std::span<const ReducibleContact> contacts;
  double turn = 0;  ///< Square meters for a squared radian.

  double squaredDistance(int i, int j) const {
    return (contacts[i].point - contacts[j].point).squaredNorm() +
           turn * (contacts[i].normal - contacts[j].normal).squaredNorm();
  }
};

/// Returns the contact that is taken next: the farthest of those left, after `next` has been taken; -1 when none is.
int farthestAfter(const Patch& patch, int next, double favor, std::vector<double>& distance) {
  distance[next] = -1;
  int farthest = -1;
  double best = -1;
  for (int i = 0; i < static_cast<int>(distance.size()); ++i) {
    if (distance[i] < 0) continue;
    distance[i] = std::min(distance[i], patch.squaredDistance(i, next));
    const double score = patch.contacts[i].kept ? favor * distance[i] : distance[i];
    if (score > best) {
      best = score;
      farthest = i;
    }
  }
  return farthest;
}

/// Squared distance of the farthest contact from those chosen.
double coverage(const std::vector<double>& distance) {
  double farthest = 0;
  for (const double d : distance) farthest = std::max(farthest, d);
  return farthest;
}

}  // namespace

void reduceContacts(std::span<const ReducibleContact> contacts, std::size_t max, double hysteresis,
                    std::vector<int>& chosen, ReductionWorkspace& workspace) {
  constexpr double kFavour = 1.44;  // Of squares.
  chosen.clear();
  const int n = static_cast<int>(contacts.size());
  if (max == 0 || n == 0) return;
  if (contacts.size() <= max) {
    for (int i = 0; i < n; ++i) chosen.push_back(i);
    return;
  }
  Vector3d low = contacts[0].point, high = low;
  int deepest = 0, deepestKept = -1;
  std::size_t kept = 0;
  for (int i = 0; i < n; ++i) {
    low = low.cwiseMin(contacts[i].point);
    high = high.cwiseMax(contacts[i].point);
    if (contacts[i].gap < contacts[deepest].gap) deepest = i;
    if (!contacts[i].kept) continue;
    ++kept;
    if (deepestKept < 0 || contacts[i].gap < contacts[deepestKept].gap) deepestKept = i;
  }
  const Patch patch{contacts, 0.25 * (high - low).squaredNorm()};
  const bool keptIsDeep = deepestKept >= 0 && contacts[deepestKept].gap <= contacts[deepest].gap + hysteresis;
  std::vector<double>& distance = workspace.distance;
  const auto restart = [&] { distance.assign(contacts.size(), std::numeric_limits<double>::infinity()); };

  const auto choose = [&](int first, double favor) {
    restart();
    chosen.clear();
    for (int next = first; next >= 0 && chosen.size() < max;) {
      interruptionPoint();
      chosen.push_back(next);
      next = farthestAfter(patch, next, favor, distance);
    }
  };
  if (kept == max && keptIsDeep) {
    choose(deepest, 1);
    const double fresh = coverage(distance);
    restart();
    chosen.clear();
    for (int i = 0; i < n; ++i) {
      if (!contacts[i].kept) continue;
      chosen.push_back(i);
      farthestAfter(patch, i, 1, distance);
    }
    if (coverage(distance) <= kFavour * fresh) return;
  }
  choose(keptIsDeep ? deepestKept : deepest, kFavour);
  std::sort(chosen.begin(), chosen.end());
}

}  // namespace mortise
