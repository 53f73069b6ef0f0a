#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "dart_scene.h"
#include "mortise/base/error.h"
#include "mortise/contacts/stated_softness.h"

namespace mortise::dart {

namespace {

/// Every root body of every scene is listed in DART's one world frame.
std::mutex& worldFrame() {
  static std::mutex mutex;
  return mutex;
}

/// A velocity may be this far from what a joint allows, in m/s or rad/s.
constexpr double kSpeedTolerance = 1e-9;
/// Distance between the two points that hold the axis of a hinge that closes a loop, m.
constexpr double kHingeLever = 0.1;

bool usable(const BodyInertia& inertia) {
  return std::isfinite(inertia.mass) && inertia.mass > 0 && inertia.com.allFinite() && inertia.inertia.allFinite() &&
         inertia.inertia.llt().info() == Eigen::Success;
}

con::BoxedLcpSolverPtr lcpSolver(DartSettings::Lcp kind, const DartSettings& settings) {
  if (kind == DartSettings::Lcp::none) return nullptr;
  if (kind == DartSettings::Lcp::dantzig) return std::make_shared<con::DantzigBoxedLcpSolver>();
  auto solver = std::make_shared<con::PgsBoxedLcpSolver>();
  // Never in random order: DART's random numbers belong to the process.
  solver->setOption({settings.maxIteration, settings.deltaXThreshold, settings.relativeDeltaXTolerance,
                     settings.epsilonForDivision, false});
  return solver;
}

/// With names of their own from the start: DART writes to stdout when it has to change one.
template <typename JointType>
std::pair<JointType*, dyn::BodyNode*> addPair(dyn::Skeleton& skeleton, dyn::BodyNode* parent, int index) {
  typename JointType::Properties joint;
  joint.mName = "joint" + std::to_string(index);
  dyn::BodyNode::AspectProperties body;
  body.mName = "body" + std::to_string(index);
  return skeleton.createJointAndBodyNodePair<JointType>(parent, joint, dyn::BodyNode::Properties(body));
}

}  // namespace

DartScene::DartScene(const SceneDescription& description, const DartSettings& settings)
    : description_(description), settings_(settings), bodies_(description.bodies.size()) {
  const std::lock_guard lock(worldFrame());
  chooseParameters();
  makeWorld();
  collectLinks();
  makeTrees();
  placeAtStart();
  makeLoops();
  std::vector<dyn::BodyNode*> nodes;
  detector_ = OwnContacts::makeDetector(settings_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    nodes.push_back(bodies_[b].node);
    bodies_[b].surface = std::make_unique<ContactSurface>(*nodes.back(), "body" + std::to_string(b), *detector_);
  }
  if (description_.contactSource == ContactSource::engine)
    ownContacts_ = std::make_unique<OwnContacts>(description_, settings_, nodes, detector_);
  solver_->findNoContacts(*detector_);
}

DartScene::~DartScene() {
  const std::lock_guard lock(worldFrame());
  ownContacts_.reset();
  loops_.clear();
  axes_.clear();
  bodies_.clear();
  skeletons_.clear();
  world_.reset();
}

void DartScene::chooseParameters() {
  const EngineParameters& own = EngineParameters::defaults();
  const bool normalized = settings_.profile == DartSettings::Profile::normalized;
  const StatedSoftness stated(description_);
  const double erp = description_.errorReduction, cfm = std::max(1e-9, description_.constraintForceMixing);
  const bool useErp = normalized || stated.errorReduction, useCfm = normalized || stated.constraintForceMixing;
  if ((useErp || useCfm) && !(erp >= 0 && erp <= 1 && std::isfinite(cfm)))
    throw Error("error reduction must lie in [0, 1] and constraint force mixing must be finite");
  parameters_.errorAllowance = settings_.errorAllowance.value_or(own.errorAllowance);
  parameters_.errorReduction = settings_.errorReductionParameter.value_or(useErp ? erp : own.errorReduction);
  parameters_.maxErrorReductionVelocity = settings_.maxErrorReductionVelocity.value_or(own.maxErrorReductionVelocity);
  parameters_.constraintForceMixing =
      settings_.constraintForceMixing.value_or(useCfm ? cfm : own.constraintForceMixing);
  parameters_.jointErrorReduction =
      settings_.jointErrorReductionParameter.value_or(useErp ? erp : own.jointErrorReduction);
  parameters_.jointConstraintForceMixing =
      settings_.jointConstraintForceMixing.value_or(useCfm ? cfm : own.jointConstraintForceMixing);
}

void DartScene::makeWorld() {
  world_ = sim::World::create("mortise");
  auto solver = std::make_unique<Solver>(lcpSolver(settings_.lcpSolver, settings_),
                                         lcpSolver(settings_.secondaryLcpSolver, settings_));
  solver_ = solver.get();
  world_->setConstraintSolver(std::move(solver));
  world_->setGravity(description_.gravity);
  if (!(description_.timeStep > 0) || !std::isfinite(description_.timeStep))
    throw Error("a step must be positive and finite, not " + std::to_string(description_.timeStep));
  world_->setTimeStep(description_.timeStep);
}

void DartScene::collectLinks() {
  const int n = static_cast<int>(bodies_.size());
  std::vector<int> parentOf(bodies_.size(), -2);  // -2: nothing holds it.
  axisOfJoint_.assign(description_.joints.size(), -1);
  axisOfConstraint_.assign(description_.constraints.size(), -1);
  for (std::size_t j = 0; j < description_.joints.size(); ++j) {
    const SceneJoint& from = description_.joints[j];
    if (from.child < 0 || from.child >= n || from.parent < -1 || from.parent >= n || from.parent == from.child)
      throw Error("joint '" + from.name + "' names bodies that do not exist");
    if (parentOf[from.child] != -2 || description_.bodies[from.child].motion != BodyMotion::dynamic)
      throw Error("joint '" + from.name + "' holds a body that is fixed, kinematic or held by another joint");
    if (!(from.lower <= from.upper)) throw Error("joint '" + from.name + "' has its lower stop above its upper one");
    if (!(from.axis.norm() > 0) || !from.X_PC0.allFinite() || !std::isfinite(from.position + from.velocity))
      throw Error("joint '" + from.name + "' has an axis of length 0 or numbers that are not finite");
    parentOf[from.child] = from.parent;
    Link link;
    link.parent = from.parent;
    link.child = from.child;
    link.joint = static_cast<int>(j);
    link.revolute = from.type == SceneJoint::Type::revolute;
    link.X_PJ = cleaned(from.X_PC0);
    link.axis = from.axis.normalized();
    link.lower = from.lower;
    link.upper = from.upper;
    link.position = from.position;
    link.velocity = from.velocity;
    link.name = from.name;
    links_.push_back(link);
  }
  for (std::size_t c = 0; c < description_.constraints.size(); ++c) takeConstraint(static_cast<int>(c), parentOf);
}

/// A hinge or slider becomes a joint of a tree where one of its bodies is held by nothing yet; all others close loops.
void DartScene::takeConstraint(int index, std::vector<int>& parentOf) {
  const SceneConstraint& from = description_.constraints[index];
  const int n = static_cast<int>(bodies_.size());
  if (from.a < -1 || from.a >= n || from.b < -1 || from.b >= n || from.a == from.b)
    throw Error("a constraint names bodies that do not exist, or one body twice");
  const bool fixed = from.type == SceneConstraint::Type::fixed;
  if (!fixed && (!(from.axis.norm() > 0) || !from.point.allFinite()))
    throw Error("a joint between bodies has an axis of length 0 or a point that is not finite");
  if (!(from.lower <= from.upper)) throw Error("a joint between bodies has its lower limit above its upper one");
  const auto rootOf = [&](int body) {
    while (body >= 0 && parentOf[body] != -2) body = parentOf[body];
    return body;
  };
  const auto loose = [&](int body, int other) {
    return body >= 0 && description_.bodies[body].motion == BodyMotion::dynamic && parentOf[body] == -2 &&
           rootOf(other) != body;
  };
  for (const int body : {from.a, from.b})
    if (body >= 0) bodies_[body].jointed = true;
  const bool first = !fixed && loose(from.a, from.b);
  if (!first && (fixed || !loose(from.b, from.a))) {
    Loop loop;
    loop.constraint = index;
    loops_.push_back(std::move(loop));
    return;
  }
  Link link;
  link.child = first ? from.a : from.b;
  link.parent = first ? from.b : from.a;
  parentOf[link.child] = link.parent;
  link.constraint = index;
  link.revolute = from.type == SceneConstraint::Type::hinge;
  const RigidTransform X_WJ = RigidTransform::translation(from.point);
  const auto start = [&](int body) { return cleaned(description_.bodies[body].X_WB); };
  link.X_PJ = link.parent < 0 ? X_WJ : start(link.parent).inverse() * X_WJ;
  link.X_CJ = start(link.child).inverse() * X_WJ;
  link.axis = (first ? 1 : -1) * from.axis.normalized();
  link.lower = from.lower;
  link.upper = from.upper;
  link.friction = from.friction;
  const SceneBody& child = description_.bodies[link.child];
  const SceneBody resting, &parent = link.parent < 0 ? resting : description_.bodies[link.parent];
  link.velocity = link.revolute ? link.axis.dot(child.w_WB - parent.w_WB) : link.axis.dot(child.v_WB - parent.v_WB);
  link.name = "between '" + child.name + "' and '" + (link.parent < 0 ? "world" : parent.name) + "'";
  links_.push_back(link);
}

void DartScene::makeTrees() {
  std::vector<bool> held(bodies_.size(), false);
  for (const Link& link : links_) {
    held[link.child] = true;
    for (const int body : {link.parent, link.child})
      if (body >= 0) bodies_[body].jointed = true;
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const SceneBody& from = description_.bodies[b];
    bodies_[b].motion = from.motion;
    bodies_[b].hasInertia = usable(from.inertia);
    if (!from.X_WB.allFinite() || !from.v_WB.allFinite() || !from.w_WB.allFinite())
      throw Error("the initial state of body '" + from.name + "' is not finite");
    if (from.motion == BodyMotion::dynamic && !bodies_[b].hasInertia)
      throw Error("body '" + from.name + "' needs a positive mass and a positive definite inertia", {},
                  "give it a mass and an inertia, or make it fixed");
    if (!held[b]) makeRoot(static_cast<int>(b));
  }
  axes_.resize(links_.size());
  for (std::size_t left = links_.size(); left > 0;) {
    const std::size_t before = left;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const Link& link = links_[k];
      if (axes_[k] != nullptr || (link.parent >= 0 && bodies_[link.parent].node == nullptr)) continue;
      makeLink(link);
      --left;
    }
    if (left == before) throw Error("the joints of the scene do not form trees");
  }
  for (const dyn::SkeletonPtr& skeleton : skeletons_) world_->addSkeleton(skeleton);
}

