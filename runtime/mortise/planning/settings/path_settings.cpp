#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/planning/path_work.h"

namespace mortise {

namespace {

void addStop(Schema& schema) {
  schema
      .parameter("time_limit", ParameterType::real,
                 "Stop after this time; by default when there is little improvement.", {.min = 0, .unit = "s"})
      .parameter("iterations", ParameterType::integer, "Stop after this many attempts.", {.min = 0})
      .parameter("seed", ParameterType::integer, "Seed of the attempts; by default that of the run.", {.min = 0});
}

StopConditions stopOf(const Value& settings) {
  StopConditions stop;
  stop.foundSolution = false;
  if (const Value& time = settings.at("time_limit"); !time.isNull()) stop.seconds = time.asReal();
  if (const Value& iterations = settings.at("iterations"); !iterations.isNull())
    stop.iterations = iterations.asInteger();
  return stop;
}

void addLimits(Schema& schema) {
  schema
      .parameter("velocity_scaling", 1.0, "Scaling factor of the robot's velocity limits.",
                 {.min = 1e-6, .max = 1, .aliases = {"velocity_share"}})
      .parameter("acceleration_scaling", 1.0, "Scaling factor of its acceleration limits.",
                 {.min = 1e-6, .max = 1, .aliases = {"acceleration_share"}})
      .parameter("velocity", 0.0,
                 "Velocity limit of all coordinates (rad/s or m/s) that replaces the robot's; 0: the robot's. "
                 "Coordinates without limits, such as a floating base, follow the others.",
                 {.min = 0})
      .parameter("acceleration", 0.0, "Acceleration limit of all coordinates (rad/s^2 or m/s^2), in the same way.",
                 {.min = 0})
      .parameter(
          "ramp_up", 0.25,
          "For coordinates without an acceleration limit: the time in which one may reach its velocity limit; 0: "
          "an error.",
          {.min = 0, .unit = "s"});
}

MotionLimitOptions limitsOf(const Value& settings) {
  MotionLimitOptions limits;
  limits.velocityScaling = settings.at("velocity_scaling").asReal();
  limits.accelerationScaling = settings.at("acceleration_scaling").asReal();
  limits.velocity = settings.at("velocity").asReal();
  limits.acceleration = settings.at("acceleration").asReal();
  limits.rampUp = settings.at("ramp_up").asReal();
  return limits;
}

/// The first names of a list, as text.
std::string firstOf(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

}  // namespace

const Schema& shortcutSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("vertices", true, "First remove sequences of milestones.")
        .parameter("shortcuts", true, "Connect two points of the path, anywhere on its edges, by a straight line.")
        .parameter("partial", true, "The same in a single coordinate (Geraerts and Overmars, 2007).")
        .parameter("perturbations", true, "Move milestones a little, where there is an objective.")
        .parameter("smoothing", 0, "At the end, halve all edges and round off corners this many times.",
                   {.min = 0, .max = 10})
        .parameter("idle", 50, "Stop after this many consecutive failures; 0 disables.", {.min = 0})
        .parameter("improvement", 1e-4, "A change counts when it reduces the path's cost by this fraction.",
                   {.min = 0, .max = 1});
    addStop(s);
    return s;
  }();
  return schema;
}

ShortcutSettings ShortcutSettings::from(const Value& settings) {
  ShortcutSettings result;
  result.options.vertices = settings.at("vertices").asBool();
  result.options.shortcuts = settings.at("shortcuts").asBool();
  result.options.partial = settings.at("partial").asBool();
  result.options.perturbations = settings.at("perturbations").asBool();
  result.options.smoothing = static_cast<int>(settings.at("smoothing").asInteger());
  result.options.idle = settings.at("idle").asInteger();
  result.options.improvement = settings.at("improvement").asReal();
  result.stop = stopOf(settings);
  if (result.options.idle == 0 && settings.at("time_limit").isNull() && settings.at("iterations").isNull())
    throw Error("'idle' is 0 and nothing else ends the shortcuts", settings.at("idle").position(),
                "add 'iterations' or 'time_limit'");
  return result;
}

