#include "problem_goal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mortise/base/value_text.h"
#include "mortise/math/rotation.h"
#include "mortise/text/suggest.h"

namespace mortise::io_moveit {

namespace {

/// Maximum tolerance of joint constraints that are a configuration, rad or m.
constexpr double kExact = 1e-3;
/// Larger regions, which are narrowed, are a warning; m and rad.
constexpr double kWide = 0.05;
/// A rotation tolerance about an axis that leaves the rotation free.
constexpr double kFree = std::numbers::pi - 1e-3;
/// Maximum distance from a limit of goals that are moved onto it, rad or m.
constexpr double kBeyond = 1e-3;
/// Fraction of a tolerance that is used, since the angle of a rotation about three axes is larger than about each.
constexpr double kInside = 0.9;

/// An upper bound of the distance of any point of the robot from its root; infinite for bases that move.
double reach(const Robot& robot, const std::vector<int>& links) {
  double sum = 0;
  for (int i = 0; i < robot.numLinks(); ++i) {
    const Link& link = robot.link(i);
    sum += link.X_PL0.p.norm();
    if (link.motion != LinkMotion::prismatic) continue;
    const bool moves = std::find(links.begin(), links.end(), i) != links.end();
    if (moves) sum += link.axis.norm() * std::max(std::abs(link.qMin), std::abs(link.qMax));
  }
  return sum;
}

class Converter {
 public:
  Converter(ProblemScene& scene, Diagnostics& diagnostics) : scene_(scene), out_(diagnostics) {}

  /// Goals of links, and the minimum of their tolerances. `path`: constraints along the path, which must be expressed
  /// completely.
  std::vector<RobotGoal> linkGoals(const ConstraintsMessage& constraints, bool path, double& tolerance) {
    std::vector<RobotGoal> goals;
    for (const PositionConstraintMessage& each : constraints.positions) position(each, path, goals, tolerance);
    for (const OrientationConstraintMessage& each : constraints.orientations) orientation(each, path, goals, tolerance);
    if (constraints.visibility > 0)
      out_.error("visibility_constraints cannot be planned for", constraints.where, "leave them out");
    return goals;
  }

 private:
  /// Link and frame of a constraint; false when one does not exist.
  bool resolve(const std::string& link, const std::string& frame, const SourcePosition& where, int& index,
               int& destination, RigidTransform& X_DF) {
    index = scene_.robot().description().findLink(link);
    if (index < 0) {
      std::vector<std::string> names;
      for (const Link& each : scene_.robot().links()) names.push_back(each.name);
      out_.error("the robot has no link '" + link + "'", where, suggestFrom(link, names));
      return false;
    }
    if (!scene_.moves(index)) {
      out_.error("the group does not move link '" + link + "'", where, "plan for a group that does");
      return false;
    }
    const ProblemFrame* found = scene_.frame(frame, where);
    if (found == nullptr) return false;
    const bool moving = found->link >= 0 && scene_.moves(found->link);
    destination = moving ? found->link : -1;
    X_DF = moving ? found->X_LF : scene_.poseOf(*found);
    if (moving && destination == index) {
      out_.error("link '" + link + "' is constrained in a frame of its own", where);
      return false;
    }
    return true;
  }

  /// A goal of this link whose position (or rotation) is free so far, or a new one.
  IKGoal& goalOf(std::vector<RobotGoal>& goals, int link, int destination, bool position) {
    for (RobotGoal& each : goals)
      if (each.goal.link == link && each.goal.destination == destination &&
          (position ? each.goal.position == IKGoal::Position::free : each.goal.rotation == IKGoal::Rotation::free))
        return each.goal;
    goals.push_back({0, {}});
    goals.back().goal.link = link;
    goals.back().goal.destination = destination;
    return goals.back().goal;
  }

