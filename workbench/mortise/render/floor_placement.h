#pragma once

#include <vector>

#include "mortise/appearance/drawn_world.h"
#include "mortise/component/simulation_view.h"

namespace mortise::render {

/// The place of the floor that pictures show.
struct FloorPlacement {
  double height = 0;          ///< m
  std::vector<int> terrains;  ///< Level terrains that it stands for, in the world's order.
  double radius = 0.5;        ///< Of what moves, m.
};

/// At the top of level terrains that nobody gave a color, else under everything. `bodies`: all of the world
/// (`drawnBodies`).
FloorPlacement placeFloor(const std::vector<DrawnBody>& bodies, const SimulationView& view);

}  // namespace mortise::render
