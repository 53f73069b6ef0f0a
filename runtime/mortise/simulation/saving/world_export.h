#pragma once

#include <string>
#include <vector>

#include "mortise/loading/format_loader.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

/// Writes the world as a simulation left it to a world file: poses and velocities of objects, configurations of robots
/// (velocities of robots have no place there but the state), joints of the world where the bodies took them, and the
/// simulation's whole state as `<state>`. Everything else stays as the files say. `files` are those that the world was
/// put together from (`assembleWorld`). With `atRest` velocities are left out. Throws `Error` when the file cannot be
/// written; what a format cannot hold goes to the diagnostics.
void exportWorld(const Simulation& simulation, const std::vector<std::string>& files, const std::string& out,
                 FormatLoader& loader, bool atRest, Diagnostics& diagnostics);

/// A joint of the world is given in world coordinates at load, so it has to be moved along when its bodies start
/// elsewhere: the motion of its first body (the second, when the first is the world) between two starts of one world.
RigidTransform jointMotion(const World& before, const World& after, const WorldJoint& joint);

}  // namespace mortise
