#include "mortise/viewer/posing/hold_edit.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"

namespace mortise::viewer {

namespace {

std::vector<Hold> requireHolds(const Resource& resource) {
  if (!std::holds_alternative<Hold>(resource) && !std::holds_alternative<Stance>(resource))
    throw Error(std::string(contentName(contentOf(resource))) + " has no contacts that can be edited", {},
                "holds and stances have; others may be converted to them");
  return holdsOf(resource);
}

/// Makes a resource of the same kind as `like`.
Resource fromHolds(const Resource& like, std::vector<Hold> holds) {
  if (std::holds_alternative<Hold>(like)) return std::move(holds.front());
  return Stance{std::move(holds)};
}

}  // namespace

std::vector<Hold> holdsOf(const Resource& resource) {
  if (const auto* hold = std::get_if<Hold>(&resource)) return {*hold};
  if (const auto* stance = std::get_if<Stance>(&resource)) return stance->holds;
  return {};
}

Resource withContacts(const Resource& resource, int link, const std::vector<ContactPoint>& contacts,
                      const IKGoal& goal) {
  std::vector<Hold> holds = requireHolds(resource);
  auto hold = std::find_if(holds.begin(), holds.end(), [&](const Hold& h) { return h.link == link; });
  if (hold == holds.end()) {
    if (std::holds_alternative<Hold>(resource))
      throw Error("this hold is of another link", {}, "convert it to a stance, which holds several links");
    holds.push_back({.link = link, .contacts = {}, .goal = {}});
    hold = std::prev(holds.end());
  }
  hold->contacts.insert(hold->contacts.end(), contacts.begin(), contacts.end());
  hold->goal = goal;
  return fromHolds(resource, std::move(holds));
}

Resource withoutContact(const Resource& resource, std::size_t hold, std::size_t contact) {
  std::vector<Hold> holds = requireHolds(resource);
  if (hold >= holds.size() || contact >= holds[hold].contacts.size()) throw Error("there is no such contact");
  std::vector<ContactPoint>& contacts = holds[hold].contacts;
  if (contacts.size() == 1 && holds.size() == 1)
    throw Error("the last contact cannot be removed", {}, "delete the resource instead");
  contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(contact));
  if (contacts.empty()) holds.erase(holds.begin() + static_cast<std::ptrdiff_t>(hold));
  return fromHolds(resource, std::move(holds));
}

Resource withCleanContacts(const Resource& resource, const ContactCleaning& options) {
  std::vector<Hold> holds = requireHolds(resource);
  for (Hold& hold : holds) hold.contacts = cleaned(hold.contacts, options);
  return fromHolds(resource, std::move(holds));
}

Resource withFriction(const Resource& resource, double friction) {
  if (!std::isfinite(friction) || friction < 0) throw Error("friction is a number that is not below 0");
  std::vector<Hold> holds = requireHolds(resource);
  for (Hold& hold : holds)
    for (ContactPoint& contact : hold.contacts) contact.friction = friction;
  return fromHolds(resource, std::move(holds));
}

}  // namespace mortise::viewer
