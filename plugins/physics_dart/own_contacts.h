#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dart_settings.h"
#include "engine.h"
#include "mortise/component/physics.h"
#include "mortise/contacts/push_out.h"

namespace mortise::dart {

/// DART's own collision detection (`contacts: engine`).
class OwnContacts {
 public:
  /// Adds collision shapes to the nodes, one node for each body. Throws `Error` for shapes that the detector does not
  /// know.
  OwnContacts(const SceneDescription& description, const DartSettings& settings, std::span<dyn::BodyNode* const> nodes,
              col::CollisionDetectorPtr detector);

  void setCollision(int idA, int idB, bool on);
  /// At the present poses, at most `maxContacts` of the description for each pair of ids, chosen so that what many
  /// points hold up is held up by these.
  /// Returns whether those were all.
  bool find(std::vector<SceneContact>& out);

  /// Returns the push-out of bodies from where somebody put them.
  OwnContactsPushOut& pushOut() { return pushOut_; }

  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

  /// DART's detector as the settings say.
  static col::CollisionDetectorPtr makeDetector(const DartSettings& settings);

 private:
  struct Owner {
    int body, id;
  };
  class Filter;

  void addShapes(const SceneBody& body, int index, dyn::BodyNode& node, const DartSettings& settings);
  bool keepSpread(std::vector<SceneContact>& contacts) const;

  const SceneDescription& description_;
  CollisionFilter allowed_;                       ///< The description's without what is switched off.
  std::vector<std::pair<int, int>> switchedOff_;  ///< Sorted.
  OwnContactsPushOut pushOut_;
  std::unordered_map<const dyn::ShapeFrame*, Owner> owners_;
  col::CollisionDetectorPtr detector_;
  col::CollisionGroupPtr group_;
  col::CollisionOption option_;
  col::CollisionResult result_;
};

}  // namespace mortise::dart
