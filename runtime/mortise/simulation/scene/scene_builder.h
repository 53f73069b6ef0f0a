#pragma once

#include <string>
#include <vector>

#include "mortise/component/physics.h"
#include "mortise/model/world.h"
#include "mortise/simulation/scene/substitution.h"

namespace mortise {

/// m/s: of things that start deep inside each other, `SceneDescription::maxPushOutSpeed`. Enough to leave a floor
/// within a step of a robot's; what comes out of it hops by no more than a centimeter or two.
constexpr double kMaxPushOutSpeed = 0.5;

/// The map from a robot's links to the bodies and joints of a scene. Links that cannot move against their parent share
/// its body; the chain of a floating base is one free body.
struct RobotScene {
  struct LinkPlace {
    int body = -1;         ///< Body that carries the link.
    int joint = -1;        ///< Scene joint that moves the link; -1: welded, or part of a floating chain.
    double axisScale = 1;  ///< |axis|: joint position = axisScale * q.
    RigidTransform X_BL;   ///< Pose of the link in its body's frame.
  };
  std::vector<LinkPlace> links;
  int floatingBody = -1;  ///< Body of the floating base, or -1.
};

/// A world as physics engines get it, and where its things are there.
struct SceneMap {
  SceneDescription description;
  std::vector<int> terrainBodies;
  std::vector<int> objectBodies;
  std::vector<RobotScene> robots;
  /// Replacements so that an engine can use the scene (massless bodies, impossible inertias), and what was filled in.
  std::vector<Substitution> substitutions;
};

/// Welds links, turns a floating base into a free body and other joints of several degrees of freedom into one-axis
/// joints in a row, gives mass and inertia to bodies that lack them, resolves which pairs may touch, and copies
/// surfaces. Throws `Error` for what no engine could simulate.
///
/// A body without mass gets 1e-4 of the mass it carries, one without usable inertia 1e-4 of the inertia it carries
/// about its own origin, direction by direction; never more than 1 g and 0.001 kg m^2 (Klamp't's substitutes), which
/// are also what a body gets that carries nothing. So the links in between of ball-and-socket and planar joints do not
/// change the motion by more than 1e-4.
SceneMap buildScene(const World& world);

}  // namespace mortise