void DartScene::makeRoot(int index) {
  Body& body = bodies_[index];
  const dyn::SkeletonPtr skeleton = dyn::Skeleton::create("tree" + std::to_string(index));
  if (body.motion == BodyMotion::fixed) {
    std::tie(body.weld, body.node) = addPair<dyn::WeldJoint>(*skeleton, nullptr, index);
    // What moves on it must be in the same skeleton.
    skeleton->setMobile(body.jointed);
  } else {
    std::tie(body.free, body.node) = addPair<dyn::FreeJoint>(*skeleton, nullptr, index);
    if (body.hasInertia) body.com = description_.bodies[index].inertia.com;
    body.free->setTransformFromChildBodyNode(toDart(RigidTransform::translation(body.com)));
  }
  finishBody(index);
  skeletons_.push_back(skeleton);
}

void DartScene::makeLink(const Link& link) {
  Body& body = bodies_[link.child];
  dyn::BodyNode* parent = link.parent < 0 ? nullptr : bodies_[link.parent].node;
  const dyn::SkeletonPtr skeleton =
      parent != nullptr ? parent->getSkeleton() : dyn::Skeleton::create("tree" + std::to_string(link.child));
  dyn::Joint* joint = nullptr;
  if (link.revolute) {
    DrivenJoint<dyn::RevoluteJoint>* hinge;
    std::tie(hinge, body.node) = addPair<DrivenJoint<dyn::RevoluteJoint>>(*skeleton, parent, link.child);
    hinge->setAxis(link.axis);
    joint = hinge;
  } else {
    DrivenJoint<dyn::PrismaticJoint>* slider;
    std::tie(slider, body.node) = addPair<DrivenJoint<dyn::PrismaticJoint>>(*skeleton, parent, link.child);
    slider->setAxis(link.axis);
    joint = slider;
  }
  joint->setTransformFromParentBodyNode(toDart(link.X_PJ));
  joint->setTransformFromChildBodyNode(toDart(link.X_CJ));
  joint->setPositionLowerLimit(0, link.lower);
  joint->setPositionUpperLimit(0, link.upper);
  joint->setLimitEnforcement(std::isfinite(link.lower) || std::isfinite(link.upper));
  finishBody(link.child);
  if (parent == nullptr) skeletons_.push_back(skeleton);
  const int k = static_cast<int>(&link - links_.data());
  axes_[k] = std::make_unique<AxisDrive>(link.name, joint, settings_.drives);
  solver_->watch(joint, &axes_[k]->impulse);
  (link.joint >= 0 ? axisOfJoint_[link.joint] : axisOfConstraint_[link.constraint]) = k;
  if (link.constraint >= 0) {
    JointDrive friction;
    friction.dryFriction = link.friction;
    axes_[k]->set(friction);
  }
}

