// What pages do with resources beside a posed world.

#include <cmath>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/collision/edge_check.h"
#include "mortise/inspect/values.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/viewer/posing/grasp_edit.h"
#include "mortise/viewer/posing/message_fields.h"
#include "mortise/viewer/posing/path_edit.h"
#include "mortise/viewer/posing/pose_session.h"
#include "mortise/viewer/posing/shape_mesh.h"

namespace mortise::viewer {

namespace {

/// The item with another content; where it came from does not hold it any more.
ResourceItem edited(const ResourceItem& item, Resource value) { return {item.name, "", std::move(value)}; }

/// A hold for every link that has contacts with something other than its own robot, the link held where it is.
Stance stanceFromContacts(Poser& poser, int robot, const std::vector<LinkContact>& contacts, int link) {
  std::map<int, Hold> holds;
  for (const LinkContact& contact : contacts) {
    if (contact.target >= 0 || (link >= 0 && contact.link != link)) continue;
    Hold& hold = holds[contact.link];
    hold.link = contact.link;
    hold.contacts.push_back(contact.point);
  }
  Stance stance;
  for (auto& [held, hold] : holds) {
    hold.goal = poseGoal(held, poser.linkPose(robot, held));
    stance.holds.push_back(std::move(hold));
  }
  return stance;
}

constexpr double kFlatFriction = 0.5;  ///< Of contacts with flat ground, as RobotPose has it.

const PinnedGoal& goalOf(const Poser& poser, int robot, int link) {
  for (const PinnedGoal& pinned : poser.document().goals)
    if (pinned.robot == robot && (link < 0 || pinned.goal.link == link)) return pinned;
  throw Error("no goal is pinned there", {}, "pin the link first");
}

}  // namespace

RigidTransform PoseSession::poseOf(const Value& message) {
  const int link = static_cast<int>(message.integer("link", -1));
  if (link >= 0) return poser_.linkPose(robotOf(message), link);
  const std::int64_t object = message.integer("object", -1);
  if (object < 0 || object >= static_cast<std::int64_t>(poser_.document().objects.size()))
    throw Error("select a link or an object: its pose is kept");
  return poser_.document().objects[static_cast<std::size_t>(object)];
}

Resource PoseSession::resourceFromPose(const Value& message) {
  const int robot = robotOf(message);
  const int link = static_cast<int>(message.integer("link", -1));
  const std::string& kind = message.at("kind").asString();
  const PoseDocument& document = poser_.document();
  modelOf(robot);
  const VectorXd& q = document.q[static_cast<std::size_t>(robot)];
  if (kind == "configuration") return q;
  if (kind == "configurations") return ConfigurationList{{q}};
  if (kind == "trajectory") return Trajectory{{0}, {q}};
  if (kind == "ik_goal") return goalOf(poser_, robot, link).goal;
  if (kind == "transform") return poseOf(message);
  if (kind == "vector3") return poseOf(message).p;
  if (kind == "grasp" && link >= 0) return graspFromPose(robot, link);
  if (kind == "hold" || kind == "stance" || kind == "grasp") {
    const bool flat = message.contains("flat");
    Stance stance = stanceFromContacts(
        poser_, robot,
        flat ? poser_.flatContacts(robot, message.at("flat").asReal(), message.real("friction", kFlatFriction))
             : poser_.contacts(robot),
        kind == "hold" ? link : -1);
    if (stance.holds.empty())
      throw Error("no link touches anything within " + formatReal(1000 * poser_.touch()) + " mm", {},
                  "bring a link to a surface, place the robot on one, or let things touch from farther apart");
    if (kind == "hold") return stance.holds.front();
    if (kind == "stance") return stance;
    Diagnostics diagnostics;
    return convertResource(stance, FileContent::grasp, diagnostics);
  }
  if (kind == "geometry") {
    const int id = static_cast<int>(message.integer("id", -1));
    if (id < 0 || poser_.world().entity(id).kind == World::Kind::robot || !poser_.collider()->shape(id))
      throw Error("select a link, an object or a terrain that has a shape: it is kept");
    // As it is in the world, which may not be as in its file.
    const Geometry& shape = *poser_.collider()->shape(id)->geometry();
    if (shape.as<ConvexHullShape>() || shape.as<GeometryGroup>() || shape.as<HeightmapShape>() ||
        shape.as<ImplicitSurfaceShape>() || shape.as<OccupancyGridShape>())
      return GeometryPtr(std::make_shared<Geometry>(shownMesh(shape)));
    return shape.withFile({});
  }
  throw Error("a pose cannot be kept as '" + kind + "'", {},
              "configuration, configurations, trajectory, ik_goal, transform, vector3, hold, stance, grasp and "
              "geometry can");
}

void PoseSession::onStore(const Value& message, Value& result) {
  const std::string kind = message.at("kind").asString();
  std::string name = message.string("name", "");
  if (name.empty()) name = kind;
  Resource value = resourceFromPose(message);
  if (message.contains("resource")) {
    const std::size_t at = indexFrom(message, "resource");
    poser_.replace(at, edited(poser_.resource(at), std::move(value)));
    return;
  }
  poser_.add({poser_.freeName(name), "", std::move(value)});
  result.set("added", static_cast<std::int64_t>(poser_.document().resources.size()) - 1);
}

void PoseSession::onLoad(const Value& message, Value& result) {
  const int robot = robotOf(message);
  const Resource value = poser_.resource(indexFrom(message, "resource")).value;
  if (const auto* q = std::get_if<VectorXd>(&value)) {
    poser_.setConfiguration(robot, *q);
    return;
  }
  if (isEditablePath(value)) {
    const Trajectory motion = motionOf(value);
    const std::size_t at = message.contains("at") ? indexFrom(message, "at") : 0;
    if (at >= motion.configurations.size()) throw Error("there is no milestone " + std::to_string(at));
    poser_.setConfiguration(robot, motion.configurations[at]);
    return;
  }
  std::vector<IKGoal> goals;
  if (const auto* goal = std::get_if<IKGoal>(&value)) goals.push_back(*goal);
  if (const auto* hold = std::get_if<Hold>(&value)) goals.push_back(hold->goal);
  if (const auto* stance = std::get_if<Stance>(&value))
    for (const Hold& hold : stance->holds) goals.push_back(hold.goal);
  std::vector<int> fingers;
  if (const auto* grasp = std::get_if<Grasp>(&value)) {
    goals = grasp->goals;
    for (const auto& finger : grasp->fixed) fingers.push_back(finger.first);
    if (!fingers.empty())
      poser_.setConfiguration(
          robot, withGraspFingers(*modelOf(robot), *grasp, poser_.document().q[static_cast<std::size_t>(robot)]));
  }
  if (goals.empty() && fingers.empty())
    throw Error(std::string(contentName(contentOf(value))) + " is nothing that a robot can be posed by");
  for (const IKGoal& goal : goals) poser_.pin({robot, goal});
  report(poser_.solve(robot, fingers), result);
}

/// Other numbers for what is nothing but numbers: typed in, or by a handle in the scene.
void PoseSession::onSet(const Value& message, Value&) {
  const std::size_t at = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(at);
  const std::vector<double> values = message.at("values").asReals();
  for (const double v : values)
    if (!std::isfinite(v)) throw Error("'values' takes finite numbers");
  const auto require = [&](std::size_t count) {
    if (values.size() != count)
      throw Error("'values' takes " + std::to_string(count) + " numbers here, not " + std::to_string(values.size()));
  };
  Resource value = item.value;
  if (auto* q = std::get_if<VectorXd>(&value)) {
    require(static_cast<std::size_t>(q->size()));
    *q = Eigen::Map<const VectorXd>(values.data(), q->size());
  } else if (auto* p = std::get_if<Vector3d>(&value)) {
    require(3);
    *p = Vector3d(values.data());
  } else if (auto* X = std::get_if<RigidTransform>(&value)) {
    *X = poseFrom(message, "values");
  } else if (auto* list = std::get_if<std::vector<double>>(&value)) {
    *list = values;
  } else {
    throw Error(std::string(contentName(contentOf(value))) + " is more than a few numbers");
  }
  poser_.replace(at, edited(item, std::move(value)));
}

void PoseSession::onRename(const Value& message, Value&) {
  const std::size_t at = indexFrom(message, "resource");
  const std::string& name = message.at("name").asString();
  ResourceItem item = poser_.resource(at);
  if (name.empty()) throw Error("a resource needs a name");
  if (name == item.name) return;
  item.name = poser_.freeName(name);
  item.file.clear();
  poser_.replace(at, std::move(item));
}

void PoseSession::onErase(const Value& message, Value&) { poser_.erase(indexFrom(message, "resource")); }

void PoseSession::onConvert(const Value& message, Value& result) {
  const ResourceItem item = poser_.resource(indexFrom(message, "resource"));
  const std::optional<FileContent> kind = contentFromName(message.at("to").asString());
  if (!kind) throw Error("there is no kind '" + message.at("to").asString() + "'");
  Diagnostics diagnostics;
  poser_.add({poser_.freeName(item.name), "", convertResource(item.value, *kind, diagnostics)});
  std::string lost;
  for (const Diagnostic& problem : diagnostics.all()) lost += (lost.empty() ? "" : "; ") + problem.message;
  if (!lost.empty()) result.set("text", lost);
}

/// The milestones of any motion, for the page to play.
void PoseSession::onPath(const Value& message, Value& result) {
  const Trajectory motion = motionOf(poser_.resource(indexFrom(message, "resource")).value);
  Value rows = Value::list();
  for (const VectorXd& q : motion.configurations) rows.push_back(inspect::list(q));
  Value path = Value::map();
  path.set("times", motion.times);
  path.set("configurations", std::move(rows));
  result.set("path", std::move(path));
}

void PoseSession::onMilestone(const Value& message, Value&) {
  const std::size_t resource = indexFrom(message, "resource"), at = indexFrom(message, "at");
  const std::string& action = message.at("action").asString();
  const ResourceItem item = poser_.resource(resource);
  const int robot = robotOf(message);
  if (robot < 0 || robot >= static_cast<int>(poser_.document().q.size())) throw Error("there is no such robot");
  const VectorXd q = poser_.document().q[static_cast<std::size_t>(robot)];
  Resource value;
  if (action == "insert")
    value = withMilestone(item.value, at, q);
  else if (action == "replace")
    value = withReplaced(item.value, at, q);
  else if (action == "delete")
    value = withoutMilestone(item.value, at);
  else if (action == "move")
    value = withMoved(item.value, at, indexFrom(message, "to"));
  else
    throw Error("milestones can be inserted, replaced, deleted and moved, not '" + action + "'");
  poser_.replace(resource, edited(item, std::move(value)));
}

void PoseSession::onSplit(const Value& message, Value&) {
  const std::size_t resource = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(resource);
  auto [first, second] = splitAt(item.value, indexFrom(message, "at"));
  poser_.replace(resource, edited(item, std::move(first)));
  poser_.add({poser_.freeName(item.name), "", std::move(second)});
}

void PoseSession::onReverse(const Value& message, Value&) {
  const std::size_t resource = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(resource);
  poser_.replace(resource, edited(item, reversed(item.value)));
}

void PoseSession::onRetime(const Value& message, Value&) {
  const std::size_t resource = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(resource);
  const int robot = robotOf(message);
  std::optional<double> duration;
  if (message.contains("duration")) duration = message.at("duration").asReal();
  poser_.replace(resource, edited(item, retimed(item.value, *modelOf(robot), duration)));
}

void PoseSession::onDiscretize(const Value& message, Value&) {
  const std::size_t resource = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(resource);
  poser_.replace(resource,
                 edited(item, discretized(item.value, modelOf(robotOf(message)), message.real("resolution", 0.01))));
}

void PoseSession::onOptimize(const Value& message, Value&) {
  const std::size_t resource = indexFrom(message, "resource");
  const ResourceItem item = poser_.resource(resource);
  poser_.replace(resource, edited(item, optimized(item.value, modelOf(robotOf(message)))));
}

/// Whether the robot can move along a path where everything else is now: limits, and collisions anywhere on it.
void PoseSession::onCheck(const Value& message, Value& result) {
  const Trajectory motion = motionOf(poser_.resource(indexFrom(message, "resource")).value);
  const int robot = robotOf(message);
  const Robot& model = *modelOf(robot);
  WorldCollisionState state(poser_.collider());
  const PoseDocument& document = poser_.document();
  for (std::size_t r = 0; r < document.q.size(); ++r) state.setConfiguration(static_cast<int>(r), document.q[r]);
  for (std::size_t i = 0; i < document.objects.size(); ++i)
    state.setPose(poser_.world().objectId(static_cast<int>(i)), document.objects[i]);
  const EdgeChecker checker(poser_.collider(), robot);
  EdgeChecker::Workspace workspace;
  EdgeCheckOptions options;
  options.method = EdgeCheckOptions::Method::resolution;
  Value faults = Value::list();
  for (std::size_t i = 0; i < motion.configurations.size(); ++i) {
    const VectorXd& q = motion.configurations[i];
    if (q.size() != model.numLinks()) throw Error("the path is for another robot than '" + model.name() + "'");
    for (int l = 0; l < model.numLinks(); ++l)
      if (model.link(l).qMin <= model.link(l).qMax &&
          (q[l] < model.link(l).qMin - 1e-9 || q[l] > model.link(l).qMax + 1e-9))
        faults.push_back("milestone " + std::to_string(i) + ": " + model.link(l).name + " is beyond its limits");
    if (i == 0) continue;
    const EdgeCheckResult edge = checker.check(motion.configurations[i - 1], q, state, workspace, options);
    if (!edge.free)
      faults.push_back("between milestones " + std::to_string(i - 1) + " and " + std::to_string(i) + ": " +
                       poser_.world().nameOf(edge.ids.a) + " collides with " + poser_.world().nameOf(edge.ids.b));
  }
  result.set("faults", std::move(faults));
}

void PoseSession::onSave(const Value&, Value& result) {
  if (!save_) throw Error("there is no place to save resources to", {}, "name one with --resources FOLDER");
  result.set("text", save_(library()));
}

}  // namespace mortise::viewer
