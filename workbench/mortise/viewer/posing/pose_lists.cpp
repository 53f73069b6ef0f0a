// What pages are told of resources.

#include "mortise/inspect/values.h"
#include "mortise/modeling/resource_conversion.h"
#include "mortise/viewer/posing/hold_edit.h"
#include "mortise/viewer/posing/path_edit.h"
#include "mortise/viewer/posing/pose_session.h"

namespace mortise::viewer {

namespace {

constexpr Eigen::Index kMostNumbers = 1000;  ///< That pages show and edit one by one.

Value holdList(const std::vector<Hold>& holds) {
  Value list = Value::list();
  for (const Hold& hold : holds) {
    Value entry = Value::map(), contacts = Value::list();
    for (const ContactPoint& c : hold.contacts)
      contacts.push_back(
          std::vector<double>{c.p_WC.x(), c.p_WC.y(), c.p_WC.z(), c.n_W.x(), c.n_W.y(), c.n_W.z(), c.friction});
    entry.set("link", hold.link);
    entry.set("contacts", std::move(contacts));
    list.push_back(std::move(entry));
  }
  return list;
}

/// The link and its value, of each.
Value fingerList(const Grasp& grasp) {
  Value list = Value::list();
  for (const auto& [link, value] : grasp.fixed) list.push_back(std::vector<double>{static_cast<double>(link), value});
  return list;
}

/// Of what is nothing but a few numbers.
void describeNumbers(const Resource& resource, Value& entry) {
  if (const auto* q = std::get_if<VectorXd>(&resource); q != nullptr && q->size() <= kMostNumbers)
    entry.set("values", inspect::list(*q));
  if (const auto* p = std::get_if<Vector3d>(&resource)) entry.set("values", inspect::list(*p));
  if (const auto* X = std::get_if<RigidTransform>(&resource)) entry.set("values", inspect::list(*X));
  if (const auto* list = std::get_if<std::vector<double>>(&resource);
      list != nullptr && static_cast<Eigen::Index>(list->size()) <= kMostNumbers)
    entry.set("values", *list);
}

}  // namespace

Value PoseSession::resourceList() const {
  Value list = Value::list();
  for (const auto& item : poser_.document().resources) {
    Value entry = Value::map();
    const FileContent kind = contentOf(item->value);
    entry.set("name", item->name);
    entry.set("kind", contentName(kind));
    entry.set("editable", isEditablePath(item->value));
    if (isEditablePath(item->value)) {
      const Trajectory motion = motionOf(item->value);
      entry.set("milestones", static_cast<std::int64_t>(motion.times.size()));
      entry.set("times", motion.times);
    }
    describeNumbers(item->value, entry);
    if (const auto* grasp = std::get_if<Grasp>(&item->value)) entry.set("fingers", fingerList(*grasp));
    if (const auto* shape = std::get_if<GeometryPtr>(&item->value); shape != nullptr && *shape)
      entry.set("triangles", (*shape)->numTriangles());
    if (const std::vector<Hold> holds = holdsOf(item->value); !holds.empty()) entry.set("holds", holdList(holds));
    std::vector<std::string> others;
    for (const FileContent other : convertibleKinds(kind))
      if (other != kind) others.emplace_back(contentName(other));
    entry.set("convertible", others);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace mortise::viewer
