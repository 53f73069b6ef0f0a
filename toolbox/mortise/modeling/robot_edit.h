#pragma once

/// Editing robots. Each function keeps what refers to links and drivers by index (parents, joints, drivers,
/// self-collision pairs, sensors) in step, shares the shapes it does not change, and throws `Error`, with the
/// description untouched, for what cannot be. `Robot::compile` afterwards takes microseconds: what is costly hangs on
/// shapes, and those that stay keep their address.

#include <string>
#include <utility>
#include <vector>

#include "mortise/model/robot.h"

namespace mortise {

/// Map of links and drivers: old index to new one, -1 for what is gone.
struct RobotIndexMap {
  std::vector<int> links;
  std::vector<int> drivers;
};

/// Links that were added together.
struct AddedLinks {
  int firstLink = 0;
  int firstDriver = 0;
};

/// Index of a link by name. Throws `Error` with the nearest names when there is none, and with the indices when
/// several have it.
int requireLink(const RobotDescription& robot, std::string_view name);

/// A new mass of the same shape: the inertia follows in proportion. A link of no mass keeps its inertia.
void setLinkMass(RobotDescription& robot, int link, double mass);

/// No other link may have the name already. Sensors that name the link follow; a driver of the same name does too.
void renameLink(RobotDescription& robot, int link, const std::string& name);

/// Gives a driver of one link the limits of that link, the same both ways for acceleration and torque.
void takeLimits(Driver& driver, const Link& link);

/// Appends a link below `link.parent` with a joint of its own (weld, normal or spin) and, unless it is welded or
/// `driven` is false, a driver with the link's name and limits. Self-collision pairs with all links but its parent are
/// added when it has a shape. Returns its index.
int addLink(RobotDescription& robot, Link link, JointType type = JointType::normal, bool driven = true);

/// Removes links with everything below them. At least one must remain. Links left over of a joint that needed several
/// get normal joints; affine drivers keep the links that remain.
RobotIndexMap removeLinks(RobotDescription& robot, const std::vector<int>& links);

/// Puts the links into another order: `order[k]` is the index now of the link that becomes k. Each index once, parents
/// before their children.
RobotIndexMap reorderLinks(RobotDescription& robot, const std::vector<int>& order);

/// Adds the union of a shape, placed at X_LM in the link's frame, to a link. Masses stay.
void mountGeometry(RobotDescription& robot, int link, const RigidTransform& X_LM, const GeometryPtr& geometry);

/// Appends another robot whose roots hang on `link` (-1: the world), placed at X_LM in its frame; links, drivers and
/// sensors are called "prefix:name" unless the prefix is empty. Shapes of the two are checked against each other,
/// except those of the part's roots against the link's own. As the `mount` line of a .rob file does.
AddedLinks mountRobot(RobotDescription& robot, int link, const RigidTransform& X_LM, const std::string& prefix,
                      RobotDescription part);

/// Robots side by side as one, each with a prefix, in the order given.
RobotDescription mergeRobots(const std::string& name,
                             const std::vector<std::pair<std::string, RobotDescription>>& parts);

/// Frees a robot from the world: six links go first ("tx ty tz rz ry rx" before `body.name`), of which the last is
/// `body`, and the former roots hang on it where they stood. Of `body` name, inertia and shape count. The robot must
/// not have a floating base already. All indices grow by six.
void addFloatingBase(RobotDescription& robot, const Link& body);

/// A robot that is one rigid object: a floating base alone, as Klamp't's `InitializeRigidObject` makes it. No drivers,
/// no limits.
RobotDescription rigidObjectRobot(const std::string& name, const BodyInertia& inertia, GeometryPtr geometry,
                                  const std::string& geometryFile = {});

/// Says whether two links are checked against each other.
bool selfCollisionEnabled(const RobotDescription& robot, int a, int b);
void setSelfCollision(RobotDescription& robot, int a, int b, bool on);

}  // namespace mortise
