#pragma once

/// Inputs and reports of the commands on paths.

#include <memory>
#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/component/resource.h"
#include "mortise/loading/format_loader.h"
#include "mortise/model/world.h"
#include "mortise/timing/multipath/multipath_check.h"
#include "mortise/timing/multipath/multipath_timing.h"
#include "mortise/timing/multipath/path_interpolation.h"

namespace mortise {

/// Any motion as a MultiPath: one section where it has none. Throws `Error` for what is no motion.
MultiPath multiPathOf(const Resource& motion);

/// All milestones in a row; one that a section begins with where the one before ended is there once.
std::vector<VectorXd> milestonesOf(const MultiPath& path);

/// {duration, duration_before, peak: {velocity, acceleration, torque}, segments, stretch, unlimited, assumed}.
Value timingReport(const MultiPathTiming& timing);
/// The same for people.
std::string timingText(const Value& report);

/// {sections, milestones, milestones_before, timed, duration}.
Value pathReport(const MultiPath& before, const MultiPath& after);
std::string pathReportText(const Value& report);

/// {samples: [{t, section, q, dq, residual}]}: with links moved to their sections' goals, and velocities along them.
/// Throws `Error` where goals cannot be met.
Value constrainedSamples(const RobotPtr& robot, const MultiPath& path, const std::vector<double>& times,
                         PathInterpolation interpolation = PathInterpolation::given);

/// Files OUT_0.EXT, OUT_1.EXT, ...; {parts: [{file, sections, milestones, timed, duration}]}.
Value writeParts(FormatLoader& loader, const std::string& output, const std::vector<MultiPath>& parts,
                 Diagnostics& diagnostics);
std::string partsText(const Value& report);

/// Gives `options` the collisions of the world's robot that the path is of: `robot` by its name, or, when null, the
/// only one with as many links. What links with goals or holds touch is no collision. Returns the robot.
RobotPtr useWorld(const std::shared_ptr<const World>& world, const RobotPtr& robot, const MultiPath& path,
                  MultiPathCheckOptions& options);
/// {valid, configurations, gap, residual, peak: {velocity, acceleration, torque}, faults: [{kind, section, at, amount,
/// text}]}.
Value checkReport(const MultiPathCheck& check);
std::string checkText(const Value& report, const std::string& file);

}  // namespace mortise
