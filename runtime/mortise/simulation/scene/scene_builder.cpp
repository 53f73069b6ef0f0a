#include "mortise/simulation/scene/scene_builder.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

// Klamp't's substitutes. Where something real hangs below, much smaller ones, so that its motion is not falsified.
constexpr double kSubstituteMass = 0.001;     // kg
constexpr double kSubstituteInertia = 0.001;  // kg m^2
constexpr double kSubstituteFraction = 1e-4;  // Of what the body carries.

bool positiveDefinite(const Matrix3d& inertia) {
  return inertia.allFinite() && inertia.llt().info() == Eigen::Success && inertia.diagonal().minCoeff() > 0;
}

/// Inertia of everything that a body carries, itself included, about its own origin and in its axes, with all joints at
/// zero (so that it does not depend on where a run starts); zero mass where there is nothing.
std::vector<BodyInertia> carriedInertias(const SceneDescription& scene) {
  std::vector<BodyInertia> carried;
  for (const SceneBody& body : scene.bodies) carried.push_back(body.inertia.mass > 0 ? body.inertia : BodyInertia());
  for (std::size_t j = scene.joints.size(); j-- > 0;)
    if (const SceneJoint& joint = scene.joints[j]; joint.parent >= 0 && carried[joint.child].mass > 0)
      carried[joint.parent] = carried[joint.parent].combinedWith(carried[joint.child].expressedIn(joint.X_PC0));
  return carried;
}

/// The part of a symmetric matrix with positive eigenvalues; zero for one that is not finite.
Matrix3d positivePart(const Matrix3d& matrix) {
  if (!matrix.allFinite()) return Matrix3d::Zero();
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(0.5 * (matrix + matrix.transpose()));
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() * solver.eigenvectors().transpose();
}

/// A small inertia that is alike, direction by direction, to `model`, and definite even where that one is not.
Matrix3d smallInertiaLike(const Matrix3d& model) {
  const Matrix3d positive = positivePart(model);
  const double largest = positive.trace();
  if (!(largest > 0)) return kSubstituteInertia * Matrix3d::Identity();
  return std::min(kSubstituteFraction, kSubstituteInertia / largest) *
         (positive + 1e-3 * largest * Matrix3d::Identity());
}

/// Makes the inertia of a dynamic body usable; says so when it had to. `carried` as of `carriedInertias`.
void makeUsable(SceneBody& body, const BodyInertia& carried, std::vector<Substitution>& substitutions) {
  if (!(body.inertia.mass > 0)) {
    body.inertia.mass =
        carried.mass > 0 ? std::min(kSubstituteMass, kSubstituteFraction * carried.mass) : kSubstituteMass;
    substitutions.push_back(
        {SubstitutionKind::mass, body.name, "it has no mass and moves with " + formatReal(body.inertia.mass) + " kg"});
  }
  if (!positiveDefinite(body.inertia.inertia)) {
    // What a joint moves is the inertia about its axis, through the body's origin; objects turn about their center.
    const Matrix3d substitute =
        smallInertiaLike(body.robot >= 0 ? carried.inertiaAboutOrigin() : positivePart(body.inertia.inertia));
    body.inertia.inertia = positivePart(body.inertia.inertia) + substitute;
    substitutions.push_back({SubstitutionKind::inertia, body.name,
                             "it has no inertia that a body can have; about (" + formatReal(substitute(0, 0)) + ", " +
                                 formatReal(substitute(1, 1)) + ", " + formatReal(substitute(2, 2)) +
                                 ") kg m^2 are added"});
  }
}

class Builder {
 public:
  explicit Builder(const World& world) : world_(world) {}

