#include "common/constraint_names.h"
#include "mortise/text/article.h"
#include "resource/resource_json.h"
#include "resource/resource_text.h"

namespace mortise::io {

namespace {

using Position = IKGoal::Position;
using Rotation = IKGoal::Rotation;

Value list(const VectorXd& v) { return Value(std::vector<double>(v.data(), v.data() + v.size())); }

Value list(const std::vector<VectorXd>& vectors) {
  Value all = Value::list();
  for (const VectorXd& v : vectors) all.push_back(list(v));
  return all;
}

struct ResourceJsonWriter {
  bool named;
  Diagnostics& diagnostics;

  static Value object(FileContent kind) {
    Value map = Value::map();
    map.set("type", Value(klamptType(kind)));
    return map;
  }
  Value asText(const Resource& resource) const {
    Value map = object(contentOf(resource));
    std::string text = resourceText(resource, diagnostics);
    if (!text.empty() && text.back() == '\n') text.pop_back();
    map.set("data", Value(text));
    return map;
  }

  Value operator()(const VectorXd& q) const { return named || q.size() == 0 ? asText(q) : list(q); }
  Value operator()(const ConfigurationList& configs) const {
    const auto& all = configs.configurations;
    // Nine and three numbers would be taken for a transform.
    const bool likeTransform = all.size() == 2 && all[0].size() == 9 && all[1].size() == 3;
    if (!named && !all.empty() && !likeTransform) return list(all);
    Value map = object(FileContent::configurations);
    map.set("configs", list(all));
    return map;
  }
  Value operator()(const Trajectory& path) const {
    Value map = object(FileContent::trajectory);
    map.set("times", Value(path.times));
    map.set("milestones", list(path.configurations));
    return map;
  }
  Value operator()(const HermiteTrajectory& path) const {
    Value map = object(FileContent::hermiteTrajectory);
    Value milestones = Value::list();
    for (std::size_t i = 0; i < path.times.size(); ++i) {
      VectorXd both(path.configurations[i].size() + path.velocities[i].size());
      both << path.configurations[i], path.velocities[i];
      milestones.push_back(list(both));
    }
    map.set("times", Value(path.times));
    map.set("milestones", std::move(milestones));
    return map;
  }
  Value operator()(const IKGoal& goal) const {
    Value map = object(FileContent::ikGoal);
    map.set("link", goal.link);
    if (goal.destination >= 0) map.set("destLink", goal.destination);
    if (goal.position != Position::free) {
      map.set("posConstraint", Value(kPositionNames[static_cast<std::size_t>(goal.position)].first));
      map.set("localPosition", list(goal.p_LP));
      map.set("endPosition", list(goal.p_DP));
      if (goal.position != Position::point) map.set("direction", list(goal.direction_D));
    }
    if (goal.rotation != Rotation::free) {
      map.set("rotConstraint", Value(kRotationNames[static_cast<std::size_t>(goal.rotation)].first));
      if (goal.rotation != Rotation::fixed) map.set("localAxis", list(goal.axis_L));
      map.set("endRotation", list(goal.rotation == Rotation::fixed ? goal.rotationVector_DL : goal.axis_D));
    }
    return map;
  }
  Value operator()(const ContactPoint& contact) const {
    Value map = object(FileContent::contactPoint);
    map.set("x", list(contact.p_WC));
    map.set("n", list(contact.n_W));
    map.set("kFriction", contact.friction);
    return map;
  }
  Value untyped(Value map) const {
    map.erase("type");
    return map;
  }
  Value operator()(const Hold& hold) const {
    Value map = object(FileContent::hold);
    if (hold.link != hold.goal.link) map.set("link", hold.link);
    map.set("ik", untyped((*this)(hold.goal)));
    Value contacts = Value::list();
    for (const ContactPoint& contact : hold.contacts) contacts.push_back(untyped((*this)(contact)));
    map.set("contacts", std::move(contacts));
    return map;
  }
  Value operator()(const Stance& stance) const {
    Value map = object(FileContent::stance), holds = Value::list();
    for (const Hold& hold : stance.holds) holds.push_back(untyped((*this)(hold)));
    map.set("holds", std::move(holds));
    return map;
  }
  Value operator()(const Grasp& grasp) const {
    Value map = object(FileContent::grasp), goals = Value::list(), contacts = Value::list(), links = Value::list(),
          forces = Value::list(), dofs = Value::list(), values = Value::list();
    for (const IKGoal& goal : grasp.goals) goals.push_back(untyped((*this)(goal)));
    for (const auto& [dof, value] : grasp.fixed) {
      dofs.push_back(dof);
      values.push_back(value);
    }
    bool anyForce = false;
    for (const Grasp::Contact& contact : grasp.contacts) {
      contacts.push_back(untyped((*this)(contact.point)));
      links.push_back(contact.link);
      forces.push_back(contact.force_W ? list(*contact.force_W) : Value());
      anyForce = anyForce || contact.force_W.has_value();
    }
    map.set("objectIndex", grasp.object);
    map.set("robotIndex", grasp.robot);
    map.set("constraints", std::move(goals));
    map.set("fixedValues", std::move(values));
    map.set("fixedDofs", std::move(dofs));
    map.set("contacts", std::move(contacts));
    map.set("contactLinks", std::move(links));
    map.set("forces", anyForce ? std::move(forces) : Value::list());
    return map;
  }
  static void putSettings(Value& map, const MultiPath::Settings& settings) {
    if (settings.empty()) return;
    Value all = Value::map();
    for (const auto& [name, value] : settings) all.set(name, Value(value));
    map.set("settings", std::move(all));
  }
  Value operator()(const MultiPath& path) const {
    Value map = object(FileContent::multipath), sections = Value::list(), holds = Value::list();
    putSettings(map, path.settings);
    for (const MultiPath::Section& section : path.sections) {
      Value entry = Value::map(), goals = Value::list(), own = Value::list();
      putSettings(entry, section.settings);
      for (const IKGoal& goal : section.goals) goals.push_back(untyped((*this)(goal)));
      for (const Hold& hold : section.holds) own.push_back(untyped((*this)(hold)));
      if (!section.goals.empty()) entry.set("ikgoals", std::move(goals));
      if (!section.holds.empty()) entry.set("holds", std::move(own));
      if (!section.holdIndices.empty()) {
        Value indices = Value::list();
        for (const int index : section.holdIndices) indices.push_back(index);
        entry.set("holdIndices", std::move(indices));
      }
      if (!section.holdNames.empty()) entry.set("holdNames", Value(section.holdNames));
      if (!section.times.empty()) entry.set("times", Value(section.times));
      entry.set("milestones", list(section.milestones));
      if (!section.velocities.empty()) entry.set("velocities", list(section.velocities));
      sections.push_back(std::move(entry));
    }
    map.set("sections", std::move(sections));
    for (const MultiPath::NamedHold& named : path.holds) {
      Value entry = untyped((*this)(named.hold));
      if (!named.name.empty()) entry.set("name", Value(named.name));
      holds.push_back(std::move(entry));
    }
    if (!path.holds.empty()) map.set("holds", std::move(holds));
    return map;
  }
  Value operator()(const RigidTransform& X) const {
    if (named) return asText(X);
    Value parts = Value::list();
    parts.push_back(list(VectorXd(Eigen::Map<const VectorXd>(X.R.data(), 9))));
    parts.push_back(list(X.p));
    return parts;
  }
  Value operator()(const GeometryPtr&) const { throw Error("a shape has no JSON form", {}, "write it as a mesh"); }
  Value operator()(const FileResource& file) const {
    throw Error(withArticle(contentName(file.content)) + " has no JSON form");
  }
  template <typename T>
  Value operator()(const T& value) const {
    return asText(value);
  }
};

}  // namespace

Value jsonValue(const Resource& resource, bool named, Diagnostics& diagnostics) {
  return std::visit(ResourceJsonWriter{named, diagnostics}, resource);
}

}  // namespace mortise::io
