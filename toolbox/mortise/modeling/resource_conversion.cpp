#include "mortise/modeling/resource_conversion.h"

#include <algorithm>
#include <map>

#include "mortise/base/error.h"
#include "mortise/component/resource.h"
#include "mortise/text/article.h"

namespace mortise {

namespace {

void lose(Diagnostics& diagnostics, const std::string& what) { diagnostics.warning(what + " are lost"); }

bool allZero(const std::vector<VectorXd>& list) {
  return std::all_of(list.begin(), list.end(), [](const VectorXd& v) { return v.isZero(0); });
}

/// Returns the place of a milestone in [0, 1] on a path without times: all sections are equally long, and milestones
/// are evenly spaced within each.
double timeWithout(const MultiPath& path, std::size_t section, std::size_t milestone) {
  const double last = static_cast<double>(path.sections[section].milestones.size() - 1);
  return (static_cast<double>(section) + static_cast<double>(milestone) / last) /
         static_cast<double>(path.sections.size());
}

std::vector<double> secondsApart(std::size_t count) {
  std::vector<double> times(count);
  for (std::size_t i = 0; i < count; ++i) times[i] = static_cast<double>(i);
  return times;
}

[[noreturn]] void refuse(const std::string& why, const std::string& hint = {}) {
  throw Error("this cannot be converted: " + why, {}, hint);
}

void requireOneLength(const std::vector<VectorXd>& list) {
  if (list.empty()) refuse("there are no configurations");
  for (const VectorXd& q : list)
    if (q.size() != list.front().size())
      refuse("configurations have " + std::to_string(list.front().size()) + " and " + std::to_string(q.size()) +
             " numbers");
}

template <typename T>
const T& only(const std::vector<T>& list, const std::string& what) {
  if (list.size() != 1) refuse("there are " + std::to_string(list.size()) + " " + what + ", not one");
  return list.front();
}

/// The configuration of a motion that never moves.
const VectorXd& onlyConfiguration(const std::vector<VectorXd>& list) {
  if (list.empty()) refuse("there are no configurations");
  for (const VectorXd& q : list)
    if (q.size() != list.front().size() || q != list.front())
      refuse("there are " + std::to_string(list.size()) + " configurations, not one",
             "a file that ends in .configs takes all of them, .path their times as well; `mortise path eval FILE --at "
             "TIME` prints one");
  return list.front();
}

/// All milestones in a row, with the times that Klamp't gives to a path that has none: from 0 to 1. A section that
/// begins exactly where the one before ended does not repeat it.
HermiteTrajectory joined(const MultiPath& path) {
  if (const std::string problem = path.problem(); !problem.empty()) refuse(problem);
  HermiteTrajectory all;
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    const MultiPath::Section& section = path.sections[s];
    for (std::size_t i = 0; i < section.milestones.size(); ++i) {
      const VectorXd v = section.velocities.empty() ? VectorXd::Zero(path.dimension()) : section.velocities[i];
      const double t = path.timed() ? section.times[i] : timeWithout(path, s, i);
      const bool repeats = i == 0 && !all.configurations.empty() &&
                           all.configurations.back() == section.milestones[0] && all.velocities.back() == v &&
                           all.times.back() == t;
      if (repeats) continue;
      all.configurations.push_back(section.milestones[i]);
      all.velocities.push_back(v);
      all.times.push_back(t);
    }
  }
  return all;
}

void loseConstraints(const MultiPath& path, Diagnostics& diagnostics) {
  bool constraints = !path.holds.empty(), settings = !path.settings.empty();
  for (const MultiPath::Section& section : path.sections) {
    constraints = constraints || !section.goals.empty() || !section.holds.empty();
    settings = settings || !section.settings.empty();
  }
  if (constraints) lose(diagnostics, "goals and holds of the path");
  if (settings) lose(diagnostics, "settings of the path");
  if (path.sections.size() > 1) lose(diagnostics, "bounds of the path's sections");
}

bool hasVelocities(const MultiPath& path) {
  return std::any_of(path.sections.begin(), path.sections.end(),
                     [](const MultiPath::Section& section) { return !allZero(section.velocities); });
}

MultiPath oneSection(std::vector<double> times, std::vector<VectorXd> milestones, std::vector<VectorXd> velocities) {
  requireOneLength(milestones);
  if (milestones.size() < 2) refuse("a path needs two configurations at least");
  MultiPath path;
  MultiPath::Section section;
  section.times = std::move(times);
  section.milestones = std::move(milestones);
  section.velocities = std::move(velocities);
  path.sections.push_back(std::move(section));
  return path;
}

Hold holdOf(const IKGoal& goal) {
  Hold hold;
  hold.link = goal.link;
  hold.goal = goal;
  return hold;
}

Grasp graspOf(const Stance& stance) {
  Grasp grasp;
  for (const Hold& hold : stance.holds) {
    grasp.goals.push_back(hold.goal);
    for (const ContactPoint& point : hold.contacts) grasp.contacts.push_back({hold.link, point, std::nullopt});
  }
  return grasp;
}

Stance stanceOf(const Grasp& grasp, Diagnostics& diagnostics) {
  Stance stance;
  for (const IKGoal& goal : grasp.goals) {
    for (const Hold& hold : stance.holds)
      if (hold.link == goal.link) refuse("the grasp has two goals for link " + std::to_string(goal.link));
    stance.holds.push_back(holdOf(goal));
  }
  for (const Grasp::Contact& contact : grasp.contacts) {
    auto hold = std::find_if(stance.holds.begin(), stance.holds.end(),
                             [&](const Hold& known) { return known.link == contact.link; });
    if (hold == stance.holds.end()) {
      IKGoal goal;  // Klamp't leaves such a hold free as well.
      goal.link = contact.link;
      hold = stance.holds.insert(stance.holds.end(), holdOf(goal));
    }
    hold->contacts.push_back(contact.point);
  }
  if (!grasp.fixed.empty()) lose(diagnostics, "the grasp's fixed degrees of freedom");
  if (std::any_of(grasp.contacts.begin(), grasp.contacts.end(),
                  [](const Grasp::Contact& contact) { return contact.force_W.has_value(); }))
    lose(diagnostics, "the grasp's forces");
  if (grasp.object >= 0 || grasp.robot != 0) lose(diagnostics, "the numbers of the grasp's robot and object");
  return stance;
}

IKGoal goalOf(const Hold& hold, Diagnostics& diagnostics) {
  if (!hold.contacts.empty()) lose(diagnostics, "contact points");
  return hold.goal;
}

/// One function a pair of kinds, by the type of what comes in.
struct Converter {
  FileContent kind;
  Diagnostics& diagnostics;