  SceneMap build() {
    SceneDescription& scene = map_.description;
    const SimulationSettings& settings = world_.simulation;
    scene.gravity = settings.gravity;
    scene.timeStep = settings.timeStep;
    scene.errorReduction = settings.errorReduction;
    scene.constraintForceMixing = settings.constraintForceMixing;
    scene.maxContacts = settings.maxContacts;
    scene.maxPushOutSpeed = kMaxPushOutSpeed;
    scene.filter = CollisionFilter(world_.numIds());
    for (int id = 0; id < world_.numIds(); ++id)  // A robot's own id has no surface, only its links have.
      scene.surfaces.push_back(world_.entity(id).kind == World::Kind::robot ? Surface() : world_.simulationSurface(id));

    for (int i = 0; i < static_cast<int>(world_.terrains.size()); ++i) addTerrain(i);
    for (int i = 0; i < static_cast<int>(world_.objects.size()); ++i) addObject(i);
    for (int i = 0; i < static_cast<int>(world_.robots.size()); ++i) addRobot(i);
    const std::vector<BodyInertia> carried = carriedInertias(scene);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      if (scene.bodies[b].motion == BodyMotion::dynamic) makeUsable(scene.bodies[b], carried[b], map_.substitutions);
    for (const WorldJoint& joint : settings.joints) addConstraint(joint);
    allowCollisions();
    notePadding();
    return std::move(map_);
  }

 private:
  /// Klamp't's layer around objects that give none. Links give none in their files, so there is nothing to say of them.
  void notePadding() {
    for (std::size_t i = 0; i < world_.objects.size(); ++i) {
      const int id = world_.objectId(static_cast<int>(i));
      bool given = world_.objects[i].surface.padding.has_value();
      for (const auto& [target, change] : world_.simulation.surfaces) given = given || (target == id && change.padding);
      if (given) continue;
      map_.substitutions.push_back({SubstitutionKind::padding, world_.objects[i].name,
                                    "it gives no padding; contacts are found within " +
                                        formatReal(map_.description.surfaces[id].thickness()) + " m around it"});
    }
  }

  int addBody(SceneBody body) {
    map_.description.bodies.push_back(std::move(body));
    return static_cast<int>(map_.description.bodies.size()) - 1;
  }

  void addTerrain(int i) {
    const Terrain& terrain = world_.terrains[i];
    SceneBody body;
    body.name = terrain.name;
    body.id = world_.terrainId(i);
    body.motion = BodyMotion::fixed;
    addShape(body, body.id, terrain.geometry, RigidTransform());
    map_.terrainBodies.push_back(addBody(std::move(body)));
  }

  void addObject(int i) {
    const RigidObject& object = world_.objects[i];
    SceneBody body;
    body.name = object.name;
    body.id = world_.objectId(i);
    body.inertia = object.inertia;
    body.X_WB = object.X_WO;
    body.v_WB = object.v_WO;
    body.w_WB = object.w_WO;
    addShape(body, body.id, object.geometry, RigidTransform());
    map_.objectBodies.push_back(addBody(std::move(body)));
  }

  static void addShape(SceneBody& body, int id, const GeometryPtr& geometry, const RigidTransform& X_BG) {
    if (geometry != nullptr && !geometry->empty()) body.shapes.push_back({id, geometry, X_BG});
  }

