#include "mortise/motion/multipath.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/expect.h"

namespace mortise {

namespace {

/// Place of a time in a section: between milestones `index` and `index + 1`, at `u` in [0, 1]; `span` is the time
/// between them.
struct Place {
  std::size_t index = 0;
  double u = 0;
  double span = 1;
};

Place placeByTime(const std::vector<double>& times, double t) {
  const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
  Place place;
  place.index = std::min(after == 0 ? 0 : after - 1, times.size() - 2);
  place.span = times[place.index + 1] - times[place.index];
  const double u = place.span > 0 ? (t - times[place.index]) / place.span : 1;
  place.u = std::clamp(u, 0.0, 1.0);
  return place;
}

bool near(const VectorXd& a, const VectorXd& b, double tolerance) {
  return a.size() == b.size() && (a.size() == 0 || (a - b).cwiseAbs().maxCoeff() <= tolerance);
}

bool still(const VectorXd& v, double tolerance) { return v.size() == 0 || v.cwiseAbs().maxCoeff() <= tolerance; }

}  // namespace

double MultiPath::startTime() const { return timed() ? sections.front().times.front() : 0; }

double MultiPath::endTime() const { return timed() ? sections.back().times.back() : sections.empty() ? 0 : 1; }

Eigen::Index MultiPath::dimension() const {
  return sections.empty() || sections.front().milestones.empty() ? 0 : sections.front().milestones.front().size();
}

bool MultiPath::continuous(double tolerance) const {
  for (std::size_t i = 0; i + 1 < sections.size(); ++i) {
    const Section &a = sections[i], &b = sections[i + 1];
    if (!near(a.milestones.back(), b.milestones.front(), tolerance)) return false;
    if (!a.times.empty() && !b.times.empty() && std::abs(a.times.back() - b.times.front()) > tolerance) return false;
    if (!a.velocities.empty() && !b.velocities.empty()) {
      if (!near(a.velocities.back(), b.velocities.front(), tolerance)) return false;
    } else if (!a.velocities.empty()) {
      if (!still(a.velocities.back(), tolerance)) return false;
    } else if (!b.velocities.empty() && !still(b.velocities.front(), tolerance)) {
      return false;
    }
  }
  return true;
}

int MultiPath::sectionAt(double t) const {
  const int count = static_cast<int>(sections.size());
  if (count == 0 || t < startTime()) return -1;
  // Written so that a time that is no number comes out behind the end.
  if (!timed()) return t <= 1 ? std::min(static_cast<int>(std::floor(t * count)), count - 1) : count;
  if (t >= endTime()) return count;
  for (int i = 0; i < count; ++i)
    if (t <= sections[static_cast<std::size_t>(i)].times.back()) return i;
  return count;
}

int MultiPath::evaluate(double t, Interpolation interpolation, VectorXd& q, VectorXd& dq) const {
  MORTISE_REQUIRE_SIZE(dq, q.size(), "as q");
  const int at = sectionAt(t);
  if (at < 0 || at == static_cast<int>(sections.size())) {
    dq.setZero();
    if (!sections.empty()) q = at < 0 ? sections.front().milestones.front() : sections.back().milestones.back();
    return at;
  }
  const Section& section = sections[static_cast<std::size_t>(at)];
  Place place;
  if (section.times.empty()) {
    const double segments = static_cast<double>(section.milestones.size() - 1);
    const double along = (t * static_cast<double>(sections.size()) - at) * segments;
    place.index = static_cast<std::size_t>(std::clamp(std::floor(along), 0.0, segments - 1));
    place.u = std::clamp(along - static_cast<double>(place.index), 0.0, 1.0);
    place.span = 1 / (static_cast<double>(sections.size()) * segments);
  } else {
    place = placeByTime(section.times, t);
  }
  const VectorXd &a = section.milestones[place.index], &b = section.milestones[place.index + 1];
  MORTISE_REQUIRE_SIZE(q, a.size(), "one for each coordinate");
  MORTISE_REQUIRE_SIZE(b, a.size(), "one for each coordinate");
  const bool cubic = interpolation == Interpolation::cubic;
  const bool hermite = cubic && !section.velocities.empty();
  const VectorXd* before = cubic && !hermite && place.index > 0 ? &section.milestones[place.index - 1] : nullptr;
  const VectorXd* after =
      cubic && !hermite && place.index + 2 < section.milestones.size() ? &section.milestones[place.index + 2] : nullptr;
  // Velocities are rates in time where there are times, otherwise displacements between milestones.
  const double scale = section.times.empty() ? 1 : place.span;
  const double u = place.u, v = 1 - u;
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    // Bezier's points x0 to x3.
    const double x0 = a[j], x3 = b[j], third = (x3 - x0) / 3;
    double x1 = x0 + third, x2 = x3 - third;
    if (hermite) {
      x1 = x0 + section.velocities[place.index][j] * scale / 3;
      x2 = x3 - section.velocities[place.index + 1][j] * scale / 3;
    } else {
      if (before != nullptr) x1 = x0 + (x3 - (*before)[j]) / 6;
      if (after != nullptr) x2 = x3 - ((*after)[j] - x0) / 6;
      if (before != nullptr && after == nullptr) x2 = x1 + third;
      if (before == nullptr && after != nullptr) x1 = x2 - third;
    }
    q[j] = v * v * v * x0 + 3 * v * v * u * x1 + 3 * v * u * u * x2 + u * u * u * x3;
    const double slope = 3 * (v * v * (x1 - x0) + 2 * v * u * (x2 - x1) + u * u * (x3 - x2));
    dq[j] = place.span > 0 ? slope / place.span : 0;
  }
  return at;
}

