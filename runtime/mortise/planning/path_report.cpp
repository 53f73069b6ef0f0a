#include "mortise/planning/path_report.h"

#include <cmath>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/modeling/resource_conversion.h"

namespace mortise {

namespace {

std::string percent(double share) { return formatReal(std::round(share * 1000) / 10) + " %"; }

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

Value timingReport(const MultiPathTiming& timing) {
  Value report = Value::map(), peak = Value::map();
  report.set("duration", timing.duration);
  report.set("duration_before", timing.durationBefore);
  peak.set("velocity", timing.peakVelocity);
  peak.set("acceleration", timing.peakAcceleration);
  peak.set("torque", timing.peakTorque);
  report.set("peak", std::move(peak));
  report.set("segments", timing.segments);
  report.set("stretch", timing.stretch);
  report.set("unlimited", Value(timing.unbounded));
  report.set("assumed", Value(timing.assumed));
  return report;
}

std::string timingText(const Value& report) {
  std::ostringstream out;
  const Value& peak = report.at("peak");
  out << "duration       " << formatReal(report.at("duration").asReal()) << " s, before "
      << formatReal(report.at("duration_before").asReal()) << " s\n"
      << "peak           velocity " << percent(peak.at("velocity").asReal()) << " of its limit, acceleration "
      << percent(peak.at("acceleration").asReal()) << ", torque " << percent(peak.at("torque").asReal()) << "\n";
  if (report.at("unlimited").size() > 0) out << "without limit  " << listed(report.at("unlimited")) << "\n";
  if (report.at("assumed").size() > 0)
    out << "assumed        acceleration of " << listed(report.at("assumed")) << ", by --ramp-up\n";
  if (const Value* file = report.find("file")) out << "written        " << file->text() << "\n";
  return out.str();
}

}  // namespace mortise