void DartScene::finishBody(int index) {
  Body& body = bodies_[index];
  const BodyInertia& inertia = description_.bodies[index].inertia;
  if (body.hasInertia) body.node->setInertia(dyn::Inertia(inertia.mass, inertia.com, inertia.inertia));
}

void DartScene::placeAtStart() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    const SceneBody& from = description_.bodies[b];
    if (body.weld != nullptr) body.weld->setTransformFromParentBodyNode(toDart(cleaned(from.X_WB)));
    if (body.free != nullptr) placeFree(body, {from.X_WB, from.v_WB, from.w_WB});
    if (body.motion != BodyMotion::kinematic) continue;
    body.v_W = from.v_WB;
    body.w_W = from.w_WB;
    changeMotion(body, BodyMotion::kinematic);
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    axes_[k]->joint().setPosition(0, links_[k].position);
    axes_[k]->joint().setVelocity(0, links_[k].velocity);
  }
  for (const dyn::SkeletonPtr& skeleton : skeletons_) projectVelocities(*skeleton);
}

/// Velocities that joints of the world do not allow lose what the joints take: those that remain have the least energy
/// of their differences from the ones given, which is what impulses of the joints leave. A tree in which all are
/// allowed keeps its own.
void DartScene::projectVelocities(dyn::Skeleton& skeleton) {
  std::vector<int> moving;  // Coordinates, without those of a root that is moved.
  for (std::size_t k = 0; k < skeleton.getNumDofs(); ++k) {
    const dyn::Joint* joint = skeleton.getDof(k)->getJoint();
    if (joint->getActuatorType() != dyn::Joint::VELOCITY) moving.push_back(static_cast<int>(k));
  }
  Eigen::VectorXd momentum = Eigen::VectorXd::Zero(static_cast<int>(skeleton.getNumDofs()));
  bool off = false;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const SceneBody& given = description_.bodies[b];
    if (given.motion != BodyMotion::dynamic || bodies_[b].node->getSkeleton().get() != &skeleton) continue;
    const BodyState now = stateOf(static_cast<int>(b));
    const Matrix3d& R = now.X_WB.R;
    const Vector3d w = given.w_WB - now.w_WB, v = given.v_WB - now.v_WB + w.cross(R * given.inertia.com);
    Eigen::Matrix<double, 6, 1> lost;
    lost << R * given.inertia.inertia * R.transpose() * w, given.inertia.mass * v;
    momentum += skeleton.getWorldJacobian(bodies_[b].node, given.inertia.com).transpose() * lost;
    off = off || (onWorldJoint(static_cast<int>(b)) && v.norm() + w.norm() > kSpeedTolerance);
  }
  if (!off) return;
  const Eigen::MatrixXd mass = skeleton.getMassMatrix()(moving, moving);
  const Eigen::VectorXd change = mass.llt().solve(Eigen::VectorXd(momentum(moving)));
  for (std::size_t k = 0; k < moving.size(); ++k) {
    dyn::DegreeOfFreedom* dof = skeleton.getDof(static_cast<std::size_t>(moving[k]));
    dof->setVelocity(dof->getVelocity() + change[static_cast<int>(k)]);
  }
}

