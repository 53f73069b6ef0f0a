#pragma once

/// The contacts of a simulation step, for any engine: boundary layers around shapes, as Klamp't has them
/// (Hauser, "Robust contact generation for robot simulation with unstructured meshes", 2013), kept coherent from step
/// to step. docs/contacts.md says how.
///
/// A `ContactScene` holds what does not change and is shared by threads. A `ContactGenerator` belongs to one thread and
/// holds what later steps depend on; `save` and `restore` carry it over, so that continuing after a restore gives the
/// same bits as never having stopped.

#include <memory>
#include <span>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/contacts/contact_recovery.h"
#include "mortise/contacts/contact_reduction.h"
#include "mortise/contacts/contact_surface.h"
#include "mortise/model/id_pair.h"
#include "mortise/model/pair_table.h"

namespace mortise {

/// m. Paddings are thin; within a thick one, everything would touch everything.
constexpr double kLargestPadding = 1;

/// One shape. Several ids may share a `CollisionShape` and what is prepared for it.
struct ContactBody {
  ContactShape shape;  ///< None: the id takes no part.
  double padding = 0;  ///< m, 0 to `kLargestPadding`: the layer around the shape, on top of its own margin.
  int group = -1;      ///< A robot's links share one; -1: none.
};

struct ContactPairLimit {
  int a = -1, b = -1;
  int maxContacts = 0;
};

struct ContactRules {
  double margin = 0.001;  ///< Contacts are handed over this many meters before paddings touch.
  int maxContacts = 20;   ///< For a pair of ids.
  /// For all pairs with one id in a group and the other not: where more are left, each pair gets its fraction of them.
  int maxGroupContacts = std::numeric_limits<int>::max();
  std::vector<ContactPairLimit> pairLimits = {};  ///< Instead of `maxContacts`, for these pairs.
};

class ContactScene {
 public:
  /// `bodies` by id; `pairs` of the same size says which are checked. Throws `Error` for sizes that differ, negative or
  /// non-finite paddings and margins, limits below 1, and pairs that name no id.
  ContactScene(std::vector<ContactBody> bodies, const PairTable& pairs, ContactRules rules = {});

  int numIds() const { return static_cast<int>(bodies_.size()); }
  const ContactBody& body(int id) const { return bodies_[id]; }
  /// It has a shape that is not empty. The others have no surface.
  bool takesPart(int id) const { return bodies_[id].shape && !bodies_[id].shape.empty(); }
  const ContactSurface& surface(int id) const { return bodies_[id].shape.surface(); }
  const PairTable& pairs() const { return pairs_; }
  /// The same with other pairs; `pairs` is of the same size.
  ContactScene withPairs(PairTable pairs) const;
  const ContactRules& rules() const { return rules_; }
  int maxContacts(int a, int b) const;

  /// No pair of two quiet ids is checked: those of terrains, of which there may be very many.
  bool quiet(int id) const { return quiet_[static_cast<std::size_t>(id)] != 0; }

 private:
  void findQuiet();

  std::vector<ContactBody> bodies_;
  PairTable pairs_;
  std::vector<char> quiet_;
  ContactRules rules_;
};

struct GeneratedContact {
  std::uint64_t key = 0;  ///< Key of the ids and features: the same from step to step while the features stay.
  int a = -1, b = -1;     ///< Ids, a < b.
  Vector3d point = Vector3d::Zero();    ///< World; midway between the padded surfaces.
  Vector3d normal = Vector3d::UnitZ();  ///< World, unit, from b to a.
  double gap = 0;                       ///< Meters between the padded surfaces; negative: they overlap by that much.
  SurfaceFeature featureA, featureB;
  bool reliable = true;  ///< False where surfaces without inside cross: the direction is a well-founded guess.
};

/// A pair that came near in this step.
struct ContactPairReport {
  int a = -1, b = -1;
  bool crossing = false;  ///< The bare shapes meet, paddings and sweeps left out.
  bool reliable = true;
  double minGap = std::numeric_limits<double>::infinity();  ///< Smallest gap of the padded surfaces.
  int found = 0;                                            ///< Contacts before the reduction.
  int first = 0, count = 0;                                 ///< In `contacts()`.
};

class ContactGenerator {
 public:
  explicit ContactGenerator(std::shared_ptr<const ContactScene> scene);

