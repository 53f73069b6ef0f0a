#include <cmath>
#include <iomanip>
#include <sstream>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "commands.h"
#include "mortise/base/error.h"
#include "mortise/base/units.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/motion_info.h"
#include "mortise/json/json_writer.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

/// Every sample is printed; more than this is a slip of the hand.
constexpr double kSampleLimit = 1e6;

int pathInfo(const Arguments& arguments) {
  CommandLine line("mortise path info", "print what a motion file holds");
  declareMotionFile(line);
  if (!line.parse(arguments)) return 0;
  const OpenedMotion opened = openMotion(line);
  Value result = inspect::motionInfo(opened.motion);
  if (opened.robot) result.set("link_names", Value(linkNamesOf(*opened.robot)));
  print(line.json() ? toJson(result) + "\n"
                    : inspect::motionText(opened.motion, line.positionals().front(), opened.robot.get()));
  return 0;
}

std::vector<double> sampleTimes(const CommandLine& line, const inspect::Motion& motion) {
  std::vector<double> times;
  for (const std::string& text : line.texts("at")) {
    std::string problem;
    const auto time = parseQuantity(text, "s", problem);
    if (!time || !std::isfinite(*time)) throw UsageError("--at: " + (problem.empty() ? "not a time" : problem));
    times.push_back(*time);
  }
  if (line.has("every")) {
    const double step = line.quantity("every", "s", 0), start = motion.startTime(), end = motion.endTime();
    if (!(step > 0) || !((end - start) / step < kSampleLimit))
      throw UsageError("--every takes a time that the path holds at most a million times, not '" + line.text("every") +
                       "'");
    const auto count = static_cast<long>(std::floor((end - start) / step * (1 + 1e-12)));
    for (long i = 0; i <= count; ++i) times.push_back(start + step * static_cast<double>(i));
    if (times.back() < end) times.push_back(end);
  }
  if (times.empty()) throw UsageError("name times with --at T or --every DT");
  return times;
}

int pathEval(const Arguments& arguments) {
  CommandLine line("mortise path eval", "positions and velocities of a motion at given times");
  declareMotionFile(line);
  line.repeatedOption("at", "T", "time on the path, such as 1.5 or 200ms; may be repeated")
      .option("every", "DT", "the whole path, from its start to its end, in steps of DT")
      .option("interpolation", "HOW", "of a MultiPath between its milestones: linear (default) or cubic")
      .values("interpolation", {"linear", "cubic"})
      .epilog(
          "Outside its times a path stands still at its ends. A path without times goes from 0 to 1. Milestones with\n"
          "velocities are cubic in between; a MultiPath is when --interpolation cubic says so.\n");
  if (!line.parse(arguments)) return 0;
  const std::string how = line.text("interpolation", "linear");
  if (how != "linear" && how != "cubic") throw UsageError("--interpolation is linear or cubic, not '" + how + "'");
  const OpenedMotion opened = openMotion(line);
  const auto interpolation = how == "cubic" ? MultiPath::Interpolation::cubic : MultiPath::Interpolation::linear;
  const std::vector<double> times = sampleTimes(line, opened.motion);
  if (line.json()) {
    Value result = Value::map(), samples = Value::list();
    result.set("type", contentName(opened.motion.kind()));
    if (opened.motion.kind() == FileContent::multipath) result.set("policy", Value(how));
    if (opened.robot) result.set("link_names", Value(linkNamesOf(*opened.robot)));
    for (const double t : times) samples.push_back(inspect::motionSample(opened.motion, t, interpolation));
    result.set("samples", std::move(samples));
    print(toJson(result) + "\n");
    return 0;
  }
  std::ostringstream out;
  VectorXd q(opened.motion.dimension()), dq(opened.motion.dimension());
  for (const double t : times) {
    const int section = opened.motion.evaluate(t, interpolation, q, dq);
    out << "t = " << formatReal(t);
    if (opened.motion.kind() == FileContent::multipath) out << "  section " << section;
    out << "\n";
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const std::string name = opened.robot ? opened.robot->link(static_cast<int>(i)).name : std::to_string(i);
      out << "  " << std::left << std::setw(22) << name << std::right << std::setw(24) << formatReal(q[i])
          << std::setw(26) << formatReal(dq[i]) << "\n";
    }
  }
  print(out.str());
  return 0;
}

}  // namespace

int pathCommand(const Arguments& arguments) {
  static const CommandGroup group(
      "mortise path", "look into a motion file, evaluate it, and make motions of paths",
      {{"info", pathInfo, "FILE", "print what the file holds: sections, milestones, times, constraints"},
       {"eval", pathEval, "FILE", "print positions and velocities at given times"},
       {"retime", pathRetime, "FILE", "the fastest motion along the path within the robot's bounds"},
       {"convert", convertCommand, "IN OUT", "write the motion in another format; the same as `mortise convert`"}});
  return group.run(arguments);
}

}  // namespace mortise::app
