#include "problem_scene.h"

#include <algorithm>
#include <cmath>

#include "joint_limits.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/model/world_description.h"
#include "mortise/modeling/robot_edit.h"
#include "mortise/modeling/world_compiler.h"
#include "mortise/text/suggest.h"

namespace mortise::io_moveit {

namespace {

/// Maximum distance beyond a limit of a start that is moved onto it, as in MoveIt.
constexpr double kStartBeyond = 0.05;

GeometryPtr unionOfAll(const std::vector<GeometryPtr>& shapes) {
  GeometryPtr all;
  for (const GeometryPtr& shape : shapes) all = all == nullptr ? shape : unionOf(all, shape);
  return all;
}

bool hasShape(const Link& link) { return link.geometry != nullptr && !link.geometry->empty(); }

}  // namespace

ProblemScene::ProblemScene(const ProblemRobot& robot, const SceneMessage& scene, const RequestMessage& request,
                           Diagnostics& diagnostics)
    : given_(robot), out_(diagnostics), description_(robot.description) {
  for (const SrdfVirtualJoint& joint : robot.srdf.virtualJoints)
    if (virtual_ == nullptr && (joint.childLink == robot.joints.root || robot.joints.root.empty())) virtual_ = &joint;
  hasBase_ = description_.links.size() >= 6 && description_.links[5].name == robot.joints.root &&
             description_.links[0].parent < 0;
  planningFrame_ = virtual_ != nullptr ? virtual_->parentFrame : robot.joints.root;
  if (!scene.robotModel.empty() && !robot.joints.robot.empty() && scene.robotModel != robot.joints.robot)
    out_.warning("the scene is for robot '" + scene.robotModel + "', but the robot is '" + robot.joints.robot + "'",
                 scene.position);
  chooseGroup(request.group, request.position);
  placeBase(scene, request);
  narrow(request.path);
  scaleLinks(scene);
  if (out_.hasErrors()) return;
  try {
    compiled_ = Robot::compile(description_);
  } catch (const Error& error) {
    out_.error(error);
    return;
  }
  start_ = VectorXd::Zero(compiled_->numLinks());
  for (int i = 0; i < compiled_->numLinks(); ++i) {
    // As MoveIt: zero, or the middle where zero is out of reach.
    const Link& link = compiled_->link(i);
    if (link.qMin > 0 || link.qMax < 0) start_[i] = (link.qMin + link.qMax) / 2;
    if (!std::isfinite(start_[i])) start_[i] = std::isfinite(link.qMin) ? link.qMin : link.qMax;
  }
  setState(robot.state);
  setState(scene.state);
  setState(request.start);
  if (baseMoves_ && compiled_->floatingBaseLink() >= 0) {
    for (const StateMessage* state : {&scene.state, &request.start})
      for (const StateMessage::Pose& pose : state->poses)
        if (pose.joint == virtual_->name) setFloatingBasePose(*compiled_, pose.X, start_);
  }
  settle(start_);
  for (const int link : links_) {
    const Link& each = compiled_->link(link);
    const double inside = std::clamp(start_[link], each.qMin, each.qMax);
    if (inside == start_[link] || std::abs(inside - start_[link]) > kStartBeyond) continue;
    out_.warning("the start has link '" + each.name + "' beyond its limit; it is moved onto it",
                 request.start.given ? request.start.position : scene.state.position);
    start_[link] = inside;
  }
  settle(start_);
  updateLinkFrames();
  addFrames(scene);
  addObjects(scene);
  attach(scene.state);
  attach(request.start);
  if (out_.hasErrors()) return;
  padLinks(scene);
  chooseCollisions(scene);
  buildWorld();
}

void ProblemScene::chooseGroup(const std::string& group, const SourcePosition& where) {
  std::vector<int> chosen;
  bool withVirtual = false;
  if (group.empty() || !given_.hasSrdf) {
    if (!group.empty())
      out_.error("there is no SRDF file that says what group '" + group + "' is", where, "name it with --srdf FILE");
    for (std::size_t i = 0; i < given_.joints.joints.size(); ++i) chosen.push_back(static_cast<int>(i));
  } else if (given_.srdf.group(group) == nullptr) {
    std::vector<std::string> names;
    for (const SrdfGroup& each : given_.srdf.groups) names.push_back(each.name);
    out_.error("there is no group '" + group + "'", where, suggestFrom(group, names));
    return;
  } else {
    chosen = jointsOfGroup(given_.srdf, group, given_.joints, out_, &withVirtual);
  }
  baseMoves_ = withVirtual && virtual_ != nullptr && virtual_->type != "fixed";
  if (baseMoves_ && !hasBase_)
    out_.error("group '" + group + "' moves the virtual joint, but the robot's root is fixed in its file", where);
  if (baseMoves_ && hasBase_)
    links_ = virtual_->type == "planar" ? std::vector<int>{0, 1, 3} : std::vector<int>{0, 1, 2, 3, 4, 5};
  for (const int index : chosen) {
    const NamedJoint& joint = given_.joints.joints[static_cast<std::size_t>(index)];
    if (!joint.moves() || !joint.mimics.empty() || given_.srdf.passive(joint.name)) continue;
    const int link = description_.findLink(joint.child);
    if (link < 0) {
      out_.error("the robot has no link '" + joint.child + "' that joint '" + joint.name + "' would move", where);
      continue;
    }
    // A joint of several degrees of freedom moves the links above this one, too.
    const int more = joint.type == "floating" ? 5 : joint.type == "planar" ? 2 : 0;
    for (int i = link - more; i <= link; ++i) links_.push_back(i);
  }
  if (links_.empty() && !out_.hasErrors())
    out_.error("group '" + group + "' moves nothing", where, "all its joints are fixed, passive or follow others");
}

void ProblemScene::placeBase(const SceneMessage& scene, const RequestMessage& request) {
  RigidTransform X_WB;
  for (const StateMessage* state : {&scene.state, &request.start})
    for (const StateMessage::Pose& pose : state->poses) {
      if (virtual_ != nullptr && pose.joint == virtual_->name)
        X_WB = pose.X;
      else
        out_.warning("the robot has no joint '" + pose.joint + "' of several degrees of freedom; its pose is ignored",
                     state->position);
    }
  const bool floating = baseMoves_ && virtual_->type == "floating";
  if (floating) return;
  for (Link& link : description_.links)
    if (link.parent < 0) link.X_PL0 = X_WB * link.X_PL0;
  if (!hasBase_) return;
  // A base that the group does not move is fixed, and not checked against what it stands on.
  std::erase_if(description_.joints, [](const Joint& joint) { return joint.link <= 5; });
  for (int i = 0; i < 6; ++i) {
    const bool planar = baseMoves_ && (i == 0 || i == 1 || i == 3);
    description_.joints.push_back({!planar ? JointType::weld : i == 3 ? JointType::spin : JointType::normal, i, -1});
  }
  if (!baseMoves_ || request.workspaceMin == request.workspaceMax) return;
  for (int i = 0; i < 2; ++i) narrowPosition(description_, i, request.workspaceMin[i], request.workspaceMax[i]);
}

void ProblemScene::narrow(const ConstraintsMessage& path) {
  for (const JointConstraintMessage& joint : path.joints) {
    const int link = linkOf(joint.joint);
    if (link < 0)
      out_.error("the robot has no joint '" + joint.joint + "'", joint.where, suggestFrom(joint.joint, variables()));
    else
      narrowPosition(description_, link, joint.position - joint.below, joint.position + joint.above);
  }
}

void ProblemScene::scaleLinks(const SceneMessage& scene) {
  for (const auto& [name, scale] : scene.scale) {
    if (scale == 1) continue;
    const int link = description_.findLink(name);
    if (link < 0) {
      out_.warning("the robot has no link '" + name + "'; its scale is ignored", scene.position);
      continue;
    }
    Link& target = description_.links[static_cast<std::size_t>(link)];
    if (!hasShape(target)) continue;
    const AxisAlignedBounds bounds = target.geometry->bounds();
    const Vector3d center = (bounds.min + bounds.max) / 2;
    target.geometry = transformed(*target.geometry, {Matrix3d::Identity() * scale, (1 - scale) * center});
  }
}

int ProblemScene::linkOf(const std::string& variable) const {
  const int joint = given_.joints.find(variable);
  if (joint >= 0) return description_.findLink(given_.joints.joints[static_cast<std::size_t>(joint)].child);
  if (virtual_ == nullptr || !hasBase_ || !variable.starts_with(virtual_->name + "/")) return -1;
  const std::string part = variable.substr(virtual_->name.size() + 1);
  if (part == "x" || part == "trans_x") return 0;
  if (part == "y" || part == "trans_y") return 1;
  if (part == "trans_z") return 2;
  return part == "theta" ? 3 : -1;
}

std::vector<std::string> ProblemScene::variables() const {
  std::vector<std::string> out;
  for (const NamedJoint& joint : given_.joints.joints)
    if (joint.moves()) out.push_back(joint.name);
  return out;
}

void ProblemScene::setState(const StateMessage& state) {
  for (const StateMessage::Joint& joint : state.joints) {
    const int link = linkOf(joint.name);
    if (link < 0) {
      out_.warning("the robot has no joint '" + joint.name + "'; its position is ignored", state.position,
                   didYouMean(joint.name, variables()));
      continue;
    }
    // Fixed joints have no position, even where a file gives them one.
    const int index = given_.joints.find(joint.name);
    if (index < 0 || given_.joints.joints[static_cast<std::size_t>(index)].moves()) start_[link] = joint.value;
  }
}

void ProblemScene::settle(VectorXd& q) const {
  for (int i = 0; i < compiled_->numDrivers(); ++i) {
    const Driver& driver = compiled_->driver(i);
    if (driver.type == DriverType::affine && !driver.links.empty())
      setDriverValue(*compiled_, i, (q[driver.links[0]] - driver.offset[0]) / driver.scale[0], q);
  }
}

void ProblemScene::updateLinkFrames() {
  RobotState state(*compiled_);
  state.q = start_.head(compiled_->numLinks());
  updateFrames(*compiled_, state);
  X_WL_ = state.X_WL;
}

bool ProblemScene::moves(int link) const {
  for (int at = link; at >= 0; at = description_.links[static_cast<std::size_t>(at)].parent) {
    if (std::find(links_.begin(), links_.end(), at) != links_.end()) return true;
    const int driver = at < compiled_->numLinks() ? compiled_->driverOfLink(at) : -1;
    if (driver < 0) continue;
    for (const int other : compiled_->driver(driver).links)
      if (std::find(links_.begin(), links_.end(), other) != links_.end()) return true;
  }
  return false;
}

RigidTransform ProblemScene::poseOf(const ProblemFrame& frame) const {
  return frame.link < 0 ? frame.X_LF : X_WL_[static_cast<std::size_t>(frame.link)] * frame.X_LF;
}

const ProblemFrame* ProblemScene::frame(const std::string& name, const SourcePosition& where) {
  // What is given in no frame is given in the planning frame; so is what is given in "world", unless there is one.
  const std::string& known = name.empty() ? planningFrame_ : name;
  for (const auto& [each, frame] : frames_)
    if (each == known) return &frame;
  if (known == "world") return &frames_.front().second;
  std::vector<std::string> names;
  for (const auto& each : frames_) names.push_back(each.first);
  out_.error("there is no frame '" + name + "'", where, suggestFrom(name, names));
  return nullptr;
}

RigidTransform ProblemScene::planningPose(const std::string& name, const SourcePosition& where) {
  const ProblemFrame* found = frame(name, where);
  return found == nullptr ? RigidTransform() : poseOf(*found);
}

void ProblemScene::addFrames(const SceneMessage& scene) {
  frames_.emplace_back(planningFrame_, ProblemFrame{});
  for (int i = 0; i < compiled_->numLinks(); ++i)
    if (compiled_->link(i).name != planningFrame_) frames_.emplace_back(compiled_->link(i).name, ProblemFrame{i, {}});
  if (!hasBase_ && given_.joints.root != planningFrame_) frames_.emplace_back(given_.joints.root, ProblemFrame{});
  for (const FrameMessage& each : scene.frames) {
    // MoveIt writes them reversed: the child is the planning frame, the header names the frame.
    const bool moveit = each.child == planningFrame_ || (each.child == "world" && planningFrame_ != each.parent);
    const std::string& name = moveit ? each.parent : each.child;
    const bool known = std::any_of(frames_.begin(), frames_.end(), [&](const auto& one) { return one.first == name; });
    if (known || name.empty()) continue;
    if (!moveit && each.parent != planningFrame_ && each.parent != "world") {
      out_.warning("frame '" + name + "' is given in '" + each.parent + "', not in the planning frame '" +
                       planningFrame_ + "'; it is ignored",
                   each.position);
      continue;
    }
    frames_.emplace_back(name, ProblemFrame{-1, each.X});
  }
}

void ProblemScene::addObjects(const SceneMessage& scene) {
  using Operation = ObjectMessage::Operation;
  for (const ObjectMessage& message : scene.objects) {
    const auto at =
        std::find_if(objects_.begin(), objects_.end(), [&](const Object& object) { return object.id == message.id; });
    if (message.operation == Operation::remove) {
      if (message.id.empty()) {
        objects_.clear();
      } else if (at != objects_.end()) {
        objects_.erase(at);
      } else {
        out_.warning("there is no object '" + message.id + "' to remove", message.position);
      }
      std::erase_if(frames_, [&](const auto& each) {
        return each.first == message.id || each.first.starts_with(message.id + "/");
      });
      continue;
    }
    Object object{message.id, planningPose(message.frame, message.position) * message.X_FO, message.shapes,
                  message.subframes, message.position};
    if (message.operation != Operation::add && at == objects_.end() && message.operation == Operation::move) {
      out_.error("there is no object '" + message.id + "' to move", message.position);
      continue;
    }
    if (message.operation == Operation::move) object.shapes = at->shapes;
    if (message.operation == Operation::append && at != objects_.end()) {
      const RigidTransform X_ON = at->X_WO.inverse() * object.X_WO;
      object.X_WO = at->X_WO;
      for (GeometryPtr& shape : object.shapes) shape = transformed(*shape, X_ON);
      object.shapes.insert(object.shapes.begin(), at->shapes.begin(), at->shapes.end());
    }
    std::erase_if(frames_, [&](const auto& each) { return each.first == object.id; });
    frames_.emplace_back(object.id, ProblemFrame{-1, object.X_WO});
    for (const auto& [name, X_OS] : object.subframes)
      frames_.emplace_back(object.id + "/" + name, ProblemFrame{-1, object.X_WO * X_OS});
    if (at == objects_.end())
      objects_.push_back(std::move(object));
    else
      *at = std::move(object);
  }
}

void ProblemScene::attach(const StateMessage& state) {
  for (const AttachedMessage& message : state.attached) {
    if (message.object.operation == ObjectMessage::Operation::remove) continue;
    const int link = description_.findLink(message.link);
    if (link < 0 || link >= compiled_->numLinks()) {
      std::vector<std::string> names;
      for (const Link& each : compiled_->links()) names.push_back(each.name);
      out_.error("the robot has no link '" + message.link + "' that could hold '" + message.object.id + "'",
                 message.position, suggestFrom(message.link, names));
      continue;
    }
    RigidTransform X_WO =
        planningPose(message.object.frame.empty() ? message.link : message.object.frame, message.object.position) *
        message.object.X_FO;
    std::vector<GeometryPtr> shapes = message.object.shapes;
    std::vector<std::pair<std::string, RigidTransform>> subframes = message.object.subframes;
    const auto inWorld = std::find_if(objects_.begin(), objects_.end(),
                                      [&](const Object& object) { return object.id == message.object.id; });
    if (inWorld != objects_.end()) {
      // An object without shapes is the one of that name in the world, which is removed in any case.
      if (shapes.empty()) {
        shapes = inWorld->shapes;
        subframes = inWorld->subframes;
        X_WO = inWorld->X_WO;
      }
      objects_.erase(inWorld);
    }
    if (shapes.empty()) {
      out_.error("the attached object '" + message.object.id + "' has no shape, and there is none of that name",
                 message.position);
      continue;
    }
    if (description_.findLink(message.object.id) >= 0) {
      out_.error("there are two things called '" + message.object.id + "' on the robot", message.position);
      continue;
    }
    const RigidTransform X_LO = X_WL_[static_cast<std::size_t>(link)].inverse() * X_WO;
    Link added;
    added.name = message.object.id;
    added.parent = link;
    added.X_PL0 = X_LO;
    added.geometry = unionOfAll(shapes);
    added.qMin = added.qMax = 0;
    Attached attached;
    attached.link = addLink(description_, std::move(added), JointType::weld, false);
    attached.touch = message.touchLinks;
    attached_.push_back(std::move(attached));
    const std::string id = message.object.id;
    std::erase_if(frames_, [&](const auto& each) { return each.first == id || each.first.starts_with(id + "/"); });
    frames_.emplace_back(id, ProblemFrame{link, X_LO});
    for (const auto& [name, X_OS] : subframes) frames_.emplace_back(id + "/" + name, ProblemFrame{link, X_LO * X_OS});
    start_.conservativeResize(start_.size() + 1);
    start_[start_.size() - 1] = 0;
    X_WL_.push_back(X_WO);
  }
}

void ProblemScene::padLinks(const SceneMessage& scene) {
  std::vector<double> padding(description_.links.size(), 0);
  for (const auto& [name, value] : scene.padding) {
    const int link = description_.findLink(name);
    if (link < 0)
      out_.warning("the robot has no link '" + name + "'; its padding is ignored", scene.position);
    else
      padding[static_cast<std::size_t>(link)] = value;
  }
  // An attached object has the padding of its link.
  for (const Attached& each : attached_)
    padding[static_cast<std::size_t>(each.link)] =
        padding[static_cast<std::size_t>(description_.links[static_cast<std::size_t>(each.link)].parent)];
  double minimum = kInfinity, maximum = 0;
  for (std::size_t i = 0; i < padding.size(); ++i) {
    if (!hasShape(description_.links[i])) continue;
    minimum = std::min(minimum, padding[i]);
    maximum = std::max(maximum, padding[i]);
  }
  if (maximum == 0) return;
  // Padding counts against the world only: the part that all links share is added to the world's margins.
  objectMargin_ = minimum;
  if (minimum == maximum) return;
  out_.warning("paddings of links differ; what a link has beyond the minimum counts against the robot itself as well",
               scene.position);
  for (std::size_t i = 0; i < padding.size(); ++i) {
    Link& link = description_.links[i];
    if (hasShape(link)) link.geometry = link.geometry->withMargin(link.geometry->margin() + padding[i] - minimum);
  }
}

void ProblemScene::chooseCollisions(const SceneMessage& scene) {
  const std::vector<Link>& links = description_.links;
  const bool matrix = !scene.matrix.empty();
  const bool rules = matrix || !given_.srdf.disabled.empty() || !given_.srdf.disabledByDefault.empty();
  const auto touches = [&](int a, int b) {
    for (const Attached& each : attached_) {
      if (each.link != a && each.link != b) continue;
      const int other = each.link == a ? b : a;
      const std::string& name = links[static_cast<std::size_t>(other)].name;
      if (other == links[static_cast<std::size_t>(each.link)].parent) return true;
      if (std::find(each.touch.begin(), each.touch.end(), name) != each.touch.end()) return true;
    }
    return false;
  };
  const auto allowed = [&](int a, int b) {
    const std::string &x = links[static_cast<std::size_t>(a)].name, &y = links[static_cast<std::size_t>(b)].name;
    return touches(a, b) || (matrix ? scene.matrix.allows(x, y) : given_.srdf.disables(x, y));
  };
  if (rules) {
    // Unlike URDF files alone, these rules check parents and children as well, unless they are left out by name.
    description_.selfCollisionPairs.clear();
    for (int a = 0; a < static_cast<int>(links.size()); ++a)
      for (int b = a + 1; b < static_cast<int>(links.size()); ++b)
        if (hasShape(links[static_cast<std::size_t>(a)]) && hasShape(links[static_cast<std::size_t>(b)]) &&
            !allowed(a, b))
          description_.selfCollisionPairs.emplace_back(a, b);
  } else {
    std::erase_if(description_.selfCollisionPairs, [&](const auto& pair) { return touches(pair.first, pair.second); });
  }
  const int robotId = static_cast<int>(objects_.size());
  for (int object = 0; object < robotId; ++object) {
    const std::string& id = objects_[static_cast<std::size_t>(object)].id;
    for (std::size_t link = 0; link < links.size(); ++link) {
      if (!hasShape(links[link])) continue;
      bool free = matrix && scene.matrix.allows(id, links[link].name);
      for (const Attached& each : attached_)
        if (each.link == static_cast<int>(link))
          free = free || std::find(each.touch.begin(), each.touch.end(), id) != each.touch.end();
      if (free) ignored_.push_back({object, robotId + 1 + static_cast<int>(link)});
    }
  }
}

void ProblemScene::buildWorld() {
  WorldDescription description;
  for (const Object& object : objects_) {
    Terrain terrain;
    terrain.name = object.id;
    terrain.position = object.position;
    if (const GeometryPtr shape = unionOfAll(object.shapes)) {
      terrain.geometry = transformed(*shape, object.X_WO);
      if (objectMargin_ > 0) terrain.geometry = terrain.geometry->withMargin(objectMargin_);
    }
    if (terrain.geometry == nullptr) terrain.geometry = std::make_shared<const Geometry>();
    description.addTerrain(std::move(terrain));
  }
  const int robot = description.addRobot(description_, description_.name);
  description.robots[static_cast<std::size_t>(robot)].configuration = start_;
  World world = WorldCompiler().compile(description, out_);
  if (!out_.hasErrors()) world_ = std::make_shared<const World>(std::move(world));
}

}  // namespace mortise::io_moveit
