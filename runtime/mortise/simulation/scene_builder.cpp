#include "mortise/simulation/scene_builder.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise {

namespace {

constexpr double kSubstituteMass = 0.001;     // kg
constexpr double kSubstituteInertia = 0.001;  // kg m^2

bool positiveDefinite(const Matrix3d& inertia) {
  return inertia.allFinite() && inertia.llt().info() == Eigen::Success && inertia.diagonal().minCoeff() > 0;
}

/// Makes the inertia of a dynamic body usable; says so when it had to.
void makeUsable(SceneBody& body, std::vector<std::string>& substitutions) {
  if (!(body.inertia.mass > 0)) {
    body.inertia.mass = kSubstituteMass;
    substitutions.push_back(body.name + ": mass 0.001 kg in place of none");
  }
  if (!positiveDefinite(body.inertia.inertia)) {
    body.inertia.inertia = kSubstituteInertia * Matrix3d::Identity();
    substitutions.push_back(body.name + ": inertia 0.001 kg m^2 in place of an impossible one");
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
    scene.filter = CollisionFilter(world_.numIds());
    for (int id = 0; id < world_.numIds(); ++id)  // A robot's own id has no surface, only its links have.
      scene.surfaces.push_back(world_.entity(id).kind == World::Kind::robot ? Surface() : world_.simulationSurface(id));

    for (int i = 0; i < static_cast<int>(world_.terrains.size()); ++i) addTerrain(i);
    for (int i = 0; i < static_cast<int>(world_.objects.size()); ++i) addObject(i);
    for (int i = 0; i < static_cast<int>(world_.robots.size()); ++i) addRobot(i);
    for (SceneBody& body : scene.bodies)
      if (body.motion == BodyMotion::dynamic) makeUsable(body, map_.substitutions);
    for (const WorldJoint& joint : settings.joints) addConstraint(joint);
    allowCollisions();
    return std::move(map_);
  }

 private:
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

    std::vector<int> chainEnd(robot.numLinks(), -1);  // Last link of the floating chain a link belongs to.
    for (const Joint& joint : robot.joints()) {
      if (joint.type != JointType::floating) continue;
      if (joint.base != -1)
        throw Error("robot '" + entry.name + "': a floating joint below link '" + robot.link(joint.base).name +
                        "' cannot be simulated",
                    entry.position, "a floating base must hang on the world (base -1)");
      for (int link = joint.link; link != joint.base; link = robot.link(link).parent) chainEnd[link] = joint.link;
    }

    RobotScene place;
    place.links.resize(robot.numLinks());
    for (int i = 0; i < robot.numLinks(); ++i) {
      const Link& link = robot.link(i);
      const int jointIndex = robot.jointOfLink(i);
      const JointType type = jointIndex >= 0 ? robot.joints()[jointIndex].type : JointType::normal;
      RobotScene::LinkPlace& at = place.links[i];
      if (chainEnd[i] >= 0) {
        if (place.floatingBody < 0 || link.parent < 0)
          place.floatingBody = addFloatingBody(r, chainEnd[i], state, v, w);
        at.body = place.floatingBody;
        at.X_BL = state.X_WL[chainEnd[i]].inverse() * state.X_WL[i];
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
      at.X_BL = map_.description.bodies[at.body].X_WB.inverse() * state.X_WL[i];
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

  /// Terrain never meets terrain, nor what is fixed to the world; links of one body never meet.
  void allowCollisions() {
    const SimulationSettings& settings = world_.simulation;
    SceneDescription& scene = map_.description;
    struct Party {
      int id, body, robot;
      bool fixed, terrain;
    };
    std::vector<Party> parties;
    for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b)
      for (const SceneShape& shape : scene.bodies[b].shapes)
        parties.push_back({shape.id, b, scene.bodies[b].robot, scene.bodies[b].motion == BodyMotion::fixed,
                           world_.entity(shape.id).kind == World::Kind::terrain});
    for (std::size_t i = 0; i < parties.size(); ++i) {
      for (std::size_t j = i + 1; j < parties.size(); ++j) {
        const Party &a = parties[i], &b = parties[j];
        if (a.body == b.body || (a.fixed && b.fixed)) continue;
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
