#pragma once

/// Contacts for engines that take them from outside: the toolbox's contact generator around the shapes of a scene.

#include <memory>
#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/contact_generator.h"
#include "mortise/contacts/push_out.h"

namespace mortise {

/// The shape that contacts are found with: shrunk first where its surface says so.
CollisionShapePtr contactShape(const GeometryPtr& geometry, const Surface& surface);

/// Returns the shapes that contacts of a scene are found with, one a world id. Preparing it takes most of the time
/// before a first step; it never changes, and generators share it.
std::shared_ptr<const ContactScene> contactSceneOf(const SceneDescription& scene);

class BoundaryLayer {
 public:
  /// One shape a world id, shrunk first where its surface says so, with the surface's padding around it. The
  /// description must outlive this. `shapes`: its `contactSceneOf`; null: it is made.
  explicit BoundaryLayer(const SceneDescription& scene, std::shared_ptr<const ContactScene> shapes = nullptr);

  /// For other layers of the same description.
  const std::shared_ptr<const ContactScene>& shapes() const { return shapes_; }

  /// The origin of the bodies' poses: physics, or somebody who put them there, perhaps into each other.
  enum class Poses { stepped, placed };
  /// Finds the contacts at these poses, one entry a body of the description. `tick` tells how long ago a pair last
  /// crossed.
  void update(std::span<const BodyState> bodies, std::int64_t tick, Poses poses = Poses::stepped);
  /// For `Scene::setContacts`. Contacts between bodies of which neither moves are left out.
  std::span<const SceneContact> contacts() const { return now_.contacts; }
  std::span<const ContactPairReport> pairs() const { return generator_.pairs(); }

  /// Says whether bare surfaces met in the last `update` that had not met in the step before, nor a while ago: then the
  /// step was too long for what is thin. Pairs without layer, shapes whose inside is known and what is being pushed out
  /// are exempt.
  bool crossesAnew() const { return crossesAnew_; }

  /// Says whether bodies that were put deep into each other are still being pushed out.
  bool pushesOut() const { return !pushOut_.deep().empty(); }

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
  /// The data that later steps depend on, beside the generator.
  struct Memory {
    std::vector<SceneContact> contacts;
    std::vector<Crossing> crossings;        ///< Ascending pairs.
    std::vector<std::pair<int, int>> deep;  ///< Pairs of `pushOut_`; only while remembered.
  };
  void convert();
  void watchCrossings(std::int64_t tick);

  const SceneDescription& scene_;
  std::vector<Place> places_;
  std::vector<int> bodyOf_;      ///< By id; -1: no shape.
  std::vector<double> padding_;  ///< By id.
  PairTable off_;                ///< Pairs of ids that are switched off.
  std::shared_ptr<const ContactScene> shapes_;
  ContactGenerator generator_;
  bool placed_ = false;
  bool crossesAnew_ = false;
  PushOut pushOut_;
  Memory now_, remembered_;
  ByteWriter rememberedGenerator_;
  std::vector<Crossing> next_;
};

}  // namespace mortise
