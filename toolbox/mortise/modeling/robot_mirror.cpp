#include "mortise/modeling/robot_mirror.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/base/random.h"
#include "mortise/model/robot_state.h"

namespace mortise {

namespace {

constexpr double kAligned = 0.999;   ///< Cosine between an axis and an image that counts as the same.
constexpr double kAlongAxis = 0.98;  ///< Cosine between the way across and an axis of the robot's frame.
constexpr int kTrials = 6;           ///< Configurations at which the image is compared.
constexpr int kBaseInPlace = 4;      ///< Number of a floating base's six links that are its position and heading.

struct Plane {
  Vector3d normal;
  double distance;

  Vector3d image(const Vector3d& p) const { return p - 2 * (normal.dot(p) - distance) * normal; }
  Vector3d imageOfVector(const Vector3d& v) const { return v - 2 * normal.dot(v) * normal; }
};

/// All "left" as "right" and the other way round, in the same case.
std::string wordsExchanged(const std::string& name) {
  static const std::pair<std::string, std::string> kWords[] = {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}};
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    const auto put = [&](const std::string& from, const std::string& to) {
      if (name.compare(i, from.size(), from) != 0) return false;
      out += to;
      i += from.size();
      return true;
    };
    bool found = false;
    for (const auto& [left, right] : kWords) found = found || put(left, right) || put(right, left);
    if (!found) out += name[i++];
  }
  return out;
}

char otherSide(char letter) {
  static const std::string kFrom = "lrLR", kTo = "rlRL";
  const std::size_t at = kFrom.find(letter);
  return at == std::string::npos ? letter : kTo[at];
}

/// All parts of a name, as underscores and the like divide it, that say a side: l, r, and fl, br, ... of wheels.
std::string sidesExchanged(const std::string& name) {
  std::string out = name;
  for (std::size_t begin = 0, end; begin < name.size(); begin = end + 1) {
    for (end = begin; end < name.size() && std::isalnum(static_cast<unsigned char>(name[end]));) ++end;
    const bool wheel = end - begin == 2 && std::string("fbFB").find(name[begin]) != std::string::npos;
    if (end - begin == 1 || wheel) out[end - 1] = otherSide(name[end - 1]);
  }
  return out;
}

bool immobile(const Robot& robot, int link) {
  const int joint = robot.jointOfLink(link);
  return robot.link(link).qMin == robot.link(link).qMax ||
         (joint >= 0 && robot.joints()[static_cast<std::size_t>(joint)].type == JointType::weld);
}

/// Returns configurations in which the two sides may be compared: files have no convention of what q = 0 is.
std::vector<VectorXd> references(const Robot& robot) {
  VectorXd zero = VectorXd::Zero(robot.numLinks()), middle = zero;
  for (int l = robot.floatingBaseLink() + 1; l < robot.numLinks(); ++l) {
    const Link& link = robot.link(l);
    if (std::isfinite(link.qMin) && std::isfinite(link.qMax)) middle[l] = (link.qMin + link.qMax) / 2;
  }
  VectorXd initial = robot.initialConfiguration();
  initial.head(robot.floatingBaseLink() + 1).setZero();
  return {zero, middle, initial};
}

class MirrorSearch {
 public:
  MirrorSearch(const Robot& robot, const VectorXd& reference)
      : robot_(robot), reference_(reference), state_(robot), image_(robot) {
    for (int l = 0; l < robot.numLinks(); ++l) {
      const int other = findCounterpart(robot, l);
      counterpart_.push_back(other < 0 ? l : other);
    }
    // Only where both name each other.
    for (int l = 0; l < robot.numLinks(); ++l)
      if (at(counterpart_, at(counterpart_, l)) != l) counterpart_[static_cast<std::size_t>(l)] = l;
    state_.q = reference;
    updateFrames(robot, state_);
    frames_ = state_.X_WL;
    // What neither moves nor carries what does, such as the frames of sensors, may be anywhere.
    carrier_.assign(frames_.size(), false);
    for (int l = robot.numLinks() - 1; l >= 0; --l) {
      const auto own = static_cast<std::size_t>(l);
      if (!immobile(robot, l)) carrier_[own] = true;
      if (carrier_[own] && robot.link(l).parent >= 0) carrier_[static_cast<std::size_t>(robot.link(l).parent)] = true;
    }
    Vector3d low = origin(0), high = low;
    for (int l = 0; l < robot.numLinks(); ++l) low = low.cwiseMin(origin(l)), high = high.cwiseMax(origin(l));
    tolerance_ = std::max(0.01 * (high - low).norm(), 0.001);
  }

