// Requests of pages about resources beside a posed world.

#include <map>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/viewer/posing/grasp_edit.h"
#include "mortise/viewer/posing/hold_edit.h"
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

const PinnedGoal& goalOf(const Poser& poser, int robot, int link) {
  for (const PinnedGoal& pinned : poser.document().goals)
    if (pinned.robot == robot && (link < 0 || pinned.goal.link == link)) return pinned;
  throw Error("no goal is pinned there", {}, "pin the link first");
}

}  // namespace

RigidTransform PoseSession::poseOf(const message::Store& m, int robot) {
  if (m.link >= 0) return poser_.linkPose(robot, m.link);
  if (m.object < 0 || m.object >= static_cast<int>(poser_.document().objects.size()))
    throw Error("select a link or an object: its pose is kept");
  return poser_.document().objects[static_cast<std::size_t>(m.object)];
}

Resource PoseSession::resourceFromPose(const message::Store& m, int robot) {
  const VectorXd& q = configurationOf(robot);
  switch (m.kind) {
    case message::Kept::configuration:
      return q;
    case message::Kept::configurations:
      return ConfigurationList{{q}};
    case message::Kept::trajectory:
      return Trajectory{{0}, {q}};
    case message::Kept::ikGoal:
      return goalOf(poser_, robot, m.link).goal;
    case message::Kept::transform:
      return poseOf(m, robot);
    case message::Kept::vector3:
      return poseOf(m, robot).p;
    case message::Kept::grasp:
      if (m.link >= 0) return graspFromPose(robot, m.link);
      return contactsFromPose(m, robot);
    case message::Kept::hold:
    case message::Kept::stance:
      return contactsFromPose(m, robot);
    case message::Kept::geometry:
      return shapeFromWorld(m.id);
  }
  return q;
}

/// A hold, stance or grasp of what the robot touches.
Resource PoseSession::contactsFromPose(const message::Store& m, int robot) {
  const bool hold = m.kind == message::Kept::hold;
  Stance stance = stanceFromContacts(poser_, robot,
                                     m.flat ? poser_.flatContacts(robot, *m.flat, m.friction) : poser_.contacts(robot),
                                     hold ? m.link : -1);
  if (stance.holds.empty())
    throw Error("no link touches anything within " + formatReal(1000 * poser_.touch()) + " mm", {},
                "bring a link to a surface, place the robot on one, or let things touch from farther apart");
  if (hold) return stance.holds.front();
  if (m.kind == message::Kept::stance) return stance;
  Diagnostics diagnostics;
  return convertResource(stance, FileContent::grasp, diagnostics);
}

Resource PoseSession::shapeFromWorld(int id) const {
  if (id < 0 || poser_.world().entity(id).kind == World::Kind::robot || !poser_.collider()->shape(id))
    throw Error("select a link, an object or a terrain that has a shape: it is kept");
  // As it is in the world, which may not be as in its file.
  const Geometry& shape = *poser_.collider()->shape(id)->geometry();
  if (shape.as<ConvexHullShape>() || shape.as<GeometryGroup>() || shape.as<HeightmapShape>() ||
      shape.as<ImplicitSurfaceShape>() || shape.as<OccupancyGridShape>())
    return GeometryPtr(std::make_shared<Geometry>(shownMesh(shape)));
  return shape.withFile({});
}

void PoseSession::on(const message::Store& m, Turn& turn) {
  Resource value = resourceFromPose(m, turn.robot);
  if (m.resource) {
    const auto at = static_cast<std::size_t>(*m.resource);
    poser_.replace(at, edited(poser_.resource(at), std::move(value)));
    return;
  }
  std::string name = m.name;
  for (const auto& [text, kind] : message::keptNames())
    if (name.empty() && kind == m.kind) name = text;
  poser_.add({poser_.freeName(name), "", std::move(value)});
  turn.result.added = static_cast<int>(poser_.document().resources.size()) - 1;
}

