#include "mortise/contacts/contact_generator.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mortise/base/error.h"
#include "mortise/base/expect.h"
#include "mortise/hash/hash.h"

namespace mortise {
namespace {

constexpr std::uint32_t kSnapshotVersion = 1;
constexpr std::size_t kMaxPatience = 64;

std::uint64_t keyOf(int a, int b, SurfaceFeature featureA, SurfaceFeature featureB) {
  const auto pack = [](std::uint64_t high, std::uint64_t low) { return high << 32 | low; };
  return splitMixBits(
      splitMixBits(pack(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)) + kSplitMixIncrement) ^
      pack(featureA.code, featureB.code));
}

/// Surfaces have no inside, so where they cross, which side is out is a guess.
bool isSurface(const CollisionShape& shape) {
  return !shape.solid() && (shape.trianglesOnly() || (!shape.empty() && shape.element(0).kind == CoreKind::triangle));
}

}  // namespace

ContactScene::ContactScene(std::vector<ContactBody> bodies, const PairTable& pairs, ContactRules rules)
    : bodies_(std::move(bodies)), pairs_(pairs), rules_(std::move(rules)) {
  const int n = numIds();
  if (pairs.size() != n)
    throw Error("contacts: the table of pairs is for " + std::to_string(pairs.size()) + " ids, and there are " +
                std::to_string(n));
  if (!(rules_.margin >= 0 && std::isfinite(rules_.margin)))
    throw Error("contacts: the margin is a distance in meters, at least 0");
  if (rules_.maxContacts < 1 || rules_.maxGroupContacts < 1)
    throw Error("contacts: the largest number of contacts must be at least 1");
  for (ContactPairLimit& limit : rules_.pairLimits) {
    if (limit.a > limit.b) std::swap(limit.a, limit.b);
    if (limit.a < 0 || limit.b >= n || limit.a == limit.b)
      throw Error("contacts: a limit is for ids " + std::to_string(limit.a) + " and " + std::to_string(limit.b) +
                  "; ids go from 0 to " + std::to_string(n - 1) + " and must differ");
    if (limit.maxContacts < 1) throw Error("contacts: the largest number of contacts must be at least 1");
  }
  std::stable_sort(rules_.pairLimits.begin(), rules_.pairLimits.end(),
                   [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  // Looked up by address, never walked.
  std::map<const CollisionShape*, ContactShape> known;
  for (int id = 0; id < n; ++id) {
    ContactBody& body = bodies_[id];
    if (!(body.padding >= 0 && std::isfinite(body.padding)))
      throw Error("contacts: the padding of id " + std::to_string(id) + " is " + std::to_string(body.padding) + " m",
                  {}, "give a distance of zero or more");
    if (body.padding > kLargestPadding)
      throw Error("contacts: the padding of id " + std::to_string(id) + " is " + std::to_string(body.padding) +
                      " m; more than " + std::to_string(kLargestPadding) + " m are not possible",
                  {}, "a padding is a thin layer, a few millimeters, in which contacts begin");
    const CollisionShape* kept = body.shape.kept();
    if (kept == nullptr || kept->empty()) continue;
    body.shape = known.try_emplace(kept, body.shape).first->second;
    (void)body.shape.surface();  // Of many elements it takes long: now, where it can be interrupted.
  }
  findQuiet();
}

/// Goes by the lowest ids, which are those of terrains.
void ContactScene::findQuiet() {
  quiet_.assign(bodies_.size(), 1);
  pairs_.forEachPair([&](int a, int b) {  // Ascending: a is decided when its pairs come.
    if (quiet(a)) quiet_[static_cast<std::size_t>(b)] = 0;
  });
}

ContactScene ContactScene::withPairs(PairTable pairs) const {
  MORTISE_REQUIRE_SIZE(pairs, numIds(), "one for each id");
  ContactScene scene = *this;
  scene.pairs_ = std::move(pairs);
  scene.findQuiet();
  return scene;
}

int ContactScene::maxContacts(int a, int b) const {
  const auto found = std::lower_bound(rules_.pairLimits.begin(), rules_.pairLimits.end(), std::pair(a, b),
                                      [](const ContactPairLimit& x, const auto& y) { return std::pair(x.a, x.b) < y; });
  return found != rules_.pairLimits.end() && found->a == a && found->b == b ? found->maxContacts : rules_.maxContacts;
}

ContactGenerator::ContactGenerator(std::shared_ptr<const ContactScene> scene) : scene_(std::move(scene)) {
  const int n = scene_->numIds();
  poses_.resize(n);
  previousPoses_.resize(n);
  low_.resize(n);
  high_.resize(n);
  for (int id = 0; id < n; ++id) {
    if (scene_->takesPart(id)) byX_.push_back(id);
    groupTotals_.resize(std::max<std::size_t>(groupTotals_.size(), scene_->body(id).group + 1));
  }
}

void ContactGenerator::setPose(int id, const RigidTransform& X_W) {
  MORTISE_REQUIRE_INDEX(id, poses_.size(), "ids");
  if (!X_W.allFinite()) throw Error("contacts: the pose of id " + std::to_string(id) + " is not finite");
  poses_[id] = X_W;
}

void ContactGenerator::reset() {
  started_ = false;
  memories_.clear();
  keys_.clear();
  contacts_.clear();
  reports_.clear();
}

const ContactGenerator::Memory* ContactGenerator::memoryOf(int a, int b) const {
  const auto found = std::lower_bound(memories_.begin(), memories_.end(), std::pair(a, b),
                                      [](const Memory& x, const auto& y) { return std::pair(x.a, x.b) < y; });
  return found != memories_.end() && found->a == a && found->b == b ? &*found : nullptr;
}

Vector3d ContactGenerator::previousDirection(int a, int b, const Memory* memory) {
  const RigidTransform &X_WA = poses_[a], &X_WB = poses_[b];
  if (memory != nullptr && memory->direction != Vector3d::Zero())
    return X_WA.R.transpose() * (X_WB.R * memory->direction);
  if (!started_) return Vector3d::Zero();
  // They came too fast to be seen near: which way they were apart in the step before.
  const DistanceResult before = distance(scene_->surface(a).shape(), previousPoses_[a], scene_->surface(b).shape(),
                                         previousPoses_[b], recovery_.query);
  if (!before.found || !(before.distance > 0)) return Vector3d::Zero();
  const Vector3d normalInB = previousPoses_[b].R.transpose() * -before.normal_W;
  return X_WA.R.transpose() * (X_WB.R * normalInB);
}

void ContactGenerator::addSeparation(const Candidates& pair, const RigidTransform& X_AB,
                                     const SeparatingMotion& separation) {
  // What parts solids need not touch afterwards: one contact that leads out.
  const DistanceResult nearest = distance(scene_->surface(pair.a).shape(), {}, scene_->surface(pair.b).shape(),
                                          {X_AB.R, X_AB.p - pair.shift}, recovery_.query);
  LayerContact contact;
  contact.p_A = contact.p_B = nearest.p_WA;
  contact.normal = separation.direction;
  contact.featureA = contact.featureB = {SurfaceFeature::element, 0x3fffffff};
  layer_.contacts.push_back(contact);
}

void ContactGenerator::matchFronts() {
  nextFronts_.clear();
  std::size_t k = 0;
  const auto free = [&](PairFront& pair) {
    pair.front->wide.made = pair.front->narrow.made = false;
    freeFronts_.push_back(std::move(pair.front));
  };
  for (const auto& [a, b] : near_) {
    if (!scene_->surface(a).shape().trianglesOnly() || !scene_->surface(b).shape().trianglesOnly()) continue;
    for (; k < fronts_.size() && std::pair(fronts_[k].a, fronts_[k].b) < std::pair(a, b); ++k) free(fronts_[k]);
    if (k < fronts_.size() && fronts_[k].a == a && fronts_[k].b == b) {
      nextFronts_.push_back(std::move(fronts_[k++]));
      continue;
    }
    PairFront& pair = nextFronts_.emplace_back();
    pair.a = a;
    pair.b = b;
    if (freeFronts_.empty()) freeFronts_.push_back(std::make_unique<Fronts>());
    pair.front = std::move(freeFronts_.back());
    freeFronts_.pop_back();
  }
  for (; k < fronts_.size(); ++k) free(fronts_[k]);
  fronts_.swap(nextFronts_);
}

bool ContactGenerator::collect(int a, int b, const RigidTransform& X_AB, double reach, Fronts* fronts) {
  const ContactSurface &surfaceA = scene_->surface(a), &surfaceB = scene_->surface(b);
  if (fronts == nullptr) return collectLayer(surfaceA, surfaceB, X_AB, reach, layer_);
  const auto motion = [&](const RigidTransform& X) { return motionBetween(surfaceA, surfaceB, reach, X, X_AB); };
  ContactFront &wide = fronts->wide, &narrow = fronts->narrow;
  if (!wide.made || !(motion(wide.X_AB) < wide.slack)) {
    // For some twenty steps like the last one; what moves fast is tested anew each time.
    double slack = 0.1 * reach;
    if (started_) {
      const double moved = motion(relativePose(previousPoses_[a], previousPoses_[b]));
      slack = moved < 0.05 * reach ? std::clamp(20 * moved, 0.02 * reach + 1e-7, 0.3 * reach + 1e-7) : 0;
    }
    slack = std::min(slack, 0.1 * leverOf(surfaceA, surfaceB, reach));
    makeFront(surfaceA, surfaceB, X_AB, reach, slack, wide, layer_.making);
    narrow.made = false;
    fronts->misses = 0;
    fronts->patience = 1;
  } else if (fronts->misses > fronts->patience * (narrow.made ? narrow : wide).pairings.size() ||
             (narrow.made && !(motion(narrow.X_AB) < narrow.slack))) {
    // Queries without a result have cost as much as this does: most bodies come to rest. Those that do not touch but
    // would after the least motion stay; then the next time is later.
    const std::size_t before = (narrow.made ? narrow : wide).pairings.size();
    double slack = 0.002 * reach;
    if (started_) slack = std::max(slack, 8 * motion(relativePose(previousPoses_[a], previousPoses_[b])));
    narrowFront(wide, surfaceA, surfaceB, X_AB, slack, narrow);
    fronts->misses = 0;
    fronts->patience = 4 * narrow.pairings.size() > 3 * before ? std::min(2 * fronts->patience, kMaxPatience) : 1;
  }
  const bool crossing = collectLayer(narrow.made ? narrow : wide, surfaceA, surfaceB, X_AB, layer_);
  fronts->misses += static_cast<std::size_t>(layer_.misses);
  return crossing;
}

void ContactGenerator::narrowPhase(int a, int b, Fronts* fronts) {
  const ContactSurface &surfaceA = scene_->surface(a), &surfaceB = scene_->surface(b);
  const CollisionShape &shapeA = surfaceA.shape(), &shapeB = surfaceB.shape();
  const RigidTransform X_AB = relativePose(poses_[a], poses_[b]);
  Candidates pair;
  pair.a = a;
  pair.b = b;
  pair.reach = scene_->body(a).padding + scene_->body(b).padding + scene_->rules().margin;
  pair.first = static_cast<int>(layers_.size());
  pair.limit = scene_->maxContacts(a, b);
  pair.crossing = collect(a, b, X_AB, pair.reach, fronts);
  // Wholly inside a solid whose elements are its surface.
  if (!pair.crossing && !layer_.touching && (shapeA.solid() || shapeB.solid()))
    pair.crossing = collide(shapeA, {}, shapeB, X_AB, recovery_.query);
  if (pair.crossing) {
    pair.reliable = !isSurface(shapeA) && !isSurface(shapeB);
    const Memory* memory = memoryOf(a, b);
    const SeparatingMotion separation = recover(surfaceA, surfaceB, X_AB, layer_.crossings,
                                                previousDirection(a, b, memory), recovery_, 0.05 * pair.reach);
    if (separation.found) {
      // Contacts are those just after parting, taken back along the way: they then have the depth that parts the
      // shapes, and normals of surfaces that do not cross.
      const double clear = 1e-5 * std::min(shapeA.radius(), shapeB.radius()) + 1e-9;
      const double depth = separation.distance + clear;
      pair.shift = depth * separation.direction;
      const double reach = pair.reach + clear + std::min(separation.distance, pair.reach + 0.02);
      collectLayer(surfaceA, surfaceB, {X_AB.R, X_AB.p - pair.shift}, reach, layer_);
      std::erase_if(layer_.contacts, [&](const LayerContact& contact) {
        return contact.gap - pair.shift.dot(contact.normal) > pair.reach;
      });
      if (layer_.contacts.empty()) addSeparation(pair, X_AB, separation);
    }
  }
  mergeLayer(std::max(0.02 * pair.reach, 1e-9), layer_.contacts, merging_);
  for (LayerContact& contact : layer_.contacts) {
    contact.gap -= pair.shift.dot(contact.normal);
    layers_.push_back(contact);
  }
  pair.count = static_cast<int>(layers_.size()) - pair.first;
  if (pair.count > 0 || pair.crossing) candidates_.push_back(pair);
}

void ContactGenerator::applyGroupLimits() {
  const int max = scene_->rules().maxGroupContacts;
  if (max == std::numeric_limits<int>::max() || groupTotals_.empty()) return;
  std::fill(groupTotals_.begin(), groupTotals_.end(), 0);
  const auto across = [&](const Candidates& pair) { return scene_->body(pair.a).group != scene_->body(pair.b).group; };
  for (const Candidates& pair : candidates_)
    if (across(pair))
      for (const int id : {pair.a, pair.b})
        if (scene_->body(id).group >= 0) groupTotals_[scene_->body(id).group] += std::min(pair.count, pair.limit);
  for (Candidates& pair : candidates_) {
    if (!across(pair)) continue;
    const int count = std::min(pair.count, pair.limit);
    for (const int id : {pair.a, pair.b}) {
      const int group = scene_->body(id).group;
      if (group < 0 || groupTotals_[group] <= max) continue;
      const std::int64_t fraction =
          (static_cast<std::int64_t>(count) * max + groupTotals_[group] - 1) / groupTotals_[group];
      pair.limit = std::min<int>(pair.limit, static_cast<int>(fraction));
    }
  }
}

void ContactGenerator::emit(const Candidates& pair) {
  const Memory* memory = memoryOf(pair.a, pair.b);
  const RigidTransform &X_WA = poses_[pair.a], &X_WB = poses_[pair.b];
  const double paddingA = scene_->body(pair.a).padding, paddingB = scene_->body(pair.b).padding;
  const std::span<const LayerContact> layer(layers_.data() + pair.first, static_cast<std::size_t>(pair.count));

  reducible_.clear();
  for (const LayerContact& contact : layer) {
    const std::uint64_t key = keyOf(pair.a, pair.b, contact.featureA, contact.featureB);
    const bool kept = memory != nullptr && std::binary_search(keys_.begin() + memory->firstKey,
                                                              keys_.begin() + memory->firstKey + memory->numKeys, key);
    reducible_.push_back({contact.p_A, contact.normal, contact.gap, kept});
  }
  reduceContacts(reducible_, static_cast<std::size_t>(pair.limit), 0.01 * pair.reach + 1e-9, chosen_, reduction_);

  ContactPairReport report;
  report.a = pair.a;
  report.b = pair.b;
  report.crossing = pair.crossing;
  report.reliable = pair.reliable;
  report.found = pair.count;
  report.first = static_cast<int>(contacts_.size());
  report.count = static_cast<int>(chosen_.size());
  Memory next;
  next.a = pair.a;
  next.b = pair.b;
  next.firstKey = static_cast<int>(nextKeys_.size());
  next.numKeys = report.count;
  Vector3d sum = Vector3d::Zero();
  for (const int i : chosen_) {
    const LayerContact& found = layer[i];
    GeneratedContact contact;
    contact.key = keyOf(pair.a, pair.b, found.featureA, found.featureB);
    contact.a = pair.a;
    contact.b = pair.b;
    contact.normal = X_WA.R * found.normal;
    contact.gap = found.gap - paddingA - paddingB;
    // Of a's point where a is, not where it was taken to; b's is as much farther along the normal as they overlap.
    const Vector3d onA = found.p_A - pair.shift - paddingA * found.normal;
    contact.point = X_WA * Vector3d(onA - 0.5 * contact.gap * found.normal);
    contact.featureA = found.featureA;
    contact.featureB = found.featureB;
    contact.reliable = pair.reliable;
    report.minGap = std::min(report.minGap, contact.gap);
    // Deep contacts say more about where the other is.
    sum += (pair.reach - found.gap + 1e-9) * found.normal;
    nextKeys_.push_back(contact.key);
    contacts_.push_back(contact);
  }
  std::sort(nextKeys_.begin() + next.firstKey, nextKeys_.end());
  if (pair.crossing && pair.shift != Vector3d::Zero()) sum = pair.shift;
  const double length = sum.norm();
  if (length > 1e-12)
    next.direction = X_WB.R.transpose() * (X_WA.R * (sum / length));
  else if (memory != nullptr)
    next.direction = memory->direction;
  nextMemories_.push_back(next);
  reports_.push_back(report);
}

void ContactGenerator::update() {
  contacts_.clear();
  reports_.clear();
  candidates_.clear();
  layers_.clear();
  nextMemories_.clear();
  nextKeys_.clear();
  broadPhase();
  matchFronts();
  std::size_t next = 0;
  for (const auto& [a, b] : near_) {
    const bool has = next < fronts_.size() && fronts_[next].a == a && fronts_[next].b == b;
    narrowPhase(a, b, has ? fronts_[next++].front.get() : nullptr);
  }
  applyGroupLimits();
  for (const Candidates& pair : candidates_) emit(pair);
  memories_.swap(nextMemories_);
  keys_.swap(nextKeys_);
  previousPoses_ = poses_;
  started_ = true;
}

void ContactGenerator::save(ByteWriter& out) const {
  out.put(kSnapshotVersion);
  out.put(static_cast<std::uint32_t>(scene_->numIds()));
  out.put(static_cast<std::uint8_t>(started_));
  for (const std::vector<RigidTransform>* poses : {&poses_, &previousPoses_}) {
    for (const RigidTransform& X : *poses) {
      double rows[12];
      X.toRows(rows);
      out.append(rows, sizeof rows);
    }
  }
  out.put(static_cast<std::uint64_t>(memories_.size()));
  for (const Memory& memory : memories_) {
    out.put(static_cast<std::int32_t>(memory.a));
    out.put(static_cast<std::int32_t>(memory.b));
    out.append(memory.direction.data(), 3 * sizeof(double));
    out.put(static_cast<std::int32_t>(memory.numKeys));
  }
  out.put(static_cast<std::uint64_t>(keys_.size()));
  out.append(keys_.data(), keys_.size() * sizeof(std::uint64_t));
}

void ContactGenerator::restore(ByteReader& in) {
  const auto refuse = [](const std::string& why) {
    return Error("contacts: the snapshot " + why, {}, "restore snapshots of the same scene");
  };
  const auto version = in.get<std::uint32_t>();
  if (version != kSnapshotVersion)
    throw refuse("is of version " + std::to_string(version) + ", and this program reads " +
                 std::to_string(kSnapshotVersion));
  const auto ids = in.get<std::uint32_t>();
  if (ids != static_cast<std::uint32_t>(scene_->numIds()))
    throw refuse("is of " + std::to_string(ids) + " ids, and the scene has " + std::to_string(scene_->numIds()));
  const bool started = in.get<std::uint8_t>() != 0;
  std::vector<RigidTransform> poses[2];
  for (std::vector<RigidTransform>& list : poses) {
    for (std::uint32_t i = 0; i < ids; ++i) {
      double rows[12];
      in.get(rows);
      list.push_back(RigidTransform::fromRows(rows));
    }
  }
  std::vector<Memory> memories;
  std::int64_t total = 0;
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    Memory memory;
    memory.a = in.get<std::int32_t>();
    memory.b = in.get<std::int32_t>();
    for (int k = 0; k < 3; ++k) memory.direction[k] = in.get<double>();
    memory.firstKey = static_cast<int>(total);
    memory.numKeys = in.get<std::int32_t>();
    if (memory.numKeys < 0) throw refuse("is damaged");
    total += memory.numKeys;
    memories.push_back(memory);
  }
  if (in.get<std::uint64_t>() != static_cast<std::uint64_t>(total)) throw refuse("is damaged");
  std::vector<std::uint64_t> keys;
  for (std::int64_t i = 0; i < total; ++i) keys.push_back(in.get<std::uint64_t>());
  started_ = started;
  poses_ = std::move(poses[0]);
  previousPoses_ = std::move(poses[1]);
  memories_ = std::move(memories);
  keys_ = std::move(keys);
  contacts_.clear();
  reports_.clear();
}

}  // namespace mortise
