#pragma once

/// Visual shapes of links where these are not their collision shapes: those of URDF files. They are kept as a
/// property `visual:LINK` of the robot, so that formats with properties keep them, and they are references: no file of
/// a visual shape is read before somebody draws the robot.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise {

/// A visual shape of a link. Boxes, cylinders and capsules are centered; the latter two point along z. `collision` is
/// the link's collision shape: parts of robots whose files show nothing apart are seen as they collide.
struct LinkVisual {
  enum class Kind { mesh, box, sphere, cylinder, capsule, collision };
  Kind kind = Kind::mesh;
  std::string mesh;                            ///< Reference as written.
  Vector3d size = Vector3d::Zero();            ///< Box: the sides; sphere: radius; others: radius and length.
  AffineMap map;                               ///< To the link's frame.
  std::optional<std::array<double, 4>> color;  ///< Red, green, blue and opacity from 0 to 1.
  std::string texture;                         ///< Reference as written; empty: none.
  std::string file;                            ///< The file that says so, from which references are resolved.
  int line = 0;                                ///< In that file; 0: unknown.
  std::string packageRoot;                     ///< Folder of packages that the file names; empty: none.

  /// The primitive in the shape's frame; none for a mesh and for the collision shape.
  Geometry::Data primitive() const;
  bool operator==(const LinkVisual& other) const;
};

/// Those of a link, in the order of the file; empty where it has none. Throws `Error` for a property that cannot be
/// read.
std::vector<LinkVisual> linkVisuals(const RobotDescription& robot, int link);
/// An empty list takes them away. Links that share a name share what they look like.
void setLinkVisuals(RobotDescription& robot, std::string_view linkName, const std::vector<LinkVisual>& visuals);

/// Says whether an entry of `RobotDescription::properties` tells visual shapes.
bool isLinkVisual(const std::pair<std::string, std::string>& property);
bool hasLinkVisuals(const RobotDescription& robot);

/// After links went: forgets what they looked like.
void dropLinkVisuals(RobotDescription& robot);
/// After a link was renamed.
void moveLinkVisuals(RobotDescription& robot, std::string_view from, std::string_view to);
/// Takes over those of a robot that is to be mounted; `prefix` goes in front of names of links. Where only one of the
/// two has any, links of the other are seen as they collide.
void addLinkVisuals(RobotDescription& robot, const RobotDescription& part, const std::string& prefix);
/// After a link got a further shape: it is seen, too, where the robot has visual shapes.
void showCollisionShape(RobotDescription& robot, std::string_view linkName);
/// After lengths of the robot were scaled.
void scaleLinkVisuals(RobotDescription& robot, double factor);
/// Adds those of a link of `full` to the link `to` of `robot`, moved by `X`.
void carryLinkVisuals(const RobotDescription& full, int link, RobotDescription& robot, std::string_view to,
                      const RigidTransform& X);

/// The texts of a property. The reader throws `Error` for text that is not such.
std::string linkVisualText(const std::vector<LinkVisual>& visuals);
std::vector<LinkVisual> linkVisualsFromText(std::string_view text);

}  // namespace mortise
