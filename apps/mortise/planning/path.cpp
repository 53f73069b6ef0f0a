#include <cmath>
#include <iomanip>
#include <sstream>

#include "command_line/command_group.h"
#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/setting_options.h"
#include "mortise/base/value_text.h"
#include "mortise/inspect/motion_info.h"
#include "mortise/json/json_writer.h"
#include "planning/path_drivers.h"
#include "planning/path_file.h"

namespace mortise::app {

namespace {

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

int pathEval(const Arguments& arguments) {
  CommandLine line("mortise path eval", "positions and velocities of a motion at given times");
  declareMotionFile(line);
  declareSettings(line, EvaluateSettings());
  line.epilog(
      "Outside its times a path stands still at its ends. A path without times goes from 0 to 1. Between\n"
      "milestones with velocities it is cubic, and straight between others, unless --interpolation says otherwise.\n");
  if (!line.parse(arguments)) return 0;
  const EvaluateSettings settings = evaluateSettings(line);
  const PathInterpolation interpolation = settings.interpolation;
  const OpenedMotion opened = openMotion(line);
  const std::vector<double> times = settings.times(opened.motion.startTime(), opened.motion.endTime());
  if (line.json()) {
    Value result = Value::map(), samples = Value::list();
    result.set("type", contentName(opened.motion.kind()));
    if (const auto* path = std::get_if<MultiPath>(&opened.motion.resource()))
      result.set("policy",
                 pathInterpolationNames()[static_cast<std::size_t>(resolvedInterpolation(*path, interpolation))]);
    if (opened.robot) result.set("link_names", Value(linkNamesOf(*opened.robot)));
    for (const double t : times) samples.push_back(inspect::motionSample(opened.motion, t, interpolation));
    result.set("samples", std::move(samples));
    print(toJson(result) + "\n");
    return 0;
  }
  std::ostringstream out;
  VectorXd q(opened.motion.dimension()), dq(opened.motion.dimension());
  for (const double t : times) {
    const int section = opened.motion.evaluate(t, q, dq, interpolation);
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
       {"contact-optimize", pathContactOptimize, "FILE", "the same within torques and contact forces, with margins"},
       {"shortcut", pathShortcut, "FILE", "a shorter path among what is in a world"},
       {"smooth", pathSmooth, "FILE", "a smooth curve through the milestones, on which links keep to their goals"},
       {"optimize", pathOptimize, "FILE", "a smooth path that keeps clear of a world, from one that need not"},
       {"discretize", pathDiscretize, "FILE", "milestones that straight lines may connect"},
       {"evaluate", pathEvaluate, "FILE", "configurations at given times, with links moved to their goals"},
       {"split", pathSplit, "FILE", "sections, or parts between given times, as files of their own"},
       {"join", pathJoin, "FILE...", "one path out of several, one after another"},
       {"check", pathCheck, "FILE", "gaps, limits, goals, torques and collisions along the path"},
       {"drivers", pathDrivers, "ROBOT IN OUT", "a motion of links as one of drivers (motors), or back"},
       {"convert", pathConvert, "IN OUT",
        "write the motion as another kind, with times and velocities where it needs them"}});
  return group.run(arguments);
}

}  // namespace mortise::app