  void position(const PositionConstraintMessage& message, bool path, std::vector<RobotGoal>& goals, double& tolerance) {
    int link = -1, destination = -1;
    RigidTransform X_DF;
    if (!resolve(message.link, message.frame, message.where, link, destination, X_DF)) return;
    if (message.meshes)
      out_.error("a region that is a mesh cannot be planned for", message.where, "give it as a box or a sphere");
    if (message.regions.empty()) {
      if (!message.meshes && !out_.hasErrors())
        out_.error("the position of link '" + message.link + "' has no region", message.where,
                   "constraint_region needs primitives and primitive_poses");
      return;
    }
    if (message.regions.size() > 1) {
      const std::string text = "of the regions of link '" + message.link + "' only the first can be planned for";
      if (path)
        out_.error(text, message.where, "give one of them");
      else
        out_.warning(text, message.where);
    }
    const PositionConstraintMessage::Region& region = message.regions.front();
    const RigidTransform X_DS = X_DF * region.X_FS;
    Vector3d half;
    if (const auto* sphere = region.shape->as<SphereShape>()) {
      half.setConstant(sphere->radius);
    } else {
      const AxisAlignedBounds bounds = region.shape->bounds();
      half = (bounds.max - bounds.min) / 2;
    }
    // Axes along which the region is larger than the robot, wherever it stands in it, leave the point free.
    const double enough = 2 * (reach(scene_.robot(), scene_.links()) + message.offset.norm()) + X_DS.p.norm();
    const bool box = region.shape->as<AxisAlignedBoxShape>() != nullptr;
    std::vector<int> held;
    for (int axis = 0; axis < 3; ++axis)
      if (!box || half[axis] < enough) held.push_back(axis);
    if (held.empty()) return;
    IKGoal& goal = goalOf(goals, link, destination, true);
    goal.p_LP = message.offset;
    goal.p_DP = X_DS.p;
    goal.position = held.size() == 3   ? IKGoal::Position::point
                    : held.size() == 2 ? IKGoal::Position::line
                                       : IKGoal::Position::plane;
    if (held.size() == 1) goal.direction_D = X_DS.R.col(held[0]);
    if (held.size() == 2) goal.direction_D = X_DS.R.col(3 - held[0] - held[1]);
    double minimum = kInfinity, maximum = 0;
    for (const int axis : held) {
      minimum = std::min(minimum, half[axis]);
      maximum = std::max(maximum, half[axis]);
    }
    if (path && maximum > std::max(2 * minimum, kWide))
      out_.error("the region of link '" + message.link + "' along the path, " + formatReal(2 * half.x()) + " x " +
                     formatReal(2 * half.y()) + " x " + formatReal(2 * half.z()) + " m, is not supported",
                 message.where,
                 "a side is kept when it is small, and free when it is longer than " +
                     formatReal(std::ceil(2 * enough)) + " m");
    else if (!path && maximum > kWide)
      out_.warning("of the region that is the goal of link '" + message.link + "' only the middle is planned for",
                   message.where);
    tolerance = std::min(tolerance, kInside * minimum / std::sqrt(3.0));
  }

  void orientation(const OrientationConstraintMessage& message, bool path, std::vector<RobotGoal>& goals,
                   double& tolerance) {
    int link = -1, destination = -1;
    RigidTransform X_DF;
    if (!resolve(message.link, message.frame, message.where, link, destination, X_DF)) return;
    std::vector<int> free;
    double minimum = kInfinity;
    for (int axis = 0; axis < 3; ++axis) {
      if (message.tolerance[axis] >= kFree)
        free.push_back(axis);
      else
        minimum = std::min(minimum, message.tolerance[axis]);
    }
    if (free.size() == 3) return;
    const Matrix3d R_DL = X_DF.R * message.R_FL;
    IKGoal& goal = goalOf(goals, link, destination, false);
    if (free.size() == 2 && path) {
      out_.error("link '" + message.link + "' may turn freely about two axes along the path, which is not supported",
                 message.where, "leave one axis free, or all three");
      return;
    }
    if (free.size() == 1) {
      goal.rotation = IKGoal::Rotation::axis;
      goal.axis_L = Vector3d::Unit(free[0]);
      goal.axis_D = R_DL.col(free[0]);
    } else {
      goal.rotation = IKGoal::Rotation::fixed;
      goal.rotationVector_DL = momentFromRotation(R_DL);
    }
    tolerance = std::min(tolerance, kInside * minimum / std::sqrt(3.0));
  }

  ProblemScene& scene_;
  Diagnostics& out_;
};

class Goals {
 public:
  Goals(ProblemScene& scene, Diagnostics& diagnostics) : scene_(scene), out_(diagnostics) {}

