#include <sstream>

#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "command_line/setting_options.h"
#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"
#include "mortise/planning/path_report.h"
#include "planning/path_file.h"

namespace mortise::app {

int pathEvaluate(const Arguments& arguments) {
  CommandLine line("mortise path evaluate", "configurations of a path at given times, with links moved to their goals");
  declareMotionFile(line);
  declareSettings(line, EvaluateSettings());
  line.epilog(
      "Needs --robot, whose links the sections' goals are about. The residual is how far (m or rad) links were "
      "from\n"
      "their goals before they were moved there. `mortise path eval` gives numbers as they are in the file.\n");
  if (!line.parse(arguments)) return 0;
  if (!line.has("robot")) throw UsageError("missing --robot, whose links keep to the goals");
  const EvaluateSettings settings = evaluateSettings(line);
  const OpenedMotion opened = openMotion(line);
  const std::vector<double> times = settings.times(opened.motion.startTime(), opened.motion.endTime());
  const Value report =
      constrainedSamples(opened.robot, multiPathOf(opened.motion.resource()), times, settings.interpolation);
  if (line.json()) {
    print(toJson(report) + "\n");
    return 0;
  }
  std::ostringstream out;
  const Value& samples = report.at("samples");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    out << "t = " << formatReal(samples[i].at("t").asReal()) << "  section " << samples[i].at("section").asInteger()
        << "  residual " << formatReal(samples[i].at("residual").asReal(), 4) << "\n ";
    for (const double q : samples[i].at("q").asReals()) out << " " << formatReal(q);
    out << "\n";
  }
  print(out.str());
  return 0;
}

}  // namespace mortise::app
