#pragma once

/// The parts of a world that are seen: of each body its visual shapes, its collision shape, and their colors.

#include <optional>
#include <string>
#include <vector>

#include "mortise/appearance/display_style.h"
#include "mortise/appearance/visual_files.h"
#include "mortise/model/world.h"

namespace mortise {

/// A part of a body, in the body's frame: a shape, or meshes with their looks.
struct DrawnPart {
  GeometryPtr geometry;       ///< Null where `look` is drawn.
  VisualShapePtr appearance;  ///< Null where `geometry` is drawn.
  VisualMaterial material;    ///< Of a shape, and of meshes that have none of their own.
  bool ownMaterials = true;   ///< Meshes keep their own materials; false: `material` is that of all.
  bool visual = true;         ///< People see it.
  bool collision = true;      ///< It collides.
  bool defaultColor = false;  ///< Nobody says a color.
};

struct DrawnBody {
  int id = -1;  ///< World id.
  World::Kind kind = World::Kind::terrain;
  int index = 0;  ///< Within its kind; for a link the robot's.
  int link = -1;
  DisplayStyle style;
  std::vector<DrawnPart> parts;
};

/// Every terrain, object and link, in the order of their ids; those without shapes have no parts. A link has the visual
/// shapes that its file gives it, and its collision shape apart; where the robot's file gives none at all, or none of a
/// link's can be read, the collision shape is what people see. Objects and terrains are seen as they collide, in the
/// colors and textures of their files. `files` null: shapes alone, and no file is read.
///
/// Colors, the first that there is: `<display>`; a mesh's own; the material of the URDF file; Klamp't's default.
std::vector<DrawnBody> drawnBodies(const World& world, VisualFiles* files);

/// The meshes of a part as they are drawn, each with its material. `base`: what is drawn of a shape (`visualShapeOf`),
/// needed where the part has no look.
VisualShape drawnMeshes(const DrawnPart& part, const DisplayStyle& style, const VisualShape& base);

/// Says whether two bodies look different from bare shapes: colors of vertices, textures or several materials.
bool needsMeshes(const DrawnPart& part, const DisplayStyle& style);

}  // namespace mortise
