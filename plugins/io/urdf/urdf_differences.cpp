#include "urdf/urdf_differences.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "mortise/geometry/compare.h"
#include "mortise/modeling/joint_names.h"
#include "mortise/modeling/link_visuals.h"

namespace mortise::io {

namespace {

constexpr double kRounding = 1e-12;
constexpr double kVertexTolerance = 1e-9;

bool same(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

template <typename Matrix>
bool sameEntries(const Matrix& a, const Matrix& b, double size) {
  return (a - b).cwiseAbs().maxCoeff() <= kRounding * std::max(size, 1e-300);
}

bool hasShape(const Link& link) { return link.geometry && !link.geometry->empty(); }

/// Same bounds to rounding, for shapes that are told in other words (a box turned and back).
bool sameBounds(const Geometry& a, const Geometry& b) {
  const AxisAlignedBounds x = a.bounds(), y = b.bounds();
  const double size = std::max(1.0, x.max.cwiseAbs().maxCoeff());
  return a.margin() == b.margin() && a.typeName() == b.typeName() &&
         (x.min - y.min).cwiseAbs().maxCoeff() <= kVertexTolerance * size &&
         (x.max - y.max).cwiseAbs().maxCoeff() <= kVertexTolerance * size;
}

class Comparison {
 public:
  Comparison(const RobotDescription& a, const RobotDescription& b, const std::vector<int>& order)
      : a_(a), b_(b), order_(order) {}

  std::vector<std::string> run() {
    for (std::size_t i = 0; i < a_.links.size(); ++i) compareLink(a_.links[i], b_.links[order_[i]]);
    compareJoints();
    compareDrivers();
    std::vector<std::pair<int, int>> pairs;
    for (const auto& [x, y] : a_.selfCollisionPairs)
      pairs.emplace_back(std::min(order_[x], order_[y]), std::max(order_[x], order_[y]));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    if (pairs != b_.selfCollisionPairs) phrases_.push_back("which links are checked for self-collision");
    compareJointNames();
    const auto standsInUrdf = [](const auto& property) { return isJointName(property) || isLinkVisual(property); };
    if (!std::all_of(a_.properties.begin(), a_.properties.end(), standsInUrdf)) phrases_.push_back("properties");
    if (!(a_.sensors == b_.sensors)) phrases_.push_back("settings of sensors");
    if (!(a_.controller == b_.controller)) phrases_.push_back("settings of the controller");
    return std::move(phrases_);
  }

 private:
  void say(const std::string& kind, const char* of, const std::string& name) {
    const std::string key = kind + " of " + of;
    if (who_.find(key) == who_.end()) {
      keys_.push_back(key);
      places_.push_back(phrases_.size());
      phrases_.emplace_back();
    }
    std::vector<std::string>& names = who_[key];
    names.push_back(name);
    std::string& phrase = phrases_[places_[std::find(keys_.begin(), keys_.end(), key) - keys_.begin()]];
    phrase = key + (names.size() > 1 ? "s '" : " '") + names[0] + "'";
    if (names.size() > 1) phrase += (names.size() == 2 ? " and '" : ", '") + names[1] + "'";
    if (names.size() > 2) phrase += " and " + std::to_string(names.size() - 2) + " more";
  }

  void compareLink(const Link& x, const Link& y) {
    const auto expect = [&](const char* kind, bool equal) {
      if (!equal) say(kind, "link", x.name);
    };
    expect("names", x.name == y.name);
    expect("kinds of motion", x.motion == y.motion);
    expect("axes", sameEntries(x.axis, y.axis, x.axis.norm()));
    expect("placements",
           sameEntries(x.X_PL0.R, y.X_PL0.R, 1) && sameEntries(x.X_PL0.p, y.X_PL0.p, std::max(1.0, x.X_PL0.p.norm())));
    expect("masses", same(x.inertia.mass, y.inertia.mass) &&
                         sameEntries(x.inertia.com, y.inertia.com, std::max(1.0, x.inertia.com.norm())) &&
                         sameEntries(x.inertia.inertia, y.inertia.inertia, x.inertia.inertia.cwiseAbs().maxCoeff()));
    const bool shapes = hasShape(x) == hasShape(y) &&
                        (!hasShape(x) || sameShape(x.geometry, y.geometry, kVertexTolerance) ||
                         (x.geometry->typeName() != "TriangleMesh" && sameBounds(*x.geometry, *y.geometry)));
    expect("shapes", shapes);
    expect("position limits", same(x.qMin, y.qMin) && same(x.qMax, y.qMax));
    expect("velocity limits", same(x.velocityMin, y.velocityMin) && same(x.velocityMax, y.velocityMax));
    expect("acceleration limits", same(x.accelerationMax, y.accelerationMax));
    expect("torque limits", same(x.torqueMax, y.torqueMax));
    expect("power limits", same(x.powerMax, y.powerMax));
    expect("start positions", same(x.q, y.q));
  }

  void compareJoints() {
    std::map<int, Joint> byLink;
    for (const Joint& joint : b_.joints) byLink.emplace(joint.link, joint);
    std::set<int> claimed;
    for (const Joint& joint : a_.joints) {
      const auto at = byLink.find(order_[joint.link]);
      const int base = joint.base < 0 ? -1 : order_[joint.base];
      const bool good = at != byLink.end() && at->second.type == joint.type && at->second.base == base;
      if (!good) say("joint types", "link", a_.links[joint.link].name);
      claimed.insert(order_[joint.link]);
    }
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (byLink.count(order_[i]) > 0 && claimed.count(order_[i]) == 0) say("missing joints", "link", a_.links[i].name);
  }

  /// Compares the names of joints; where the robot names none, any will do.
  void compareJointNames() {
    const std::vector<std::string> x = jointNames(a_), y = jointNames(b_);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!x[i].empty() && x[i] != y[static_cast<std::size_t>(order_[i])]) say("joint names", "link", a_.links[i].name);
  }

  void compareDrivers() {
    // A driver is known by the links it moves, in whatever order.
    std::map<std::set<int>, const Driver*> byLinks;
    for (const Driver& driver : b_.drivers) byLinks[std::set<int>(driver.links.begin(), driver.links.end())] = &driver;
    std::set<const Driver*> met;
    for (const Driver& x : a_.drivers) {
      std::set<int> moved;
      for (const int link : x.links) moved.insert(order_[link]);
      const auto at = byLinks.find(moved);
      if (at == byLinks.end() || at->second->type != x.type) {
        say("types", "driver", x.name);
        if (at != byLinks.end()) met.insert(at->second);
        continue;
      }
      const Driver& y = *at->second;
      met.insert(&y);
      const auto expect = [&](const char* kind, bool equal) {
        if (!equal) say(kind, "driver", x.name);
      };
      expect("names", x.name == y.name);
      std::map<int, std::pair<double, double>> maps;
      for (std::size_t k = 0; k < y.scale.size(); ++k) maps[y.links[k]] = {y.scale[k], y.offset[k]};
      bool coupled = true;
      for (std::size_t k = 0; k < x.scale.size(); ++k) {
        const auto found = maps.find(order_[x.links[k]]);
        coupled = coupled && found != maps.end() && same(found->second.first, x.scale[k]) &&
                  same(found->second.second, x.offset[k]);
      }
      expect("scales and offsets", coupled);
      expect("position limits", same(x.qMin, y.qMin) && same(x.qMax, y.qMax));
      expect("velocity limits", same(x.velocityMin, y.velocityMin) && same(x.velocityMax, y.velocityMax));
      expect("acceleration limits",
             same(x.accelerationMin, y.accelerationMin) && same(x.accelerationMax, y.accelerationMax));
      expect("torque limits", same(x.torqueMin, y.torqueMin) && same(x.torqueMax, y.torqueMax));
      expect("gains", x.servoP == y.servoP && x.servoI == y.servoI && x.servoD == y.servoD);
      expect("friction", x.dryFriction == y.dryFriction && x.viscousFriction == y.viscousFriction);
    }
    for (const Driver& y : b_.drivers)
      if (met.count(&y) == 0) say("the lack of a driver", "link", b_.links[y.links[0]].name);
  }

  const RobotDescription& a_;
  const RobotDescription& b_;
  const std::vector<int>& order_;
  std::vector<std::string> phrases_, keys_;
  std::vector<std::size_t> places_;  ///< Place of each key's phrase.
  std::map<std::string, std::vector<std::string>> who_;
};

}  // namespace

std::vector<std::string> urdfDifferences(const RobotDescription& a, const RobotDescription& b,
                                         const std::vector<int>& order) {
  if (a.links.size() != b.links.size()) return {"the number of links"};
  return Comparison(a, b, order).run();
}

}  // namespace mortise::io