std::vector<Hold> MultiPath::holdsOf(std::size_t section) const {
  const Section& of = sections.at(section);
  std::vector<Hold> list = of.holds;
  for (const int index : of.holdIndices) list.push_back(holds.at(static_cast<std::size_t>(index)).hold);
  for (const std::string& name : of.holdNames)
    for (const NamedHold& hold : holds)
      if (hold.name == name) {
        list.push_back(hold.hold);
        break;
      }
  return list;
}

std::vector<IKGoal> MultiPath::goalsOf(std::size_t section) const {
  std::vector<IKGoal> list = sections.at(section).goals;
  for (const Hold& hold : holdsOf(section)) list.push_back(hold.goal);
  return list;
}

std::string MultiPath::problem() const {
  if (sections.empty()) return "the path has no sections";
  const Eigen::Index size = dimension();
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    const std::string name = "section " + std::to_string(i);
    const std::size_t count = section.milestones.size();
    if (count < 2) return name + " has " + std::to_string(count) + " milestones, it needs two at least";
    for (const VectorXd& q : section.milestones)
      if (q.size() != size)
        return name + " has milestones of " + std::to_string(q.size()) + " and others of " + std::to_string(size) +
               " numbers";
    if (section.times.empty() == timed()) return "some sections have times and some have none";
    if (!section.times.empty() && section.times.size() != count)
      return name + " has times for some of its milestones only";
    if (!section.velocities.empty() && section.velocities.size() != count)
      return name + " has velocities for some of its milestones only";
    for (const VectorXd& v : section.velocities)
      if (v.size() != size)
        return name + " has a velocity of " + std::to_string(v.size()) + " numbers, milestones of " +
               std::to_string(size);
    for (std::size_t k = 1; k < section.times.size(); ++k)
      if (!(section.times[k] >= section.times[k - 1]))
        return name + " goes back in time at milestone " + std::to_string(k);
    if (i > 0 && !section.times.empty() && !(section.times.front() >= sections[i - 1].times.back()))
      return name + " begins before the one before it ends";
    for (const int index : section.holdIndices)
      if (index < 0 || index >= static_cast<int>(holds.size()))
        return name + " refers to hold " + std::to_string(index) + ", the path has " + std::to_string(holds.size());
    for (const std::string& hold : section.holdNames)
      if (std::none_of(holds.begin(), holds.end(), [&](const NamedHold& known) { return known.name == hold; }))
        return name + " refers to hold '" + hold + "', which the path has not";
  }
  return {};
}

}  // namespace mortise