  void addRobot(int r) {
    const WorldRobot& entry = world_.robots[r];
    const Robot& robot = *entry.robot;
    RobotState state(robot);
    state.q = entry.q;
    state.dq = entry.dq;
    updateFrames(robot, state);
    std::vector<Vector3d> v(robot.numLinks()), w(robot.numLinks());
    linkVelocities(robot, state, v, w);

    // A floating base is one free body. Any other joint of several degrees of freedom (floating ones below a link too)
    // is what its chain says: one-axis joints in a row.
    const int floating = robot.floatingBaseLink();
    std::vector<bool> inBase(robot.numLinks(), false);
    for (int link = floating; link >= 0; link = robot.link(link).parent) inBase[link] = true;

    RobotScene place;
    place.links.resize(robot.numLinks());
    for (int i = 0; i < robot.numLinks(); ++i) {
      const Link& link = robot.link(i);
      const int jointIndex = robot.jointOfLink(i);
      const JointType type = jointIndex >= 0 ? robot.joints()[jointIndex].type : JointType::normal;
      RobotScene::LinkPlace& at = place.links[i];
      if (inBase[i]) {
        if (place.floatingBody < 0) place.floatingBody = addFloatingBody(r, floating, state, v, w);
        at.body = place.floatingBody;
        // Exact for the link that has the mass, whatever the pose; the others are virtual.
        if (i != floating) at.X_BL = state.X_WL[floating].inverse() * state.X_WL[i];
      } else if (type == JointType::weld) {
        at = weldToParent(r, i, place, state);
      } else {
        at = addJointedBody(r, i, place, state, v, w);
      }
      SceneBody& body = map_.description.bodies[at.body];
      body.inertia = body.inertia.combinedWith(link.inertia.expressedIn(at.X_BL));
      addShape(body, world_.linkId(r, i), link.geometry, at.X_BL);
    }
    map_.robots.push_back(std::move(place));
  }

  SceneBody bodyOfLink(int r, int link, const RobotState& state) const {
    SceneBody body;
    body.name = world_.nameOf(world_.linkId(r, link));
    body.id = world_.linkId(r, link);
    body.robot = r;
    body.X_WB = state.X_WL[link];
    return body;
  }

  int addFloatingBody(int r, int lastLink, const RobotState& state, const std::vector<Vector3d>& v,
                      const std::vector<Vector3d>& w) {
    SceneBody body = bodyOfLink(r, lastLink, state);
    body.v_WB = v[lastLink];
    body.w_WB = w[lastLink];
    return addBody(std::move(body));
  }

  RobotScene::LinkPlace weldToParent(int r, int i, const RobotScene& place, const RobotState& state) {
    const int parent = world_.robots[r].robot->link(i).parent;
    RobotScene::LinkPlace at;
    if (parent >= 0) {
      at.body = place.links[parent].body;
      const Link& link = world_.robots[r].robot->link(i);
      at.X_BL = place.links[parent].X_BL * link.X_PL0 * linkMotion(link, state.q[i]);
      return at;
    }
    SceneBody body = bodyOfLink(r, i, state);
    body.motion = BodyMotion::fixed;
    at.body = addBody(std::move(body));
    return at;
  }

  RobotScene::LinkPlace addJointedBody(int r, int i, const RobotScene& place, const RobotState& state,
                                       const std::vector<Vector3d>& v, const std::vector<Vector3d>& w) {
    const Robot& robot = *world_.robots[r].robot;
    const Link& link = robot.link(i);
    RobotScene::LinkPlace at;
    at.axisScale = link.axis.norm();
    if (!(at.axisScale > 0))
      throw Error("robot '" + world_.robots[r].name + "': link '" + link.name + "' moves about an axis of length 0",
                  world_.robots[r].position, "give the link a unit axis in the robot file");

    SceneBody body = bodyOfLink(r, i, state);
    body.v_WB = v[i];
    body.w_WB = w[i];
    at.body = addBody(std::move(body));

    SceneJoint joint;
    joint.name = link.name;
    joint.type = link.motion == LinkMotion::revolute ? SceneJoint::Type::revolute : SceneJoint::Type::prismatic;
    joint.child = at.body;
    joint.axis = link.axis / at.axisScale;
    joint.X_PC0 = link.X_PL0;
    if (link.parent >= 0) {
      joint.parent = place.links[link.parent].body;
      joint.X_PC0 = place.links[link.parent].X_BL * link.X_PL0;
    }
    const int jointIndex = robot.jointOfLink(i);
    const bool spins = jointIndex >= 0 && robot.joints()[jointIndex].type == JointType::spin;
    if (!spins) {
      joint.lower = link.qMin * at.axisScale;
      joint.upper = link.qMax * at.axisScale;
    }
    joint.position = state.q[i] * at.axisScale;
    joint.velocity = state.dq[i] * at.axisScale;
    at.joint = static_cast<int>(map_.description.joints.size());
    map_.description.joints.push_back(joint);
    return at;
  }

