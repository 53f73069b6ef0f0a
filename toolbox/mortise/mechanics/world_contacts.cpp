#include "mortise/mechanics/world_contacts.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/base/interruption.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

std::shared_ptr<const ContactScene> touchScene(const WorldCollider& collider, const WorldContactOptions& options) {
  if (!(options.touch >= 0) || !std::isfinite(options.touch))
    throw Error("surfaces that are " + formatReal(options.touch) + " m apart cannot count as touching", {},
                "give a distance of at least 0 m");
  if (options.friction && !(*options.friction >= 0))
    throw Error("friction is " + formatReal(*options.friction), {}, "it is at least 0");
  std::vector<ContactBody> bodies;
  for (int id = 0; id < collider.numIds(); ++id) bodies.push_back({collider.shape(id), 0, collider.robotOf(id)});
  ContactRules rules;
  rules.margin = options.touch;
  rules.maxContacts = options.maxContacts;
  return std::make_shared<const ContactScene>(std::move(bodies), collider.pairs(), rules);
}

}  // namespace

WorldContactFinder::WorldContactFinder(std::shared_ptr<const WorldCollider> collider,
                                       const WorldContactOptions& options)
    : collider_(std::move(collider)), options_(options), generator_(touchScene(*collider_, options)) {}

const std::vector<WorldContact>& WorldContactFinder::contacts(const WorldCollisionState& state) {
  MORTISE_REQUIRE(state.collider().numIds() == collider_->numIds(), "the state must be of the same collider");
  interruptionPoint();
  generator_.reset();
  for (int id = 0; id < collider_->numIds(); ++id)
    if (collider_->shape(id) != nullptr) generator_.setPose(id, state.pose(id));
  generator_.update();
  contacts_.clear();
  for (const GeneratedContact& contact : generator_.contacts()) {
    if (contact.gap > options_.touch) continue;
    const World& world = collider_->world();
    const double friction =
        options_.friction ? *options_.friction
                          : combine(world.simulationSurface(contact.a), world.simulationSurface(contact.b)).friction;
    // Where rotations are written with few digits, the normals of their links are not quite of length 1.
    const double length = contact.normal.norm();
    const bool off = std::abs(length - 1) > 1e-12 && length > 0;
    const Vector3d normal = off ? Vector3d(contact.normal / length) : contact.normal;
    contacts_.push_back({contact.a, contact.b, {contact.point, normal, friction}, contact.gap});
  }
  return contacts_;
}

std::vector<LinkContact> WorldContactFinder::ofRobot(const WorldCollisionState& state, int robot) {
  return contactsOfRobot(collider_->world(), robot, contacts(state));
}

std::vector<LinkContact> contactsOfRobot(const World& world, int robot, const std::vector<WorldContact>& contacts,
                                         const std::vector<Vector3d>& forces_W, std::vector<Vector3d>* forces) {
  if (robot < 0 || robot >= static_cast<int>(world.robots.size()))
    throw Error("there is no robot " + std::to_string(robot) + " in the world");
  const int first = world.linkId(robot, 0), count = world.robots[static_cast<std::size_t>(robot)].robot->numLinks();
  const auto linkOf = [&](int id) { return id >= first && id < first + count ? id - first : -1; };
  std::vector<LinkContact> result;
  if (forces != nullptr) {
    MORTISE_REQUIRE_SIZE(forces_W, contacts.size(), "one for each contact");
    forces->clear();
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const WorldContact& contact = contacts[i];
    const int a = linkOf(contact.a), b = linkOf(contact.b);
    if (a < 0 && b < 0) continue;
    LinkContact own{a, contact.point, b};
    if (a < 0) {
      own = {b, contact.point};
      own.point.n_W = -own.point.n_W;
    }
    result.push_back(own);
    if (forces != nullptr) forces->push_back(a < 0 ? Vector3d(-forces_W[i]) : forces_W[i]);
  }
  return result;
}

void ContactHistoryMap::add(std::span<const ContactForce> contacts, double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("a step of " + formatReal(dt) + " s", {}, "steps take time");
  duration_ += dt;
  std::map<std::pair<int, int>, int> order;
  for (const ContactForce& contact : contacts) {
    const int number = contact.key != 0 ? -1 : order[{contact.idA, contact.idB}]++;
    Entry& entry = entries_[{contact.idA, contact.idB, contact.key, number}];
    const double friction =
        combine(world_->simulationSurface(contact.idA), world_->simulationSurface(contact.idB)).friction;
    entry.contact = {contact.idA, contact.idB, {contact.point, contact.normal, friction}, -contact.depth};
    entry.impulse_W += dt * contact.force;
    entry.time += dt;
  }
}

void ContactHistoryMap::clear() {
  entries_.clear();
  duration_ = 0;
}

std::vector<WorldContact> ContactHistoryMap::contacts() const {
  std::vector<WorldContact> contacts;
  for (const auto& [key, entry] : entries_) contacts.push_back(entry.contact);
  return contacts;
}

std::vector<Vector3d> ContactHistoryMap::forces_W() const {
  std::vector<Vector3d> forces;
  for (const auto& [key, entry] : entries_) forces.emplace_back(entry.impulse_W / duration_);
  return forces;
}

std::vector<double> ContactHistoryMap::fractions() const {
  std::vector<double> fractions;
  for (const auto& [key, entry] : entries_) fractions.push_back(entry.time / duration_);
  return fractions;
}

}  // namespace mortise
