#include "mortise/planning/path_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/collision/world_collider.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/planning/motion_file.h"
#include "mortise/text/suggest.h"
#include "mortise/timing/multipath/constrained_curve.h"

namespace mortise {

namespace {

std::string percent(double fraction) { return formatReal(std::round(fraction * 1000) / 10) + " %"; }

std::string seconds(const Value& value) { return formatReal(std::round(value.asReal() * 1e6) / 1e6) + " s"; }

/// "1 section", "3 sections".
std::string counted(const Value& number, const char* what) {
  return number.text() + " " + what + (number.asInteger() == 1 ? "" : "s");
}

std::string listed(const Value& names) {
  std::string text;
  const std::vector<std::string> all = names.asStrings();
  constexpr std::size_t kShown = 6;
  for (std::size_t i = 0; i < all.size() && i < kShown; ++i) text += (i > 0 ? ", " : "") + all[i];
  return all.size() > kShown ? text + ", and " + std::to_string(all.size() - kShown) + " more" : text;
}

}  // namespace

MultiPath multiPathOf(const Resource& motion) {
  if (const auto* path = std::get_if<MultiPath>(&motion)) return *path;
  Diagnostics nothing;
  if (const auto* path = std::get_if<Trajectory>(&motion); path != nullptr && path->configurations.size() == 1)
    return multiPathOf(Resource(Trajectory{{path->times[0], path->times[0]}, {2, path->configurations[0]}}));
  return std::get<MultiPath>(convertResource(motion, FileContent::multipath, nothing));
}

std::vector<VectorXd> milestonesOf(const MultiPath& path) {
  std::vector<VectorXd> all;
  for (const MultiPath::Section& section : path.sections)
    for (const VectorXd& q : section.milestones)
      if (all.empty() || &q != &section.milestones.front() || q != all.back()) all.push_back(q);
  return all;
}

Value timingReport(const MultiPathTiming& timing) {
  Value report = Value::map(), peak = Value::map();
  report.set("duration", timing.duration);
  report.set("duration_before", timing.durationBefore);
  peak.set("velocity", timing.peakVelocity);
  peak.set("acceleration", timing.peakAcceleration);
  peak.set("torque", timing.peakTorque);
  if (timing.peakJerk > 0) peak.set("jerk", timing.peakJerk);
  report.set("peak", std::move(peak));
  if (timing.peakJerk > 0) report.set("jerk_deviation", timing.jerkDeviation);
  report.set("segments", timing.segments);
  report.set("stretch", timing.stretch);
  report.set("unlimited", Value(timing.unbounded));
  report.set("assumed", Value(timing.assumed));
  return report;
}

std::string timingText(const Value& report) {
  std::ostringstream out;
  const Value& peak = report.at("peak");
  out << "duration       " << seconds(report.at("duration")) << ", before " << seconds(report.at("duration_before"))
      << "\n"
      << "peak           velocity " << percent(peak.at("velocity").asReal()) << " of its limit, acceleration "
      << percent(peak.at("acceleration").asReal()) << ", torque " << percent(peak.at("torque").asReal());
  if (const Value* jerk = peak.find("jerk"))
    out << ", jerk " << percent(jerk->asReal()) << "\ndeviation      "
        << formatReal(report.at("jerk_deviation").asReal(), 3)
        << " rad or m from where the motion without a limit of jerk was";
  out << "\n";
  if (report.at("unlimited").size() > 0) out << "without limit  " << listed(report.at("unlimited")) << "\n";
  if (report.at("assumed").size() > 0)
    out << "assumed        acceleration of " << listed(report.at("assumed")) << ", by --ramp-up\n";
  if (const Value* file = report.find("file")) out << "written        " << file->text() << "\n";
  return out.str();
}

Value pathReport(const MultiPath& before, const MultiPath& after) {
  const auto milestones = [](const MultiPath& path) {
    std::size_t count = 0;
    for (const MultiPath::Section& section : path.sections) count += section.milestones.size();
    return static_cast<int>(count);
  };
  Value report = Value::map();
  report.set("sections", static_cast<int>(after.sections.size()));
  report.set("milestones", milestones(after));
  report.set("milestones_before", milestones(before));
  report.set("timed", after.timed());
  report.set("duration", after.duration());
  return report;
}

std::string pathReportText(const Value& report) {
  std::ostringstream out;
  out << counted(report.at("sections"), "section") << ", " << counted(report.at("milestones"), "milestone")
      << ", before " << report.at("milestones_before").asInteger();
  if (report.at("timed").asBool()) out << ", " << seconds(report.at("duration"));
  out << "\n";
  if (const Value* file = report.find("file")) out << "written " << file->text() << "\n";
  return out.str();
}

Value constrainedSamples(const RobotPtr& robot, const MultiPath& given, const std::vector<double>& times,
                         PathInterpolation interpolation) {
  const MultiPath path = unwrapped(robot, given);
  Value report = Value::map(), samples = Value::list();
  VectorXd q(path.dimension()), dq(path.dimension());
  const auto list = [](const VectorXd& v) { return Value(std::vector<double>(v.data(), v.data() + v.size())); };
  for (const double t : times) {
    const int section = evaluatePath(path, t, interpolation, q, dq);
    const int last = static_cast<int>(path.sections.size()) - 1;
    GoalResidual goals(robot, path.goalsOf(static_cast<std::size_t>(std::clamp(section, 0, last))));
    const double residual = goals.at(q);
    if (!goals.project(q))
      throw Error("at " + formatReal(t, 6) + " the links cannot be moved to their goals, from which they are " +
                      formatReal(residual, 4) + " (m or rad)",
                  {}, "`mortise path discretize` adds milestones in between");
    goals.keep(q, dq);
    Value sample = Value::map();
    sample.set("t", t);
    sample.set("section", std::clamp(section, 0, last));  // Before and after the path its ends.
    sample.set("q", list(q));
    sample.set("dq", list(dq));
    sample.set("residual", residual);
    samples.push_back(std::move(sample));
  }
  report.set("samples", std::move(samples));
  return report;
}

Value writeParts(FormatLoader& loader, const std::string& output, const std::vector<MultiPath>& parts,
                 Diagnostics& diagnostics) {
  const std::filesystem::path full(output);
  Value report = Value::map(), list = Value::list();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string name = full.stem().string() + "_" + std::to_string(i) + full.extension().string();
    const std::string file = (full.parent_path() / name).string();
    writeMotion(loader, file, parts[i], 1e-4, diagnostics);
    Value part = pathReport(parts[i], parts[i]);
    part.set("file", file);
    list.push_back(std::move(part));
  }
  report.set("parts", std::move(list));
  return report;
}

