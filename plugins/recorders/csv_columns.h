#pragma once

/// The names of the columns of CSV logs: those of Klamp't's SimLogger and SimTest, and, behind them, `depth_max`.

#include <span>

#include "log_file.h"
#include "recording.h"

namespace mortise::recorders {

inline constexpr const char* kContactColumns[] = {
    "time",    "body1",   "body2",  "name1",  "name2",  "numContacts", "cpx_avg", "cpy_avg", "cpz_avg",  "cnx_avg",
    "cny_avg", "cnz_avg", "fx_avg", "fy_avg", "fz_avg", "mx_avg",      "my_avg",  "mz_avg",  "depth_max"};
inline constexpr const char* kWrenchColumns[] = {"time", "body1", "body2", "cop x", "cop y", "cop z", "fx",
                                                 "fy",   "fz",    "tx",    "ty",    "tz",    "id1",   "id2"};

void writeColumns(CsvFile& file, std::span<const char* const> names);
/// The columns of robots, objects and sensors that are recorded, in the order of the values of a row.
void writeStateColumns(CsvFile& file, const World& world, const Recording& recording, const SensorSelection& sensors,
                       const SimulationView& view);

}  // namespace mortise::recorders