  Resource operator()(const VectorXd& q) const {
    if (kind == FileContent::configurations) return ConfigurationList{{q}};
    if (kind == FileContent::numbers) return std::vector<double>(q.data(), q.data() + q.size());
    if (kind == FileContent::vector3 && q.size() == 3) return Vector3d(q);
    refuse("it has " + std::to_string(q.size()) + " numbers");
  }
  Resource operator()(const ConfigurationList& list) const {
    if (kind == FileContent::configuration) return onlyConfiguration(list.configurations);
    if (kind == FileContent::multipath) return oneSection({}, list.configurations, {});
    requireOneLength(list.configurations);
    return Trajectory{secondsApart(list.configurations.size()), list.configurations};
  }
  Resource operator()(const Trajectory& path) const {
    if (kind == FileContent::multipath) return oneSection(path.times, path.configurations, {});
    if (kind == FileContent::configuration) return onlyConfiguration(path.configurations);
    if (path.times != secondsApart(path.times.size())) lose(diagnostics, "times");
    return ConfigurationList{path.configurations};
  }
  Resource operator()(const HermiteTrajectory& path) const {
    if (kind == FileContent::multipath) return oneSection(path.times, path.configurations, path.velocities);
    if (kind == FileContent::configuration) return onlyConfiguration(path.configurations);
    if (!allZero(path.velocities)) lose(diagnostics, "velocities");
    if (kind == FileContent::trajectory) return Trajectory{path.times, path.configurations};
    if (path.times != secondsApart(path.times.size())) lose(diagnostics, "times");
    return ConfigurationList{path.configurations};
  }
  Resource operator()(const MultiPath& path) const {
    HermiteTrajectory all = joined(path);
    if (kind == FileContent::configuration) return onlyConfiguration(all.configurations);
    loseConstraints(path, diagnostics);
    const auto sayTimes = [&] {
      if (!path.timed())
        diagnostics.note("the path has no times; as in Klamp't it takes 1 s, and all its sections are equally long", {},
                         "the stage `retime` of a pipeline finds times within the limits of the robot");
    };
    if (kind == FileContent::hermiteTrajectory) {
      for (const MultiPath::Section& section : path.sections)
        if (section.velocities.empty())
          refuse("not every section has velocities",
                 "a file that ends in .path or .configs needs none, or give every milestone its 'velocity'");
      sayTimes();
      return all;
    }
    if (hasVelocities(path)) lose(diagnostics, "velocities");
    if (kind == FileContent::trajectory) {
      sayTimes();
      return Trajectory{std::move(all.times), std::move(all.configurations)};
    }
    if (path.timed()) lose(diagnostics, "times");
    return ConfigurationList{std::move(all.configurations)};
  }
  Resource operator()(const IKGoal& goal) const {
    if (kind == FileContent::hold) return holdOf(goal);
    const Stance stance{{holdOf(goal)}};
    if (kind == FileContent::stance) return stance;
    return graspOf(stance);
  }
  Resource operator()(const Hold& hold) const {
    if (kind == FileContent::ikGoal) return goalOf(hold, diagnostics);
    const Stance stance{{hold}};
    if (kind == FileContent::stance) return stance;
    return graspOf(stance);
  }
  Resource operator()(const Stance& stance) const {
    if (kind == FileContent::grasp) return graspOf(stance);
    const Hold& hold = only(stance.holds, "holds");
    if (kind == FileContent::hold) return hold;
    return goalOf(hold, diagnostics);
  }
  Resource operator()(const Grasp& grasp) const {
    const Stance stance = stanceOf(grasp, diagnostics);
    if (kind == FileContent::stance) return stance;
    return (*this)(stance);
  }
  Resource operator()(const Vector3d& v) const {
    if (kind == FileContent::numbers) return std::vector<double>{v[0], v[1], v[2]};
    return VectorXd(v);
  }
  Resource operator()(const Matrix3d& R) const {
    if (kind == FileContent::transform) return RigidTransform::rotation(R);
    return Eigen::MatrixXd(R);
  }
  Resource operator()(const RigidTransform& X) const {
    if (!X.p.isZero(0)) diagnostics.warning("the translation is lost");
    return X.R;
  }
  Resource operator()(const Eigen::MatrixXd& M) const {
    if (M.rows() != 3 || M.cols() != 3)
      refuse("the matrix is " + std::to_string(M.rows()) + " by " + std::to_string(M.cols()));
    return Matrix3d(M);
  }
  Resource operator()(const std::vector<int>& numbers) const {
    if (kind == FileContent::numbers) return std::vector<double>(numbers.begin(), numbers.end());
    VectorXd q(static_cast<Eigen::Index>(numbers.size()));
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = numbers[static_cast<std::size_t>(i)];
    return q;
  }
  Resource operator()(const std::vector<double>& numbers) const {
    const Eigen::Map<const VectorXd> q(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
    if (kind == FileContent::configuration) return VectorXd(q);
    if (q.size() != 3) refuse("there are " + std::to_string(q.size()) + " numbers, not three");
    return Vector3d(q);
  }
  template <typename T>
  Resource operator()(const T&) const {
    refuse("there is nothing like it");
  }
};

}  // namespace

std::vector<FileContent> convertibleKinds(FileContent kind) {
  using enum FileContent;
  static const std::map<FileContent, std::vector<FileContent>> kConversions = {
      {configuration, {configurations, numbers, vector3}},
      {configurations, {multipath, trajectory, configuration}},
      {trajectory, {multipath, configurations, configuration}},
      {hermiteTrajectory, {multipath, trajectory, configurations, configuration}},
      {multipath, {hermiteTrajectory, trajectory, configurations, configuration}},
      {ikGoal, {hold, stance, grasp}},
      {hold, {stance, grasp, ikGoal}},
      {stance, {grasp, hold, ikGoal}},
      {grasp, {stance, hold, ikGoal}},
      {vector3, {configuration, numbers}},
      {matrix3, {matrix, transform}},
      {transform, {matrix3}},
      {matrix, {matrix3}},
      {integers, {numbers, configuration}},
      {numbers, {configuration, vector3}}};
  std::vector<FileContent> kinds{kind};
  if (const auto at = kConversions.find(kind); at != kConversions.end())
    kinds.insert(kinds.end(), at->second.begin(), at->second.end());
  return kinds;
}

bool isConvertible(FileContent from, FileContent to) {
  const std::vector<FileContent> kinds = convertibleKinds(from);
  return std::find(kinds.begin(), kinds.end(), to) != kinds.end();
}

Resource convertResource(const Resource& resource, FileContent kind, Diagnostics& diagnostics) {
  const FileContent from = contentOf(resource);
  if (from == kind) return resource;
  if (!isConvertible(from, kind)) {
    const std::vector<FileContent> possible = convertibleKinds(from);
    std::string others;
    for (std::size_t i = 1; i < possible.size(); ++i)
      others += (i > 1 ? ", " : "") + std::string(contentName(possible[i]));
    throw Error(withArticle(contentName(from)) + " does not become " + withArticle(contentName(kind)), {},
                others.empty() ? std::string() : "it can become: " + others);
  }
  return std::visit(Converter{kind, diagnostics}, resource);
}

}  // namespace mortise
