#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "mortise/planning/path_work.h"

namespace mortise {

namespace {

/// The first names of a list, as text.
std::string firstOf(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

}  // namespace

std::string optimizeText(const Value& report) {
  std::ostringstream out;
  const auto millimeters = [&](const char* key) { return std::round(1e4 * report.at(key).asReal()) / 10; };
  out << std::setprecision(4) << "optimized: cost " << report.at("cost_before").asReal() << " to "
      << report.at("cost").asReal() << ", length " << report.at("length_before").asReal() << " to "
      << report.at("length").asReal() << ", clearance " << millimeters("clearance_before") << " to "
      << millimeters("clearance") << " mm, " << report.at("milestones").asInteger() << " waypoints, "
      << report.at("iterations").asInteger() << " iterations\n";
  return out.str();
}

std::string shortcutText(const Value& report) {
  std::ostringstream out;
  out << std::setprecision(4) << "  shortcut     length " << report.real("length_before", 0) << " to "
      << report.real("length", 0);
  if (std::abs(report.real("cost", 0) - report.real("length", 0)) > 1e-6 * report.real("length", 0))
    out << ", cost " << report.real("cost_before", 0) << " to " << report.real("cost", 0);
  out << ", " << report.integer("milestones_before", 0) << " to " << report.integer("milestones", 0)
      << " milestones, in " << report.real("seconds", 0) << " s\n";
  return out.str();
}

std::string retimeText(const Value& report) {
  std::ostringstream out;
  out << std::setprecision(4) << "  retime       " << report.string("method", "") << ": "
      << report.real("duration_before", 0) << " s to " << report.real("duration", 0) << " s";
  if (report.contains("seconds")) out << ", in " << report.real("seconds", 0) << " s";
  out << "; peak velocity " << std::setprecision(3) << 100 * report.real("velocity_usage", 0)
      << " % of its limit, peak acceleration " << 100 * report.real("acceleration_usage", 0) << " %";
  if (const Value* peak = report.find("peak")) out << ", peak torque " << 100 * peak->real("torque", 0) << " %";
  out << "\n";
  if (const Value* unlimited = report.find("unlimited"); unlimited != nullptr && unlimited->size() > 0)
    out << "               without limits, following the others: " << firstOf(unlimited->asStrings()) << "\n";
  return out.str();
}

std::string checkText(const Value& report) {
  std::ostringstream out;
  out << std::setprecision(4) << "  check        ";
  const std::vector<Value>& faults = report.at("faults").items();
  if (report.boolean("valid", false))
    out << "free";
  else
    out << faults.size() << (faults.size() == 1 ? " fault" : " faults");
  out << ", " << report.integer("configurations", 0) << " configurations";
  if (const Value* clearance = report.find("clearance")) {
    out << ", clearance " << clearance->asReal() << " m";
    const double padded = report.real("clearance_with_padding", clearance->asReal());
    if (padded != clearance->asReal()) out << " (" << padded << " m with the simulation's padding)";
  }
  out << "\n";
  for (const Value& fault : faults) out << "    " << fault.string("text", "") << "\n";
  return out.str();
}

std::string paddingWarning(const Value& report) {
  const Value* touches = report.find("padding_touches");
  if (touches == nullptr || touches->size() == 0) return {};
  constexpr std::size_t kListed = 6;
  std::ostringstream out;
  out << std::setprecision(3) << touches->size()
      << (touches->size() == 1 ? " pair of bodies comes" : " pairs of bodies come")
      << " closer than their padding in a simulation, which pushes them apart when the path is followed:";
  double maximum = 0;
  for (std::size_t i = 0; i < touches->size(); ++i) {
    const Value& touch = (*touches)[i];
    maximum = std::max(maximum, touch.real("padding", 0));
    if (i >= kListed) continue;
    out << "\n  " << touch.real("distance", 0) << " m of " << touch.real("padding", 0) << " m  "
        << touch.at("who")[0].asString() << ", " << touch.at("who")[1].asString();
    if (touch.contains("time"))
      out << ", at " << touch.real("time", 0) << " s";
    else
      out << ", after milestone " << touch.integer("segment", 0);
  }
  if (touches->size() > kListed) out << "\n  and " << touches->size() - kListed << " more";
  out << "\n  hint: plan with padding: simulation (--padding simulation), or with a margin of " << maximum << " m";
  return out.str();
}

}  // namespace mortise