std::string partsText(const Value& report) {
  std::ostringstream out;
  const Value& parts = report.at("parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out << parts[i].at("file").text() << ": " << counted(parts[i].at("milestones"), "milestone");
    if (parts[i].at("timed").asBool()) out << ", " << seconds(parts[i].at("duration"));
    out << "\n";
  }
  return out.str();
}

RobotPtr useWorld(const std::shared_ptr<const World>& world, const RobotPtr& robot, const MultiPath& path,
                  MultiPathCheckOptions& options) {
  int index = -1;
  for (int i = 0; i < static_cast<int>(world->robots.size()); ++i) {
    const Robot& candidate = *world->robots[static_cast<std::size_t>(i)].robot;
    if (robot ? candidate.name() != robot->name() : candidate.numLinks() != path.dimension()) continue;
    if (index >= 0)
      throw Error("the path may be of robot '" + world->robots[static_cast<std::size_t>(index)].name + "' or '" +
                      world->robots[static_cast<std::size_t>(i)].name + "'",
                  {}, "name the one with --robot");
    index = i;
  }
  if (index < 0) {
    std::vector<std::string> names;
    for (const WorldRobot& other : world->robots)
      if (other.robot->numLinks() == path.dimension()) names.push_back(other.robot->name());
    throw Error(robot ? "the world has no robot '" + robot->name() + "'"
                      : "the world has no robot with " + std::to_string(path.dimension()) + " links",
                {}, names.empty() ? "" : listNames(names) + "; without --robot the path is taken to be of that one");
  }
  const RobotPtr own = world->robots[static_cast<std::size_t>(index)].robot;
  std::vector<std::vector<char>> holding;
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    holding.emplace_back(static_cast<std::size_t>(own->numLinks()), char(0));
    for (const IKGoal& goal : path.goalsOf(s))
      if (goal.link >= 0 && goal.link < own->numLinks()) holding.back()[static_cast<std::size_t>(goal.link)] = 1;
  }
  auto state = std::make_shared<WorldCollisionState>(std::make_shared<const WorldCollider>(world));
  options.collision = [=, pairs = std::vector<IdPair>()](int section, const VectorXd& q) mutable {
    state->setConfiguration(index, q);
    const auto held = [&](int id) {
      const int link = id - world->linkId(index, 0);
      return link >= 0 && link < own->numLinks() &&
             holding[static_cast<std::size_t>(section)][static_cast<std::size_t>(link)] != 0;
    };
    const auto ours = [&](int id) {
      return id >= world->linkId(index, 0) && id < world->linkId(index, 0) + own->numLinks();
    };
    pairs.clear();
    state->collisions(IdFilter::robots(index), IdFilter::everything(), pairs);
    for (const IdPair& pair : pairs) {
      const bool outside = !ours(pair.a) || !ours(pair.b);
      if (outside && (held(pair.a) || held(pair.b))) continue;
      return world->nameOf(pair.a) + " collides with " + world->nameOf(pair.b);
    }
    return std::string();
  };
  return own;
}

Value checkReport(const MultiPathCheck& check) {
  Value report = Value::map(), peak = Value::map(), faults = Value::list();
  const auto number = [](double value) { return std::isfinite(value) ? Value(value) : Value(); };
  report.set("valid", check.faults.empty());
  report.set("configurations", Value(check.configurations));
  report.set("gap", check.largestGap);
  report.set("residual", check.largestResidual);
  peak.set("velocity", number(check.peakVelocity));
  peak.set("acceleration", number(check.peakAcceleration));
  peak.set("torque", number(check.peakTorque));
  report.set("peak", std::move(peak));
  for (const MultiPathFault& fault : check.faults) {
    Value one = Value::map();
    one.set("kind", fault.kind);
    one.set("section", fault.section);
    one.set("at", fault.at);
    one.set("amount", number(fault.amount));
    one.set("text", fault.text);
    faults.push_back(std::move(one));
  }
  report.set("faults", std::move(faults));
  return report;
}

std::string checkText(const Value& report, const std::string& file) {
  std::ostringstream out;
  const Value& faults = report.at("faults");
  out << file << ": "
      << (faults.size() == 0   ? "nothing wrong"
          : faults.size() == 1 ? "1 fault"
                               : std::to_string(faults.size()) + " faults")
      << ", " << report.at("configurations").asInteger() << " configurations\n";
  for (std::size_t i = 0; i < faults.size(); ++i) {
    out << "  " << faults[i].at("kind").text() << "  at " << formatReal(faults[i].at("at").asReal(), 6) << ": "
        << faults[i].at("text").text();
    if (faults[i].at("amount").isNumber() && faults[i].at("amount").asReal() != 0)
      out << " (" << formatReal(faults[i].at("amount").asReal(), 6) << ")";
    out << "\n";
  }
  return out.str();
}

}  // namespace mortise