/// Says whether a joint of the world, not one of a robot, places the body in its tree.
bool DartScene::onWorldJoint(int body) const {
  return std::any_of(links_.begin(), links_.end(),
                     [&](const Link& link) { return link.child == body && link.constraint >= 0; });
}

/// A hinge is two balls on its axis: DART 6.12 has no other.
void DartScene::makeLoops() {
  for (Loop& loop : loops_) {
    const SceneConstraint& from = description_.constraints[loop.constraint];
    const auto dynamic = [&](int body) { return body >= 0 && bodies_[body].motion != BodyMotion::fixed; };
    if (!dynamic(from.a) && !dynamic(from.b)) continue;
    dyn::BodyNode* a = dynamic(from.a) ? bodies_[from.a].node : bodies_[from.b].node;
    const int other = dynamic(from.a) ? from.b : from.a;
    dyn::BodyNode* b = other < 0 ? nullptr : bodies_[other].node;
    if (from.type == SceneConstraint::Type::fixed) {
      using Weld = LoopJoint<con::WeldJointConstraint>;
      loop.weld = b == nullptr ? std::make_shared<Weld>(a) : std::make_shared<Weld>(a, b);
      continue;
    }
    if (from.type == SceneConstraint::Type::slider)
      throw Error("DART 6.12 has no slider that closes a loop of joints", {},
                  "open the loop elsewhere, so that a hinge or a fixed joint closes it, or choose another backend");
    if (from.friction != 0 || std::isfinite(from.lower) || std::isfinite(from.upper))
      throw Error("DART 6.12 has no hinge with limits or friction that closes a loop of joints", {},
                  "write the joint with limits or friction before the one that closes the loop");
    using Ball = LoopJoint<con::BallJointConstraint>;
    for (const double along : {0.0, kHingeLever}) {
      const Vector3d point = from.point + along * from.axis.normalized();
      loop.balls.push_back(b == nullptr ? std::make_shared<Ball>(a, point) : std::make_shared<Ball>(a, b, point));
    }
    const Vector3d axis = from.axis.normalized(), side = axis.unitOrthogonal();
    const auto turned = [&](int body, const Vector3d& v) {
      return body < 0 ? v : Vector3d(poseOf(body).R.transpose() * v);
    };
    loop.axisA = turned(from.a, axis);
    loop.sideA = turned(from.a, side);
    loop.sideB = turned(from.b, side);
  }
}

}  // namespace mortise::dart
