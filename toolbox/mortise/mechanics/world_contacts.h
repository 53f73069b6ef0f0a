#pragma once

/// Contacts of a posed world, from its shapes, and of a simulated one.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "mortise/collision/world_collider.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/contact_generator.h"
#include "mortise/mechanics/link_contact.h"

namespace mortise {

/// A point where two things of a world touch. The normal points from b into a.
struct WorldContact {
  int a = -1, b = -1;  ///< Ids, a < b.
  ContactPoint point;
  double gap = 0;  ///< Meters between the surfaces; negative: they overlap by that much.
};

struct WorldContactOptions {
  double touch = 0.005;  ///< Meters: surfaces that are no farther apart touch.
  int maxContacts = 20;  ///< For a pair of ids; the generator keeps those that say most about where the pair touches.
  std::optional<double> friction =
      {};  ///< Friction of all contacts; by default that of the two surfaces, as simulated.
};

/// Finds the contacts of a world wherever it is posed: those of a simulation step without paddings
/// (`ContactGenerator`), each time as if it were the first. Belongs to one thread.
class WorldContactFinder {
 public:
  /// Pairs are those of the collider. Throws `Error` for options that mean nothing.
  explicit WorldContactFinder(std::shared_ptr<const WorldCollider> collider, const WorldContactOptions& options = {});

  const WorldCollider& collider() const { return *collider_; }
  /// Everything that touches at the poses of `state`, which is of the same collider, in ascending order of ids: the map
  /// of who touches whom.
  const std::vector<WorldContact>& contacts(const WorldCollisionState& state);
  /// Those of a robot's links: with each other, and with everything else, which counts as the world that does not move.
  std::vector<LinkContact> ofRobot(const WorldCollisionState& state, int robot);

 private:
  std::shared_ptr<const WorldCollider> collider_;
  WorldContactOptions options_;
  ContactGenerator generator_;
  std::vector<WorldContact> contacts_;
};

/// Contacts of the world as contacts of one robot's links, wherever they come from (shapes, or a simulation). `forces`,
/// when given, gets one a contact: those on the links, of `forces_W` on a.
std::vector<LinkContact> contactsOfRobot(const World& world, int robot, const std::vector<WorldContact>& contacts,
                                         const std::vector<Vector3d>& forces_W = {},
                                         std::vector<Vector3d>* forces = nullptr);

/// Contacts of a simulation over many steps: each is where it was last, with the mean force of all steps.
class ContactHistoryMap {
 public:
  /// The world that is simulated outlives the map; friction is that of its surfaces.
  explicit ContactHistoryMap(const World& world) : world_(&world) {}

  /// A step of `dt` seconds. Contacts are known by pair and key, those without a key by their order within the pair.
  /// Throws `Error` for times that are not above 0.
  void add(std::span<const ContactForce> contacts, double dt);
  void clear();
  double duration() const { return duration_; }

  /// In ascending order of ids.
  std::vector<WorldContact> contacts() const;
  /// On a, means over the duration (N), one a contact.
  std::vector<Vector3d> forces_W() const;
  /// The share of the time in which each touched.
  std::vector<double> fractions() const;

 private:
  struct Entry {
    WorldContact contact;
    Vector3d impulse_W = Vector3d::Zero();
    double time = 0;
  };
  using Key = std::tuple<int, int, std::uint64_t, int>;
  const World* world_;
  std::map<Key, Entry> entries_;
  double duration_ = 0;
};

}  // namespace mortise
