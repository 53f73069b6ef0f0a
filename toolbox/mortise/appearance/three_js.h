#pragma once

/// Worlds as scenes of three.js (https://threejs.org), for its editor and its `ObjectLoader`.

#include <string>

#include "mortise/model/world.h"

namespace mortise {

/// JSON in three.js's object format 4, as Klamp't's exporter arranges it: a `Scene` called "world", whose matrix turns
/// z up to three.js's y up, with a `Group` for each robot, in which links are children of the links that carry them; a
/// `Mesh` for each rigid object and each terrain; and lights. Shapes are stored once, as `BufferGeometry`, in meters;
/// point clouds are `Points`. The same world gives the same text.
std::string threeJsScene(const World& world);

}  // namespace mortise