  int bodyOfId(int id) const {
    if (id < 0) return -1;
    const World::Entity entity = world_.entity(id);
    switch (entity.kind) {
      case World::Kind::terrain:
        return map_.terrainBodies[entity.index];
      case World::Kind::object:
        return map_.objectBodies[entity.index];
      case World::Kind::link:
        return map_.robots[entity.index].links[entity.link].body;
      case World::Kind::robot:
        break;
    }
    throw Error("a joint cannot hold a whole robot", {}, "name one of its links with body=");
  }

  void addConstraint(const WorldJoint& joint) {
    SceneConstraint constraint;
    constraint.type = joint.type == WorldJoint::Type::hinge    ? SceneConstraint::Type::hinge
                      : joint.type == WorldJoint::Type::slider ? SceneConstraint::Type::slider
                                                               : SceneConstraint::Type::fixed;
    constraint.a = bodyOfId(joint.idA);
    constraint.b = bodyOfId(joint.idB);
    constraint.point = joint.point;
    constraint.axis = joint.axis;
    constraint.lower = joint.min;
    constraint.upper = joint.max;
    constraint.friction = joint.friction;
    map_.description.constraints.push_back(constraint);
  }

  /// Terrain never meets terrain, nor what is fixed to the world; links of one body never meet. As in Klamp't, a link
  /// that hangs on the world never meets terrain: robots stand in what they are mounted on.
  void allowCollisions() {
    const SimulationSettings& settings = world_.simulation;
    SceneDescription& scene = map_.description;
    struct Party {
      int id, body, robot;
      bool fixed, terrain, mounted;
    };
    std::vector<Party> parties;
    for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b)
      for (const SceneShape& shape : scene.bodies[b].shapes) {
        const World::Entity entity = world_.entity(shape.id);
        parties.push_back(
            {shape.id, b, scene.bodies[b].robot, scene.bodies[b].motion == BodyMotion::fixed,
             entity.kind == World::Kind::terrain,
             entity.kind == World::Kind::link && world_.robots[entity.index].robot->link(entity.link).parent < 0});
      }
    std::vector<std::size_t> moving;
    for (std::size_t i = 0; i < parties.size(); ++i)
      if (!parties[i].fixed) moving.push_back(i);
    for (std::size_t i = 0; i < parties.size(); ++i) {
      for (const std::size_t j : moving) {  // What is fixed never meets what is fixed.
        const Party &a = parties[i], &b = parties[j];
        if (a.body == b.body) continue;
        if ((a.terrain && b.mounted) || (a.mounted && b.terrain)) continue;
        if (a.robot >= 0 && a.robot == b.robot) continue;  // Self-collisions below.
        if (a.robot >= 0 && b.robot >= 0 && !settings.robotRobotCollisions) continue;
        const bool objects = a.robot < 0 && b.robot < 0 && !a.terrain && !b.terrain;
        if (objects && !settings.objectCollisions) continue;
        scene.filter.allow(a.id, b.id);
      }
    }
    if (!settings.robotSelfCollisions) return;
    for (int r = 0; r < static_cast<int>(world_.robots.size()); ++r) {
      const RobotScene& place = map_.robots[r];
      for (const auto& [a, b] : world_.robots[r].robot->description().selfCollisionPairs)
        if (place.links[a].body != place.links[b].body) scene.filter.allow(world_.linkId(r, a), world_.linkId(r, b));
    }
  }

  const World& world_;
  SceneMap map_;
};

}  // namespace

SceneMap buildScene(const World& world) { return Builder(world).build(); }

}  // namespace mortise
