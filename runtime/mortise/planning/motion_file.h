#pragma once

/// Files of planned motions.

#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/loading/format_loader.h"
#include "mortise/motion/multipath.h"
#include "mortise/planning/plan_run.h"

namespace mortise {

/// Writes a motion as the file's extension says: .path, .milestones, .configs, MultiPath .xml, .json. `motion`:
/// the timed path, or null; the path then gets one configuration a second where the format needs times. `settings` are
/// those of a MultiPath. What the format cannot hold is a warning.
void writeMotion(FormatLoader& loader, const std::string& file, const std::vector<VectorXd>& path,
                 const HermiteTrajectory* motion, double sampleTolerance, const MultiPath::Settings& settings,
                 Diagnostics& diagnostics);
/// The same of a path in sections; a timed one has velocities, and formats without them get as many configurations as
/// it takes to stay within `sampleTolerance`.
void writeMotion(FormatLoader& loader, const std::string& file, const MultiPath& path, double sampleTolerance,
                 Diagnostics& diagnostics);
/// The same for each of several movers, in files `NAME_ROBOT.EXT`; one mover: in `file` itself. Returns the names.
std::vector<std::string> writeMotions(FormatLoader& loader, const std::string& file, const PlanResult& result,
                                      const World& world, double sampleTolerance, const MultiPath::Settings& settings,
                                      Diagnostics& diagnostics);
/// The kind of motion to write to a file of this name what is held as `from`: `wanted`, or the one that loses least.
/// Throws `Error` that says what the file could hold.
FileContent motionKindFor(FormatLoader& loader, FileContent from, const std::string& file,
                          const std::string& wanted = {});
/// Says whether a motion can be written to a file of this name; throws `Error` where not.
void requireMotionFormat(FormatLoader& loader, const std::string& file);

}  // namespace mortise