void PoseSession::on(const message::Load& m, Turn& turn) {
  const Resource value = poser_.resource(m.at()).value;
  if (const auto* q = std::get_if<VectorXd>(&value)) {
    poser_.setConfiguration(turn.robot, *q);
    return;
  }
  if (isEditablePath(value)) {
    const Trajectory motion = motionOf(value);
    const auto at = static_cast<std::size_t>(m.milestone);
    if (at >= motion.configurations.size()) throw Error("there is no milestone " + std::to_string(at));
    poser_.setConfiguration(turn.robot, motion.configurations[at]);
    return;
  }
  std::vector<IKGoal> goals;
  if (const auto* goal = std::get_if<IKGoal>(&value)) goals.push_back(*goal);
  for (const Hold& hold : holdsOf(value)) goals.push_back(hold.goal);
  std::vector<int> fingers;
  if (const auto* grasp = std::get_if<Grasp>(&value)) {
    goals = grasp->goals;
    for (const auto& finger : grasp->fixed) fingers.push_back(finger.first);
    if (!fingers.empty())
      poser_.setConfiguration(turn.robot, withGraspFingers(*modelOf(turn.robot), *grasp, configurationOf(turn.robot)));
  }
  if (goals.empty() && fingers.empty())
    throw Error(std::string(contentName(contentOf(value))) + " is nothing that a robot can be posed by");
  for (const IKGoal& goal : goals) poser_.pin({turn.robot, goal});
  report(poser_.solve(turn.robot, fingers), turn);
}

namespace {

/// The same kind of resource with other numbers. Throws `Error` for another count, and for what is more than numbers.
Resource withNumbers(Resource value, const std::vector<double>& values) {
  const auto require = [&](std::size_t count) {
    if (values.size() != count)
      throw Error("'values' takes " + std::to_string(count) + " numbers here, not " + std::to_string(values.size()));
  };
  if (auto* q = std::get_if<VectorXd>(&value)) {
    require(static_cast<std::size_t>(q->size()));
    *q = Eigen::Map<const VectorXd>(values.data(), q->size());
  } else if (auto* p = std::get_if<Vector3d>(&value)) {
    require(3);
    *p = Vector3d(values.data());
  } else if (auto* X = std::get_if<RigidTransform>(&value)) {
    require(12);
    *X = SettingType<PoseSetting>::from(Value(values), "values").X;
  } else if (auto* list = std::get_if<std::vector<double>>(&value)) {
    *list = values;
  } else {
    throw Error(std::string(contentName(contentOf(value))) + " is more than a few numbers");
  }
  return value;
}

}  // namespace

void PoseSession::on(const message::Set& m, Turn&) {
  const ResourceItem item = poser_.resource(m.at());
  poser_.replace(m.at(), edited(item, withNumbers(item.value, m.values)));
}

void PoseSession::on(const message::Rename& m, Turn&) {
  ResourceItem item = poser_.resource(m.at());
  if (m.name.empty()) throw Error("a resource needs a name");
  if (m.name == item.name) return;
  item.name = poser_.freeName(m.name);
  item.file.clear();
  poser_.replace(m.at(), std::move(item));
}

void PoseSession::on(const message::Erase& m, Turn&) { poser_.erase(m.at()); }

void PoseSession::on(const message::Convert& m, Turn& turn) {
  const ResourceItem item = poser_.resource(m.at());
  const std::optional<FileContent> kind = contentFromName(m.to);
  if (!kind) throw Error("'to' of a message 'convert': there is no kind '" + m.to + "'");
  Diagnostics diagnostics;
  poser_.add({poser_.freeName(item.name), "", convertResource(item.value, *kind, diagnostics)});
  std::string lost;
  for (const Diagnostic& problem : diagnostics.all()) lost += (lost.empty() ? "" : "; ") + problem.message;
  if (!lost.empty()) turn.result.text = lost;
}

void PoseSession::on(const message::Save&, Turn& turn) {
  if (!save_) throw Error("there is no place to save resources to", {}, "name one with --resources FOLDER");
  turn.result.text = save_(library());
  saved_ = poser_.document().resources;
}

}  // namespace mortise::viewer
