#pragma once

#include <vector>

#include "mortise/appearance/picture_style.h"
#include "mortise/component/simulation_view.h"
#include "mortise/logs/log_contacts.h"
#include "mortise/model/world.h"
#include "mortise/render/overlay_canvas.h"

namespace mortise::render {

/// The largest force, N, of which an arrow is as long as the scene allows; 0: there is none.
double largestForce(const std::vector<logs::ContactSum>& contacts);

/// An arrow a pair of bodies in contact, along the force on the first one. `size` of the scene, m; `largest` as
/// `largestForce` has it.
void drawContacts(OverlayCanvas& canvas, const std::vector<logs::ContactSum>& contacts, double largest, double size);

/// The frame of every robot's link with a shape and of every object: x red, y green, z blue.
void drawFrames(OverlayCanvas& canvas, const World& world, const SimulationView& view, double size);

/// The names of robots and objects above them. `without`: objects that have none, such as links in worlds out of logs.
void drawNames(OverlayCanvas& canvas, const World& world, const SimulationView& view, const std::vector<int>& without,
               const style::Theme& theme);

}  // namespace mortise::render
