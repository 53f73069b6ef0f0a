#pragma once

/// The end of a run for its robots, what happened before and what was written, as results hold it and as people read
/// it.

#include <string>
#include <vector>

#include "mortise/base/value.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Adds to a result of `summarize`: to each of its `robots` the lists `drivers` (names) and `values` (where they
/// ended), for floating bases `base` {link, position}, and, from the simulation's record, `tracking_error` {driver,
/// error, time} and `peak_torque` {driver, torque, limit, time} of the driver that was worst; and `transitions` [{time,
/// robot, controller, from, to}] where there were any.
void addEndings(Value& result, const Simulation& simulation);

/// [{file, rows}], rows of logs only: what comes after the title of comma-separated values, lines of JSON lines and
/// paths. For folders {file, files}. `folder` comes before each name where files are listed; may be empty.
Value writtenFiles(const std::vector<std::string>& files, const std::string& folder);

/// For people, of results: two or more lines a robot; commands and transitions in the order of time; log files. Each
/// empty when there is nothing to tell.
std::string robotEndingText(const Value& result);
std::string eventText(const Value& result);
std::string writtenFilesText(const Value& result);

}  // namespace mortise