  const ContactScene& scene() const { return *scene_; }
  /// World pose of an id's shape. Throws `Error` when it is not finite.
  void setPose(int id, const RigidTransform& X_W);
  const RigidTransform& pose(int id) const { return poses_[id]; }

  /// Contacts at the present poses, in ascending order of (a, b) and features; makes a step of the coherence. Depends
  /// on the poses and on what `save` writes, alone. Allocates nothing once warm.
  void update();
  std::span<const GeneratedContact> contacts() const { return contacts_; }
  /// In ascending order of (a, b); pairs without contacts are left out.
  std::span<const ContactPairReport> pairs() const { return reports_; }

  /// Pairs whose boxes overlap at the present poses, paddings included: how many there are. `first` receives no more
  /// than `max` of them, those that come first along x, in ascending order.
  std::size_t nearPairs(std::size_t max, std::vector<IdPair>& first);

  /// Forgets earlier steps: the next one is a first one.
  void reset();
  void save(ByteWriter& out) const;
  /// Restores the state of a generator with a scene of as many ids; throws `Error` for other bytes. Contacts are those
  /// of the saved step's last `update` again only after the next.
  void restore(ByteReader& in);

 private:
  struct Memory {
    int a = -1, b = -1;
    Vector3d direction = Vector3d::Zero();  ///< In b's frame: where a was.
    int firstKey = 0, numKeys = 0;
  };
  struct Candidates {
    int a = -1, b = -1;
    int first = 0, count = 0;  ///< In layers_.
    double reach = 0;
    Vector3d shift = Vector3d::Zero();  ///< By which a was moved, in its own frame.
    bool crossing = false, reliable = true;
    int limit = 0;
  };

  /// Cache of the features that a pair may touch with, and of the nearest ones. Says nothing about earlier steps: it
  /// only saves looking again.
  struct Fronts {
    ContactFront wide, narrow;
    std::size_t misses = 0;    ///< Pairings tested that did not touch, since the last of the two was made.
    std::size_t patience = 1;  ///< For how many times the front it may be so many: more where narrowing has not helped.
  };
  struct PairFront {
    int a = -1, b = -1;
    std::unique_ptr<Fronts> front;
  };

  void placeBoxes();
  template <typename Found>
  void sweep(Found&& found);
  void broadPhase();
  void matchFronts();
  bool collect(int a, int b, const RigidTransform& X_AB, double reach, Fronts* fronts);
  void narrowPhase(int a, int b, Fronts* fronts);
  void addSeparation(const Candidates& pair, const RigidTransform& X_AB, const SeparatingMotion& separation);
  void applyGroupLimits();
  void emit(const Candidates& pair);
  const Memory* memoryOf(int a, int b) const;
  Vector3d previousDirection(int a, int b, const Memory* memory);

  std::shared_ptr<const ContactScene> scene_;
  std::vector<RigidTransform> poses_;

  // What the next step depends on.
  bool started_ = false;
  std::vector<RigidTransform> previousPoses_;
  std::vector<Memory> memories_;     ///< Sorted by pair.
  std::vector<std::uint64_t> keys_;  ///< Keys of the contacts of the last step, ascending within a pair.

  std::vector<GeneratedContact> contacts_;
  std::vector<ContactPairReport> reports_;

  // Scratch: nothing of it outlives a step but its memory, and the order of `byX_`, which changes no result.
  std::vector<Vector3d> low_, high_;
  std::vector<int> byX_, active_, activeQuiet_;
  bool sorted_ = false;  ///< True if `byX_` has the order of an earlier step.
  std::vector<std::pair<int, int>> near_;
  std::vector<PairFront> fronts_, nextFronts_;  ///< Fronts of near pairs that are triangles, sorted.
  std::vector<std::unique_ptr<Fronts>> freeFronts_;
  std::vector<Candidates> candidates_;
  std::vector<LayerContact> layers_;
  LayerWorkspace layer_;
  MergeWorkspace merging_;
  RecoveryWorkspace recovery_;
  ReductionWorkspace reduction_;
  std::vector<ReducibleContact> reducible_;
  std::vector<int> chosen_, groupTotals_;
  std::vector<Memory> nextMemories_;
  std::vector<std::uint64_t> nextKeys_;
};

}  // namespace mortise
