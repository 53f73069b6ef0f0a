#include "mortise/mechanics/world_contacts.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
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
    contacts_.push_back({contact.a, contact.b, {contact.point, contact.normal, friction}, contact.gap});
  }
  return contacts_;
}

std::vector<LinkContact> WorldContactFinder::ofRobot(const WorldCollisionState& state, int robot) {
  return contactsOfRobot(collider_->world(), robot, contacts(state));
}

std::vector<LinkContact> contactsOfRobot(const World& world, int robot, const std::vector<WorldContact>& contacts) {
  if (robot < 0 || robot >= static_cast<int>(world.robots.size()))
    throw Error("there is no robot " + std::to_string(robot) + " in the world");
  const int first = world.linkId(robot, 0), count = world.robots[static_cast<std::size_t>(robot)].robot->numLinks();
  const auto linkOf = [&](int id) { return id >= first && id < first + count ? id - first : -1; };
  std::vector<LinkContact> result;
  for (const WorldContact& contact : contacts) {
    const int a = linkOf(contact.a), b = linkOf(contact.b);
    if (a < 0 && b < 0) continue;
    LinkContact own{a, contact.point, b};
    if (a < 0) {
      own = {b, contact.point};
      own.point.n_W = -own.point.n_W;
    }
    result.push_back(own);
  }
  return result;
}

}  // namespace mortise
