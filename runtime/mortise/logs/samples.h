#pragma once

/// What the channels of logs and of live views hold, sample by sample: one encoder for both.

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
/// Links of all robots by name, as `torqueColumns`.
std::vector<std::string> jointNames(const World& world);

/// A sample of `stateColumns`. `out` has its size.
void stateSample(const SimulationView& view, std::span<float> out);
void torqueSample(const SimulationView& view, std::span<float> out);
void contactSample(const ContactForce& contact, std::span<float> out);

}  // namespace mortise::logs
