#pragma once

/// The channels of logs and of live views, sample by sample: one encoder for both.

#include <span>
#include <string>
#include <vector>

#include "mortise/component/simulation_view.h"
#include "mortise/model/world.h"

namespace mortise::logs {

/// Columns of the channel `/mortise/contacts`: ids, point, normal, depth (m), force on the first body (N).
const std::vector<std::string>& contactColumns();
/// Columns of the channel `/mortise/torques`: drivers by name, with the robot's name before it where there are several.
std::vector<std::string> torqueColumns(const World& world);
/// Columns of the channel `/mortise/commands`: of each driver NAME.position, NAME.velocity and NAME.torque.
std::vector<std::string> commandColumns(const World& world);
/// Links of all robots by name, as `torqueColumns`.
std::vector<std::string> jointNames(const World& world);

/// A sample of `stateColumns`, each number to all digits of single precision. `out` has its size.
void stateSample(const SimulationView& view, std::span<float> out);
void torqueSample(const SimulationView& view, std::span<float> out);
/// Writes what controllers ask of the motors (rad or m, rad/s or m/s, N m or N); NaN for what a motor's mode does not
/// use. The torque of a motor that is led to a position is the one that is added.
void commandSample(const SimulationView& view, std::span<float> out);
/// Points to 8 nm, normals to 3e-8, depths to 0.5 nm, forces to 2.4e-7 of their largest component: the noise of
/// rounding below that takes most of a log's bytes where bodies rest.
void contactSample(const ContactForce& contact, std::span<float> out);
/// Readings to 5e-13, or single precision where that is coarser: from 8e-6 on.
void sensorSample(std::span<const double> values, std::span<float> out);

}  // namespace mortise::logs
