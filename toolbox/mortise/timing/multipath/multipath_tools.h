#pragma once

/// Work on MultiPaths: other milestones, other times, other sections.

#include <vector>

#include "mortise/timing/multipath/multipath_curves.h"

namespace mortise {

/// The path as a smooth curve: milestones with velocities, cubic between them, on which links keep to their goals to
/// `options.tolerance`. It goes along at a constant rate, in the time of the path, or in 1 s where it has none, as in
/// Klamp't. `robot` may be null for paths without goals. Throws as `curveThrough`.
MultiPath smoothMultiPath(const RobotPtr& robot, const MultiPath& path, const PathCurveOptions& options);

/// Milestones that straight lines may connect: these leave the path's curve, and links their goals, by no more than
/// `resolution` (rad, m). Milestones keep their times. Throws as `curveThrough`.
MultiPath discretizeMultiPath(const RobotPtr& robot, const MultiPath& path, const PathCurveOptions& options,
                              double resolution);

/// One after another: each begins when the one before ends. Paths without times among ones with times take 1 s, as in
/// Klamp't. Throws `Error` for paths of different dimensions.
MultiPath joinPaths(std::vector<MultiPath> paths);

/// One path a section, each from time 0.
std::vector<MultiPath> splitSections(const MultiPath& path);
/// Cuts at these times, which grow; each part from time 0. Throws `Error` for times outside of the path.
std::vector<MultiPath> splitAt(const MultiPath& path, const std::vector<double>& times);

/// Times become this many times as long, and velocities as much slower; below 0: backwards. Throws `Error` for 0 and
/// for paths without times.
void scaleTimes(MultiPath& path, double factor);
/// Times for a path without, as Klamp't's `SetDuration`: milestones come evenly, whatever their section.
void giveTimes(MultiPath& path, double duration);

}  // namespace mortise