  void add(const ConstraintsMessage& constraints) {
    if (constraints.empty()) {
      out_.error("a goal constrains nothing", constraints.where,
                 "give joint_constraints, or position_constraints and orientation_constraints");
      return;
    }
    double tolerance = kInfinity;
    std::vector<RobotGoal> ik = Converter(scene_, out_).linkGoals(constraints, false, tolerance);
    if (!ik.empty() && !constraints.joints.empty()) {
      out_.error("a goal of links and of joints at once cannot be planned for", constraints.where,
                 "give either; goals of links come with limits of joints in path_constraints");
      return;
    }
    if (!ik.empty()) {
      if (!goal_.ik.empty())
        out_.error("there are several goals of links, of which only one can be planned for", constraints.where,
                   "leave one of them in goal_constraints");
      goal_.ik = std::move(ik);
    }
    if (!constraints.joints.empty()) joints(constraints);
  }
  PlanGoalRequest take() { return std::move(goal_); }

 private:
  void joints(const ConstraintsMessage& constraints) {
    const int n = scene_.robot().numLinks();
    VectorXd low = VectorXd::Constant(n, -kInfinity), high = VectorXd::Constant(n, kInfinity), q = scene_.start();
    bool exact = true;
    for (const JointConstraintMessage& each : constraints.joints) {
      const int link = scene_.linkOf(each.joint);
      if (link < 0) {
        out_.error("the robot has no joint '" + each.joint + "'", each.where,
                   suggestFrom(each.joint, scene_.variables()));
        return;
      }
      const std::vector<int>& links = scene_.links();
      if (std::find(links.begin(), links.end(), link) == links.end()) {
        // Joints outside of the group stay where they are, which may satisfy the constraint.
        const double far = each.position - scene_.start()[link];
        if (far > each.below + kExact || -far > each.above + kExact)
          out_.error("the goal moves joint '" + each.joint + "', which is not in the group", each.where,
                     "plan for a group that has it");
        continue;
      }
      const Link& own = scene_.robot().link(link);
      double position = each.position;
      if (position < own.qMin && position > own.qMin - kBeyond) position = own.qMin;
      if (position > own.qMax && position < own.qMax + kBeyond) position = own.qMax;
      q[link] = position;
      // Conversions between coordinates must not round a value out of a region of zero width.
      low[link] = std::max(position - each.below - 1e-9, own.qMin - 1e-9);
      high[link] = std::min(position + each.above + 1e-9, own.qMax + 1e-9);
      if (low[link] > high[link]) {
        out_.error("the goal of joint '" + each.joint + "', " + formatReal(each.position) + ", is beyond its limits " +
                       formatReal(own.qMin) + " to " + formatReal(own.qMax),
                   each.where);
        return;
      }
      exact = exact && each.above <= kExact && each.below <= kExact;
    }
    for (const int link : scene_.links()) exact = exact && std::isfinite(low[link]);
    if (exact) {
      scene_.settle(q);
      goal_.configurations.push_back(std::move(q));
      return;
    }
    if (goal_.low.size() > 0)
      out_.error("there are several goals that are regions of joint positions, of which only one can be planned for",
                 constraints.where, "leave one of them in goal_constraints");
    goal_.low = std::move(low);
    goal_.high = std::move(high);
  }

  ProblemScene& scene_;
  Diagnostics& out_;
  PlanGoalRequest goal_;
};

}  // namespace

PlanGoalRequest problemGoal(const RequestMessage& request, ProblemScene& scene, Diagnostics& diagnostics) {
  Goals goals(scene, diagnostics);
  for (const ConstraintsMessage& each : request.goals) goals.add(each);
  if (request.goals.empty()) diagnostics.error("the request has no goal", request.position, "give goal_constraints");
  return goals.take();
}

void problemPath(const ConstraintsMessage& path, ProblemScene& scene, PlanSpaceDescription& space,
                 Diagnostics& diagnostics) {
  double tolerance = kInfinity;
  space.keep = Converter(scene, diagnostics).linkGoals(path, true, tolerance);
  if (!space.keep.empty() && std::isfinite(tolerance)) space.keepTolerance = std::max(tolerance, 1e-6);
}

}  // namespace mortise::io_moveit
