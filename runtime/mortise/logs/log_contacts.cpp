#include "mortise/logs/log_contacts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/logs/samples.h"
#include "mortise/logs/series.h"

namespace mortise::logs {

namespace {

/// Times of one instant agree to this, s.
constexpr double kSameInstant = 5e-10;

ContactForce contactFrom(std::span<const float> v) {
  const auto vector = [&](std::size_t at) { return Vector3d(v[at], v[at + 1], v[at + 2]); };
  ContactForce contact;
  contact.idA = static_cast<int>(v[0]);
  contact.idB = static_cast<int>(v[1]);
  contact.point = vector(2);
  contact.normal = vector(5);
  contact.depth = static_cast<double>(v[8]);
  contact.force = vector(9);
  return contact;
}

ContactSum sumOf(const std::vector<const ContactForce*>& contacts) {
  ContactSum sum;
  sum.idA = contacts.front()->idA;
  sum.idB = contacts.front()->idB;
  double total = 0;
  for (const ContactForce* contact : contacts) total += std::abs(contact->force.dot(contact->normal));
  for (const ContactForce* contact : contacts) {
    const double fraction =
        total > 0 ? std::abs(contact->force.dot(contact->normal)) / total : 1 / static_cast<double>(contacts.size());
    sum.point += fraction * contact->point;
    sum.force += (contact->idA == sum.idA ? 1 : -1) * contact->force;
  }
  return sum;
}

}  // namespace

std::vector<ContactForce> contactsAt(mcap::Reader& reader, double time) {
  std::vector<ContactForce> contacts;
  mcap::Query query;
  query.topics = {"/mortise/contacts"};
  // A block has the time of its last sample.
  query.start = static_cast<std::uint64_t>(std::max(0.0, std::floor(1e9 * (time - kSameInstant))));
  reader.messages(query, [&](const mcap::Message& message) {
    const SeriesBlock block = SeriesBlock::decode(message.data);
    if (block.columns() != contactColumns().size())
      throw Error("its contacts have " + std::to_string(block.columns()) + " numbers, not " +
                      std::to_string(contactColumns().size()),
                  inFile(reader.path()));
    for (std::size_t i = 0; i < block.samples(); ++i)
      if (std::abs(block.times()[i] - time) <= kSameInstant) contacts.push_back(contactFrom(block.sample(i)));
    return block.samples() == 0 || block.times().back() <= time + kSameInstant;
  });
  return contacts;
}

std::vector<ContactSum> contactSums(const std::vector<ContactForce>& contacts) {
  std::map<std::pair<int, int>, std::size_t> places;
  std::vector<std::vector<const ContactForce*>> pairs;
  for (const ContactForce& contact : contacts) {
    const auto [at, isNew] = places.try_emplace(std::minmax(contact.idA, contact.idB), pairs.size());
    if (isNew) pairs.emplace_back();
    pairs[at->second].push_back(&contact);
  }
  std::vector<ContactSum> sums;
  for (const auto& pair : pairs) sums.push_back(sumOf(pair));
  return sums;
}

}  // namespace mortise::logs
