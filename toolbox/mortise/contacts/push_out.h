#pragma once

/// Bodies that are put deep into each other, as a robot that is set down in a floor, come apart at a bounded speed.

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/contact_generator.h"

namespace mortise {

/// Meters: bare surfaces that overlap by more than this where bodies were put are pushed out gently.
constexpr double kDeepOverlap = 5e-3;

/// Contacts of two things, robots or loose bodies, of which one was put deep into the other are springs and dampers
/// until both are apart: no faster than the scene's `maxPushOutSpeed`, and no stronger than ten times the weight of the
/// heavier one, all its contacts together. Links that are stuck from both sides of a surface, whose contacts contradict
/// each other, so come to no harm: rigid contacts would have no solution.
///
/// Pairs of ids are deep when they were so where bodies were put, and, as long as a pair of two things is deep, others
/// of both that come to cross.
class PushOut {
 public:
  explicit PushOut(const SceneDescription& scene);

  /// With all pairs of a step. `placed`: bodies are where somebody put them, not where physics led them.
  void update(std::span<const ContactPairReport> pairs, bool placed);
  /// Says whether these ids belong to things that are being pushed out of each other.
  bool applies(int idA, int idB) const { return !deep_.empty() && isStuck(thingOf_[idA], thingOf_[idB]); }
  /// Contacts in ascending order of pairs, as they are handed to engines.
  void soften(std::span<SceneContact> contacts) const;

  /// Ids, ascending.
  const std::vector<std::pair<int, int>>& deep() const { return deep_; }
  void set(std::vector<std::pair<int, int>> deep);

 private:
  bool isStuck(int thingA, int thingB) const;
  void findStuck();
  /// Returns the ids of two things in order.
  static std::pair<int, int> ordered(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

  double speed_;
  std::vector<int> thingOf_;                      ///< By id: the robot, or the body itself; -1: no shape.
  std::vector<double> mass_;                      ///< By thing: of its bodies that move by forces.
  std::vector<double> padding_;                   ///< By id: by how much the surface stands out from the body.
  std::vector<std::pair<int, int>> deep_, next_;  ///< Pairs of ids, ascending.
  std::vector<std::pair<int, int>> stuck_;        ///< Pairs of things, ascending.
};

/// The same for contacts that an engine finds by itself, of which no more is known than ids, points and depths.
class OwnContactsPushOut {
 public:
  explicit OwnContactsPushOut(const SceneDescription& scene)
      : pushOut_(scene), numIds_(static_cast<int>(scene.surfaces.size())) {}

  /// A body or a joint (radians or meters) is where somebody put it: what is deep in something then, was put there.
  /// Changing velocities alone puts nothing anywhere.
  void placed(const RigidTransform& before, const RigidTransform& after);
  void placed(double before, double after);
  /// With all contacts of a step, in any order.
  void soften(std::span<SceneContact> contacts);
  /// Says whether contacts of the last step were softened.
  bool active() const { return !pushOut_.deep().empty(); }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  PushOut pushOut_;
  int numIds_ = 0;
  bool placed_ = true;  ///< Since the last step, or at the start.
  std::vector<ContactPairReport> pairs_;
};

}  // namespace mortise
