#include "mortise/inspect/motion_info.h"

#include <iomanip>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/values.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/text/article.h"

namespace mortise::inspect {

namespace {

int count(std::size_t size) { return static_cast<int>(size); }

Value sectionInfo(const MultiPath::Section& section) {
  Value info = Value::map();
  info.set("milestones", count(section.milestones.size()));
  info.set("times", count(section.times.size()));
  info.set("velocities", count(section.velocities.size()));
  info.set("ikGoals", count(section.goals.size()));
  info.set("holds", count(section.holds.size()));
  info.set("holdIndices", count(section.holdIndices.size()));
  info.set("holdNames", count(section.holdNames.size()));
  return info;
}

/// "1 section", "2 sections".
std::string counted(std::size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Milestones in a row.
std::vector<const VectorXd*> milestones(const Resource& resource) {
  std::vector<const VectorXd*> all;
  const auto add = [&all](const std::vector<VectorXd>& list) {
    for (const VectorXd& q : list) all.push_back(&q);
  };
  if (const auto* path = std::get_if<Trajectory>(&resource)) add(path->configurations);
  if (const auto* path = std::get_if<HermiteTrajectory>(&resource)) add(path->configurations);
  if (const auto* path = std::get_if<MultiPath>(&resource))
    for (const MultiPath::Section& section : path->sections) add(section.milestones);
  return all;
}

}  // namespace

bool Motion::holds(FileContent kind) {
  return kind == FileContent::trajectory || kind == FileContent::hermiteTrajectory || kind == FileContent::multipath ||
         kind == FileContent::configurations;
}

Motion::Motion(Resource resource) : resource_(std::move(resource)) {
  if (!holds(kind())) throw Error(withArticle(contentName(kind())) + " is not a motion");
  Diagnostics nothingLost;
  if (kind() == FileContent::configurations)
    resource_ = convertResource(resource_, FileContent::trajectory, nothingLost);
  if (const auto* path = std::get_if<MultiPath>(&resource_))
    if (const std::string problem = path->problem(); !problem.empty()) throw Error(problem);
  if (milestones(resource_).empty()) throw Error("the motion has no configurations");
}

Eigen::Index Motion::dimension() const { return milestones(resource_).front()->size(); }

std::size_t Motion::numMilestones() const { return milestones(resource_).size(); }

double Motion::startTime() const {
  if (const auto* path = std::get_if<Trajectory>(&resource_)) return path->startTime();
  if (const auto* path = std::get_if<HermiteTrajectory>(&resource_)) return path->startTime();
  return std::get<MultiPath>(resource_).startTime();
}

double Motion::endTime() const {
  if (const auto* path = std::get_if<Trajectory>(&resource_)) return path->endTime();
  if (const auto* path = std::get_if<HermiteTrajectory>(&resource_)) return path->endTime();
  return std::get<MultiPath>(resource_).endTime();
}

int Motion::evaluate(double t, VectorXd& q, VectorXd& dq, PathInterpolation interpolation) const {
  if (const auto* path = std::get_if<MultiPath>(&resource_)) return evaluatePath(*path, t, interpolation, q, dq);
  if (const auto* path = std::get_if<Trajectory>(&resource_)) path->evaluate(t, q, dq);
  if (const auto* path = std::get_if<HermiteTrajectory>(&resource_)) path->evaluate(t, q, dq);
  return 0;
}

Value motionInfo(const Motion& motion) {
  const auto all = milestones(motion.resource());
  Value info = Value::map();
  info.set("type", contentName(motion.kind()));
  info.set("n", count(all.size()));
  info.set("dim", static_cast<int>(motion.dimension()));
  info.set("start_time", motion.startTime());
  info.set("end_time", motion.endTime());
  info.set("duration", motion.endTime() - motion.startTime());
  if (const auto* path = std::get_if<MultiPath>(&motion.resource())) {
    info.set("sections", count(path->sections.size()));
    info.set("timed", path->timed());
    info.set("continuous", path->continuous());
    Value settings = Value::map(), sections = Value::list();
    for (const auto& [name, value] : path->settings) settings.set(name, Value(value));
    for (const MultiPath::Section& section : path->sections) sections.push_back(sectionInfo(section));
    info.set("settings", std::move(settings));
    info.set("num_global_holds", count(path->holds.size()));
    info.set("section_info", std::move(sections));
  }
  info.set("start", list(*all.front()));
  info.set("end", list(*all.back()));
  return info;
}

std::string motionText(const Motion& motion, const std::string& file, const Robot* robot) {
  const auto all = milestones(motion.resource());
  std::ostringstream out;
  const auto* path = std::get_if<MultiPath>(&motion.resource());
  out << file << ": " << contentName(motion.kind()) << ", " << counted(all.size(), "milestone") << " of "
      << motion.dimension() << " numbers, from " << formatReal(motion.startTime(), 7) << " to "
      << formatReal(motion.endTime(), 7) << (path == nullptr || path->timed() ? " s" : " (no times)") << "\n";
  if (path != nullptr) {
    out << "  " << counted(path->sections.size(), "section") << ", "
        << (path->continuous() ? "continuous" : "not continuous") << ", " << counted(path->holds.size(), "hold")
        << " of the whole path\n";
    for (const auto& [name, value] : path->settings) out << "  " << name << " = " << value << "\n";
    for (std::size_t i = 0; i < path->sections.size(); ++i) {
      const MultiPath::Section& section = path->sections[i];
      out << "  section " << i << ": " << counted(section.milestones.size(), "milestone");
      if (!section.times.empty())
        out << ", " << formatReal(section.times.front(), 7) << " to " << formatReal(section.times.back(), 7) << " s";
      out << (section.velocities.empty() ? ", no velocities" : ", with velocities") << ", "
          << counted(section.goals.size(), "goal") << ", "
          << counted(section.holds.size() + section.holdIndices.size() + section.holdNames.size(), "hold") << "\n";
    }
  }
  out << "  coordinate                      from            to           min           max\n";
  for (Eigen::Index i = 0; i < motion.dimension(); ++i) {
    double low = (*all.front())[i], high = low;
    for (const VectorXd* q : all) {
      low = std::min(low, (*q)[i]);
      high = std::max(high, (*q)[i]);
    }
    const std::string name = robot != nullptr ? robot->link(static_cast<int>(i)).name : std::to_string(i);
    out << "  " << std::left << std::setw(22) << name << std::right << std::setprecision(6);
    for (const double value : {(*all.front())[i], (*all.back())[i], low, high}) out << std::setw(14) << value;
    if (robot != nullptr) {
      const Link& link = robot->link(static_cast<int>(i));
      if (low < link.qMin || high > link.qMax) out << "  outside the joint's range";
    }
    out << "\n";
  }
  return out.str();
}

Value motionSample(const Motion& motion, double t, PathInterpolation interpolation) {
  VectorXd q(motion.dimension()), dq(motion.dimension());
  const int section = motion.evaluate(t, q, dq, interpolation);
  Value sample = Value::map();
  sample.set("t", t);
  if (motion.kind() == FileContent::multipath) sample.set("section", section);
  sample.set("q", list(q));
  sample.set("dq", list(dq));
  return sample;
}

}  // namespace mortise::inspect