const Schema& retimeSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter(
         "method", ParameterType::string,
         "`parabolic`: ramps with time-optimal shortcuts, which leave the path; `blend` (or `toppra`): along the "
         "path, corners rounded off; `linear`: along it at constant speeds. By default parabolic, or blend where "
         "edges are not straight.",
         {.choices = {"parabolic", "blend", "toppra", "linear"}})
        .parameter("shortcut", true, "parabolic: whether to shorten.")
        .parameter("tolerance", 1e-3,
                   "parabolic: maximum distance of a ramp from the chords that are checked (rad or m).", {.min = 1e-9})
        .parameter("deviation", 0.01, "blend: maximum deviation from the path at corners (rad or m).", {.min = 1e-9})
        .parameter("idle", 100, "Stop after this many consecutive failures; 0 disables.", {.min = 0})
        .parameter("sample_tolerance", 1e-4,
                   "Tolerance of the saved motion, which is straight between its configurations (rad or m).",
                   {.min = 1e-9});
    addLimits(s);
    addStop(s);
    return s;
  }();
  return schema;
}

RetimeSettings RetimeSettings::from(const Value& settings) {
  RetimeSettings result;
  result.method = settings.string("method", "");
  result.options.shortcut = settings.at("shortcut").asBool();
  result.options.tolerance = settings.at("tolerance").asReal();
  result.options.deviation = settings.at("deviation").asReal();
  result.options.idle = settings.at("idle").asInteger();
  result.sampleTolerance = settings.at("sample_tolerance").asReal();
  result.limits = limitsOf(settings);
  result.stop = stopOf(settings);
  if (result.options.idle == 0 && settings.at("time_limit").isNull() && settings.at("iterations").isNull())
    throw Error("'idle' is 0 and nothing else ends the shortcuts", settings.at("idle").position(),
                "add 'iterations' or 'time_limit'");
  return result;
}

const Schema& checkSchema() {
  static const Schema schema = [] {
    Schema s;
    s.parameter("step", 1e-3, "Distance between the configurations that are checked.", {.min = 1e-6})
        .parameter("clearance", false, "Also compute the minimum clearance along the path, which takes longer.")
        .parameter("max_faults", 10, "Maximum number of faults that are listed.", {.min = 1, .max = 100000})
        .parameter("bounds", true, "Whether velocities and accelerations are checked, where the motion has them.");
    addLimits(s);
    return s;
  }();
  return schema;
}

CheckSettings CheckSettings::from(const Value& settings) {
  CheckSettings result;
  result.options.resolution = settings.at("step").asReal();
  result.options.clearance = settings.at("clearance").asBool();
  result.options.maxFaults = static_cast<int>(settings.at("max_faults").asInteger());
  result.bounds = settings.at("bounds").asBool();
  result.limits = limitsOf(settings);
  return result;
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
      << report.real("duration_before", 0) << " s to " << report.real("duration", 0) << " s, in "
      << report.real("seconds", 0) << " s; peak velocity " << std::setprecision(3)
      << 100 * report.real("velocity_usage", 0) << " % of its limit, peak acceleration "
      << 100 * report.real("acceleration_usage", 0) << " %\n";
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
  double most = 0;
  for (std::size_t i = 0; i < touches->size(); ++i) {
    const Value& touch = (*touches)[i];
    most = std::max(most, touch.real("padding", 0));
    if (i >= kListed) continue;
    out << "\n  " << touch.real("distance", 0) << " m of " << touch.real("padding", 0) << " m  "
        << touch.at("who")[0].asString() << ", " << touch.at("who")[1].asString();
    if (touch.contains("time"))
      out << ", at " << touch.real("time", 0) << " s";
    else
      out << ", after milestone " << touch.integer("segment", 0);
  }
  if (touches->size() > kListed) out << "\n  and " << touches->size() - kListed << " more";
  out << "\n  hint: plan with padding: simulation (--padding simulation), or with a margin of " << most << " m";
  return out.str();
}

}  // namespace mortise
