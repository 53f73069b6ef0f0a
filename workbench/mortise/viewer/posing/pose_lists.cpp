// Messages to pages about resources.

#include "mortise/modeling/resource_conversion.h"
#include "mortise/viewer/posing/hold_edit.h"
#include "mortise/viewer/posing/path_edit.h"
#include "mortise/viewer/posing/pose_session.h"

namespace mortise::viewer {

namespace {

constexpr Eigen::Index kMaxNumbers = 1000;  ///< That pages show and edit one by one.

std::vector<message::PosedHold> holdList(const std::vector<Hold>& holds) {
  std::vector<message::PosedHold> list;
  for (const Hold& hold : holds) {
    message::PosedHold& entry = list.emplace_back();
    entry.link = hold.link;
    for (const ContactPoint& c : hold.contacts)
      entry.contacts.push_back({c.p_WC.x(), c.p_WC.y(), c.p_WC.z(), c.n_W.x(), c.n_W.y(), c.n_W.z(), c.friction});
  }
  return list;
}

/// The numbers of what is nothing but a few of them.
std::optional<std::vector<double>> numbersOf(const Resource& resource) {
  if (const auto* p = std::get_if<Vector3d>(&resource)) return std::vector<double>(p->begin(), p->end());
  if (const auto* q = std::get_if<VectorXd>(&resource); q != nullptr && q->size() <= kMaxNumbers)
    return std::vector<double>(q->begin(), q->end());
  if (const auto* X = std::get_if<RigidTransform>(&resource)) {
    std::vector<double> rows(12);
    X->toRows(rows.data());
    return rows;
  }
  if (const auto* list = std::get_if<std::vector<double>>(&resource);
      list != nullptr && static_cast<Eigen::Index>(list->size()) <= kMaxNumbers)
    return *list;
  return std::nullopt;
}

message::ListedResource describe(const ResourceItem& item) {
  message::ListedResource entry;
  const FileContent kind = contentOf(item.value);
  entry.name = item.name;
  entry.kind = contentName(kind);
  entry.editable = isEditablePath(item.value);
  if (entry.editable) {
    entry.times = motionOf(item.value).times;
    entry.milestones = static_cast<int>(entry.times->size());
  }
  entry.values = numbersOf(item.value);
  if (const auto* grasp = std::get_if<Grasp>(&item.value)) {
    entry.fingers.emplace();
    for (const auto& [link, value] : grasp->fixed) entry.fingers->push_back({static_cast<double>(link), value});
  }
  if (const auto* shape = std::get_if<GeometryPtr>(&item.value); shape != nullptr && *shape)
    entry.triangles = static_cast<int>((*shape)->numTriangles());
  if (const std::vector<Hold> holds = holdsOf(item.value); !holds.empty()) entry.holds = holdList(holds);
  for (const FileContent other : convertibleKinds(kind))
    if (other != kind) entry.convertible.emplace_back(contentName(other));
  return entry;
}

}  // namespace

std::vector<message::ListedResource> PoseSession::resourceList() const {
  std::vector<message::ListedResource> list;
  for (const auto& item : poser_.document().resources) list.push_back(describe(*item));
  return list;
}

}  // namespace mortise::viewer
