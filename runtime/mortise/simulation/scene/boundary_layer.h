#pragma once

/// Contacts for engines that take them from outside: the toolbox's contact generator around the shapes of a scene.

#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/contact_generator.h"

namespace mortise {

/// The shape that contacts are found with: shrunk first where its surface says so.
CollisionShapePtr contactShape(const GeometryPtr& geometry, const Surface& surface);

class BoundaryLayer {
 public:
  /// One shape a world id, shrunk first where its surface says so, with the surface's padding around it. The
  /// description must outlive this.
  explicit BoundaryLayer(const SceneDescription& scene);

  /// Finds the contacts at these poses, one entry a body of the description. `time` is the tick; it tells how long ago
  /// a pair last crossed.
  void update(std::span<const BodyState> bodies, std::int64_t tick);
  /// For `Scene::setContacts`. Contacts between bodies of which neither moves are left out.
  std::span<const SceneContact> contacts() const { return now_.contacts; }
  std::span<const ContactPairReport> pairs() const { return generator_.pairs(); }

  /// Whether bare surfaces met in the last `update` that had not met in the step before, nor a while ago: then the step
  /// was too long for what is thin. Pairs without layer and shapes whose inside is known are exempt.
  bool crossesAnew() const { return crossesAnew_; }

  /// Switches contacts between two ids on or off; `b` -1: between `a` and all others. Never on beyond the filter.
  void setCollision(int a, int b, bool on);

  /// In memory: what `rewind` goes back to. Cheap enough for every step.
  void remember();
  void rewind();
  void save(ByteWriter& out) const;
  /// Throws `Error` for bytes of another scene.
  void restore(ByteReader& in);

 private:
  struct Place {
    int id, body;
    RigidTransform X_BG;
    bool moving;
  };
  struct Crossing {
    int a, b;
    std::int64_t tick;  ///< When the pair last crossed.
  };
  /// What later steps depend on, beside the generator.
  struct Memory {
    std::vector<SceneContact> contacts;
    std::vector<Crossing> crossings;  ///< Ascending pairs.
  };
  void convert();
  void watchCrossings(std::int64_t tick);

  const SceneDescription& scene_;
  std::vector<Place> places_;
  std::vector<int> bodyOf_;        ///< By id; -1: no shape.
  std::vector<double> padding_;    ///< By id.
  std::vector<std::uint8_t> off_;  ///< By pair of ids; empty as long as everything is on.
  ContactGenerator generator_;
  bool placed_ = false;
  bool crossesAnew_ = false;
  Memory now_, remembered_;
  ByteWriter rememberedGenerator_;
  std::vector<Crossing> next_;
};

}  // namespace mortise
