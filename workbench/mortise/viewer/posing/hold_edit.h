#pragma once

/// Contacts of holds and stances, edited.

#include "mortise/component/resource.h"
#include "mortise/mechanics/contact_cleaning.h"

namespace mortise::viewer {

/// The holds of a hold or a stance; none of anything else.
std::vector<Hold> holdsOf(const Resource& resource);

// All of them throw `Error` for resources that are neither hold nor stance, and for what does not exist.

/// With contacts added to the hold of `link`, which a stance gets if it has none; its goal becomes `goal`. A hold of
/// another link is an error.
Resource withContacts(const Resource& resource, int link, const std::vector<ContactPoint>& contacts,
                      const IKGoal& goal);
/// Without a contact; of a stance, a hold that loses its last one is gone. The last contact of all cannot be removed.
Resource withoutContact(const Resource& resource, std::size_t hold, std::size_t contact);
/// Each hold with as few contacts as bear the same.
Resource withCleanContacts(const Resource& resource, const ContactCleaning& options);
/// With the same coefficient of friction at all contacts, finite and not below 0.
Resource withFriction(const Resource& resource, double friction);

}  // namespace mortise::viewer
