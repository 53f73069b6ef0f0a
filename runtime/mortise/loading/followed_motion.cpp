#include "mortise/loading/followed_motion.h"

#include <algorithm>
#include <string>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/base/value.h"
#include "mortise/component/resource.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/timing/multipath/multipath_tools.h"

namespace mortise {

namespace {

bool isHeld(const MultiPath& path, std::size_t section) { return !path.goalsOf(section).empty(); }

/// Says whether the path's program left no more than `kFollowedResolution` between its milestones.
bool isFine(const MultiPath& path) {
  for (const auto& [key, value] : path.settings) {
    if (key != "resolution") continue;
    const Value resolution = Value::fromText(value);
    return resolution.isNumber() && resolution.asReal() > 0 && resolution.asReal() <= kFollowedResolution;
  }
  return false;
}

/// Gives each section of a path without times the same part of the time from 0 to 1, as Klamp't does.
void giveSectionTimes(MultiPath& path) {
  const auto sections = static_cast<double>(path.sections.size());
  for (std::size_t s = 0; s < path.sections.size(); ++s) {
    MultiPath::Section& section = path.sections[s];
    const auto last = static_cast<double>(section.milestones.size() - 1);
    for (std::size_t i = 0; i < section.milestones.size(); ++i)
      section.times.push_back((static_cast<double>(s) + static_cast<double>(i) / last) / sections);
  }
}

/// The sections from `first` to before `end`, with what holds of the whole path.
MultiPath part(const MultiPath& path, std::size_t first, std::size_t end) {
  MultiPath some;
  some.holds = path.holds;
  const auto at = [&](std::size_t s) { return path.sections.begin() + static_cast<std::ptrdiff_t>(s); };
  some.sections.assign(at(first), at(end));
  return some;
}

/// Adds configurations between the milestones of sections with goals. Sections without stay as they are.
void keepGoals(const RobotPtr& robot, MultiPath& path) {
  for (std::size_t first = 0; first < path.sections.size();) {
    std::size_t end = first + 1;
    while (end < path.sections.size() && isHeld(path, end) == isHeld(path, first)) ++end;
    if (isHeld(path, first)) {
      const MultiPath fine = discretizeMultiPath(robot, part(path, first, end), {}, kFollowedResolution);
      std::copy(fine.sections.begin(), fine.sections.end(), path.sections.begin() + static_cast<std::ptrdiff_t>(first));
    }
    first = end;
  }
  // Goals in files have fewer digits than configurations: where a section begins next to where the one before ended,
  // at the same time, there is one configuration.
  for (std::size_t s = 1; s < path.sections.size(); ++s)
    path.sections[s].milestones.front() = path.sections[s - 1].milestones.back();
}

void forgetConstraints(MultiPath& path) {
  path.holds.clear();
  for (MultiPath::Section& section : path.sections) {
    section.goals.clear();
    section.holds.clear();
    section.holdIndices.clear();
    section.holdNames.clear();
  }
}

}  // namespace

Trajectory followedMotion(ResourceLoader& loader, std::string_view reference, std::string_view referringFile,
                          const RobotPtr& robot, Diagnostics& diagnostics) {
  const std::string file = loader.find(reference, referringFile);
  if (loader.contentOf(file) != FileContent::multipath)
    return loader.load<Trajectory>(reference, referringFile, diagnostics);
  auto path = loader.load<MultiPath>(reference, referringFile, diagnostics);
  bool held = false;
  for (std::size_t s = 0; s < path.sections.size(); ++s) held = held || isHeld(path, s);
  const bool fits = robot != nullptr && path.dimension() == robot->numLinks() && path.problem().empty();
  if (held && fits && path.continuous()) {
    try {
      MultiPath kept = path;
      if (!isFine(path)) {
        if (!kept.timed()) giveSectionTimes(kept);
        keepGoals(robot, kept);
      }
      forgetConstraints(kept);
      path = std::move(kept);
    } catch (const Error& error) {
      diagnostics.warning("the goals and holds of the path cannot be kept between its milestones: " + error.message(),
                          inFile(file),
                          "straight lines between milestones are followed; `mortise path check` says more");
      forgetConstraints(path);
    }
  }
  return std::get<Trajectory>(convertResource(Resource(std::move(path)), FileContent::trajectory, diagnostics));
}

}  // namespace mortise
