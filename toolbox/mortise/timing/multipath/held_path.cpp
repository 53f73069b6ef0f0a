#include "mortise/timing/multipath/held_path.h"

#include <algorithm>
#include <map>
#include <optional>

#include "mortise/base/error.h"
#include "mortise/ik/equations/ik_equations.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

/// Findings from the samples of a section.
struct Samples {
  std::vector<std::vector<LinkContact>> contacts;  ///< With the world, by sample.
  std::vector<std::map<int, RigidTransform>> poses;

  std::vector<ContactPoint> of(std::size_t sample, int link) const {
    std::vector<ContactPoint> points;
    for (const LinkContact& contact : contacts[sample])
      if (contact.link == link) points.push_back(contact.point);
    return points;
  }
  std::vector<ContactPoint> largestSet(int link) const {
    std::vector<ContactPoint> maximum;
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (std::vector<ContactPoint> points = of(i, link); points.size() > maximum.size()) maximum = std::move(points);
    return maximum;
  }
};

std::vector<std::size_t> sampledMilestones(std::size_t count, int samples) {
  std::vector<std::size_t> indices;
  const auto maximum = static_cast<std::size_t>(std::max(samples, 2)) - 1;
  for (std::size_t i = 0; i <= maximum; ++i) {
    const std::size_t index = (count - 1) * i / maximum;
    if (indices.empty() || indices.back() != index) indices.push_back(index);
  }
  return indices;
}

Samples samplesOf(RobotDynamics& dynamics, const MultiPath::Section& section, const ContactsAt& contactsAt,
                  int samples) {
  Samples result;
  for (const std::size_t i : sampledMilestones(section.milestones.size(), samples)) {
    const VectorXd& q = section.milestones[i];
    std::vector<LinkContact> contacts = contactsAt(q);
    std::erase_if(contacts, [](const LinkContact& contact) { return contact.target >= 0; });
    dynamics.setPosition(q);
    std::map<int, RigidTransform> poses;
    for (int link = 0; link < dynamics.robot().numLinks(); ++link) poses[link] = dynamics.X_WL(link);
    result.contacts.push_back(std::move(contacts));
    result.poses.push_back(std::move(poses));
  }
  return result;
}

bool staysAt(const RigidTransform& a, const RigidTransform& b, const HeldPathOptions& options) {
  return (a.p - b.p).norm() <= options.stays && momentFromRotation(a.R.transpose() * b.R).norm() <= options.turns;
}

bool carriedByOneOf(const Robot& robot, int link, const std::vector<int>& others) {
  for (int parent = robot.link(link).parent; parent >= 0; parent = robot.link(parent).parent)
    if (std::find(others.begin(), others.end(), parent) != others.end()) return true;
  return false;
}

/// Links that touch at all samples and stay where they are at the first one.
std::vector<int> standingLinks(const Samples& samples, const HeldPathOptions& options) {
  std::vector<int> links;
  for (const LinkContact& contact : samples.contacts.front()) {
    const int link = contact.link;
    if (std::find(links.begin(), links.end(), link) != links.end()) continue;
    bool stays = true;
    for (std::size_t i = 0; i < samples.contacts.size() && stays; ++i)
      stays =
          !samples.of(i, link).empty() && staysAt(samples.poses.front().at(link), samples.poses[i].at(link), options);
    if (stays) links.push_back(link);
  }
  std::sort(links.begin(), links.end());
  return links;
}

/// Returns those nearest to the base, of links that carry each other, such as a palm and its fingers.
std::vector<int> nearestToBase(const Robot& robot, const std::vector<int>& links) {
  std::vector<int> held;
  for (const int link : links)
    if (!carriedByOneOf(robot, link, links)) held.push_back(link);
  return held;
}

IKGoal fixedAt(int link, const RigidTransform& X_WL) {
  IKGoal goal;
  goal.link = link;
  goal.position = IKGoal::Position::point;
  goal.p_DP = X_WL.p;
  goal.rotation = IKGoal::Rotation::fixed;
  goal.rotationVector_DL = momentFromRotation(X_WL.R);
  return goal;
}

/// The goal that a neighboring section has for a link, where the link is at it.
std::optional<IKGoal> neighborsGoal(const RobotPtr& robot, const MultiPath& path, std::size_t section, int link,
                                    const HeldPathOptions& options) {
  for (const std::size_t other : {section + 1, section - 1}) {
    if (other >= path.sections.size()) continue;
    for (const IKGoal& goal : path.goalsOf(other)) {
      if (goal.link != link || goal.destination >= 0 || numEquations(goal) != 6) continue;
      IKEquations equations(robot, termsOf({goal}), linkVariables(*robot));
      VectorXd r(equations.size());
      equations.residual(path.sections[section].milestones.front().data(), r.data());
      if (r.head(3).norm() <= options.stays && r.tail(3).norm() <= options.turns) return goal;
    }
  }
  return std::nullopt;
}