  std::vector<Plane> planes() const {
    std::vector<Plane> found;
    // Between the links of pairs, where these stand apart.
    Vector3d across = Vector3d::Zero();
    for (int l = 0; l < robot_.numLinks(); ++l) {
      Vector3d fromCounterpart = origin(l) - origin(at(counterpart_, l));
      if (across.dot(fromCounterpart) < 0) fromCounterpart = -fromCounterpart;
      across += fromCounterpart;
    }
    if (across.norm() > tolerance_) {
      across.normalize();
      // Robots are built along their axes, and measured less exactly.
      for (int k = 0; k < 3; ++k)
        if (std::abs(across[k]) > kAlongAxis) across = Vector3d::Unit(k);
      double sum = 0;
      int pairs = 0;
      for (int l = 0; l < robot_.numLinks(); ++l)
        if (at(counterpart_, l) != l) sum += across.dot(origin(l)), ++pairs;
      found.push_back({across, sum / pairs});
    }
    const Matrix3d& mount = robot_.link(0).X_PL0.R;
    const bool upright = robot_.floatingBaseLink() >= 0;  // A base that is mirrored up and down is elsewhere.
    for (const int k : {1, 0, 2})
      if (!upright || k < 2) found.push_back({mount.col(k).normalized(), mount.col(k).normalized().dot(origin(0))});
    return found;
  }

  /// The mirror at a plane, or why there is none.
  std::optional<RobotMirror> at(const Plane& plane, std::string& reason) {
    RobotMirror mirror;
    mirror.counterpart = counterpart_;
    mirror.normal = plane.normal;
    mirror.distance = plane.distance;
    const int base = robot_.floatingBaseLink();
    bool changes = false;
    for (int l = 0; l < robot_.numLinks(); ++l) {
      const int other = at(counterpart_, l);
      double scale = 1;
      if (l <= base) {
        if (l >= kBaseInPlace) scale = signOf(l, l, plane);
      } else if (!immobile(robot_, l) || !immobile(robot_, other)) {
        if (robot_.link(l).motion == robot_.link(other).motion)
          scale = signOf(l, other, plane);
        else
          scale = 0;
        changes = changes || l != other || scale < 0;
      }
      if (scale == 0) {
        reason = l == other ? "'" + robot_.link(l).name + "' has no counterpart by name, and moves out of the plane"
                            : "'" + robot_.link(l).name + "' and '" + robot_.link(other).name + "' move differently";
        return std::nullopt;
      }
      mirror.scale.push_back(scale);
      mirror.offset.push_back(reference_[other] - scale * reference_[l]);
    }
    if (!changes) {
      reason = "nothing of it has two sides";
      return std::nullopt;
    }
    if (const int wrong = misplaced(mirror, plane); wrong >= 0) {
      const std::string& name = robot_.link(wrong).name;
      reason = at(counterpart_, wrong) == wrong
                   ? "'" + name + "' has no counterpart by name, and is beside the plane"
                   : "'" + name + "' is not where the image of '" + robot_.link(at(counterpart_, wrong)).name + "' is";
      return std::nullopt;
    }
    return mirror;
  }

 private:
  static int at(const std::vector<int>& list, int i) { return list[static_cast<std::size_t>(i)]; }
  const Vector3d& origin(int link) const { return frames_[static_cast<std::size_t>(link)].p; }
  Vector3d axis(int link) const { return frames_[static_cast<std::size_t>(link)].R * robot_.link(link).axis; }

