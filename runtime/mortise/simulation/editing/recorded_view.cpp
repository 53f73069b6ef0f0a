#include "mortise/simulation/editing/recorded_view.h"

#include <algorithm>

namespace mortise {

int idIn(const RecordedView::Version& as, const RecordedView::Version& now, int id) {
  if (id < 0) return -1;
  const World::Entity entity = now.world.entity(id);
  if (entity.kind == World::Kind::terrain) return as.world.terrainId(entity.index);
  if (entity.kind == World::Kind::robot) return as.world.robotId(entity.index);
  if (entity.kind == World::Kind::link) return as.world.linkId(entity.index, entity.link);
  const int number = now.objects[static_cast<std::size_t>(entity.index)];
  const auto found = std::find(as.objects.begin(), as.objects.end(), number);
  return found == as.objects.end() ? -1 : as.world.objectId(static_cast<int>(found - as.objects.begin()));
}

const SimulationView& RecordedView::of(const SimulationView& view, const Version& now, const Version& as,
                                       const std::map<int, BodyState>& gone) {
  view_ = view;
  view_.world = &as.world;
  objects_.resize(as.objects.size());
  for (std::size_t i = 0; i < as.objects.size(); ++i) {
    const auto found = std::find(now.objects.begin(), now.objects.end(), as.objects[i]);
    if (found != now.objects.end())
      objects_[i] = view.objects[static_cast<std::size_t>(found - now.objects.begin())];
    else if (const auto last = gone.find(as.objects[i]); last != gone.end())
      objects_[i] = last->second;
  }
  view_.objects = objects_;
  const auto renumbered = [&](std::span<const ContactForce> from, std::vector<ContactForce>& to) {
    to.clear();
    for (ContactForce contact : from) {
      contact.idA = idIn(as, now, contact.idA);
      contact.idB = idIn(as, now, contact.idB);
      if (contact.idA >= 0 || contact.idB >= 0) to.push_back(contact);
    }
    return std::span<const ContactForce>(to);
  };
  view_.contacts = renumbered(view.contacts, contacts_);
  view_.weightedContacts = renumbered(view.weightedContacts, weighted_);
  wrenches_.clear();
  for (AppliedWrench wrench : view.wrenches) {
    wrench.id = idIn(as, now, wrench.id);
    if (wrench.id >= 0) wrenches_.push_back(wrench);
  }
  view_.wrenches = wrenches_;
  return view_;
}

}  // namespace mortise