bool hasContacts(const std::vector<Hold>& holds) {
  return std::any_of(holds.begin(), holds.end(), [](const Hold& hold) { return !hold.contacts.empty(); });
}

/// Makes a hold of each goal in the world whose link touches, in a section with goals.
void holdGoals(const Samples& samples, MultiPath::Section& section, HeldPath::Section& out) {
  std::vector<IKGoal> rest;
  for (IKGoal& goal : section.goals) {
    std::vector<ContactPoint> points =
        goal.destination < 0 ? samples.largestSet(goal.link) : std::vector<ContactPoint>();
    const bool held = std::any_of(section.holds.begin(), section.holds.end(),
                                  [&](const Hold& hold) { return hold.link == goal.link; });
    if (points.empty() || held) {
      if (points.empty() && goal.destination < 0) out.bare.push_back(goal.link);
      rest.push_back(std::move(goal));
      continue;
    }
    out.links.push_back(goal.link);
    out.contacts += static_cast<int>(points.size());
    section.holds.push_back({goal.link, std::move(points), std::move(goal)});
  }
  section.goals = std::move(rest);
}

/// Returns the pose of the link that a goal keeps in place; nothing for goals that leave it some freedom.
std::optional<RigidTransform> poseAt(const IKGoal& goal) {
  if (goal.destination >= 0 || numEquations(goal) != 6) return std::nullopt;
  const Matrix3d R = rotationFromMoment(goal.rotationVector_DL);
  return RigidTransform(R, goal.p_DP - R * goal.p_LP);
}

/// Holds what is carried by a link that is held, and touches and stays as well, such as fingers around a rail, and
/// bears forces of its own: each keeps its origin where it is when the link that carries it is at its goal.
void holdCarried(const Robot& robot, const Samples& samples, const HeldPathOptions& options,
                 MultiPath::Section& section, HeldPath::Section& out) {
  const std::vector<Hold> carriers = section.holds;
  for (const int link : standingLinks(samples, options)) {
    const auto carrier = std::find_if(carriers.begin(), carriers.end(),
                                      [&](const Hold& hold) { return carriedByOneOf(robot, link, {hold.link}); });
    const bool held =
        std::any_of(section.holds.begin(), section.holds.end(), [&](const Hold& hold) { return hold.link == link; });
    if (held || carrier == carriers.end()) continue;
    const auto& poses = samples.poses.front();
    RigidTransform X_WL = poses.at(link);
    if (const std::optional<RigidTransform> X_WC = poseAt(carrier->goal))
      X_WL = *X_WC * poses.at(carrier->link).inverse() * X_WL;
    IKGoal goal;
    goal.link = link;
    goal.position = IKGoal::Position::point;
    goal.p_DP = X_WL.p;
    std::vector<ContactPoint> points = samples.largestSet(link);
    out.links.push_back(link);
    out.contacts += static_cast<int>(points.size());
    section.holds.push_back({link, std::move(points), goal});
  }
}

}  // namespace

HeldPath withHolds(const RobotPtr& robot, const MultiPath& path, const ContactsAt& contactsAt,
                   const HeldPathOptions& options) {
  if (const std::string problem = path.problem(); !problem.empty()) throw Error(problem);
  HeldPath result{path, std::vector<HeldPath::Section>(path.sections.size())};
  RobotDynamics dynamics(robot);
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    MultiPath::Section& section = result.path.sections[s];
    HeldPath::Section& out = result.sections[s];
    if (const std::vector<Hold> holds = path.holdsOf(s); hasContacts(holds)) {
      for (const Hold& hold : holds) {
        out.links.push_back(hold.link);
        out.contacts += static_cast<int>(hold.contacts.size());
      }
      continue;
    }
    out.found = true;
    const Samples samples = samplesOf(dynamics, section, contactsAt, options.samples);
    if (!path.goalsOf(s).empty()) {
      holdGoals(samples, section, out);
    } else {
      for (const int link : nearestToBase(*robot, standingLinks(samples, options))) {
        std::vector<ContactPoint> points = samples.largestSet(link);
        out.links.push_back(link);
        out.contacts += static_cast<int>(points.size());
        const std::optional<IKGoal> goal = neighborsGoal(robot, path, s, link, options);
        section.holds.push_back(
            {link, std::move(points), goal ? *goal : fixedAt(link, samples.poses.front().at(link))});
      }
    }
    holdCarried(*robot, samples, options, section, out);
    if (out.links.empty() && out.bare.empty())
      throw Error(
          "nothing holds the robot in section " + std::to_string(s) + ": no link touches the world all along it", {},
          "surfaces farther apart than the distance of touch do not touch (--touch); or leave contacts out");
  }
  return result;
}

}  // namespace mortise
