#pragma once

/// Descriptions of cameras and lasers in logs and pages, for who draws them.

#include "mortise/base/value.h"
#include "mortise/component/sensor_reading.h"
#include "mortise/simulation/simulation.h"

namespace mortise::logs {

/// A list of {robot, name, topic, link (an id; -1: fixed in the world), T (of the sensor in the link's frame: R
/// row-major, then t), and camera {width, height, fx, fy, cx, cy, near, far} or scan {minimum, maximum, link (an
/// index), directions (x, y, z of each), sweeps}}. Infinite distances are null. A list of maps with plain values.
Value sensorDescriptions(Simulation& simulation);

/// The setting `run` of recorders that keep complete runs: {origin, sensors, links}. `origin`: how the
/// simulation was made; null: unknown. `links`: names of the links that sensors are on, by ROBOT/SENSOR.
Value runDescription(Simulation& simulation, const Value& origin);

/// The beams of an entry with `scan`. Throws `Error` for one that is none.
ScanModel scanFrom(const Value& description);

}  // namespace mortise::logs