  /// Returns how much the counterpart moves for the link's motion; 0 where its axis is no image of the link's.
  double signOf(int link, int other, const Plane& plane) const {
    const Vector3d own = axis(link), others = axis(other);
    // Angular velocities are mirrored as what turns, not as arrows.
    const Vector3d image = plane.imageOfVector(own) * (robot_.link(link).motion == LinkMotion::revolute ? -1 : 1);
    const double cosine = image.dot(others) / (image.norm() * others.norm());
    if (!(std::abs(cosine) > kAligned)) return 0;
    return std::copysign(own.norm() / others.norm(), cosine);
  }

  /// A link that does not come to lie where its image is; -1: none.
  int misplaced(const RobotMirror& mirror, const Plane& plane) {
    RandomStream random(1, "mirror");
    const int base = robot_.floatingBaseLink();
    for (int trial = 0; trial < kTrials; ++trial) {
      state_.q = reference_;
      for (int l = base + 1; l < robot_.numLinks() && trial > 0; ++l) {
        if (immobile(robot_, l)) continue;
        const Link& link = robot_.link(l);
        const double low = std::max(link.qMin, reference_[l] - 1), high = std::min(link.qMax, reference_[l] + 1);
        if (low < high) state_.q[l] = random.uniform(low, high);
      }
      image_.q = mirror(state_.q);
      updateFrames(robot_, state_);
      updateFrames(robot_, image_);
      for (int l = base + 1; l < robot_.numLinks(); ++l) {
        if (!carrier_[static_cast<std::size_t>(l)]) continue;
        const int other = at(counterpart_, l);
        const Vector3d gap =
            plane.image(state_.X_WL[static_cast<std::size_t>(l)].p) - image_.X_WL[static_cast<std::size_t>(other)].p;
        if (gap.norm() > tolerance_) return l;
      }
    }
    return -1;
  }

  const Robot& robot_;
  VectorXd reference_;
  RobotState state_, image_;
  std::vector<RigidTransform> frames_;
  std::vector<int> counterpart_;
  std::vector<bool> carrier_;  ///< Links that move, and those that carry such links.
  double tolerance_ = 0;
};

}  // namespace

int findCounterpart(const Robot& robot, int link) {
  const std::string& name = robot.link(link).name;
  std::vector<std::string> candidates = {wordsExchanged(name), sidesExchanged(name)};
  for (std::size_t i = 0; i < name.size(); ++i) {
    candidates.push_back(name);
    candidates.back()[i] = otherSide(name[i]);
  }
  for (const std::string& candidate : candidates)
    if (candidate != name)
      if (const int found = robot.description().findLink(candidate); found >= 0) return found;
  return -1;
}

VectorXd RobotMirror::operator()(const VectorXd& q) const {
  if (static_cast<std::size_t>(q.size()) != counterpart.size())
    throw Error("a configuration of " + std::to_string(q.size()) + " numbers does not fit a robot of " +
                std::to_string(counterpart.size()) + " links");
  VectorXd image(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto link = static_cast<std::size_t>(i);
    image[counterpart[link]] = offset[link] + scale[link] * q[i];
  }
  return image;
}

RobotMirror findMirror(const Robot& robot) {
  if (robot.numLinks() == 0) throw Error("robot '" + robot.name() + "' has no mirror image: it has no links");
  std::string first;
  for (const VectorXd& reference : references(robot)) {
    MirrorSearch search(robot, reference);
    for (const Plane& plane : search.planes()) {
      std::string reason;
      if (std::optional<RobotMirror> mirror = search.at(plane, reason)) return std::move(*mirror);
      if (first.empty()) first = reason;
    }
  }
  throw Error("robot '" + robot.name() + "' has no mirror image: " + first, {},
              "name its links with left and right, or l and r; single limbs lie in a plane");
}

}  // namespace mortise
